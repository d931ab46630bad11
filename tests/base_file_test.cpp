#include "treewright/base/file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "expect_error.h"
#include "support/scratch_folder.h"
#include "treewright/error.h"

namespace treewright {
namespace {

using testing::ScratchFolder;

void write_gzip(const std::string& path, const std::string& content) {
  gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
  gzclose(file);
}

// Longer than any buffer on the way.
std::string long_text() {
  std::string text;
  for (std::int64_t i = 0; text.size() < 5000000; ++i) text += std::to_string(i * 7919) + "\n";
  return text;
}

TEST(File, WritesAndReadsBack) {
  const ScratchFolder folder;
  for (const std::string& content : {std::string(), std::string("a\r\n\0b", 5), std::string("\x1f"), long_text()}) {
    write_file(folder / "f", content);
    EXPECT_EQ(read_file(folder / "f"), content);
  }
  EXPECT_EQ(folder.entries(), 1u) << "no temporary files stay behind";
}

TEST(File, UnpacksGzip) {
  const ScratchFolder folder;
  for (const std::string& content : {std::string("x,y\n1,2\n"), std::string(), long_text()}) {
    write_gzip(folder / "f.gz", content);
    EXPECT_EQ(read_file(folder / "f.gz"), content);
  }
}

TEST(File, DamagedGzipIsAnError) {
  const ScratchFolder folder;
  write_gzip(folder / "f.gz", long_text());
  const auto size = std::filesystem::file_size(folder / "f.gz");
  for (const auto length : {size / 2, size - 1}) {
    write_gzip(folder / "cut.gz", long_text());
    std::filesystem::resize_file(folder / "cut.gz", length);
    EXPECT_THROW(read_file(folder / "cut.gz"), Error) << length;
  }
  std::ifstream file(folder / "f.gz", std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(file), {}};
  bytes[bytes.size() - 6] ^= 1;  // of its checksum
  write_file(folder / "wrong.gz", bytes);
  expect_error([&] { read_file(folder / "wrong.gz"); }, {"wrong.gz", "cannot be read: incorrect data check"});
}

TEST(File, MissingFilesAndFoldersAreErrorsThatNameThem) {
  const ScratchFolder folder;
  for (const std::string& path : {folder / "absent", folder / "no/such/folder/f"}) {
    try {
      read_file(path);
      FAIL() << path;
    } catch (const Error& error) {
      EXPECT_EQ(error.where(), path);
      EXPECT_NE(error.problem().find("No such file"), std::string::npos) << error.what();
    }
    if (path.find("/no/") != std::string::npos) {
      EXPECT_THROW(write_file(path, "x"), Error);
    }
  }
  EXPECT_THROW(read_file(folder / "."), Error) << "a folder is no file";
}

TEST(File, AFailedWriteLeavesTheOldFileAndNoOther) {
  const ScratchFolder folder;
  // A folder of that name cannot be replaced: the last step, the renaming, fails.
  std::filesystem::create_directory(folder / "taken");
  write_file(folder / "taken/inside", "old");
  EXPECT_THROW(write_file(folder / "taken", "new"), Error);
  EXPECT_EQ(read_file(folder / "taken/inside"), "old");
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(File, ALinkStaysAndItsTargetIsReplacedWithItsPermissions) {
  const ScratchFolder folder;
  write_file(folder / "target", "old");
  std::filesystem::permissions(folder / "target", std::filesystem::perms(0600));
  std::filesystem::create_symlink(folder / "target", folder / "link");
  write_file(folder / "link", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(read_file(folder / "target"), "new");
  EXPECT_EQ(std::filesystem::status(folder / "target").permissions(), std::filesystem::perms(0600));
}

TEST(File, ALinkToAFileThatIsStillToBeMadeStaysALink) {
  const ScratchFolder folder;
  std::filesystem::create_symlink("target", folder / "link");
  std::filesystem::create_symlink(folder / "link", folder / "chain");
  write_file(folder / "chain", "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link") && std::filesystem::is_symlink(folder / "chain"));
  EXPECT_EQ(read_file(folder / "target"), "new");
  EXPECT_TRUE(same_file(folder / "chain", folder / "target"));
}

TEST(File, WhetherTwoPathsMeanOneFile) {
  const ScratchFolder folder;
  write_file(folder / "a", "");
  std::filesystem::create_symlink("b", folder / "to b");
  EXPECT_TRUE(same_file(folder / "a", folder / "./a"));
  EXPECT_TRUE(same_file(folder / "b", folder / "to b")) << "which is not there yet";
  EXPECT_FALSE(same_file(folder / "a", folder / "b"));
}

TEST(File, DevicesAndPipesAreWrittenInto) {
  write_file("/dev/null", "gone");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  expect_error([] { write_file("/dev/full", "x"); }, {"/dev/full", "cannot be written"});
  const ScratchFolder folder;
  const std::string pipe = folder / "pipe";
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = read_file(pipe); });
  write_file(pipe, "through");
  reader.join();
  EXPECT_EQ(got, "through");
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

TEST(File, WhatCannotBeWrittenIsSeenBeforehand) {
  const ScratchFolder folder;
  write_file(folder / "data", "1");
  std::filesystem::create_symlink(folder / "data", folder / "link");
  check_writable(folder / "new", {folder / "data"});
  check_writable("/dev/null", {folder / "data"});
  EXPECT_EQ(folder.entries(), 2u) << "nothing was made";
  expect_error([&] { check_writable(folder / "link", {folder / "data"}); }, {"would be overwritten"});
  expect_error([&] { check_writable(folder / "same", {folder / "./same"}); }, {"would be overwritten"});
  expect_error([&] { check_writable(folder / "no/such", {}); }, {"No such file"});
  expect_error([&] { check_writable(folder / ".", {}); }, {"is a folder"});
}

TEST(File, ReplacesAFileInOneStep) {
  const ScratchFolder folder;
  write_file(folder / "f", "old");
  // Whoever opened the old file still reads all of it: the new one came beside it and took its name.
  std::FILE* reader = std::fopen((folder / "f").c_str(), "rb");
  write_file(folder / "f", "new!");
  char buffer[8] = {};
  EXPECT_EQ(std::fread(buffer, 1, 8, reader), 3u);
  EXPECT_STREQ(buffer, "old");
  std::fclose(reader);
  EXPECT_EQ(read_file(folder / "f"), "new!");
}

}  // namespace
}  // namespace treewright
