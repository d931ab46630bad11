#include "support/source_folder.h"
#include "treewright/reduce/data_partition.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <set>
#include <tuple>

#include "support/make_data.h"
#include "support/random_data.h"
#include "treewright/base/deadline.h"
#include "treewright/data.h"
#include "treewright/reduce/kd_tree.h"

namespace treewright {
namespace {

using testing::categories;
using testing::make_data;
using testing::numbers;
using testing::random_data;

using Lists = std::vector<std::vector<std::int32_t>>;

// Rows in the unit square or cube; some stand twice. Distances do not tie otherwise.
Dataset scattered(Random& random, int most_rows) {
  const int n = 4 + static_cast<int>(random.below(most_rows - 3)), p = 1 + static_cast<int>(random.below(4));
  const int classes = 2 + static_cast<int>(random.below(2));
  std::vector<Column> columns;
  std::vector<std::int32_t> labels;
  std::vector<std::vector<double>> x(p);
  for (int i = 0; i < n; ++i) {
    const bool again = i > 2 && random.below(6) == 0;
    const std::size_t other = again ? random.below(i) : 0;
    for (int f = 0; f < p; ++f) x[f].push_back(again ? x[f][other] : random.uniform());
    const bool high = x[0].back() > 0.5;
    labels.push_back(i < 2 ? i : random.below(5) == 0 ? static_cast<std::int32_t>(random.below(classes)) : high);
  }
  for (int f = 0; f < p; ++f) columns.push_back(numbers("x" + std::to_string(f), x[f]));
  return make_data(std::move(columns), std::move(labels), classes);
}

// The definitions, pair by pair.
class ByDefinition {
 public:
  explicit ByDefinition(const Dataset& data)
      : data_(data), points_(data, Scaling::distance), n_(static_cast<std::int32_t>(data.rows())), cluster_(n_) {
    std::iota(cluster_.begin(), cluster_.end(), 0);
    for (std::int32_t i = 0; i < n_; ++i) {
      double least = std::numeric_limits<double>::infinity();
      for (std::int32_t j = 0; j < n_; ++j) {
        if (data.labels[i] != data.labels[j]) least = std::min(least, points_.distance2(i, j));
      }
      d2_.push_back(least);
    }
  }

  Lists greedy(double rho) {
    for (const auto& [ratio, distance, i, j] : pairs([](std::int32_t, std::int32_t) { return 1.0; })) {
      if (clusters().size() <= rho * n_) break;
      if (data_.labels[i] == data_.labels[j]) merge(i, j);
    }
    return clusters();
  }

  Lists improved() {
    for (const auto& [ratio, distance, i, j] : pairs([&](std::int32_t a, std::int32_t b) { return std::min(d2_[a], d2_[b]); })) {
      if (!(ratio < 1)) break;
      const std::int32_t m = medoid(cluster_[i]), o = medoid(cluster_[j]);
      if (data_.labels[i] == data_.labels[j] && cluster_[i] != cluster_[j] && points_.distance2(m, o) < std::min(d2_[m], d2_[o]))
        merge(i, j);
    }
    return clusters();
  }

  Lists closest() {
    std::set<std::int32_t> tabu;  // by cluster
    std::set<std::pair<std::int32_t, std::int32_t>> gone;
    for (;;) {
      const std::set<std::int32_t> names(cluster_.begin(), cluster_.end());
      std::vector<std::int32_t> at;
      for (const std::int32_t cluster : names) at.push_back(medoid(cluster));
      std::sort(at.begin(), at.end());
      std::tuple<double, std::int32_t, std::int32_t> first{std::numeric_limits<double>::infinity(), -1, -1};
      for (const std::int32_t i : at) {
        for (const std::int32_t j : at) {
          if (i < j && !gone.contains({i, j})) first = std::min(first, std::tuple{points_.distance2(i, j), i, j});
        }
      }
      const auto [distance, i, j] = first;
      if (i < 0) return clusters();
      if (data_.labels[i] != data_.labels[j]) {
        tabu.insert({cluster_[i], cluster_[j]});
        gone.insert({i, j});
      } else if (tabu.contains(cluster_[i]) || tabu.contains(cluster_[j])) {
        gone.insert({i, j});
      } else {
        merge(i, j);
        // Its pairs are new pairs.
        const std::int32_t m = medoid(cluster_[i]);
        std::erase_if(gone, [&](const auto& pair) { return pair.first == m || pair.second == m; });
      }
    }
  }

