#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace treewright {

/// A file of lines that a program adds to while it works and reads again after it was killed. A line is on the disk when `append` returns. A torn last
/// line (the kill came while it was written) is not a line; a line that was changed since is an Error, by the checksum that each one
/// begins with. The file is locked while the journal lives: nobody else can open a journal on it. Its first line, the header, says what it belongs to.
class Journal {
 public:
  /// Makes the file, or goes on with it (`resume`). Never changes a file of other content. Throws Error where the file cannot be read or written, is in
  /// use, has content though `resume` is false, has another header, or holds a changed line.
  Journal(std::string path, std::string_view header, bool resume);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// The whole lines that the file held when it was opened, without the header, checksums and line ends.
  const std::vector<std::string>& lines() const { return lines_; }
  /// Whether its last line was torn.
  bool was_torn() const { return torn_; }

  /// Adds a line behind the last whole one. `line` has no line end. Throws Error when it cannot be written.
  void append(std::string_view line);

 private:
  void read(std::string_view header, bool resume);

  std::string path_;
  int file_ = -1;
  std::vector<std::string> lines_;
  std::int64_t size_ = 0;  // of the whole lines, in bytes
  bool torn_ = false;
};

}  // namespace treewright
