#include "treewright/explain/counterfactual.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/make_data.h"
#include "support/random_data.h"
#include "support/random_tree.h"
#include "treewright/explain.h"
#include "treewright/explain/region.h"

namespace treewright {
namespace {

double length(const std::vector<double>& z) {
  double squares = 0;
  for (const double v : z) squares += v * v;
  return std::sqrt(squares);
}

Dataset one_row(const Dataset& data, std::size_t row) {
  const std::vector<std::int32_t> only = {static_cast<std::int32_t>(row)};
  return data.subset(only);
}

TEST(Region, HoldsTheRowsThatReachTheNode) {
  Random random(71);
  for (int round = 0; round < 100; ++round) {
    const Dataset data = testing::random_data(random, {40, 4, 3, true, true, 6, true});
    const Tree tree = testing::random_tree(random, data, static_cast<int>(random.below(9)));
    const std::vector<explain::Region> all = explain::regions(tree);
    for (std::size_t row = 0; row < data.rows(); ++row) {
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (!tree.nodes()[i].is_leaf()) continue;
        bool inside = true;
        for (std::size_t f = 0; f < data.features(); ++f) {
          const explain::FeatureLimit& limit = all[i].limits[f];
          const Column& column = data.columns[f];
          if (column.missing(row)) {
            inside = inside && limit.missing;
          } else if (column.kind == ColumnKind::numeric) {
            inside = inside && limit.low <= column.values[row] && column.values[row] < limit.high;
            if (column.has_levels()) {
              EXPECT_EQ(limit.low <= column.values[row] && column.values[row] < limit.high, limit.levels[column.code(row)]);
            }
          } else {
            inside = inside && limit.levels[column.codes[row]];
          }
        }
        for (const explain::HalfSpace& plane : all[i].planes) inside = inside && goes_left(*plane.split, data, row) == plane.left;
        EXPECT_EQ(inside, +tree.route(data, row) == static_cast<int>(i));
      }
    }
  }
}

// Solves a x = b (square) by elimination; false where it is singular.
bool solve(std::vector<std::vector<double>> a, std::vector<double>& b) {
  const std::size_t n = b.size();
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t i = c; i < n; ++i) {
      if (std::abs(a[i][c]) > std::abs(a[pivot][c])) pivot = i;
    }
    if (std::abs(a[pivot][c]) < 1e-10) return false;
    std::swap(a[c], a[pivot]);
    std::swap(b[c], b[pivot]);
    for (std::size_t i = 0; i < n; ++i) {
      const double factor = i == c ? 0 : a[i][c] / a[c][c];
      for (std::size_t j = 0; j < n; ++j) a[i][j] -= factor * a[c][j];
      b[i] -= factor * b[c];
    }
  }
  for (std::size_t i = 0; i < n; ++i) b[i] /= a[i][i];
  return true;
}

// The nearest point of a polyhedron is the nearest point of the flat in which some independent set of its faces meets: try all sets.
double nearest_by_enumeration(const std::vector<std::vector<double>>& G, const std::vector<double>& h) {
  const std::size_t m = G.size(), n = G[0].size();
  const auto dot = [&](const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t k = 0; k < n; ++k) sum += a[k] * b[k];
    return sum;
  };
  double best = std::numeric_limits<double>::infinity();
  for (std::size_t set = 0; set < (1u << m); ++set) {
    std::vector<std::size_t> faces;
    for (std::size_t i = 0; i < m; ++i) {
      if ((set >> i & 1) != 0) faces.push_back(i);
    }
    std::vector<std::vector<double>> gram(faces.size(), std::vector<double>(faces.size()));
    std::vector<double> force;
    for (std::size_t i = 0; i < faces.size(); ++i) {
      force.push_back(h[faces[i]]);
      for (std::size_t j = 0; j < faces.size(); ++j) gram[i][j] = dot(G[faces[i]], G[faces[j]]);
    }
    if (faces.size() > n || !solve(gram, force)) continue;
    std::vector<double> z(n, 0.0);
    for (std::size_t i = 0; i < faces.size(); ++i) {
      for (std::size_t k = 0; k < n; ++k) z[k] += force[i] * G[faces[i]][k];
    }
    bool feasible = true;  // to within what is left of the digits where faces meet at a sharp angle
    for (std::size_t i = 0; i < m; ++i) feasible = feasible && dot(G[i], z) >= h[i] - 1e-7 * (1 + length(z));
    if (feasible) best = std::min(best, length(z));
  }
  return best;
}

