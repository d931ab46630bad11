// The outputs of a run that may have taken hours: one that cannot be written takes none of the others with it.

#include "outputs.h"

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <system_error>
#include <vector>

#include "treewright/base/file.h"
#include "treewright/base/system.h"

namespace treewright::cli {

void check_folder(const std::string& path, const char* flag) {
  if (!path.empty() && system::kind_of(path) != system::FileKind::folder)
    throw Error(path, "is no folder", fmt::format("make it first, or name another one with {}", flag), ErrorKind::usage);
}

void check_output(const std::string& path, std::initializer_list<std::string> inputs) {
  if (path.empty() || path == "-") return;
  check_writable(path, inputs);
  // A device takes several outputs.
  if (system::kind_of(path) == system::FileKind::other) return;
  static std::vector<std::string> outputs;  // of this run
  for (const std::string& other : outputs) {
    if (same_file(path, other))
      throw Error(path, "two outputs of this run would go to this file", "give each a file of its own", ErrorKind::usage);
  }
  outputs.push_back(path);
}

std::string file_name(const std::string& path) {
  return system::text_of(system::path_of(path).filename());
}

void check_model_outputs(const Options& options, std::initializer_list<std::string> inputs) {
  check_output(options.write_model, inputs);
  check_output(options.write_rows, inputs);
  check_output(options.proof, inputs);
}

void write_output(const std::string& path, const std::string& content) {
  if (!path.empty() && path != "-") {
    write_file(path, content);
    return;
  }
  if (std::fwrite(content.data(), 1, content.size(), stdout) != content.size() || std::fflush(stdout) != 0) {
    throw Error("standard output", "cannot be written", "free some space, or check the program it is piped to", ErrorKind::file);
  }
}

void Outputs::write(const std::function<void()>& output) {
  try {
    output();
  } catch (const Error& error) {
    if (first_) {  // `end` throws one
      fmt::print(stderr, "treewright: {}\n", error.what());
    } else {
      first_ = error;
    }
  }
}

void Outputs::write_tree(const std::string& path, const Result& result) {
  if (path.empty()) return;
  write([&] {
    const std::string json = to_json(result);
    try {
      write_output(path, json);
    } catch (const Error& error) {
      if (path == "-") throw;  // whoever reads it has gone
      const std::string folder = system::make_temporary_folder("treewright");
      if (folder.empty()) throw;
      const std::string other = folder + "/tree.json";
      try {
        write_file(other, json);
      } catch (const Error&) {
        std::error_code ignored;
        std::filesystem::remove(system::path_of(folder), ignored);
        throw error;
      }
      throw Error(error.where(), error.problem(), fmt::format("the tree is in {}", other), error.kind());
    }
  });
}

void Outputs::end() const {
  if (first_) throw *first_;
}

}  // namespace treewright::cli
