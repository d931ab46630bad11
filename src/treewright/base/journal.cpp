#include "treewright/base/journal.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "treewright/error.h"

namespace treewright {

namespace {

[[noreturn]] void fail(const std::string& path) {
  throw Error(path, std::strerror(errno), "check the path, its permissions and the space on the disk", ErrorKind::file);
}

}  // namespace

Journal::Journal(std::string path, bool truncate) : path_(std::move(path)) {
  const int file = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | (truncate ? O_TRUNC : 0), 0666);
  if (file < 0) fail(path_);
  std::string content;
  char buffer[1 << 16];
  ssize_t got = 0;
  while ((got = read(file, buffer, sizeof buffer)) > 0) content.append(buffer, static_cast<std::size_t>(got));
  close(file);
  if (got < 0) fail(path_);
  std::size_t begin = 0;
  for (std::size_t end; (end = content.find('\n', begin)) != std::string::npos; begin = end + 1) {
    lines_.push_back(content.substr(begin, end - begin));
  }
  size_ = static_cast<std::int64_t>(begin);
}

void Journal::append(std::string_view line) {
  const int file = open(path_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
  if (file < 0) fail(path_);
  const std::string text = std::string(line) + '\n';
  bool good = ftruncate(file, size_) == 0 && lseek(file, size_, SEEK_SET) == size_;
  for (std::size_t done = 0; good && done < text.size();) {
    const ssize_t written = write(file, text.data() + done, text.size() - done);
    good = written > 0;
    if (good) done += static_cast<std::size_t>(written);
  }
  good = good && fsync(file) == 0;
  const int problem = errno;
  close(file);
  errno = problem;
  if (!good) fail(path_);
  size_ += static_cast<std::int64_t>(text.size());
}

}  // namespace treewright
