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

TEST(Encoding, Utf16BecomesUtf8) {
  const std::u16string text = u"\uFEFFstra\u00DFe\ty\n\u20AC\U0001F333\ta\n";
  std::string low_first, high_first;
  for (const char16_t unit : text) {
    for (const int half : {0, 1}) {
      low_first += static_cast<char>(unit >> 8 * half & 0xFF);
      high_first += static_cast<char>(unit >> 8 * (1 - half) & 0xFF);
    }
  }
  for (std::string bytes : {low_first, high_first}) {
    EXPECT_EQ(recode(bytes), "");
    EXPECT_EQ(bytes,
              "stra\xC3\x9F"
              "e\ty\n\xE2\x82\xAC\xF0\x9F\x8C\xB3\ta\n");
  }
  for (std::string bytes : {low_first.substr(2), high_first.substr(2)}) {
    EXPECT_EQ(recode(bytes), "") << "without the mark";
    EXPECT_EQ(bytes.substr(0, 5), "stra\xC3");
  }
  // A half of a pair alone, an odd number of bytes, UTF-32.
  for (const std::string& bad : {low_first + "\x3C\xD8", low_first + "\x33\xDF", low_first + "x", std::string("\xFF\xFE\0\0x\0\0\0", 8)}) {
    std::string same = bad;
    EXPECT_EQ(recode(same), "");
    EXPECT_EQ(same, bad);
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
