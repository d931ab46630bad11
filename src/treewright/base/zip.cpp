// Zip archives of one file, as data are often offered. zlib, which the library needs for gzip anyway, unpacks the deflate method, which
// nearly all archives use; what is left is to find the file. Its place is in the directory at the end of the archive (PKWARE's APPNOTE,
// 4.3.12 and 4.3.16). Other packers (xz, bzip2, zstd) would each be a further library for what one command of the system does.

#include "treewright/base/zip.h"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "treewright/error.h"

namespace treewright {

namespace {

struct Entry {
  std::string_view name;
  std::uint32_t flags, method, crc, packed, size, header;
};

class Archive {
 public:
  Archive(std::string_view bytes, const std::string& path) : bytes_(bytes), path_(path) {}

  std::vector<Entry> entries() const {
    constexpr std::size_t kEnd = 22;  // bytes of the record, without its comment
    const std::size_t end = bytes_.rfind("PK\5\6");
    if (end == std::string_view::npos || bytes_.size() - end < kEnd) damaged();
    const std::uint32_t count = number(end + 10, 2);
    std::size_t at = number(end + 16, 4);
    std::vector<Entry> entries;
    for (std::uint32_t i = 0; i < count; ++i) {
      if (part(at, 4) != "PK\1\2") damaged();
      const std::size_t name = number(at + 28, 2);
      entries.push_back({part(at + 46, name), number(at + 8, 2), number(at + 10, 2), number(at + 16, 4), number(at + 20, 4),
                         number(at + 24, 4), number(at + 42, 4)});
      at += 46 + name + number(at + 30, 2) + number(at + 32, 2);
    }
    return entries;
  }

  std::string content(const Entry& entry) const {
    constexpr std::uint32_t kElsewhere = 0xFFFFFFFF;
    constexpr std::size_t kDensest = 1032;  // bytes that deflate makes of one at most
    if ((entry.flags & 1) != 0) throw Error(path_, "the archive is encrypted", "unpack it first", ErrorKind::file);
    const bool packed = entry.method == 8;
    if (entry.size == kElsewhere || entry.packed == kElsewhere || !(packed || entry.method == 0))
      throw Error(path_, "the archive is packed in a way that is not read", "unpack it first", ErrorKind::file);
    const std::size_t begin = entry.header + 30 + number(entry.header + 26, 2) + number(entry.header + 28, 2);
    const std::string_view from = part(begin, entry.packed);
    if (packed ? entry.size > kDensest * (from.size() + 1) : entry.size != from.size()) damaged();
    std::string content = packed ? inflated(from, entry.size) : std::string(from);
    if (crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size()) != entry.crc) damaged();
    return content;
  }

 private:
  [[noreturn]] void damaged() const {
    throw Error(path_, "the archive is damaged or incomplete", "fetch it again, or unpack it by other means", ErrorKind::file);
  }
  std::string_view part(std::size_t at, std::size_t size) const {
    if (at > bytes_.size() || size > bytes_.size() - at) damaged();
    return bytes_.substr(at, size);
  }
  // The lowest byte first.
  std::uint32_t number(std::size_t at, std::size_t size) const {
    std::uint32_t value = 0;
    const std::string_view digits = part(at, size);
    for (std::size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(digits[i]);
    return value;
  }
  std::string inflated(std::string_view from, std::size_t size) const {
    std::string content(size + 1, '\0');  // one more, so that a longer one shows
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
      throw Error(path_, "out of memory while unpacking", "close other programs", ErrorKind::limit);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(from.data()));
    stream.avail_in = static_cast<uInt>(from.size());
    stream.next_out = reinterpret_cast<Bytef*>(content.data());
    stream.avail_out = static_cast<uInt>(content.size());
    const int code = inflate(&stream, Z_FINISH);
    const std::size_t made = stream.total_out;
    inflateEnd(&stream);
    if (code != Z_STREAM_END || made != size) damaged();
    content.resize(size);
    return content;
  }

  std::string_view bytes_;
  const std::string& path_;
};

}  // namespace

PackedFile unzip(std::string_view bytes, const std::string& path) {
  const Archive archive(bytes, path);
  std::vector<Entry> files = archive.entries();
  std::erase_if(files, [](const Entry& entry) { return entry.name.ends_with('/') || entry.name.starts_with("__MACOSX/"); });
  if (files.size() != 1)
    throw Error(path, fmt::format("the archive holds {} files", files.size()), "unpack it, and name the one to read", ErrorKind::file);
  return {std::string(files.front().name), archive.content(files.front())};
}

}  // namespace treewright
