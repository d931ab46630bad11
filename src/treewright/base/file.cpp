#include "treewright/base/file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "treewright/error.h"

namespace treewright {

namespace {

// Bytes of a plain file; 0 for what is none.
std::size_t size_of(int descriptor) {
  struct stat there {};
  return fstat(descriptor, &there) == 0 && S_ISREG(there.st_mode) ? static_cast<std::size_t>(there.st_size) : 0;
}

}  // namespace

std::string read_file(const std::string& path) {
  const bool from_stdin = path == "-";
  const int descriptor = from_stdin ? dup(STDIN_FILENO) : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) throw Error(path, std::strerror(errno), "check the path and its permissions", ErrorKind::file);
  // zlib reads plain files as they are and unpacks those that start with the gzip magic.
  gzFile file = gzdopen(descriptor, "rb");
  if (file == nullptr) {
    close(descriptor);
    throw Error(path, "out of memory while opening", "close other programs", ErrorKind::limit);
  }
  gzbuffer(file, 1 << 18);
  // One byte more than expected shows the end of the file without a second, larger buffer.
  const std::size_t expected = size_of(descriptor) + 1;
  std::string content;
  std::size_t used = 0;
  while (true) {
    content.resize(used < expected ? expected : used + std::max<std::size_t>(used, 1u << 20));
    const std::size_t wanted = std::min<std::size_t>(content.size() - used, 1u << 30);
    const int got = gzread(file, content.data() + used, static_cast<unsigned>(wanted));
    if (got < 0) {
      int code = 0;
      const char* message = gzerror(file, &code);
      const std::string problem = code == Z_ERRNO ? std::strerror(errno) : message;
      gzclose(file);
      throw Error(path, "cannot be read: " + problem, "check that it is a complete, readable file", ErrorKind::file);
    }
    used += static_cast<std::size_t>(got);
    if (static_cast<std::size_t>(got) < wanted) break;
  }
  content.resize(used);
  // A truncated gzip stream only shows at close.
  if (const int code = gzclose(file); code != Z_OK) {
    throw Error(path, "the gzip data end too early", "fetch or compress the file again", ErrorKind::file);
  }
  return content;
}

namespace {

[[noreturn]] void cannot(const std::string& path, const char* what, int code) {
  const char* fix = code == ENOENT   ? "make its folder first, or choose another one"
                    : code == EACCES ? "choose a folder that you may write to"
                                     : "free some space or choose another file";
  throw Error(path, std::string(what) + ": " + std::strerror(code), fix, ErrorKind::file);
}

// While it lives, the signals that end a program wait: a program that ends between making a temporary file and renaming it leaves it
// behind.
class SignalsWait {
 public:
  SignalsWait() {
    sigset_t waiting;
    sigemptyset(&waiting);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&waiting, signal);
    pthread_sigmask(SIG_BLOCK, &waiting, &before_);
  }
  ~SignalsWait() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsWait(const SignalsWait&) = delete;
  SignalsWait& operator=(const SignalsWait&) = delete;

 private:
  sigset_t before_;
};

// Writes all of it; whether that worked. Sets errno.
bool write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = write(descriptor, content.data(), content.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// A device or a pipe takes what comes; there is nothing to replace.
void write_into(const std::string& path, std::string_view content) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) cannot(path, "cannot be opened", errno);
  const bool written = write_all(descriptor, content);
  const int code = errno;
  if (close(descriptor) != 0 && written) cannot(path, "cannot be written", errno);
  if (!written) cannot(path, "cannot be written", code);
}

// The file that a path means: the end of its links.
std::string target_of(const std::string& path) {
  constexpr int kLongestChain = 40;
  std::error_code ignored;
  std::filesystem::path target = path;
  // One by one, since the last of them may point to a file that is still to be made.
  for (int links = 0; links < kLongestChain && std::filesystem::is_symlink(target, ignored); ++links)
    target = target.parent_path() / std::filesystem::read_symlink(target, ignored);
  const std::filesystem::path full = std::filesystem::weakly_canonical(std::filesystem::absolute(target, ignored), ignored);
  return full.empty() ? path : full.string();
}

}  // namespace

void write_file(const std::string& path, std::string_view content) {
  const std::string target = target_of(path);
  struct stat before {};
  const bool exists = stat(target.c_str(), &before) == 0;
  if (exists && S_ISDIR(before.st_mode)) throw Error(path, "is a folder", "name a file in it", ErrorKind::file);
  if (exists && !S_ISREG(before.st_mode)) return write_into(target, content);
  const SignalsWait waiting;
  const std::string temporary = target + ".tmp" + std::to_string(getpid());
  const int descriptor = open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor < 0) cannot(path, "cannot be created", errno);
  const bool written =
      (!exists || fchmod(descriptor, before.st_mode & 07777) == 0) && write_all(descriptor, content) && fsync(descriptor) == 0;
  const int code = errno;
  const bool closed = close(descriptor) == 0;
  if (written && closed && std::rename(temporary.c_str(), target.c_str()) == 0) return;
  const int reason = written ? errno : code;
  std::remove(temporary.c_str());
  cannot(path, "cannot be written", reason);
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  // A file that is still to be made is the same one if the names say so.
  return std::filesystem::equivalent(a, b, ignored) || target_of(a) == target_of(b);
}

void check_writable(const std::string& path, std::initializer_list<std::string> inputs) {
  for (const std::string& input : inputs) {
    if (!input.empty() && same_file(path, input))
      throw Error(path, "is read by this run and would be overwritten", "write to another file", ErrorKind::file);
  }
  const std::string target = target_of(path);
  struct stat there {};
  if (stat(target.c_str(), &there) == 0) {
    if (S_ISDIR(there.st_mode)) throw Error(path, "is a folder", "name a file in it", ErrorKind::file);
    if (!S_ISREG(there.st_mode)) return;
  }
  const std::string folder = std::filesystem::path(target).parent_path().string();
  if (access(folder.empty() ? "." : folder.c_str(), W_OK) != 0) cannot(path, "cannot be created", errno);
}

}  // namespace treewright