TEST(LeastDistance, AgreesWithTryingAllFaces) {
  Random random(72);
  int infeasible = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::size_t n = 1 + random.below(3), m = 1 + random.below(5);
    std::vector<std::vector<double>> G(m, std::vector<double>(n));
    std::vector<double> h(m);
    for (std::size_t i = 0; i < m; ++i) {
      for (double& g : G[i]) g = random.uniform(-1, 1);
      h[i] = random.uniform(-1, 1);
    }
    const double expected = nearest_by_enumeration(G, h);
    const auto z = explain::least_distance(G, h);
    if (std::isinf(expected)) {
      ++infeasible;
      EXPECT_FALSE(z.has_value()) << round;
    } else {
      ASSERT_TRUE(z.has_value()) << round;
      EXPECT_NEAR(length(*z), expected, 1e-6 * (1 + expected)) << round;
    }
  }
  EXPECT_GT(infeasible, 50);
}

TEST(LeastDistance, SmallCases) {
  EXPECT_EQ(*explain::least_distance({{1, 0}, {0, 1}}, {-1, -2}), (std::vector<double>{0, 0})) << "already inside";
  const auto corner = explain::least_distance({{1, 0}, {0, 1}}, {3, 4});
  EXPECT_NEAR((*corner)[0], 3, 1e-12);
  EXPECT_NEAR((*corner)[1], 4, 1e-12);
  EXPECT_FALSE(explain::least_distance({{1}, {-1}}, {1, 0}).has_value()) << "z >= 1 and z <= 0";
}

// Incomes and debts in units: what is far away in raw units is as certain as what is near.
TEST(NearestChange, IsFoundAtAnyDistanceAndOffset) {
  for (const double scale : {1.0, 1e4, 1e7, 1e12}) {
    for (const double offset : {0.0, 1e6, 1.7e12}) {
      Dataset data = testing::make_data({testing::numbers("income", {offset + 9 * scale, offset + 1 * scale}),
                                         testing::numbers("debt", {offset + 1 * scale, offset + 9 * scale})},
                                        {0, 1});
      Tree tree(data);
      tree.split(Tree::root(), {HyperplaneSplit{{{FeatureId{0}, 1, -1, {}}, {FeatureId{1}, -1, -1, {}}}, 0.5 * scale}, false});
      tree.tally(data);
      for (std::size_t row = 0; row < 2; ++row) {
        const auto way = nearest_change(tree, data, row, {1, 1});
        ASSERT_TRUE(way.has_value()) << scale << ' ' << offset;
        EXPECT_EQ(tree.route(changed(one_row(data, row), way->changes), 0), way->leaf);
        const double expected = (row == 0 ? 7.5 : 8.5) * scale / std::sqrt(2.0);
        EXPECT_NEAR(way->distance, expected, 1e-6 * expected + 1e-15 * offset) << scale << ' ' << offset;
      }
    }
  }
}

TEST(NearestChange, ChangesTheLabelAndNothingNearerDoes) {
  Random random(73);
  int found = 0, none = 0;
  for (int round = 0; round < 300; ++round) {
    const Dataset data = testing::random_data(random, {20, 3, 3, true, true, 6, true});
    const Tree tree = testing::random_tree(random, data, static_cast<int>(random.below(7)));
    std::vector<double> scale;
    for (const Column& column : data.columns) scale.push_back(column_scale(column));
    const std::size_t row = random.below(data.rows());
    const std::int32_t label = tree.node(tree.route(data, row)).label;
    const auto way = nearest_change(tree, data, row, scale);
    if (way) {
      ++found;
      EXPECT_EQ(tree.route(changed(one_row(data, row), way->changes), 0), way->leaf);
      EXPECT_NE(tree.node(way->leaf).label, label);
      double squared = 0;
      for (const Change& change : way->changes) {
        squared += data.columns[+change.feature].has_levels() ? 1 : std::pow((change.to - change.from) / scale[+change.feature], 2);
      }
      // Values below a threshold are short numbers, a thousandth of the scale from it at most.
      EXPECT_GE(std::sqrt(squared), way->distance - 1e-6);
      EXPECT_LE(std::sqrt(squared), way->distance + 1e-6 + 1e-3 * std::sqrt(static_cast<double>(way->changes.size())));
    } else {
      ++none;
    }
    // Random rows that are nearer must have the same label.
    for (int probe = 0; probe < 300; ++probe) {
      Dataset other = one_row(data, row);
      double squared = 0;
      for (std::size_t f = 0; f < other.features(); ++f) {
        Column& column = other.columns[f];
        if (column.missing(0)) continue;
        if (!column.has_levels()) {
          const double step = random.below(2) == 0 ? 0 : random.uniform(-1, 1) * (way ? way->distance : 5);
          column.values[0] += step * scale[f];
          squared += step * step;
        } else if (random.below(3) == 0) {
          const auto to = static_cast<std::int32_t>(random.below(column.levels.size()));
          squared += to != column.code(0);
          other = changed(other, {{FeatureId{static_cast<std::int32_t>(f)}, 0, static_cast<double>(to), std::nullopt}});
        }
      }
      if (way && std::sqrt(squared) >= way->distance - 1e-9) continue;
      EXPECT_EQ(tree.node(tree.route(other, 0)).label, label) << "round " << round << ", a change of length " << std::sqrt(squared);
      if (HasFailure()) FAIL() << testing::to_string(data) << to_text(tree) << "row " << row;
    }
  }
  EXPECT_GT(found, 120);
  EXPECT_GT(none, 5);
}

