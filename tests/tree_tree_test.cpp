#include "treewright/tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "support/make_data.h"
#include "support/random_data.h"
#include "support/random_tree.h"
#include "treewright/error.h"
#include "treewright/task/objective.h"
#include "treewright/tree/measures.h"

namespace treewright {
namespace {

using testing::categories;
using testing::make_data;
using testing::numbers;

const double kMissing = std::nan("");

Split axis(int feature, double threshold, bool missing_left = false) {
  return {AxisSplit{FeatureId{feature}, threshold}, missing_left};
}

std::vector<int> plain(const std::vector<NodeId>& ids) {
  std::vector<int> numbers;
  for (const NodeId id : ids) numbers.push_back(+id);
  return numbers;
}

TEST(Tree, AnAxisSplitSendsLeftWhatIsBelowTheThreshold) {
  const double below = std::nextafter(1.5, 0);
  const Dataset data = make_data({numbers("x", {1, below, 1.5, 2, kMissing})}, {0, 0, 1, 1, 1});
  Tree tree(data);
  tree.split(Tree::root(), axis(0, 1.5));
  EXPECT_EQ(plain(tree.apply(data)), (std::vector<int>{1, 1, 2, 2, 2}));
  Tree other(data);
  other.split(Tree::root(), axis(0, 1.5, true));
  EXPECT_EQ(plain(other.apply(data)), (std::vector<int>{1, 1, 2, 2, 1})) << "only the missing one changes sides";
}

TEST(Tree, AHyperplaneComparesTheWeightedSum) {
  const Dataset data = make_data({numbers("x", {0, 1, 1, kMissing}), numbers("u", {9, 9, 9, 9}), numbers("y", {0, 0, 1, 0})}, {0, 0, 1, 1});
  Tree tree(data);
  tree.split(Tree::root(), {HyperplaneSplit{{{FeatureId{0}, 2}, {FeatureId{2}, -1}}, 1.0}, false});
  // 2x - y = 0, 2, 1 (not below 1), missing.
  EXPECT_EQ(plain(tree.apply(data)), (std::vector<int>{1, 2, 2, 2}));
  EXPECT_TRUE(lacks_value(*tree.node(Tree::root()).split, data, 3));
  EXPECT_FALSE(lacks_value(*tree.node(Tree::root()).split, data, 0));
  EXPECT_EQ(tree.features_used(), (std::vector<FeatureId>{FeatureId{0}, FeatureId{2}}));
}

TEST(Tree, AHyperplaneTakesLevelsAndStandInsForMissingValues) {
  const Dataset data = make_data({numbers("x", {0, 1, kMissing, 1}), categories("c", {"red", "green"}, {0, 1, 1, -1})}, {0, 0, 1, 1});
  const auto sides = [&](std::optional<double> x_if_missing, std::optional<double> green_if_missing, bool missing_left) {
    Tree tree(data);
    tree.split(Tree::root(),
               {HyperplaneSplit{{{FeatureId{1}, 2, 1, green_if_missing}, {FeatureId{0}, 1, -1, x_if_missing}}, 2.5}, missing_left});
    EXPECT_EQ(tree.terms(), 2u);
    return plain(tree.apply(data));
  };
  // 2*[green] + x = 0, 3, 2 + missing, 2*missing + 1.
  EXPECT_EQ(sides({}, {}, false), (std::vector<int>{1, 2, 2, 2}));
  EXPECT_EQ(sides({}, {}, true), (std::vector<int>{1, 2, 1, 1}));
  EXPECT_EQ(sides(0.25, {}, false), (std::vector<int>{1, 2, 1, 2}));
  EXPECT_EQ(sides(0.75, 0.5, true), (std::vector<int>{1, 2, 2, 1}));
  const Split split{HyperplaneSplit{{{FeatureId{1}, 2, 1, 0.5}, {FeatureId{0}, 1}}, 2.5}, false};
  EXPECT_TRUE(lacks_value(split, data, 2));
  EXPECT_FALSE(lacks_value(split, data, 3)) << "something stands in for the colour";
}

TEST(Tree, ACategorySplitSendsItsSetLeft) {
  const Dataset data = make_data({categories("c", {"red", "green", "blue"}, {0, 1, 2, -1})}, {0, 1, 0, 1});
  Tree tree(data);
  tree.split(Tree::root(), {CategorySplit{FeatureId{0}, {true, false, true}}, true});
  EXPECT_EQ(plain(tree.apply(data)), (std::vector<int>{1, 2, 1, 1}));
  EXPECT_TRUE(lacks_value(*tree.node(Tree::root()).split, data, 3));
}

TEST(Tree, TallyCountsRowsAndWeightsInEveryNode) {
  Dataset data = make_data({numbers("x", {1, 2, 3, 4})}, {0, 1, 1, 2}, 3);
  data.weights = {1, 0.5, 0.25, 2};
  Tree tree(data);
  const auto [left, right] = tree.split(Tree::root(), axis(0, 2.5));
  tree.tally(data);
  EXPECT_EQ(tree.node(Tree::root()).rows, 4);
  EXPECT_EQ(tree.node(Tree::root()).class_weight, (std::vector<double>{1, 0.75, 2}));
  EXPECT_EQ(tree.node(Tree::root()).label, 2);
  EXPECT_EQ(tree.node(left).class_weight, (std::vector<double>{1, 0.5, 0}));
  EXPECT_EQ(tree.node(left).label, 0);
  EXPECT_EQ(tree.node(right).class_weight, (std::vector<double>{0, 0.25, 2}));
  EXPECT_EQ(tree.node(right).rows, 2);
  EXPECT_EQ(tree.predict(data), (std::vector<std::int32_t>{0, 0, 2, 2}));
}

TEST(Tree, EqualWeightsGiveTheFirstClass) {
  const Dataset data = make_data({numbers("x", {1, 2})}, {1, 0});
  Tree tree(data);
  tree.tally(data);
  EXPECT_EQ(tree.node(Tree::root()).label, 0);
}

TEST(Tree, ProbabilitiesAreSharesOfTheLeafsWeight) {
  Dataset data = make_data({numbers("x", {1, 2, 3, 9})}, {0, 1, 1, 1});
  data.weights = {1, 3, 2, 0};
  Tree tree(data);
  const auto [left, right] = tree.split(Tree::root(), axis(0, 2.5));
  tree.split(right, axis(0, 5));
  tree.tally(data);
  EXPECT_EQ(tree.predict_proba(data), (std::vector<double>{0.25, 0.75, 0.25, 0.75, 0, 1, 1, 0}))
      << "a leaf without weight is sure of its label (the first class)";
  EXPECT_EQ(+left, 1);
}

TEST(Tree, ShapeMeasures) {
  const Dataset data = make_data({numbers("x", {1, 2, 3, 4}), numbers("y", {1, 2, 3, 4})}, {0, 1, 0, 1});
  Tree tree(data);
  EXPECT_EQ(tree.leaves(), 1u);
  EXPECT_EQ(tree.splits(), 0u);
  EXPECT_EQ(tree.depth(), 0);
  const auto [left, right] = tree.split(Tree::root(), axis(1, 2.5));
  tree.split(right, axis(1, 3.5));
  EXPECT_EQ(tree.leaves(), 3u);
  EXPECT_EQ(tree.splits(), 2u);
  EXPECT_EQ(tree.depth(), 2);
  EXPECT_EQ(tree.depths(), (std::vector<int>{0, 1, 1, 2, 2}));
  EXPECT_EQ(tree.features_used(), (std::vector<FeatureId>{FeatureId{1}}));
  EXPECT_EQ(+left, 1);
}

TEST(Tree, CollapseKeepsTheOtherBranchesAndTheOrderOfNodes) {
  Random random(1);
  for (int round = 0; round < 200; ++round) {
    const Dataset data = testing::random_data(random, {30, 3, 3, true, true, 6});
    const Tree tree = testing::random_tree(random, data, 1 + static_cast<int>(random.below(8)));
    const auto id = static_cast<std::int32_t>(random.below(tree.nodes().size()));
    Tree collapsed = tree;
    collapsed.collapse(NodeId{id});
    // The parts must still form a tree, and every row must arrive as before or at the collapsed node.
    EXPECT_EQ(Tree::from_nodes(collapsed.features, collapsed.class_names, collapsed.target_name, collapsed.nodes()), collapsed);
    std::vector<bool> below(tree.nodes().size(), false);
    below[id] = true;
    for (std::size_t i = 0; i < below.size(); ++i) {
      if (below[i] && !tree.nodes()[i].is_leaf()) below[+tree.nodes()[i].left] = below[+tree.nodes()[i].right] = true;
    }
    for (std::size_t row = 0; row < data.rows(); ++row) {
      const NodeId before = tree.route(data, row), after = collapsed.route(data, row);
      const Node& expected = below[+before] ? tree.nodes()[id] : tree.node(before);
      EXPECT_EQ(collapsed.node(after).rows, expected.rows);
      EXPECT_EQ(collapsed.node(after).class_weight, expected.class_weight);
    }
  }
}

// errors + price * splits, from the stored counts.
double cost(const Tree& tree, double price) {
  double total = price * static_cast<double>(tree.splits());
  for (const Node& node : tree.nodes()) {
    if (!node.is_leaf()) continue;
    total += std::accumulate(node.class_weight.begin(), node.class_weight.end(), 0.0) - node.class_weight[node.label];
  }
  return total;
}

// The least cost over all ways to cut the tree back, by trying both at every node.
double best_pruned(const Tree& tree, double price, NodeId id) {
  const Node& node = tree.node(id);
  const double leaf = std::accumulate(node.class_weight.begin(), node.class_weight.end(), 0.0) - node.class_weight[node.label];
  if (node.is_leaf()) return leaf;
  return std::min(leaf, price + best_pruned(tree, price, node.left) + best_pruned(tree, price, node.right));
}

TEST(Tree, SimplifyGivesTheCheapestPrunedTree) {
  Random random(2);
  for (int round = 0; round < 300; ++round) {
    const Dataset data = testing::random_data(random, {30, 3, 3, true, true, 6});
    const Tree tree = testing::random_tree(random, data, static_cast<int>(random.below(10)));
    const double price = std::vector<double>{0, 0.5, 1, 3}[random.below(4)];
    Tree simple = tree;
    simple.simplify(price);
    EXPECT_NEAR(cost(simple, price), best_pruned(tree, price, Tree::root()), 1e-9);
    // No split is left that gains nothing.
    Tree again = simple;
    again.simplify(price);
    EXPECT_EQ(again, simple);
    Tree counted = simple;
    counted.tally(data);
    EXPECT_EQ(counted, simple) << "the counts must still be those of the rows";
  }
}

TEST(Tree, SimplifyTakesBackSplitsWithoutGain) {
  const Dataset data = make_data({numbers("x", {1, 2, 3, 4})}, {0, 0, 0, 1});
  Tree tree(data);
  tree.split(Tree::root(), axis(0, 2.5));
  tree.tally(data);
  tree.simplify(0);
  EXPECT_EQ(tree.splits(), 0u) << "both leaves say 'a'";
}

TEST(Tree, TrimCutsBelowTheDepthAndThenTheCheapestSplits) {
  // x < 4.5 parts 4 a from 4 b but for one; two more splits mend one error each at different depths.
  const Dataset data = make_data({numbers("x", {1, 2, 3, 4, 5, 6, 7, 8})}, {0, 0, 0, 1, 1, 1, 1, 0});
  Tree tree(data);
  const auto [left, right] = tree.split(Tree::root(), axis(0, 3.5));
  const auto [middle, last] = tree.split(right, axis(0, 7.5));
  tree.split(middle, axis(0, 5.5));  // gains nothing
  tree.tally(data);
  Tree cut = tree;
  trim(cut, 1, -1);
  EXPECT_EQ(cut.depth(), 1);
  EXPECT_EQ(count_errors(cut, data), 1);
  Tree two = tree;
  trim(two, 10, 2);
  EXPECT_EQ(two.splits(), 2u);
  EXPECT_EQ(count_errors(two, data), 0) << "the split without gain goes first";
  Tree one = tree;
  trim(one, 10, 1);
  EXPECT_EQ(count_errors(one, data), 1);
  Tree none = tree;
  trim(none, 10, 0);
  EXPECT_EQ(none.splits(), 0u);
  Tree same = tree;
  trim(same, 3, 3);
  EXPECT_EQ(same, tree);
  EXPECT_EQ(+left, 1);
  EXPECT_EQ(+last, 4);
}

TEST(Tree, TrimKeepsItsLimitsOnRandomTrees) {
  Random random(3);
  for (int round = 0; round < 200; ++round) {
    const Dataset data = testing::random_data(random, {30, 3, 3, true, true, 6});
    Tree tree = testing::random_tree(random, data, static_cast<int>(random.below(12)));
    const int depth = static_cast<int>(random.below(5));
    const std::int64_t splits = static_cast<std::int64_t>(random.below(8)) - 1;
    trim(tree, depth, splits);
    EXPECT_LE(tree.depth(), depth);
    if (splits >= 0) {
      EXPECT_LE(tree.splits(), static_cast<std::size_t>(splits));
    }
    EXPECT_EQ(Tree::from_nodes(tree.features, tree.class_names, tree.target_name, tree.nodes()), tree);
  }
}

TEST(Tree, UnseenMissingValuesFollowTheHeavierPart) {
  const Dataset data = make_data({numbers("x", {1, 2, 3, 4, 5}), numbers("y", {1, 2, kMissing, 4, 5})}, {0, 0, 0, 1, 1});
  Tree tree(data);
  const auto [left, right] = tree.split(Tree::root(), axis(0, 3.5, false));
  tree.split(left, axis(1, 1.5, false));   // a row that lacks y arrives here: its direction is the tree's own
  tree.split(right, axis(1, 4.5, false));  // none does
  tree.tally(data);
  tree.direct_unseen_missing(data);
  EXPECT_TRUE(tree.node(Tree::root()).split->missing_left) << "three rows against two";
  EXPECT_FALSE(tree.node(left).split->missing_left) << "rows that decided it keep their direction";
  EXPECT_TRUE(tree.node(right).split->missing_left) << "equal parts: left";
  Dataset heavy = data;
  heavy.weights = {1, 1, 1, 2, 2};
  tree.tally(heavy);
  tree.direct_unseen_missing(heavy);
  EXPECT_FALSE(tree.node(Tree::root()).split->missing_left) << "weights count, not rows";
}

TEST(Align, FindsColumnsByNameAndLevelsByText) {
  const Dataset trained = make_data({numbers("x", {1, 2}), categories("c", {"red", "green"}, {0, 1})}, {0, 1});
  Tree tree(trained);
  tree.split(Tree::root(), {CategorySplit{FeatureId{1}, {true, false}}, true});
  Dataset fresh = make_data(
      {categories("c", {"blue", "green", "red"}, {2, 1, 0, -1}), numbers("more", {0, 0, 0, 0}), numbers("x", {7, 8, 9, 0})}, {1, 0, 0, 1});
  fresh.class_names = {"b", "a"};
  const Dataset aligned = align(fresh, tree);
  ASSERT_EQ(aligned.features(), 2u);
  EXPECT_EQ(aligned.columns[0].name, "x");
  EXPECT_EQ(aligned.columns[0].values, (std::vector<double>{7, 8, 9, 0}));
  EXPECT_EQ(aligned.columns[1].codes, (std::vector<std::int32_t>{0, 1, -1, -1})) << "'blue' was never seen: missing";
  EXPECT_EQ(aligned.labels, (std::vector<std::int32_t>{0, 1, 1, 0}));
  EXPECT_EQ(plain(tree.apply(aligned)), (std::vector<int>{1, 2, 1, 1}));
}

TEST(Align, ReadsAColumnAsTheOtherKindWhereThatLosesNothing) {
  const Dataset trained = make_data({categories("c", {"1", "2.5"}, {0, 1}), numbers("x", {1, 2})}, {0, 1});
  const Tree tree(trained);
  // New rows show only numbers in c, and nothing at all in x (which then reads as text).
  const Dataset fresh = make_data({numbers("c", {2.5, 1, 3, kMissing}), categories("x", {}, {-1, -1, -1, -1})}, {});
  const Dataset aligned = align(fresh, tree);
  EXPECT_EQ(aligned.columns[0].codes, (std::vector<std::int32_t>{1, 0, -1, -1}));
  EXPECT_TRUE(std::all_of(aligned.columns[1].values.begin(), aligned.columns[1].values.end(), [](double v) { return std::isnan(v); }));
}

TEST(Align, LevelsOfOneNumberAreToldApartByText) {
  const Dataset trained = make_data({categories("c", {"01", "1", "1.0", "2"}, {0, 1, 2, 3})}, {0, 1, 0, 1});
  const Tree tree(trained);
  const auto codes = [&](const Column& column) { return align(make_data({column}, {}), tree).columns[0].codes; };
  EXPECT_EQ(codes(categories("c", {"1", "1.0", "01", "2.0", "1e0", "02", "x"}, {0, 1, 2, 3, 4, 5, 6, -1})),
            (std::vector<std::int32_t>{1, 2, 0, 3, -1, 3, -1, -1}))
      << "another text is taken for the one level of its number";
  EXPECT_EQ(codes(numbers("c", {1, 2, 3, kMissing})), (std::vector<std::int32_t>{1, 3, -1, -1}));
  const Tree large(make_data({categories("c", {"9007199254740992", "9007199254740993"}, {0, 1})}, {0, 1}));
  EXPECT_EQ(align(make_data({numbers("c", {9007199254740992.0})}, {}), large).columns[0].codes, (std::vector<std::int32_t>{-1}))
      << "as a double it may be either";
}

std::string message(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

void expect_mentions(const std::string& text, const std::string& part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(Align, NeedsOnlyTheColumnsThatTheTreeAsksFor) {
  Tree tree(make_data({numbers("x", {1, 2}), categories("c", {"u"}, {0, 0}), numbers("y", {1, 2})}, {0, 1}));
  tree.split(Tree::root(), axis(2, 1.5));
  const Dataset aligned = align(make_data({numbers("y", {7, 1, 0})}, {}), tree);
  ASSERT_EQ(aligned.features(), 3u);
  EXPECT_NO_THROW(aligned.validate());
  EXPECT_TRUE(aligned.columns[0].missing(2));
  EXPECT_TRUE(aligned.columns[1].missing(2));
  EXPECT_EQ(plain(tree.apply(aligned)), (std::vector<int>{2, 1, 1}));
}

TEST(Align, WhatNoSplitAsksNeedNotFit) {
  Dataset train = make_data({numbers("x", {1, 2}), numbers("when", {1, 2}), numbers("y", {1, 2})}, {0, 1});
  train.columns[1].notation = Notation::date;
  Tree tree(train);
  tree.split(Tree::root(), axis(2, 1.5));
  const Dataset odd = make_data({categories("x", {"low"}, {0}), numbers("when", {5}), numbers("y", {7})}, {});
  const Dataset aligned = align(odd, tree);
  EXPECT_TRUE(aligned.columns[0].missing(0));
  EXPECT_TRUE(aligned.columns[1].missing(0));
  EXPECT_EQ(plain(tree.apply(aligned)), (std::vector<int>{2}));
}

TEST(Align, TimesOfAnotherZoneAreRefused) {
  Dataset train = make_data({numbers("when", {1, 2})}, {0, 1});
  train.columns[0].notation = Notation::date;
  train.columns[0].zoned = true;
  Tree tree(train);
  tree.split(Tree::root(), axis(0, 1.5));
  Dataset rows = make_data({numbers("when", {1, 2})}, {});
  rows.columns[0].notation = Notation::date;
  expect_mentions(message([&] { align(rows, tree); }), "times without a zone");
  rows.columns[0].zoned = true;
  EXPECT_EQ(plain(tree.apply(align(rows, tree))), (std::vector<int>{1, 2}));
  rows.columns[0].values = {std::nan(""), std::nan("")};
  rows.columns[0].notation = Notation::plain;
  EXPECT_NO_THROW(align(rows, tree)) << "nothing is there to differ";
  Tree local(make_data({numbers("when", {1, 2})}, {0, 1}));
  local.features[0].notation = Notation::date;
  local.split(Tree::root(), axis(0, 1.5));
  rows.columns[0].values = {1, 2};
  rows.columns[0].notation = Notation::date;
  rows.columns[0].zoned = true;
  expect_mentions(message([&] { align(rows, local); }), "times with a zone");
}

TEST(Align, NamesWhatDoesNotFit) {
  Tree tree(make_data({numbers("x", {1, 2})}, {0, 1}));
  tree.split(Tree::root(), axis(0, 1.5));
  expect_mentions(message([&] { align(make_data({numbers("z", {1})}, {}), tree); }), "'x' is missing");
  expect_mentions(message([&] { align(make_data({categories("x", {"low"}, {0})}, {}), tree); }), "column 'x': holds text ('low')");
  Dataset foreign = make_data({numbers("x", {1, 2})}, {0, 1});
  foreign.class_names = {"a", "q"};
  expect_mentions(message([&] { align(foreign, tree); }), "'q' is not a class of the tree");
}

// A valid tree of three nodes to damage.
struct Parts {
  std::vector<Feature> features{{"x", ColumnKind::numeric, {}, false}, {"c", ColumnKind::categorical, {"u", "v"}, false}};
  std::vector<std::string> classes{"a", "b"};
  std::vector<Node> nodes;

  Parts() {
    Node leaf;
    leaf.class_weight = {1, 0};
    nodes = {leaf, leaf, leaf};
    nodes[0].split = axis(0, 1.5);
    nodes[0].left = NodeId{1};
    nodes[0].right = NodeId{2};
  }
  std::string error() const {
    return message([&] { Tree::from_nodes(features, classes, "class", nodes); });
  }
};

TEST(FromNodes, RefusesWhatIsNoTree) {
  EXPECT_EQ(Parts().error(), "no error");
  const auto damaged = [](const std::function<void(Parts&)>& damage) {
    Parts parts;
    damage(parts);
    return parts.error();
  };
  const double infinity = std::numeric_limits<double>::infinity();
  expect_mentions(damaged([](Parts& p) { p.nodes.clear(); }), "has no nodes");
  expect_mentions(damaged([](Parts& p) { p.nodes[1].class_weight.pop_back(); }), "tree node 1: its class weights");
  expect_mentions(damaged([](Parts& p) { p.nodes[2].label = 2; }), "tree node 2: its label 2");
  expect_mentions(damaged([](Parts& p) { p.nodes[2].label = -1; }), "tree node 2: its label -1");
  expect_mentions(damaged([](Parts& p) {
                    p.classes.clear();
                    for (Node& n : p.nodes) n.class_weight.clear();
                  }),
                  "no classes");
  expect_mentions(damaged([](Parts& p) { p.nodes[1].left = NodeId{2}; }), "is a leaf with children");
  expect_mentions(damaged([](Parts& p) { p.nodes[0].left = NodeId{0}; }), "child 0 is out of order");
  expect_mentions(damaged([](Parts& p) { p.nodes[0].right = NodeId{3}; }), "child 3 is out of order");
  expect_mentions(damaged([](Parts& p) { p.nodes[0].right = kNoNode; }), "child -1 is out of order");
  expect_mentions(damaged([](Parts& p) { p.nodes[0].right = NodeId{1}; }), "child 1 has another parent");
  expect_mentions(damaged([](Parts& p) { p.nodes.push_back(p.nodes[1]); }), "tree node 3: has no parent");
  expect_mentions(damaged([](Parts& p) { p.nodes[0].split = axis(2, 1); }), "uses feature 2 of 2");
  expect_mentions(damaged([](Parts& p) { p.nodes[0].split = axis(-1, 1); }), "uses feature -1");
  expect_mentions(damaged([](Parts& p) { p.nodes[0].split = axis(1, 1); }), "does not fit feature 'c'");
  expect_mentions(damaged([](Parts& p) {
                    p.nodes[0].split = Split{HyperplaneSplit{{{FeatureId{1}, 1, 99}}, 1}, false};
                  }),
                  "uses level 99 of feature 'c'");
  expect_mentions(damaged([&](Parts& p) { p.nodes[0].split = axis(0, infinity); }), "not finite");
  expect_mentions(damaged([&](Parts& p) {
                    p.nodes[0].split = Split{HyperplaneSplit{{{FeatureId{0}, infinity}}, 1}, false};
                  }),
                  "not finite");
  expect_mentions(damaged([&](Parts& p) {
                    p.nodes[0].split = Split{HyperplaneSplit{{{FeatureId{0}, 1}}, kMissing}, false};
                  }),
                  "not finite");
  expect_mentions(damaged([](Parts& p) { p.nodes[0].split = Split{CategorySplit{FeatureId{1}, {true}}, false}; }), "set of levels");
  expect_mentions(damaged([](Parts& p) {
                    p.nodes[0].split = Split{CategorySplit{FeatureId{0}, {true, false}}, false};
                  }),
                  "does not fit feature 'x'");
}

}  // namespace
}  // namespace treewright
