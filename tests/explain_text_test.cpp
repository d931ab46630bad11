#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "support/make_data.h"
#include "support/random_data.h"
#include "support/random_tree.h"
#include "treewright/explain.h"
#include "treewright/explain/markup.h"
#include "treewright/explain/prediction.h"
#include "treewright/explain/region.h"
#include "treewright/explain/rules.h"
#include "treewright/explain/text.h"
#include "treewright/export/dot.h"

namespace treewright {
namespace {

using testing::categories;
using testing::make_data;
using testing::numbers;

Dataset some_data() {
  return make_data(
      {numbers("x", {1, 2, 3, 4}), numbers("y", {1, 2, std::nan(""), 4}), categories("colour", {"red", "green", "blue"}, {0, 1, 2, 2})},
      {0, 0, 1, 1});
}

std::string ask(const SplitRule& rule, bool missing_left = false) {
  return explain::question({rule, missing_left}, Tree(some_data()));
}

TEST(Question, EveryKindOfSplit) {
  EXPECT_EQ(ask(AxisSplit{FeatureId{0}, 2.45}), "x < 2.45?");
  EXPECT_EQ(ask(AxisSplit{FeatureId{0}, 2.45}, true), "x < 2.45?") << "no training row lacked x";
  EXPECT_EQ(ask(AxisSplit{FeatureId{1}, 2.45}, true), "y < 2.45 or missing?");
  EXPECT_EQ(ask(AxisSplit{FeatureId{1}, std::numeric_limits<double>::max()}), "y has a value?");
  EXPECT_EQ(ask(AxisSplit{FeatureId{1}, std::numeric_limits<double>::lowest()}, true), "y is missing?");
  EXPECT_EQ(ask(CategorySplit{FeatureId{2}, {true, false, true}}), "colour in {red, blue}?");
  EXPECT_EQ(ask(HyperplaneSplit{{{FeatureId{0}, 0.5}, {FeatureId{1}, -2}}, 1}), "0.5*x - 2*y < 1?");
  EXPECT_EQ(ask(HyperplaneSplit{{{FeatureId{0}, -0.5}, {FeatureId{1}, 2}}, -1}), "-0.5*x + 2*y < -1?");
  EXPECT_EQ(ask(HyperplaneSplit{{{FeatureId{2}, -3, 1}, {FeatureId{0}, 2}}, 0}), "-3*colour[green] + 2*x < 0?");
}

TEST(Question, OrderedLevelsAreNamed) {
  Dataset data = testing::make_data({testing::numbers("dose", {0, 1, 2, 3}), testing::numbers("wait", {0.5, 1, 2, 3})}, {0, 0, 1, 1});
  data.columns[0].notation = Notation::ordered;
  data.columns[0].levels = {"1", "3", "10", "a, b"};
  data.columns[1].notation = Notation::days;
  Tree tree(data);
  const auto [left, right] = tree.split(Tree::root(), {AxisSplit{FeatureId{0}, 2.5}, false});
  const auto [low, high] = tree.split(left, {AxisSplit{FeatureId{0}, 0.5}, false});
  tree.split(right, {AxisSplit{FeatureId{1}, 1.5}, false});
  tree.tally(data);
  const auto asks = [&](const SplitRule& rule) { return explain::question({rule, false}, tree); };
  EXPECT_EQ(asks(AxisSplit{FeatureId{0}, 1.5}), "dose <= 3?");
  EXPECT_EQ(asks(AxisSplit{FeatureId{0}, 3.5}), "dose <= 'a, b'?");
  EXPECT_EQ(asks(AxisSplit{FeatureId{0}, std::numeric_limits<double>::max()}), "dose has a value?");
  EXPECT_EQ(asks(AxisSplit{FeatureId{1}, 1.5}), "wait < 1.5 days?");
  EXPECT_EQ(asks(HyperplaneSplit{{{FeatureId{0}, 0.5, -1, {}}, {FeatureId{1}, 1, -1, {}}}, 2}), "0.5*place(dose) + 1*wait < 2?");
  EXPECT_EQ(explain::in_words(explain::regions(tree)[+high], tree), "1 < dose <= 10");
  EXPECT_EQ(explain::in_words(explain::regions(tree)[+low], tree), "dose <= 1");
  EXPECT_EQ(explain::in_words(explain::regions(tree)[+right], tree), "dose > 10");
  EXPECT_EQ(explain::answer(*tree.node(right).split, false, tree), "wait >= 1.5 days");
}

TEST(Question, LongSetsAreCut) {
  std::vector<std::string> towns;
  for (int i = 10; i < 40; ++i) towns.push_back("t" + std::to_string(i));
  const Tree tree(make_data({categories("town", towns, {0, 1})}, {0, 1}));
  std::vector<bool> left(30, true);
  EXPECT_EQ(explain::question({CategorySplit{FeatureId{0}, left}}, tree),
            "town in {t10, t11, t12, t13, t14, t15, t16, t17, t18, t19, ... 20 more}?");
  std::fill(left.begin() + 20, left.end(), false);
  EXPECT_EQ(explain::question({CategorySplit{FeatureId{0}, left}}, tree).find("more"), std::string::npos) << "twenty are shown";
}

TEST(Text, TheTreeAsRules) {
  const Dataset data = some_data();
  Tree tree(data);
  const auto [left, right] = tree.split(Tree::root(), {AxisSplit{FeatureId{0}, 2.5}, false});
  tree.split(right, {CategorySplit{FeatureId{2}, {false, false, true}}, false});
  tree.tally(data);
  EXPECT_EQ(to_text(tree),
            "x < 2.5?  [4 rows]\n"
            "|- yes: a  (2 rows, 2 correct)\n"
            "`- no:  colour in {blue}?  [2 rows]\n"
            "   |- yes: b  (2 rows, 2 correct)\n"
            "   `- no:  a  (0 rows, 0 correct)\n");
  EXPECT_EQ(+left, 1);
  Tree leaf(data);
  leaf.tally(data);
  EXPECT_EQ(to_text(leaf), "a  (4 rows, 2 correct)\n");
}

TEST(Text, NumbersOfLeavesHaveTheDigitsThatTellThemApart) {
  const auto shown = [](Loss loss, double sd_of_all, double value) {
    Dataset data = testing::make_data({numbers("x", {1, 2})}, {}, 0);
    data.response = Response{loss, {value - sd_of_all, value + sd_of_all}, {}};
    Tree tree(data);
    tree.tally(data);
    return explain::value_text(tree, value);
  };
  EXPECT_EQ(shown(Loss::poisson, 0, 0.905109), "0.9051");
  EXPECT_EQ(shown(Loss::poisson, 0, 3.310134), "3.31");
  EXPECT_EQ(shown(Loss::poisson, 0, 12345.6), "12346") << "no less than the whole number";
  EXPECT_EQ(shown(Loss::poisson, 0, 9999.7), "9999.7") << "not 1e+04";
  EXPECT_EQ(shown(Loss::poisson, 0, 9999.4), "9999");
  EXPECT_EQ(shown(Loss::poisson, 0, 0), "0");
  EXPECT_EQ(shown(Loss::squared, 50, 493.1408), "493.1");
  EXPECT_EQ(shown(Loss::squared, 0.5, -493.1408), "-493.141");
  EXPECT_EQ(shown(Loss::squared, 2, 1000000000.25), "1000000000.25");
}

TEST(Text, NumbersForPeopleHaveNoPowersOfTen) {
  EXPECT_EQ(explain::plain(9906.31, 3), "9906");
  EXPECT_EQ(explain::plain(-68512.4, 4), "-68512");
  EXPECT_EQ(explain::plain(999.96, 3), "1000");
  EXPECT_EQ(explain::plain(0.123456, 3), "0.123");
  EXPECT_EQ(explain::plain(3e20, 3), "3e+20");
  EXPECT_EQ(explain::plain(std::numeric_limits<double>::quiet_NaN(), 3), "nan");
}

TEST(Text, NamesStayOnOneLine) {
  Dataset data = some_data();
  data.columns[0].name = "two\nlines\x1b[31m";
  data.class_names[0] = "a\r\nb";
  Tree tree(data);
  tree.split(Tree::root(), {AxisSplit{FeatureId{0}, 2.5}, false});
  tree.tally(data);
  const std::string text = to_text(tree);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
  EXPECT_EQ(text.find('\x1b'), std::string::npos) << "a name must not command the terminal";
  EXPECT_EQ(text.find('\r'), std::string::npos);
}

// What a terminal executes, or does not show, is written out; whatever it shows stays.
TEST(Text, IsShownAndNotExecuted) {
  const std::pair<std::string, std::string> shown[] = {
      {"", ""},
      {"plain \\ 'text'", "plain \\ 'text'"},
      {"\xc3\xa9t\xc3\xa9 \xe2\x82\xac \xf0\x9f\x8c\xb3", "\xc3\xa9t\xc3\xa9 \xe2\x82\xac \xf0\x9f\x8c\xb3"},
      {"\xe4\xb8\xad \xd7\x90", "\xe4\xb8\xad \xd7\x90"},
      {"a\nb\r\tc", "a\\nb\\r\\tc"},
      {std::string("\0", 1), "\\x00"},
      {"\x1b[31m\x7f\x08", "\\x1b[31m\\x7f\\x08"},
      {"\xc2\x9b"
       "2K",
       "\\u009b2K"},
      {"\xe2\x80\xae", "\\u202e"},
      {"\xe2\x81\xa6x\xe2\x81\xa9", "\\u2066x\\u2069"},
      {"\xe2\x80\x8b\xe2\x80\x8f\xef\xbb\xbf", "\\u200b\\u200f\\ufeff"},
      {"\xd8\x9c\xc2\xad", "\\u061c\\u00ad"},
      {"\xf3\xa0\x80\xa1", "\\ue0021"},
      {"caf\xe9", "caf\\xe9"},
      {"\xff\xc0\x80\xed\xa0\x80", "\\xff\\xc0\\x80\\xed\\xa0\\x80"}};
  for (const auto& [text, as] : shown) EXPECT_EQ(explain::printable(text), as);
}

TEST(Dot, NamesAreQuoted) {
  Dataset data = some_data();
  data.columns[0].name = "say \"hi\" \\ <b>";
  data.class_names[1] = "line\nbreak\"";
  Tree tree(data);
  tree.split(Tree::root(), {AxisSplit{FeatureId{0}, 2.5}, false});
  tree.tally(data);
  EXPECT_EQ(exports::to_dot(tree),
            "digraph tree {\n  node [shape=box, fontname=\"Helvetica\"];\n  edge [fontname=\"Helvetica\"];\n"
            "  n0 [label=\"say \\\"hi\\\" \\\\ <b> < 2.5?\", tooltip=\"4 rows\"];\n"
            "  n0 -> n1 [label=\"yes\"];\n  n0 -> n2 [label=\"no\"];\n"
            "  n1 [label=\"a\", style=\"rounded,filled\", fillcolor=\"#e8eef7\", tooltip=\"2 rows\"];\n"
            "  n2 [label=\"line\\\\nbreak\\\"\", style=\"rounded,filled\", fillcolor=\"#e8eef7\", tooltip=\"2 "
            "rows\"];\n"
            "}\n");
}

TEST(Dot, EveryNodeAndEdgeOnce) {
  Random random(8);
  for (int round = 0; round < 50; ++round) {
    const Dataset data = testing::random_data(random, {20, 3, 3, true, true, 5});
    const Tree tree = testing::random_tree(random, data, static_cast<int>(random.below(10)));
    const std::string dot = exports::to_dot(tree), text = to_text(tree);
    std::size_t edges = 0;
    for (std::size_t at = dot.find("->"); at != std::string::npos; at = dot.find("->", at + 1)) ++edges;
    EXPECT_EQ(edges, tree.nodes().size() - 1);
    EXPECT_EQ(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')), tree.nodes().size());
  }
}

TEST(Text, ALongHyperplaneIsCut) {
  std::vector<Column> columns;
  HyperplaneSplit plane;
  for (std::int32_t f = 0; f < 60; ++f) {
    columns.push_back(testing::numbers("measurement_" + std::to_string(f), {1, 2, 3, 4}));
    plane.terms.push_back({FeatureId{f}, f % 2 == 0 ? 1.25 : -0.5});
  }
  plane.threshold = 7;
  const Dataset data = testing::make_data(columns, {0, 0, 1, 1});
  Tree tree(data);
  tree.split(Tree::root(), {plane, false});
  tree.tally(data);
  const std::string text = to_text(tree), line = text.substr(0, text.find('\n'));
  EXPECT_LT(line.size(), 220u);
  EXPECT_NE(line.find("1.25*measurement_0 - 0.5*measurement_1"), std::string::npos) << line;
  EXPECT_NE(line.find(" more terms < 7?"), std::string::npos) << line;
}

}  // namespace
}  // namespace treewright
