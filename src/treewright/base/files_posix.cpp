// Files of every system but Windows, those that a browser keeps in memory too: see system.h.

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "treewright/base/system.h"

namespace treewright::system {

std::filesystem::path path_of(const std::string& text) {
  return text;
}

std::string text_of(const std::filesystem::path& path) {
  return path.string();
}

FileKind kind_of(const std::string& path) {
  std::error_code ignored;
  const std::filesystem::file_status there = std::filesystem::status(path, ignored);
  if (!std::filesystem::exists(there)) return FileKind::absent;
  return is_directory(there) ? FileKind::folder : is_regular_file(there) ? FileKind::regular : FileKind::other;
}

int open_file(const std::string& path, Opening opening) {
  const int flags = opening == Opening::read ? O_RDONLY : opening == Opening::write ? O_WRONLY : O_RDWR | O_CREAT;
  return open(path.c_str(), flags | O_CLOEXEC, 0666);
}

int open_standard_input() {
  return dup(STDIN_FILENO);
}

int open_replacement(const std::string& path, const std::string& target) {
  struct stat there {};
  const bool exists = stat(target.c_str(), &there) == 0;
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, exists ? 0600 : 0666);
  if (file < 0 || !exists || fchmod(file, there.st_mode & 07777) == 0) return file;
  const int code = errno;
  close(file);
  unlink(path.c_str());
  errno = code;
  return -1;
}

bool bring_to_disk(int file) {
  return fsync(file) == 0;
}

bool lock_file(int file) {
  return flock(file, LOCK_EX | LOCK_NB) == 0;
}

bool move_over(const std::string& from, const std::string& to) {
  return std::rename(from.c_str(), to.c_str()) == 0;
}

bool may_write_in(const std::string& folder) {
  return access(folder.c_str(), W_OK) == 0;
}

std::string make_temporary_folder(const std::string& prefix) {
  std::string name = (std::filesystem::temp_directory_path() / (prefix + "-XXXXXX")).string();
  return mkdtemp(name.data()) == nullptr ? "" : name;
}

}  // namespace treewright::system
