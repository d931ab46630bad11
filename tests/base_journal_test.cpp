#include "treewright/base/journal.h"

#include <gtest/gtest.h>

#include <fstream>

#include "expect_error.h"
#include "support/scratch_folder.h"
#include "treewright/base/file.h"

namespace treewright {
namespace {

using Lines = std::vector<std::string>;

class JournalTest : public ::testing::Test {
 protected:
  // A journal of the header "head" and the lines "one" and "two".
  void SetUp() override {
    Journal journal(path_, "head", false);
    EXPECT_EQ(journal.lines(), Lines());
    journal.append("one");
    journal.append("two");
  }

  const testing::ScratchFolder folder_;
  const std::string path_ = folder_ / "journal";
};

TEST_F(JournalTest, KeepsWholeLinesAndCutsATornOne) {
  const std::string whole = read_file(path_);
  EXPECT_FALSE(Journal(path_, "head", true).was_torn());
  EXPECT_EQ(Journal(path_, "head", true).lines(), (Lines{"one", "two"}));
  std::ofstream(path_, std::ios::app) << "0123";  // killed while it wrote
  {
    Journal journal(path_, "head", true);
    EXPECT_TRUE(journal.was_torn());
    EXPECT_EQ(journal.lines(), (Lines{"one", "two"}));
    EXPECT_EQ(read_file(path_), whole + "0123") << "nothing is changed before the next line";
    journal.append("three");
  }
  EXPECT_EQ(Journal(path_, "head", true).lines(), (Lines{"one", "two", "three"}));
  EXPECT_TRUE(read_file(path_).starts_with(whole));
}

TEST_F(JournalTest, ATornHeaderIsWrittenAgain) {
  const std::string whole = read_file(path_), head = whole.substr(0, whole.find('\n') + 1);
  for (std::size_t length = 0; length < head.size(); ++length) {
    write_file(path_, head.substr(0, length));
    EXPECT_EQ(Journal(path_, "head", true).was_torn(), length > 0);
    EXPECT_EQ(read_file(path_), head);
  }
}

TEST_F(JournalTest, FindsAChangedLine) {
  const std::string whole = read_file(path_);
  std::string edited = whole;
  edited[edited.find("two")] = 'T';
  write_file(path_, edited);
  expect_error([&] { Journal(path_, "head", true); }, {"line 3", "changed"});
  edited = whole;
  edited[edited.find("head")] = 'H';
  write_file(path_, edited);
  expect_error([&] { Journal(path_, "head", true); }, {"line 1", "not a line of a checkpoint"});
}

TEST_F(JournalTest, LeavesFilesOfOtherContentAlone) {
  for (const char* content : {"a,b,y\n1,2,u\n", "no line end", "\n"}) {
    write_file(path_, content);
    for (const bool resume : {false, true}) expect_error([&] { Journal(path_, "head", resume); }, {path_, "another file"});
    EXPECT_EQ(read_file(path_), content);
  }
}

TEST_F(JournalTest, RefusesAnExistingOneWithoutResume) {
  const std::string whole = read_file(path_);
  expect_error([&] { Journal(path_, "head", false); }, {"exists already", "--resume"});
  expect_error([&] { Journal(path_, "other head", true); }, {"line 1", "other data, options or folds"});
  EXPECT_EQ(read_file(path_), whole);
}

TEST_F(JournalTest, IsLockedWhileItLives) {
  {
    const Journal first(path_, "head", true);
    expect_error([&] { Journal(path_, "head", true); }, {path_, "in use by another run"});
  }
  EXPECT_NO_THROW(Journal(path_, "head", true));
}

TEST(Journal, NamesAPathThatCannotBeWritten) {
  expect_error([] { Journal("/no-such-folder/journal", "head", false); }, {"/no-such-folder/journal"});
}

}  // namespace
}  // namespace treewright
