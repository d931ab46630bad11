#pragma once

#include <functional>
#include <initializer_list>
#include <optional>
#include <string>

#include "treewright/error.h"
#include "treewright/options.h"
#include "treewright/result.h"

namespace treewright::cli {

/// Throws Error where a folder is named that is not there; "" names none. `flag`: where it was named.
void check_folder(const std::string& path, const char* flag);

/// Before long work: throws Error where `path` cannot be written or is one of the files that the command reads.
void check_output(const std::string& path, std::initializer_list<std::string> inputs);
/// The same for the files that training writes: models, rows, proofs.
void check_model_outputs(const Options& options, std::initializer_list<std::string> inputs);

/// The name of a file without its folder: a page for others shows no path of this machine.
std::string file_name(const std::string& path);

/// Writes to the file, or to standard output for "" and "-".
void write_output(const std::string& path, const std::string& content);

/// The outputs at the end of a run.
class Outputs {
 public:
  /// Writes one. Its Error, if it is the first, waits for `end`.
  void write(const std::function<void()>& output);
  /// The tree with its claims, if there is a path; in a temporary folder if that cannot be written.
  void write_tree(const std::string& path, const Result& result);
  /// Throws the first Error.
  void end() const;

 private:
  std::optional<Error> first_;
};

}  // namespace treewright::cli