 private:
  template <class Scale>
  std::vector<std::tuple<double, double, std::int32_t, std::int32_t>> pairs(const Scale& scale) const {
    std::vector<std::tuple<double, double, std::int32_t, std::int32_t>> list;
    for (std::int32_t i = 0; i < n_; ++i) {
      for (std::int32_t j = i + 1; j < n_; ++j) {
        const double ratio = points_.distance2(i, j) / scale(i, j);
        if (!std::isnan(ratio)) list.emplace_back(ratio, points_.distance2(i, j), i, j);
      }
    }
    std::sort(list.begin(), list.end());
    return list;
  }
  Lists clusters() const {
    Lists lists;
    for (std::int32_t c = 0; c < n_; ++c) {
      std::vector<std::int32_t> rows;
      for (std::int32_t i = 0; i < n_; ++i) {
        if (cluster_[i] == c) rows.push_back(i);
      }
      if (!rows.empty()) lists.push_back(rows);
    }
    std::sort(lists.begin(), lists.end());
    return lists;
  }
  std::int32_t medoid(std::int32_t cluster) const {
    std::vector<std::int32_t> rows;
    for (std::int32_t i = 0; i < n_; ++i) {
      if (cluster_[i] == cluster) rows.push_back(i);
    }
    std::pair<double, std::int32_t> best{std::numeric_limits<double>::infinity(), -1};
    for (const std::int32_t i : rows) {
      double sum = 0;
      for (const std::int32_t j : rows) sum += std::sqrt(points_.distance2(i, j));
      // Sums added in another order.
      if (sum < best.first - 1e-12) best = {sum, i};
    }
    return best.second;
  }
  void merge(std::int32_t i, std::int32_t j) {
    const std::int32_t from = cluster_[j], to = cluster_[i];
    for (std::int32_t& c : cluster_) {
      if (c == from) c = to;
    }
  }

