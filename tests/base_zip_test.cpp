#include "treewright/base/zip.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cstdint>
#include <vector>

#include "expect_error.h"
#include "treewright/base/random.h"
#include "treewright/error.h"

namespace treewright {
namespace {

std::string number(std::uint64_t value, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> (8 * i) & 0xFF);
  return text;
}

std::string deflated(const std::string& content) {
  std::string out(content.size() + 1000, '\0');
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(content.data()));
  stream.avail_in = static_cast<uInt>(content.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

// An archive as programs write it; of method 8 or 0. `flags`: 1 = encrypted.
std::string zip(const std::vector<PackedFile>& files, int method, int flags = 0) {
  std::string archive, directory;
  for (const PackedFile& file : files) {
    const std::string packed = method == 8 ? deflated(file.content) : file.content;
    const auto crc = crc32(0, reinterpret_cast<const Bytef*>(file.content.data()), static_cast<uInt>(file.content.size()));
    const std::string about = number(20, 2) + number(flags, 2) + number(method, 2) + number(0, 4) + number(crc, 4) +
                              number(packed.size(), 4) + number(file.content.size(), 4) + number(file.name.size(), 2) + number(0, 2);
    directory += "PK\1\2" + number(20, 2) + about + std::string(10, '\0') + number(archive.size(), 4) + file.name;
    archive += "PK\3\4" + about + file.name + packed;
  }
  return archive + directory + "PK\5\6" + number(0, 4) + number(files.size(), 2) + number(files.size(), 2) + number(directory.size(), 4) +
         number(archive.size(), 4) + number(0, 2);
}

const std::string kText = "x,y\n1,a\n2,b\n1,a\n1,a\n1,a\n1,a\n";

TEST(Zip, TheOneFileIsUnpacked) {
  for (const int method : {0, 8}) {
    const PackedFile file = unzip(zip({{"data/", ""}, {"data/t.csv", kText}, {"__MACOSX/t.csv", "?"}}, method), "a.zip");
    EXPECT_EQ(file.name, "data/t.csv");
    EXPECT_EQ(file.content, kText);
  }
}

TEST(Zip, OthersAreRefused) {
  expect_error([] { unzip(zip({{"a", kText}, {"b", kText}}, 8), "a.zip"); }, {"a.zip", "holds 2 files", "unpack it"});
  expect_error([] { unzip(zip({}, 8), "a.zip"); }, {"holds 0 files"});
  expect_error([] { unzip(zip({{"a", kText}}, 0, 1), "a.zip"); }, {"encrypted"});
  expect_error([] { unzip(zip({{"a", kText}}, 12), "a.zip"); }, {"packed in a way"});
  expect_error([] { unzip("PK\3\4", "a.zip"); }, {"damaged"});
}

// Bytes at random: the content or an Error.
TEST(Zip, DamagedArchivesAreNamed) {
  const std::string archive = zip({{"t.csv", kText}}, 8);
  Random random(3);
  for (int round = 0; round < 2000; ++round) {
    std::string damaged = archive;
    for (int i = 0; i < 3; ++i) damaged[random.below(damaged.size())] = static_cast<char>(random.below(256));
    if (round % 3 == 0) damaged.resize(random.below(damaged.size()));
    try {
      EXPECT_EQ(unzip(damaged, "a.zip").content, kText);
    } catch (const Error& error) {
      EXPECT_EQ(error.where(), "a.zip");
    }
  }
}

}  // namespace
}  // namespace treewright
