// Damaged files: whatever happens to a valid text, a reader gives a valid Dataset or an Error.
#include <gtest/gtest.h>

#include "treewright/base/random.h"
#include "treewright/data.h"
#include "treewright/data/describe.h"
#include "treewright/error.h"

namespace treewright {
namespace {

const std::vector<std::string> kCsv = {
    "width,\"colour, \"\"so\"\"\",w,kind\r\n1.5,red,1,a\r\n-2e3,\"blue\nor "
    "not\",0.5,b\r\n?,,2,b\r\n7,red,1,a\r\n",
    "x;y\n1,5;a\n2;b\n", "x\ty\n1\ta\n2\tb\n", "1 2 a\n3 4 b\n", "\xEF\xBB\xBF\xC3\xA9t\xC3\xA9,y\n1,\xC3\xA9\n2,u\n"};
const std::vector<std::string> kLibsvm = {"# head\n+1 1:0.5 3:-2e1 # tail\n-1 2:nan\n+1\n-1 1:3 2:4 3:5\n"};
const std::vector<std::string> kArff = {
    "% c\n@relation 'r s'\n@attribute x REAL\n@attribute 'c d' {a, 'b c'}\n@attribute s string\n@attribute y "
    "{u,v}\n@data\n"
    "1,a,'t \\' t',u\n?,'b c',?,v\n{0 1.5, 3 v}\n{}\n"};

/// One to four edits: a byte changed, added, removed, or a piece repeated or cut out. Bytes that mean
/// something come often.
std::string damaged(std::string text, Random& random) {
  static const std::string kTelling = ",;\t \"'\n\r\\{}%#:@?0123456789.eE+-naN";
  const std::uint64_t edits = 1 + random.below(4);
  for (std::uint64_t e = 0; e < edits && !text.empty(); ++e) {
    const std::size_t at = random.below(text.size());
    const char byte = random.below(3) == 0 ? static_cast<char>(random.below(256)) : kTelling[random.below(kTelling.size())];
    const std::size_t length = 1 + random.below(std::min<std::size_t>(text.size() - at, 20));
    switch (random.below(5)) {
      case 0:
        text[at] = byte;
        break;
      case 1:
        text.insert(at, 1, byte);
        break;
      case 2:
        text.erase(at, 1);
        break;
      case 3:
        text.insert(random.below(text.size()), text.substr(at, length));
        break;
      default:
        text.erase(at, length);
        break;
    }
  }
  return text;
}

ReadOptions any_options(Random& random) {
  ReadOptions options;
  if (random.below(4) == 0) options.target.reset();
  if (random.below(8) == 0) options.weights = random.below(2) == 0 ? "w" : "0";
  if (random.below(8) == 0) options.drop = {"1"};
  if (random.below(8) == 0) options.kinds["0"] = random.below(2) == 0 ? ColumnKind::numeric : ColumnKind::categorical;
  if (random.below(4) == 0) options.header = random.below(2) == 0 ? Header::yes : Header::no;
  if (random.below(8) == 0) options.separator = ",; \t"[random.below(4)];
  options.training = random.below(8) == 0;
  return options;
}

template <class Parse>
void damage(const std::vector<std::string>& texts, Parse parse) {
  Random random(2024);
  int read = 0, refused = 0;
  for (int trial = 0; trial < 6000; ++trial) {
    const std::string text = damaged(texts[trial % texts.size()], random);
    const ReadOptions options = any_options(random);
    SCOPED_TRACE(text);
    try {
      const Dataset data = parse(text, "fuzz", options);
      ++read;
      ASSERT_NO_THROW(data.validate());
      ASSERT_GT(data.rows(), 0u);
      ASSERT_FALSE(describe(data).empty());
      ASSERT_FALSE(write_csv(data).empty());
    } catch (const Error& error) {
      ++refused;
      ASSERT_EQ(error.where().rfind("fuzz", 0), 0u) << error.what();
      ASSERT_FALSE(error.fix().empty());
    }
  }
  // Both ends must be reached, or the edits test nothing.
  EXPECT_GT(read, 100);
  EXPECT_GT(refused, 100);
}

TEST(Fuzz, DamagedCsv) {
  damage(kCsv, parse_csv);
}
TEST(Fuzz, DamagedLibsvm) {
  damage(kLibsvm, parse_libsvm);
}
TEST(Fuzz, DamagedArff) {
  damage(kArff, parse_arff);
}

}  // namespace
}  // namespace treewright