TEST(NearestChange, OneThreshold) {
  const Dataset data = testing::make_data({testing::numbers("x", {1, 2, 3, 4})}, {0, 0, 1, 1});
  Tree tree(data);
  tree.split(Tree::root(), {AxisSplit{FeatureId{0}, 2.5}, false});
  tree.tally(data);
  const auto up = nearest_change(tree, data, 0, {2});
  EXPECT_DOUBLE_EQ(up->distance, 0.75);
  EXPECT_EQ(up->changes[0].to, 2.5);
  EXPECT_FALSE(up->changes[0].below.has_value());
  const auto down = nearest_change(tree, data, 3, {2});
  EXPECT_DOUBLE_EQ(down->distance, 0.75);
  EXPECT_EQ(*down->changes[0].below, 2.5);
  EXPECT_LT(down->changes[0].to, 2.5);
}

TEST(NearestChange, NoNumberLeadsToTheMissingValues) {
  const Dataset data = testing::make_data({testing::numbers("x", {1, 2, std::nan(""), std::nan("")})}, {0, 0, 1, 1});
  Tree tree(data);
  tree.split(Tree::root(), {AxisSplit{FeatureId{0}, std::numeric_limits<double>::max()}, false});  // has x a value?
  tree.tally(data);
  EXPECT_FALSE(nearest_change(tree, data, 0, {2}));
}

// Places of levels lie between no two of them, and the nearest level that the leaf allows is told.
TEST(NearestChange, OfOrderedLevelsIsALevel) {
  Dataset data = testing::make_data({testing::numbers("dose", {0, 1, 2, 3, 4})}, {0, 0, 0, 1, 1});
  data.columns[0].notation = Notation::ordered;
  data.columns[0].levels = {"1", "3", "10", "25", "80"};
  Tree tree(data);
  tree.split(Tree::root(), {AxisSplit{FeatureId{0}, 2.5}, false});
  tree.tally(data);
  EXPECT_EQ(nearest_change(tree, data, 0, {2})->changes[0].to, 3);
  const auto down = nearest_change(tree, data, 4, {2});
  EXPECT_EQ(down->changes[0].to, 2);
  EXPECT_EQ(down->distance, 1);
  EXPECT_FALSE(down->changes[0].below.has_value());
  const std::string said = explain_row(tree, data, 4);
  EXPECT_NE(said.find("  dose > 10  (here 80;"), std::string::npos) << said;
  EXPECT_NE(said.find("  dose: 80 -> 10\n"), std::string::npos) << said;
}

// A declared category may be one that no training row has.
TEST(NearestChange, ToALevelOfTheTrainingRows) {
  const Dataset data = testing::make_data({testing::categories("c", {"u", "v", "w"}, {0, 0, 2, 2})}, {0, 0, 1, 1});
  Tree tree(data);
  tree.split(Tree::root(), {CategorySplit{FeatureId{0}, {true, false, false}}, false});
  tree.tally(data);
  EXPECT_EQ(nearest_change(tree, data, 0, {1})->changes[0].to, 1);
  EXPECT_EQ(nearest_change(tree, data, 0, {1}, &data)->changes[0].to, 2);
  Tree sum(data);
  sum.split(Tree::root(), {HyperplaneSplit{{{FeatureId{0}, 1.0, 1}, {FeatureId{0}, 1.0, 2}}, 0.5}, false});
  sum.tally(data);
  EXPECT_EQ(nearest_change(sum, data, 0, {1})->changes[0].to, 1);
  EXPECT_EQ(nearest_change(sum, data, 0, {1}, &data)->changes[0].to, 2);
}

TEST(ColumnScale, IsTheStandardDeviation) {
  EXPECT_NEAR(column_scale(testing::numbers("x", {1, std::nan(""), 3})), 1, 1e-15);
  EXPECT_NEAR(column_scale(testing::numbers("x", {1e9, 1e9 + 4})), 2, 1e-6);
  EXPECT_EQ(column_scale(testing::numbers("x", {5, 5})), 1);
  EXPECT_EQ(column_scale(testing::categories("c", {"u"}, {0, 0})), 1);
}

}  // namespace
}  // namespace treewright
