// The outputs of a run that may have taken hours: one that cannot be written takes none of the others with it.

#include <fmt/format.h>

#include "commands.h"
#include "treewright/base/file.h"
#include "treewright/base/system.h"

namespace treewright::cli {

void Outputs::write(const std::function<void()>& output) {
  try {
    output();
  } catch (const Error& error) {
    if (!first_) first_ = error;
  }
}

void Outputs::write_tree(const std::string& path, const Result& result) {
  if (path.empty()) return;
  write([&] {
    const std::string json = to_json(result);
    try {
      write_output(path, json);
    } catch (const Error& error) {
      const std::string folder = system::make_temporary_folder("treewright");
      if (path == "-" || folder.empty()) throw;
      const std::string other = folder + "/tree.json";
      try {
        write_file(other, json);
      } catch (const Error&) {
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
