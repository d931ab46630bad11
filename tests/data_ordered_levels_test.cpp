// Columns of ordered levels: read, written, and found by the trees that know them.

#include "treewright/data/read/ordered_levels.h"

#include <gtest/gtest.h>

#include <cmath>

#include "expect_error.h"
#include "support/make_data.h"
#include "support/random_data.h"
#include "treewright/data/read/read.h"
#include "treewright/explain.h"
#include "treewright/fit.h"
#include "treewright/result.h"
#include "treewright/tree.h"
#include "treewright/tree/levels.h"

namespace treewright {
namespace {

const char* const kDoses = "dose,sick\n10,no\n2,no\n25,yes\n,no\n80,yes\n";

ReadOptions ordered(bool training = true) {
  ReadOptions options;
  options.ordered["dose"] = {"2", "10", "25", "80"};
  options.training = training;
  return options;
}

Dataset read(const std::string& text, const ReadOptions& options) {
  return read_text({FileFormat::csv, text, "doses.csv", ""}, options);
}

TEST(OrderedLevels, AreReadInTheirOrder) {
  const Dataset data = read(kDoses, ordered());
  const Column& dose = data.columns[0];
  EXPECT_EQ(dose.notation, Notation::ordered);
  EXPECT_TRUE(dose.declared);
  EXPECT_EQ(dose.levels, ordered().ordered.at("dose"));
  EXPECT_EQ(dose.code(0), 1);
  EXPECT_EQ(dose.code(2), 2);
  EXPECT_TRUE(dose.missing(3));
  const Dataset again = read(write_csv(data), ordered());
  EXPECT_EQ(again.columns[0].levels, dose.levels);
  for (std::size_t row = 0; row < data.rows(); ++row) EXPECT_EQ(again.columns[0].code(row), dose.code(row));
}

TEST(OrderedLevels, OtherTextsAreRefusedInTrainingAndLeftToTheTreeAfterwards) {
  const std::string text = "dose,sick\n10,no\n2,no\n25,yes\n81,yes\n";
  expect_error([&] { read(text, ordered()); }, {"doses.csv, column 'dose'", "'81' is none of the ordered levels", "--ordered"});
  EXPECT_EQ(read(text, ordered(false)).columns[0].kind, ColumnKind::categorical);
  ReadOptions absent = ordered();
  absent.ordered["doze"] = {"a", "b"};
  expect_error([&] { read(kDoses, absent); }, {"no column 'doze'"});
  ReadOptions twice = ordered();
  twice.kinds["dose"] = ColumnKind::numeric;
  expect_error([&] { read(kDoses, twice); }, {"column 'dose'", "two kinds"});
  ReadOptions target = ordered();
  target.ordered["sick"] = {"no", "yes"};
  expect_error([&] { read(kDoses, target); }, {"column 'sick'", "is the target"});
}

TEST(OrderedLevels, AreFoundByNameWhateverTheyComeFrom) {
  Options options;
  options.max_depth = 1;
  const Dataset data = read(kDoses, ordered());
  const Result result = fit(data, options);
  EXPECT_EQ(to_text(result.tree), "dose <= 10 or missing?  [5 rows]\n|- yes: no  (3 rows, 3 correct)\n`- no:  yes  (2 rows, 2 correct)\n");
  const std::vector<std::int32_t> expected = result.tree.predict(data);
  // Numbers, categories, another order, and the tree of the file.
  ReadOptions categories;
  categories.kinds["dose"] = ColumnKind::categorical;
  ReadOptions backwards;
  backwards.ordered["dose"] = {"80", "25", "10", "2"};
  const Tree kept = from_json(to_json(result), "tree").tree;
  EXPECT_EQ(kept, result.tree);
  for (const ReadOptions& how : {ReadOptions(), categories, backwards}) {
    const Dataset rows = align(read(kDoses, how), kept);
    EXPECT_EQ(rows.columns[0].notation, Notation::ordered);
    EXPECT_EQ(kept.predict(rows), expected);
  }
  const Dataset strange = align(read("dose,sick\n81,no\n25,yes\n", ReadOptions()), kept);
  EXPECT_TRUE(strange.columns[0].missing(0));
  EXPECT_EQ(strange.columns[0].code(1), 2);
}

TEST(OrderedLevels, AreNoNumbersToATreeOfNumbers) {
  // Only columns that the tree asks about are looked at.
  const auto asks = [](const Dataset& data) {
    Tree tree(data);
    tree.split(Tree::root(), {AxisSplit{FeatureId{0}, 1.5}, false});
    return tree;
  };
  const Tree tree = asks(testing::make_data({testing::numbers("dose", {1, 2})}, {0, 1}));
  expect_error([&] { align(read(kDoses, ordered()), tree); }, {"column 'dose'", "trained on numbers"});
  Dataset days = testing::make_data({testing::numbers("dose", {1, 2})}, {0, 1});
  days.columns[0].notation = Notation::days;
  expect_error([&] { align(days, tree); }, {"holds durations, but the tree was trained on numbers"});
  expect_error([&] { align(testing::make_data({testing::numbers("dose", {1, 2})}, {0, 1}), asks(days)); }, {"holds numbers", "difftime"});
  days.columns[0].values = {std::nan(""), std::nan("")};
  EXPECT_NO_THROW(align(days, tree));
}

TEST(OrderedLevels, PlacesMustBeLevels) {
  Dataset data = read(kDoses, ordered());
  data.columns[0].values[0] = 4;
  expect_error([&] { data.validate(); }, {"column 'dose', row 0", "the place of none of 4 levels"});
}

// What the search finds of places is what it finds of the same numbers.
TEST(OrderedLevels, AreSplitAsTheirPlacesAre) {
  Random random(68);
  for (int round = 0; round < 60; ++round) {
    const Dataset data = testing::random_data(random, {30, 4, 3, true, true, 6, true});
    Dataset places = data;
    for (Column& column : places.columns) {
      if (column.notation != Notation::ordered) continue;
      column.notation = Notation::plain;
      column.levels.clear();
    }
    Options options;
    options.max_depth = 2;
    const Result named = fit(data, options), plain = fit(places, options);
    EXPECT_EQ(named.objective, plain.objective);
    EXPECT_EQ(named.tree.predict(data), plain.tree.predict(places));
    EXPECT_TRUE(check_claims(named, data).empty());
    for (const Node& node : named.tree.nodes()) {
      const auto* axis = node.is_leaf() ? nullptr : std::get_if<AxisSplit>(&node.split->rule);
      if (axis == nullptr || std::abs(axis->threshold) > 1e300 || !named.tree.features[+axis->feature].has_levels()) continue;
      EXPECT_EQ(axis->threshold, std::floor(axis->threshold) + 0.5);
    }
    const Tree kept = from_json(to_json(named), "tree").tree;
    EXPECT_EQ(kept.predict(align(data, kept)), named.tree.predict(data));
  }
}

TEST(OrderedLevels, ADamagedThresholdIsRefused) {
  const Dataset data = read(kDoses, ordered());
  const Tree tree(data);
  for (const double threshold : {-0.5, 3.5}) {
    std::vector<Node> nodes(3);
    nodes[0].split = Split{AxisSplit{FeatureId{0}, threshold}, false};
    nodes[0].left = NodeId{1};
    nodes[0].right = NodeId{2};
    for (Node& node : nodes) node.class_weight.assign(2, 0.0);
    expect_error([&] { Tree::from_nodes(tree.features, tree.class_names, tree.target_name, nodes); }, {"between no two levels"});
  }
}

}  // namespace
}  // namespace treewright
