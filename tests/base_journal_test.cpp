#include "treewright/base/journal.h"

#include <gtest/gtest.h>

#include <fstream>

#include "expect_error.h"
#include "support/scratch_folder.h"
#include "treewright/base/file.h"

namespace treewright {
namespace {

using Lines = std::vector<std::string>;

TEST(Journal, KeepsWholeLinesAndCutsATornOne) {
  const testing::ScratchFolder folder;
  const std::string path = folder / "journal";
  {
    Journal journal(path, false);
    EXPECT_EQ(journal.lines(), Lines());
    journal.append("one");
    journal.append("two");
  }
  EXPECT_EQ(Journal(path, false).lines(), (Lines{"one", "two"}));
  std::ofstream(path, std::ios::app) << "thr";  // killed while it wrote
  {
    Journal journal(path, false);
    EXPECT_EQ(journal.lines(), (Lines{"one", "two"}));
    journal.append("three and more");
  }
  EXPECT_EQ(read_file(path), "one\ntwo\nthree and more\n");
  Journal(path, true).append("anew");
  EXPECT_EQ(read_file(path), "anew\n");
}

TEST(Journal, NamesAPathThatCannotBeWritten) {
  expect_error([] { Journal("/no-such-folder/journal", false); }, {"/no-such-folder/journal"});
}

}  // namespace
}  // namespace treewright
