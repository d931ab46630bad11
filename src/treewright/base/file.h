#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace treewright {

/// The whole file as bytes; a gzip file (recognized by its first two bytes) is unpacked. `-` reads standard input.
/// Throws Error when the file cannot be opened or read, or when its gzip data are damaged.
std::string read_file(const std::string& path);

/// Replaces the file, or the file that a link points to, in one step and keeps its permissions: a full disk or a kill never leaves half a
/// file and never destroys the previous one. A device or a pipe is written into. Throws Error when that fails.
void write_file(const std::string& path, std::string_view content);

/// Whether both paths mean the same file, which need not exist yet.
bool same_file(const std::string& a, const std::string& b);

/// Throws Error if `path` names one of the inputs, or can be seen not to be writable; the file is not touched. For use before long work.
void check_writable(const std::string& path, std::initializer_list<std::string> inputs);

}  // namespace treewright
