#include "treewright/data/read/encoding.h"

#include <gtest/gtest.h>

#include "support/scratch_folder.h"
#include "treewright/base/file.h"
#include "treewright/data.h"
#include "treewright/data/read/notes.h"

namespace treewright {
namespace {

std::string recoded(std::string text) {
  return recode(text).empty() ? "" : text;
}

TEST(Encoding, Windows1252BecomesUtf8) {
  EXPECT_EQ(recoded("Z\xFCrich \x80 \x9F \x81"), "Z\xC3\xBCrich \xE2\x82\xAC \xC5\xB8 \xC2\x81");
}

TEST(Encoding, OtherTextsStayAsTheyAre) {
  for (const char* text : {"plain", "Z\xC3\xBCrich", "Z\xC3\xBCrich and Gen\xE8ve", "\xFF\xFEx"}) {
    std::string same = text;
    EXPECT_EQ(recode(same), "") << text;
    EXPECT_EQ(same, text);
  }
}

TEST(Encoding, ANoteTellsOfIt) {
  const testing::ScratchFolder folder;
  write_file(folder / "latin.csv",
             "st\xE4"
             "dt,y\nZ\xFCrich,a\nBern,b\nBern,a\n");
  const Dataset data = read_dataset(folder / "latin.csv");
  EXPECT_EQ(data.columns[0].name,
            "st\xC3\xA4"
            "dt");
  EXPECT_EQ(data.columns[0].levels[1], "Z\xC3\xBCrich");
  const std::vector<DataNote> notes = look_at(data);
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_EQ(notes[0].kind, NoteKind::how_read);
  EXPECT_NE(notes[0].problem.find("reads as Windows-1252 (Latin-1)"), std::string::npos);
}

}  // namespace
}  // namespace treewright
