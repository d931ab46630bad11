#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace treewright {

/// A file of lines that a program adds to while it works and reads again after it was killed. A torn last line (the kill came while it was
/// written) is not a line; a line that was changed since is an Error, by the checksum that each one begins with. The file is locked while
/// the journal lives: nobody else can open a journal on it. Its first line, the header, says what it belongs to.
class Journal {
 public:
  /// Names and values that two runs must share so that one can go on with the journal of the other. First the format and its version.
  using Header = std::vector<std::pair<std::string, std::string>>;

  /// What becomes of a journal that is there: it is an Error, it is gone on with, or it begins anew.
  enum class Existing { refused, resumed, overwritten };

  /// Makes the file, or opens it. Never changes a file of other content. Throws Error where the file cannot be read or written, is in use,
  /// or is refused; when it is to be resumed, also if it has another header (the Error names what differs) or holds a changed line.
  Journal(std::string path, const Header& header, Existing existing);
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  /// Empties a file that is to be overwritten and writes the header; so does the first `append`. Until then it is as it was: a run that is
  /// refused has not touched it.
  void begin();

  /// The whole lines that the file held when it was opened, without the header, checksums and line ends.
  const std::vector<std::string>& lines() const { return lines_; }
  /// Whether its last line was torn.
  bool was_torn() const { return torn_; }

  /// Adds a line behind the last whole one. `line` has no line end. A kill does not take it back; nor does a power cut, if the last line
  /// that was brought to the disk is at least `sync_after` old. Throws Error when the line cannot be written.
  void append(std::string_view line, std::chrono::duration<double> sync_after = {});

 private:
  void read(const Header& header, Existing existing);
  void sync();

  std::string path_;
  int file_ = -1;
  std::vector<std::string> lines_;
  std::string head_;       // the header of a file that is still to be overwritten
  std::int64_t size_ = 0;  // of the whole lines, in bytes
  bool torn_ = false;
  bool synced_ = true;
  std::chrono::steady_clock::time_point synced_at_{};
};

/// What the option on_existing asks for of the checkpoint at `path`. Throws Error if it asks for something and there is no path.
Journal::Existing existing_checkpoint(const std::string& path, const std::string& on_existing);

}  // namespace treewright
