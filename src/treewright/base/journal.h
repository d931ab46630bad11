#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace treewright {

/// A file of lines that survives a kill. A line is on the disk when `append` returns. An incomplete last line (the program was killed while
/// writing it) is ignored.
class Journal {
 public:
  /// The file need not exist. Throws Error when it cannot be read, or (`truncate`) not be emptied.
  Journal(std::string path, bool truncate);

  /// The whole lines the file held when it was opened, without line ends.
  const std::vector<std::string>& lines() const { return lines_; }

  /// Adds a line behind the last whole one. `line` holds no line end. Throws Error when it cannot be written.
  void append(std::string_view line);

 private:
  std::string path_;
  std::vector<std::string> lines_;
  std::int64_t size_ = 0;  // of the whole lines, in bytes
};

}  // namespace treewright
