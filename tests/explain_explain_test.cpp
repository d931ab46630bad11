#include <gtest/gtest.h>

#include <algorithm>

#include <cmath>

#include "expect_error.h"
#include "support/make_data.h"
#include "support/random_data.h"
#include "support/random_tree.h"
#include "treewright/explain.h"
#include "treewright/task/objective.h"
#include "treewright/tree/measures.h"

namespace treewright {
namespace {

bool has_planes(const Tree& tree) {
  for (const Node& node : tree.nodes()) {
    if (node.split && std::holds_alternative<HyperplaneSplit>(node.split->rule)) return true;
  }
  return false;
}

// Mean probability of a class when only the features in `known` are known, from the definition.
double mean_probability(const Tree& tree, const Dataset& data, std::size_t row, std::size_t known, std::size_t label,
                        NodeId id = Tree::root()) {
  const Node& node = tree.node(id);
  const auto weight = [&](NodeId at) {
    double total = 0;
    for (const double w : tree.node(at).class_weight) total += w;
    return total;
  };
  if (node.is_leaf())
    return weight(id) > 0 ? node.class_weight[label] / weight(id) : static_cast<double>(node.label == static_cast<int>(label));
  const auto* axis = std::get_if<AxisSplit>(&node.split->rule);
  const std::int32_t feature = axis != nullptr ? +axis->feature : +std::get<CategorySplit>(node.split->rule).feature;
  if ((known >> feature & 1) != 0) {
    return mean_probability(tree, data, row, known, label, goes_left(*node.split, data, row) ? node.left : node.right);
  }
  const double below = weight(node.left) + weight(node.right), left = below > 0 ? weight(node.left) / below : 0.5;
  return left * mean_probability(tree, data, row, known, label, node.left) +
         (1 - left) * mean_probability(tree, data, row, known, label, node.right);
}

TEST(Shapley, AgreesWithTheSumOverAllSubsets) {
  Random random(91);
  int checked = 0;
  for (int round = 0; round < 200; ++round) {
    const Dataset data = testing::random_data(random, {40, 5, 3, true, true});
    const Tree tree = testing::random_tree(random, data, static_cast<int>(random.below(8)));
    if (has_planes(tree)) {
      expect_error([&] { shapley_values(tree, data, 0); }, {"hyperplane splits"});
      continue;
    }
    const std::size_t row = random.below(data.rows()), p = data.features();
    const ShapleyValues found = shapley_values(tree, data, row);
    const std::vector<double> here = tree.predict_proba(data);
    for (std::size_t k = 0; k < data.classes(); ++k) {
      double sum = 0;
      for (std::size_t f = 0; f < p; ++f) {
        double phi = 0;
        for (std::size_t set = 0; set < (1u << p); ++set) {
          if ((set >> f & 1) != 0) continue;
          const int size = __builtin_popcountll(set);
          const double chance =
              std::tgamma(size + 1) * std::tgamma(static_cast<double>(p) - size) / std::tgamma(static_cast<double>(p) + 1);
          phi += chance * (mean_probability(tree, data, row, set | 1u << f, k) - mean_probability(tree, data, row, set, k));
        }
        EXPECT_NEAR(found.values[f][k], phi, 1e-12);
        sum += phi;
      }
      EXPECT_NEAR(found.average[k], mean_probability(tree, data, row, 0, k), 1e-12);
      EXPECT_NEAR(found.average[k] + sum, here[row * data.classes() + k], 1e-12);
    }
    ++checked;
  }
  EXPECT_GT(checked, 80);
}

TEST(DropSplit, IsTheRiseByRecount) {
  Random random(92);
  for (int round = 0; round < 100; ++round) {
    const Dataset data = testing::random_data(random, {40, 3, 3, true, true});
    const Tree tree = testing::random_tree(random, data, static_cast<int>(random.below(8)));
    const std::vector<double> rise = drop_split_importance(tree);
    for (std::size_t i = 0; i < rise.size(); ++i) {
      Tree without = tree;
      without.collapse(NodeId{static_cast<std::int32_t>(i)});
      EXPECT_NEAR(rise[i], count_errors(without, data) - count_errors(tree, data), 1e-9);
    }
  }
}

TEST(PermutationImportance, CountsWhatTheTreeAsksFor) {
  std::vector<double> x, y;
  std::vector<std::int32_t> labels;
  for (int i = 0; i < 400; ++i) {
    x.push_back(i);
    y.push_back(i % 7);
    labels.push_back(i < 200 ? 0 : 1);
  }
  const Dataset data = testing::make_data({testing::numbers("x", x), testing::numbers("y", y)}, labels);
  Tree tree(data);
  tree.split(Tree::root(), {AxisSplit{FeatureId{0}, 199.5}, false});
  tree.tally(data);
  const std::vector<double> importance = permutation_importance(tree, data);
  EXPECT_NEAR(importance[0], 0.5, 0.05) << "shuffled, x says nothing";
  EXPECT_EQ(importance[1], 0);
  EXPECT_EQ(permutation_importance(tree, data), importance);
  EXPECT_NE(permutation_importance(tree, data, 10, 1), importance);
}

std::string between(const std::string& text, const std::string& before, const std::string& after) {
  const std::size_t begin = text.find(before) + before.size();
  return text.substr(begin, text.find(after, begin) - begin);
}

TEST(Explain, WhatIsPrintedIsTrue) {
  const Dataset data = testing::make_data({testing::numbers("x", {1234560, 1234564.9, 1234570})}, {0, 1, 1});
  Tree tree(data);
  tree.split(Tree::root(), {AxisSplit{FeatureId{0}, 1234564.65}, false});
  tree.tally(data);
  EXPECT_NE(explain_row(tree, data, 0).find("x: 1234560 -> 1234565\n"), std::string::npos) << explain_row(tree, data, 0);
  EXPECT_NE(explain_row(tree, data, 1).find("(here 1234565;"), std::string::npos) << "not 1.23456e+06, which is less than the threshold";

  const Dataset line = testing::make_data({testing::numbers("x", {1, 6, 10})}, {0, 1, 0});
  Tree interval(line);
  const auto right = interval.split(Tree::root(), {AxisSplit{FeatureId{0}, 5.5}, false}).second;
  interval.split(right, {AxisSplit{FeatureId{0}, 7.5}, false});
  interval.tally(line);
  EXPECT_NE(explain_row(interval, line, 2).find("x: 10 -> below 7.5, at least 5.5\n"), std::string::npos);

  // The printed values of a hyperplane's change, put into the row.
  Random random(95);
  for (int round = 0; round < 50; ++round) {
    Dataset any = testing::make_data({testing::numbers("a", {}), testing::numbers("b", {})}, {});
    for (int i = 0; i < 4; ++i) {
      any.columns[0].values.push_back(1.7e9 + 1000 * random.uniform());
      any.columns[1].values.push_back(random.uniform());
      any.labels.push_back(1e-3 * any.columns[0].values.back() - any.columns[1].values.back() < 1.7e6 ? 0 : 1);
    }
    if (*std::ranges::min_element(any.labels) == *std::ranges::max_element(any.labels)) continue;
    Tree plane(any);
    plane.split(Tree::root(), {HyperplaneSplit{{{FeatureId{0}, 1e-3, -1, {}}, {FeatureId{1}, -1, -1, {}}}, 1.7e6}, false});
    plane.tally(any);
    const std::string text = explain_row(plane, any, 0);
    Dataset moved = any;
    if (text.find("  a: ") != std::string::npos)
      moved.columns[0].values[0] = std::stod(between(between(text, "  a: ", "\n") + "\n", "-> ", "\n"));
    if (text.find("  b: ") != std::string::npos)
      moved.columns[1].values[0] = std::stod(between(between(text, "  b: ", "\n") + "\n", "-> ", "\n"));
    EXPECT_NE(plane.route(moved, 0), plane.route(any, 0)) << text;
  }
}

TEST(Explain, WeightIsNotRows) {
  Dataset data = testing::make_data({testing::numbers("x", {1, 2, 3, 4})}, {0, 0, 0, 1});
  data.weights = {1, 1, 1, 5};
  Tree tree(data);
  tree.tally(data);
  EXPECT_EQ(explain_row(tree, data, 0).find("b: 62.5 % of the weight of the 4 training rows in its leaf\n"), 0u);
}

TEST(Explain, InWords) {
  const Dataset data =
      testing::make_data({testing::numbers("x", {1, 2, 3, 5}), testing::categories("c", {"u", "v"}, {0, 1, 0, 1})}, {0, 0, 1, 1});
  Tree tree(data);
  tree.split(Tree::root(), {AxisSplit{FeatureId{0}, 2.5}, false});
  tree.tally(data);
  const std::string text = explain_row(tree, data, 3);
  EXPECT_EQ(text,
            "b: 2 of 2 training rows in its leaf (100 %)\n\npath\n  x >= 2.5  (here 5; 2 more errors without this split)\n\n"
            "nearest change of label: a at distance 2.5 (raw units; a change of category counts 1)\n  x: 5 -> below 2.5\n\n"
            "Shapley values of its probability (average 0.5, here 1)\n  +0.5000  x\n");
  const std::string known = explain_row(tree, data, 3, &data);
  EXPECT_NE(known.find("permutation importance"), std::string::npos);
  EXPECT_NE(known.find("  x: 5 -> 2\n"), std::string::npos) << "a whole number that occurs: " << known;
  tree.shrinkage = 10;
  EXPECT_EQ(
      explain_row(tree, data, 3).find("b: 2 of 2 training rows in its leaf (100 %); probability 0.643 (drawn towards the nodes above)\n"),
      0u)
      << explain_row(tree, data, 3);
  Random random(93);
  for (int round = 0; round < 50; ++round) {
    const Dataset any = testing::random_data(random, {40, 3, 3, true, true});
    const Tree one = testing::random_tree(random, any, static_cast<int>(random.below(8)));
    EXPECT_FALSE(explain_row(one, any, random.below(any.rows()), &any).empty());
  }
}

}  // namespace
}  // namespace treewright
