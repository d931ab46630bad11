#include "treewright/base/journal.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "expect_error.h"
#include "support/scratch_folder.h"
#include "treewright/base/file.h"

namespace treewright {
namespace {

using Lines = std::vector<std::string>;
using Existing = Journal::Existing;

const Journal::Header kHead{{"head", "1"}, {"data", "abc"}};

class JournalTest : public ::testing::Test {
 protected:
  // A journal of the lines "one" and "two".
  void SetUp() override {
    Journal journal(path_, kHead, Existing::refused);
    EXPECT_EQ(journal.lines(), Lines());
    journal.append("one");
    journal.append("two");
  }

  const testing::ScratchFolder folder_;
  const std::string path_ = folder_ / "journal";
};

TEST_F(JournalTest, KeepsWholeLinesAndCutsATornOne) {
  const std::string whole = read_file(path_);
  EXPECT_FALSE(Journal(path_, kHead, Existing::resumed).was_torn());
  EXPECT_EQ(Journal(path_, kHead, Existing::resumed).lines(), (Lines{"one", "two"}));
  std::ofstream(path_, std::ios::app) << "0123";  // killed while it wrote
  {
    Journal journal(path_, kHead, Existing::resumed);
    EXPECT_TRUE(journal.was_torn());
    EXPECT_EQ(journal.lines(), (Lines{"one", "two"}));
    EXPECT_EQ(read_file(path_), whole + "0123") << "nothing is changed before the next line";
    journal.append("three");
  }
  EXPECT_EQ(Journal(path_, kHead, Existing::resumed).lines(), (Lines{"one", "two", "three"}));
  EXPECT_TRUE(read_file(path_).starts_with(whole));
}

// What is not on the disk yet is in the file all the same: a kill does not take it back.
TEST_F(JournalTest, ALineIsInTheFileBeforeItIsSynced) {
  Journal journal(path_, kHead, Existing::resumed);
  const std::size_t before = read_file(path_).size();
  for (int i = 0; i < 3; ++i) journal.append("later", std::chrono::hours(1));
  EXPECT_EQ(read_file(path_).size(), before + 3 * std::string("0123456789abcdef later\n").size());
}

TEST_F(JournalTest, ATornHeaderIsWrittenAgain) {
  const std::string whole = read_file(path_), head = whole.substr(0, whole.find('\n') + 1);
  for (std::size_t length = 0; length < head.size(); ++length) {
    write_file(path_, head.substr(0, length));
    EXPECT_EQ(Journal(path_, kHead, Existing::resumed).was_torn(), length > 0);
    EXPECT_EQ(read_file(path_), head);
  }
}

TEST_F(JournalTest, FindsAChangedLine) {
  const std::string whole = read_file(path_);
  std::string edited = whole;
  edited[edited.find("two")] = 'T';
  write_file(path_, edited);
  expect_error([&] { Journal(path_, kHead, Existing::resumed); }, {"line 3", "changed"});
  edited = whole;
  edited[edited.find("abc")] = 'A';
  write_file(path_, edited);
  expect_error([&] { Journal(path_, kHead, Existing::resumed); }, {"line 1", "not a line of a checkpoint"});
}

TEST_F(JournalTest, LeavesFilesOfOtherContentAlone) {
  for (const char* content : {"a,b,y\n1,2,u\n", "no line end", "\n"}) {
    write_file(path_, content);
    for (const Existing existing : {Existing::refused, Existing::resumed, Existing::overwritten})
      expect_error([&] { Journal(path_, kHead, existing); }, {path_, "another file"});
    EXPECT_EQ(read_file(path_), content);
  }
}

TEST_F(JournalTest, RefusesAnExistingOneWithoutResume) {
  const std::string whole = read_file(path_);
  expect_error([&] { Journal(path_, kHead, Existing::refused); }, {"exists already", "on_existing=resume"});
  expect_error(
      [&] {
        Journal(path_, {{"head", "1"}, {"data", "abd"}}, Existing::resumed);
      },
      {"line 1", "other data (abc there, abd here)"});
  expect_error(
      [&] {
        Journal(path_, {{"head", "1"}, {"data", "abc"}, {"depth", "2"}}, Existing::resumed);
      },
      {"other depth (not set there, 2 here)"});
  expect_error([&] { Journal(path_, {{"head", "1"}}, Existing::resumed); }, {"other data (abc there, not set here)"});
  for (const Journal::Header& other : {Journal::Header{{"head", "2"}, {"data", "abc"}}, Journal::Header{{"foot", "1"}, {"data", "abc"}}})
    expect_error([&] { Journal(path_, other, Existing::resumed); }, {"line 1", "another command or version"});
  EXPECT_EQ(read_file(path_), whole);
}

TEST_F(JournalTest, IsLockedWhileItLives) {
  {
    const Journal first(path_, kHead, Existing::resumed);
    expect_error([&] { Journal(path_, kHead, Existing::resumed); }, {path_, "in use by another run"});
  }
  EXPECT_NO_THROW(Journal(path_, kHead, Existing::resumed));
}

TEST_F(JournalTest, BeginsAnewWhereItIsAskedTo) {
  const Journal::Header other{{"foot", "2"}};
  {
    Journal journal(path_, other, Existing::overwritten);
    EXPECT_EQ(journal.lines(), Lines());
    journal.append("three");
  }
  EXPECT_EQ(Journal(path_, other, Existing::resumed).lines(), Lines{"three"});
  std::filesystem::remove(path_);
  EXPECT_EQ(Journal(path_, kHead, Existing::overwritten).lines(), Lines()) << "nothing was there";
}

// A run that is refused before it begins has not touched the file, but nobody else could take it meanwhile.
TEST_F(JournalTest, IsOverwrittenWhenItBegins) {
  const std::string whole = read_file(path_);
  const Journal::Header other{{"foot", "2"}};
  {
    const Journal refused(path_, other, Existing::overwritten);
    EXPECT_EQ(read_file(path_), whole);
    expect_error([&] { Journal(path_, kHead, Existing::resumed); }, {"in use by another run"});
  }
  EXPECT_EQ(read_file(path_), whole);
  Journal(path_, other, Existing::overwritten).begin();
  EXPECT_EQ(Journal(path_, other, Existing::resumed).lines(), Lines());
}

TEST(Journal, NamesAPathThatCannotBeWritten) {
  expect_error([] { Journal("/no-such-folder/journal", kHead, Existing::refused); }, {"/no-such-folder/journal"});
}

}  // namespace
}  // namespace treewright
