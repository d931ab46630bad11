#include "treewright/base/file.h"

#include <fcntl.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "treewright/base/error.h"

namespace treewright {

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
  std::string content;
  std::size_t used = 0;
  while (true) {
    content.resize(used + (used < (1u << 20) ? (1u << 20) : used));
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

void write_file(const std::string& path, std::string_view content) {
  const std::string temporary = path + ".tmp" + std::to_string(getpid());
  const auto fail = [&](const char* what) {
    const std::string reason = std::strerror(errno);
    std::remove(temporary.c_str());
    throw Error(path, std::string(what) + ": " + reason, "free some space or choose another --out", ErrorKind::file);
  };
  std::FILE* file = std::fopen(temporary.c_str(), "wb");
  if (file == nullptr) fail("cannot be created");
  const bool written =
      std::fwrite(content.data(), 1, content.size(), file) == content.size() && std::fflush(file) == 0 && fsync(fileno(file)) == 0;
  const int saved = errno;
  if (std::fclose(file) != 0 || !written) {
    if (!written) errno = saved;
    fail("cannot be written");
  }
  if (std::rename(temporary.c_str(), path.c_str()) != 0) fail("cannot be renamed into place");
}

}  // namespace treewright
