#include "treewright/base/file.h"

#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "treewright/base/system.h"
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
  if (!from_stdin && system::kind_of(path) == system::FileKind::folder)
    throw Error(path, "is a folder", "name a file in it", ErrorKind::file);
  const int descriptor = from_stdin ? system::open_standard_input() : system::open_file(path, system::Opening::read);
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
      const std::string_view message = gzerror(file, &code);  // it begins with a name that zlib gave the descriptor
      const std::size_t colon = message.find(": "), begin = colon == std::string_view::npos ? 0 : colon + 2;
      const std::string problem = code == Z_ERRNO ? std::strerror(errno) : std::string(message.substr(begin));
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

// Writes all of it; whether that worked. Sets errno.
bool write_all(int descriptor, std::string_view content) {
  while (!content.empty()) {
    const ssize_t written = write(descriptor, content.data(), std::min<std::size_t>(content.size(), 1u << 30));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// A device or a pipe takes what comes; there is nothing to replace.
void write_into(const std::string& path, std::string_view content) {
  const int descriptor = system::open_file(path, system::Opening::write);
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
  std::filesystem::path target = system::path_of(path);
  // One by one, since the last of them may point to a file that is still to be made.
  for (int links = 0; links < kLongestChain && std::filesystem::is_symlink(target, ignored); ++links)
    target = target.parent_path() / std::filesystem::read_symlink(target, ignored);
  const std::filesystem::path full = std::filesystem::weakly_canonical(std::filesystem::absolute(target, ignored), ignored);
  return full.empty() ? path : system::text_of(full);
}

}  // namespace

void write_file(const std::string& path, std::string_view content) {
  const std::string target = target_of(path);
  const system::FileKind kind = system::kind_of(target);
  if (kind == system::FileKind::folder) throw Error(path, "is a folder", "name a file in it", ErrorKind::file);
  if (kind == system::FileKind::other) return write_into(target, content);
  const system::EndsWait waiting;
  const std::string temporary = target + ".tmp" + std::to_string(getpid());
  const int descriptor = system::open_replacement(temporary, target);
  if (descriptor < 0) cannot(path, "cannot be created", errno);
  const bool written = write_all(descriptor, content) && system::bring_to_disk(descriptor);
  const int code = errno;
  const bool closed = close(descriptor) == 0;
  if (written && closed && system::move_over(temporary, target)) return;
  const int reason = written ? errno : code;
  std::error_code ignored;
  std::filesystem::remove(system::path_of(temporary), ignored);
  cannot(path, "cannot be written", reason);
}

bool same_file(const std::string& a, const std::string& b) {
  std::error_code ignored;
  // A file that is still to be made is the same one if the names say so.
  return std::filesystem::equivalent(system::path_of(a), system::path_of(b), ignored) || target_of(a) == target_of(b);
}

void check_writable(const std::string& path, std::initializer_list<std::string> inputs) {
  for (const std::string& input : inputs) {
    if (!input.empty() && same_file(path, input))
      throw Error(path, "is read by this run and would be overwritten", "write to another file", ErrorKind::file);
  }
  const std::string target = target_of(path);
  const system::FileKind kind = system::kind_of(target);
  if (kind == system::FileKind::folder) throw Error(path, "is a folder", "name a file in it", ErrorKind::file);
  if (kind == system::FileKind::other) return;
  const std::string folder = system::text_of(system::path_of(target).parent_path());
  if (!system::may_write_in(folder.empty() ? "." : folder)) cannot(path, "cannot be created", errno);
}

}  // namespace treewright