  const Dataset& data_;
  ScaledPoints points_;
  std::int32_t n_;
  std::vector<std::int32_t> cluster_;
  std::vector<double> d2_;
};

reduce::DataPartition by(const char* name, const Dataset& data, double rho = 0.25) {
  Deadline none;
  return reduce::partition_named(name, data, ScaledPoints(data, Scaling::distance), rho, none);
}

reduce::PartitionMeasures measures_of(const Dataset& data, const reduce::DataPartition& partition) {
  return reduce::measure(data, ScaledPoints(data, Scaling::distance), partition);
}

TEST(KdTree, FindsWhatALookAtAllRowsFinds) {
  Random random(1);
  for (int round = 0; round < 60; ++round) {
    const Dataset data = round % 2 == 0 ? scattered(random, 80) : random_data(random, {80, 3, 3, false, false, 5});
    const ScaledPoints points(data, Scaling::distance);
    std::vector<std::int32_t> rows;
    for (std::size_t i = 0; i < data.rows(); ++i) {
      if (random.below(5) > 0) rows.push_back(static_cast<std::int32_t>(i));
    }
    reduce::KdTree tree(points, rows);
    std::erase_if(rows, [&](std::int32_t row) {
      const bool hide = random.below(4) == 0;
      if (hide) tree.show(row, false);
      return hide;
    });
    const auto from = static_cast<std::int32_t>(random.below(data.rows()));
    const double reach = random.below(2) == 0 ? random.uniform(0, 2) : std::numeric_limits<double>::infinity();
    std::vector<reduce::Neighbor> all, found;
    for (const std::int32_t row : rows) {
      if (row % 3 != 0 && points.distance2(from, row) < reach) all.push_back({points.distance2(from, row), row});
    }
    std::sort(all.begin(), all.end());
    const std::size_t k = 1 + random.below(9);
    if (all.size() > k) all.resize(k);
    tree.nearest(
        points.row(from), k, reach, found, [](const reduce::Neighbor& n) { return n.row % 3 != 0; }, [](std::int32_t) { return false; });
    EXPECT_EQ(found, all);
  }
}

TEST(DataPartition, IsTheDefinitionsWhateverTheShortCuts) {
  Random random(2);
  std::size_t merged = 0;
  for (int round = 0; round < 150; ++round) {
    const Dataset data = scattered(random, 40);
    const double rho = random.uniform(0.05, 0.9);
    ASSERT_EQ(by("gp", data, rho).clusters, ByDefinition(data).greedy(rho)) << "round " << round;
    ASSERT_EQ(by("igp", data).clusters, ByDefinition(data).improved()) << "round " << round;
    ASSERT_EQ(by("crm", data).clusters, ByDefinition(data).closest()) << "round " << round;
    merged += data.rows() - by("igp", data).size();
  }
  EXPECT_GT(merged, 100u);
}

TEST(DataPartition, KeepsWhatItPromises) {
  Random random(3);
  for (int round = 0; round < 100; ++round) {
    const Dataset data = random_data(random, {40, 3, 3, round % 2 == 0, round % 3 == 0, 8});
    for (const char* name : {"gp", "igp", "crm"}) {
      const reduce::DataPartition partition = by(name, data, 0.3);
      std::vector<std::int32_t> rows;
      for (const auto& cluster : partition.clusters) rows.insert(rows.end(), cluster.begin(), cluster.end());
      std::sort(rows.begin(), rows.end());
      ASSERT_EQ(rows.size(), data.rows());
      for (std::size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(rows[i], static_cast<std::int32_t>(i));
      const reduce::PartitionMeasures measured = measures_of(data, partition);
      EXPECT_EQ(measured.homogeneity, 1) << name;
      if (std::string(name) == "igp") {
        EXPECT_EQ(measured.consistency, 1);
      }
      EXPECT_NEAR(measured.size_reduction, 1 - static_cast<double>(partition.size()) / static_cast<double>(data.rows()), 1e-12);
    }
    // Only classes may keep it from getting there.
    const std::size_t few = by("gp", data, 0.3).size();
    EXPECT_LE(static_cast<double>(few), std::max(0.3 * static_cast<double>(data.rows()), static_cast<double>(data.classes())));
  }
}

TEST(DataPartition, StopsAtTheDeadline) {
  const Dataset iris = read_dataset(testing::in_source("data/iris.csv"));
  for (const char* name : {"gp", "igp", "crm"}) {
    Deadline over(0);
    EXPECT_EQ(reduce::partition_named(name, iris, ScaledPoints(iris, Scaling::distance), 0.1, over).size(), iris.rows()) << name;
  }
}

TEST(DataPartition, RepresentativesStandForTheirRows) {
  Dataset data = make_data({numbers("x", {0, 1, 5, 9, std::nan("")}), categories("c", {"u", "v"}, {0, 1, 1, -1, -1})}, {0, 0, 0, 1, 1});
  data.weights = {1, 2, 4, 1, 0.5};
  const reduce::DataPartition partition{{{0, 1, 2}, {3, 4}}};
  const Dataset means = reduce::barycenters(data, partition);
  EXPECT_EQ(means.columns[0].values, (std::vector<double>{2, 9}));
  EXPECT_EQ(means.columns[1].codes, (std::vector<std::int32_t>{1, -1}));
  EXPECT_EQ(means.weights, (std::vector<double>{7, 1.5}));
  EXPECT_EQ(means.labels, (std::vector<std::int32_t>{0, 1}));
  const Dataset middle = reduce::medoids(data, ScaledPoints(data, Scaling::distance), partition);
  EXPECT_EQ(middle.columns[0].values[0], 1);
  EXPECT_EQ(middle.weights, means.weights);
  // The mean of equal values is that value, whatever rounding does to sums; neither do large ones overflow.
  const Dataset equal = make_data({numbers("x", {0.1, 0.1, 0.1, 1.7e308, 1.7e308})}, {0, 0, 0, 1, 1});
  EXPECT_EQ(reduce::barycenters(equal, {{{0, 1, 2}, {3, 4}}}).columns[0].values, (std::vector<double>{0.1, 1.7e308}));
}

TEST(DataPartition, DistancesAreThoseOfTheUnitCube) {
  const Dataset data = make_data({numbers("x", {-1e307, 1e307, std::nan("")}), categories("c", {"u", "v", "w"}, {0, 1, 0}),
                                  numbers("constant", {4, 4, 4}), numbers("no double holds its range", {-1e308, 1e308, 0})},
                                 {0, 1, 1});
  const ScaledPoints points(data, Scaling::distance);
  EXPECT_DOUBLE_EQ(points.distance2(0, 1), 2);     // a whole range, and two levels
  EXPECT_DOUBLE_EQ(points.distance2(0, 2), 0.25);  // a missing value is the mean
}

TEST(DataPartition, HullsMeetWhereTheyDo) {
  const Dataset square =
      make_data({numbers("x", {0, 1, 0, 1, 0.5, 0.5, 0.9, 1}), numbers("y", {0, 0, 1, 1, 0.5, 0, 0.9, 0.95})}, {0, 0, 0, 0, 1, 1, 1, 1});
  const ScaledPoints points(square, Scaling::distance);
  EXPECT_TRUE(reduce::hulls_meet(points, {0, 1, 2, 3}, {4}));   // inside
  EXPECT_TRUE(reduce::hulls_meet(points, {0, 3}, {1, 2}));      // diagonals
  EXPECT_TRUE(reduce::hulls_meet(points, {0, 1}, {5}));         // on the edge
  EXPECT_FALSE(reduce::hulls_meet(points, {0, 1, 2}, {6, 7}));  // boxes meet, hulls do not
  EXPECT_FALSE(reduce::hulls_meet(points, {0, 2}, {1, 3}));
  EXPECT_TRUE(reduce::hulls_meet(points, {6}, {6}));
  // Two sets apart along some direction do not meet; with a shared point they do.
  Random random(5);
  for (int round = 0; round < 200; ++round) {
    const int p = 2 + static_cast<int>(random.below(4));
    std::vector<std::vector<double>> x(p);
    std::vector<double> normal(p);
    for (double& v : normal) v = random.normal();
    std::vector<std::int32_t> a, b, labels;
    for (int i = 0; i < 24; ++i) {
      std::vector<double> point(p);
      double along = 0;
      for (int f = 0; f < p; ++f) along += normal[f] * (point[f] = random.normal());
      if (std::abs(along) < 1e-3) continue;
      (along > 0 ? a : b).push_back(static_cast<std::int32_t>(labels.size()));
      labels.push_back(along > 0);
      for (int f = 0; f < p; ++f) x[f].push_back(point[f]);
    }
    if (a.empty() || b.empty()) continue;
    std::vector<Column> columns;
    for (int f = 0; f < p; ++f) columns.push_back(numbers("x" + std::to_string(f), x[f]));
    const Dataset data = make_data(std::move(columns), labels);
    const ScaledPoints scaled(data, Scaling::distance);
    EXPECT_FALSE(reduce::hulls_meet(scaled, a, b));
    b.push_back(a.front());
    EXPECT_TRUE(reduce::hulls_meet(scaled, a, b));
  }
}

// Examples of the paper, rebuilt: it prints pictures, not numbers.

TEST(DataPartition, Example1IsHomogeneousAndExclusiveButNotConsistent) {
  // 13 rows, clusters {1,3,4,5}, {2}, {6,10,11,12}, {7,9,13}, {8} (counted from 1); the nearest row of row 6 is of the other class.
  const Dataset data = make_data({numbers("x", {0.0, 0.9, 0.1, 0.0, 0.1, 0.55, 0.8, 0.3, 0.9, 0.6, 0.7, 0.6, 0.95}),
                                  numbers("y", {0.0, 1.0, 0.0, 0.1, 0.1, 0.5, 0.1, 0.9, 0.0, 0.7, 0.75, 0.8, 0.15})},
                                 {0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 1, 0});
  reduce::DataPartition partition{{{0, 2, 3, 4}, {1}, {5, 9, 10, 11}, {6, 8, 12}, {7}}};
  const reduce::PartitionMeasures apart = measures_of(data, partition);
  EXPECT_EQ(apart.homogeneity, 1);
  EXPECT_EQ(apart.exclusion, 1);
  Dataset near = data;
  near.columns[0].values[7] = 0.5, near.columns[1].values[7] = 0.4;  // row 8, beside row 6
  const reduce::PartitionMeasures measured = measures_of(near, partition);
  EXPECT_EQ(measured.homogeneity, 1);
  EXPECT_EQ(measured.exclusion, 1);
  EXPECT_LT(measured.consistency, 1);
  EXPECT_NEAR(measured.size_reduction, 8.0 / 13, 1e-12);
}

TEST(DataPartition, Example2ClosestRepresentativesNeedNotBeExclusive) {
  // Three equal Y's whose points lie closer together towards the ends of their branches; the third stands above and between the others.
  std::vector<double> x, y;
  std::vector<std::int32_t> label;
  for (const auto& [center_x, center_y, of] : {std::tuple{0.0, 0.0, 0}, {0.3, 0.0, 0}, {0.15, 1.9, 1}}) {
    x.push_back(center_x), y.push_back(center_y), label.push_back(of);
    for (const double angle : {270.0, 60.0, 120.0}) {
      double away = 0, gap = 0.2;
      for (int i = 0; i < 6; ++i, gap *= 0.95) {
        away += gap;
        x.push_back(center_x + away * std::cos(angle * std::numbers::pi / 180));
        y.push_back(center_y + away * std::sin(angle * std::numbers::pi / 180));
        label.push_back(of);
      }
    }
  }
  const Dataset data = make_data({numbers("x", x), numbers("y", y)}, label);
  const reduce::DataPartition partition = by("crm", data);
  EXPECT_EQ(partition.size(), 2u);
  EXPECT_EQ(measures_of(data, partition).homogeneity, 1);
  EXPECT_EQ(measures_of(data, partition).exclusion, 0);
}

TEST(DataPartition, Example3ClosestRepresentativesNeedNotBeConsistent) {
  const Dataset data = make_data({numbers("x", {0, 0.3, 0.55, 0.65, 0.7}), numbers("y", {0.5, 0.5, 0.5, 0.5, 0.5})}, {0, 0, 1, 1, 1});
  const reduce::DataPartition partition = by("crm", data);
  EXPECT_EQ(partition.clusters, (Lists{{0, 1}, {2, 3, 4}}));
  EXPECT_EQ(measures_of(data, partition).consistency, 0);  // B and C are each other's nearest
  EXPECT_EQ(measures_of(data, by("igp", data)).consistency, 1);
}

}  // namespace
}  // namespace treewright
