#pragma once

#include <string>
#include <string_view>

namespace treewright {

/// The whole file as bytes; a gzip file (recognised by its first two bytes) is unpacked. `-` reads standard input.
/// Throws Error when the file cannot be opened or read, or when its gzip data are damaged.
std::string read_file(const std::string& path);

/// Writes to a temporary name beside `path` and renames, so that a full disk or a kill never leaves half a file and
/// never destroys the previous one. Throws Error when the file cannot be written.
void write_file(const std::string& path, std::string_view content);

}  // namespace treewright
