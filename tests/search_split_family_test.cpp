#include "treewright/search/items/split_family.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>

#include "support/draw_case.h"
#include "support/random_data.h"
#include "treewright/fit.h"

namespace treewright {
namespace {

using search::SplitFamily;

// A category of more than twelve levels as the only column, so many classes, and perhaps weights.
Dataset one_column(Random& random, std::size_t classes, bool weights) {
  Dataset data;
  do {
    data = testing::draw_wide_category(random, 60);
  } while (data.classes() != classes || std::none_of(data.columns.begin(), data.columns.end(), is_wide_category));
  const Column wide = *std::find_if(data.columns.begin(), data.columns.end(), is_wide_category);
  data.columns = {wide};
  for (std::size_t row = 0; row < data.rows() && weights; ++row)
    data.weights.push_back(random.below(4) == 0 ? 0 : testing::draw_very_unequal_weight(random));
  return data;
}

std::vector<std::int32_t> present(const Column& column) {
  const std::set<std::int32_t> levels(column.codes.begin(), column.codes.end());
  return {levels.begin(), levels.end()};
}

std::string name_of(const Column& column, std::int32_t level) {
  return level < 0 ? "?" : column.levels[static_cast<std::size_t>(level)];
}

// What goes to the side of the first level by name, for every split by the column.
std::set<std::set<std::string>> splits(const Dataset& data) {
  const Column& column = data.columns[0];
  std::set<std::string> all;
  for (const std::int32_t level : present(column)) all.insert(name_of(column, level));
  std::set<std::set<std::string>> result;
  for (const search::LevelOrder& order : SplitFamily(data).orders(0, present(column))) {
    std::set<std::string> left;
    for (const std::vector<std::int32_t>& group : order) {
      for (const std::int32_t level : group) left.insert(name_of(column, level));
      std::set<std::string> right;
      std::set_difference(all.begin(), all.end(), left.begin(), left.end(), std::inserter(right, right.end()));
      result.insert(left.contains(*all.begin()) ? left : right);
    }
  }
  result.erase(all);
  return result;
}

// The order of rows, levels and classes, the unit of the weights and copies of all rows change nothing.
TEST(SplitFamily, FollowsFromTheRows) {
  Random random(1);
  for (int round = 0; round < 300; ++round) {
    const Dataset data = one_column(random, 2 + random.below(3), random.below(2) == 0);
    const auto expected = splits(data);
    std::vector<std::int32_t> rows(data.rows());
    std::iota(rows.begin(), rows.end(), 0);
    for (std::size_t i = rows.size(); i-- > 1;) std::swap(rows[i], rows[random.below(i + 1)]);
    Dataset other = data.subset(rows);
    Column& column = other.columns[0];
    std::reverse(column.levels.begin(), column.levels.end());
    const auto last = static_cast<std::int32_t>(column.levels.size()) - 1;
    for (std::int32_t& level : column.codes) level = level < 0 ? -1 : last - level;
    for (std::int32_t& label : other.labels) label = static_cast<std::int32_t>(other.classes()) - 1 - label;
    for (double& weight : other.weights) weight *= 0.3;
    EXPECT_EQ(splits(other), expected) << testing::to_string(data);
    if (data.classes() == 2) {
      Dataset priced = data;
      if (priced.weights.empty()) priced.weights.assign(data.rows(), 1);
      for (std::size_t row = 0; row < data.rows(); ++row) priced.weights[row] *= data.labels[row] == 0 ? 1000 : 7;
      EXPECT_EQ(splits(priced), expected) << testing::to_string(data);
    }
    std::vector<std::int32_t> twice = rows;
    twice.insert(twice.end(), rows.begin(), rows.end());
    EXPECT_EQ(splits(data.subset(twice)), expected) << testing::to_string(data);
  }
}

// Fisher's theorem, for all sets of levels. Weights of level l: all[l], and first[l] of the first class.
TEST(SplitFamily, HasTheBestSplitOfTwoClasses) {
  const auto entropy = [](double w) { return w > 0 ? -w * std::log(w) : 0; };
  const std::vector<std::function<double(double, double)>> impurities = {
      [](double all, double first) { return std::min(first, all - first); },
      [](double all, double first) { return all > 0 ? first * (all - first) / all : 0; },
      [&](double all, double first) { return entropy(first) + entropy(all - first) - entropy(all); }};
  Random random(2);
  for (int round = 0; round < 60; ++round) {
    const Dataset data = one_column(random, 2, round % 2 == 0);
    const std::vector<std::int32_t> levels = present(data.columns[0]);
    std::vector<double> all(levels.size(), 0), first(levels.size(), 0);
    std::vector<std::string> names;
    for (const std::int32_t level : levels) names.push_back(name_of(data.columns[0], level));
    double minorities = 0;
    for (std::size_t l = 0; l < levels.size(); ++l) {
      for (std::size_t row = 0; row < data.rows(); ++row) {
        if (data.columns[0].codes[row] != levels[l]) continue;
        all[l] += data.weight(row);
        first[l] += data.labels[row] == 0 ? data.weight(row) : 0;
      }
      minorities += std::min(first[l], all[l] - first[l]);
    }
    const double total = std::accumulate(all.begin(), all.end(), 0.0), of_first = std::accumulate(first.begin(), first.end(), 0.0);
    for (const auto& impurity : impurities) {
      const auto cost = [&](double weight, double of_class) {
        return impurity(weight, of_class) + impurity(total - weight, of_first - of_class);
      };
      double best = std::numeric_limits<double>::infinity(), best_in_family = best;
      for (std::uint32_t set = 1; set < 1u << (levels.size() - 1); ++set) {
        double weight = 0, of_class = 0;
        for (std::size_t l = 0; l < levels.size(); ++l) {
          if (set >> l & 1) weight += all[l], of_class += first[l];
        }
        best = std::min(best, cost(weight, of_class));
      }
      for (const std::set<std::string>& left : splits(data)) {
        double weight = 0, of_class = 0;
        for (std::size_t l = 0; l < levels.size(); ++l) {
          if (left.contains(names[l])) weight += all[l], of_class += first[l];
        }
        best_in_family = std::min(best_in_family, cost(weight, of_class));
      }
      EXPECT_NEAR(best_in_family, best, 1e-9 * total) << testing::to_string(data);
    }
    if (of_first == 0 || of_first == total) continue;
    Options options;
    options.max_depth = 1;
    EXPECT_EQ(fit(data, options).errors, minorities) << testing::to_string(data);
  }
}

TEST(SplitFamily, HoldsItsSplitsAndNoOthers) {
  Random random(3);
  int held = 0, others = 0;
  for (int round = 0; round < 200; ++round) {
    const Dataset data = one_column(random, 2 + random.below(2), false);
    const Column& column = data.columns[0];
    const SplitFamily family(data);
    EXPECT_TRUE(family.is_restricted());
    EXPECT_NE(search::restriction_of_family(data), "");
    const auto expected = splits(data);
    const std::size_t size = 1 + random.below(3);
    std::set<std::string> all, left;
    for (const std::int32_t level : present(column)) all.insert(name_of(column, level));
    CategorySplit split{FeatureId{0}, std::vector<bool>(column.levels.size(), false)};
    if (random.below(2) == 0) {
      left = *std::next(expected.begin(), static_cast<std::ptrdiff_t>(random.below(expected.size())));
    } else {
      while (left.size() < size) left.insert(name_of(column, column.codes[random.below(data.rows())]));
    }
    for (std::size_t l = 0; l < column.levels.size(); ++l) split.left[l] = left.contains(column.levels[l]);
    std::set<std::string> side = left;
    if (!left.contains(*all.begin())) {
      side.clear();
      std::set_difference(all.begin(), all.end(), left.begin(), left.end(), std::inserter(side, side.end()));
    }
    Tree tree(data);
    tree.split(Tree::root(), {split, left.contains("?")});
    tree.tally(data);
    EXPECT_EQ(family.holds(tree, data), expected.contains(side)) << testing::to_string(data);
    ++(expected.contains(side) ? held : others);
  }
  EXPECT_GT(held, 50);
  EXPECT_GT(others, 30);
}

// A level of a thousandth of the weight of its class is split from the rest, one of less only by its share.
TEST(SplitFamily, SplitsNoRareLevelAlone) {
  Dataset data;
  Column column{.name = "c", .kind = ColumnKind::categorical, .values = {}, .codes = {}, .levels = {}};
  for (std::int32_t level = 0; level < 14; ++level) {
    column.levels.push_back({'l', static_cast<char>('a' + level)});
    column.codes.push_back(level);
    data.labels.push_back(level % 2);
  }
  data.columns = {column};
  data.class_names = {"no", "yes"};
  data.weights.assign(14, 1);
  data.weights[2] = data.weights[3] = 994;
  EXPECT_EQ(splits(data).size(), 15u) << "each level, and the levels of a class";
  data.weights[3] = 995;
  EXPECT_EQ(splits(data).size(), 9u)
      << "levels of the class whose levels are not rare, the heavy one of the other, and the levels of a class";
  data.weights[2] = 995;
  EXPECT_EQ(splits(data).size(), 3u) << "the two levels of almost all weight, and the levels of a class";
  Tree tree(data);
  CategorySplit rare{FeatureId{0}, std::vector<bool>(14, false)};
  rare.left[0] = true;
  tree.split(Tree::root(), {rare, false});
  tree.tally(data);
  EXPECT_FALSE(SplitFamily(data).holds(tree, data));
  Options options;
  options.max_depth = 2;
  const Result found = fit(data, options);
  EXPECT_EQ(found.status, Status::optimal);
  EXPECT_TRUE(SplitFamily(data).holds(found.tree, data));
}

TEST(SplitFamily, OfTwelveLevelsHasEverySet) {
  Random random(4);
  const Dataset data = testing::random_data(random, {40, 3, 3, true, true});
  EXPECT_FALSE(SplitFamily(data).is_restricted());
  EXPECT_EQ(search::restriction_of_family(data), "");
}

// Levels of equal mean, as fractions, stay together in any unit of target and weights, from any zero and in any order of the rows.
TEST(SplitFamily, MeansKnowNoUnit) {
  Random random(9);
  for (int round = 0; round < 300; ++round) {
    Dataset data = one_column(random, 2, false);
    std::vector<double> values;
    for (std::size_t row = 0; row < data.rows(); ++row) {
      values.push_back(static_cast<double>(random.below(3)) - 1);
      data.weights.push_back(static_cast<double>(1 + random.below(3)));
    }
    data.labels.clear();
    data.class_names.clear();
    data.response = Response{Loss::squared, std::move(values), {}};
    const auto expected = splits(data);
    for (const auto& [factor, offset] :
         {std::pair(5.0, 2.0), std::pair(13.0, 100.0), std::pair(0.1, 0.3), std::pair(1e-9, 0.0), std::pair(1.0, 1e6)}) {
      std::vector<std::int32_t> rows(data.rows());
      std::iota(rows.begin(), rows.end(), 0);
      for (std::size_t i = rows.size(); i-- > 1;) std::swap(rows[i], rows[random.below(i + 1)]);
      Dataset other = data.subset(rows);
      for (double& value : other.response->values) value = value * factor + offset;
      for (double& weight : other.weights) weight *= 0.7 * factor;
      ASSERT_EQ(splits(other), expected) << round << " " << factor;
    }
  }
}

}  // namespace
}  // namespace treewright
