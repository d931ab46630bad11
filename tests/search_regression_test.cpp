#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <sstream>
#include <string>

#include "support/numbers_data.h"
#include "support/random_data.h"
#include "support/sum_brute_force.h"
#include "treewright/search/exact.h"

namespace treewright {
namespace {

using testing::SumBruteForce;
using testing::tree_loss;

// Few events or many, at exposures that are equal, decimal, or any.
void make_events(Random& random, Response& response) {
  response.loss = Loss::poisson;
  const double most = std::pow(10, random.uniform(0, 5));
  for (double& value : response.values) value = std::floor(most * random.uniform() * random.uniform());
  const std::uint64_t kind = random.below(3);
  for (std::size_t row = 0; row < response.values.size() && kind > 0; ++row)
    response.exposure.push_back(kind == 1 ? (1 + static_cast<double>(random.below(300))) / 100 : std::exp(random.uniform(-6, 3)));
}

Dataset draw(Random& random, const testing::DataShape& shape) {
  Dataset data = testing::random_data(random, shape);
  const int kind = static_cast<int>(random.below(7));
  data.response.emplace();
  for (std::size_t row = 0; row < data.labels.size(); ++row) data.response->values.push_back(testing::draw_number(random, kind, 1e100));
  const std::size_t rows = data.labels.size();
  data.labels.clear();
  data.class_names.clear();
  if (random.below(3) == 0) make_events(random, *data.response);
  const std::uint64_t weights = random.below(4);
  for (std::size_t row = 0; row < rows && weights > 1; ++row)
    data.weights.push_back(weights == 2 ? static_cast<double>(random.below(4)) : random.uniform() * std::pow(10, random.below(4)));
  return data;
}

Tree leaf_of(const Dataset& data) {
  Tree tree(data);
  tree.tally(data);
  return tree;
}

std::string describe(const Dataset& data, const search::ExactSearchOptions& options) {
  std::ostringstream out;
  out.precision(17);
  out << (data.response->loss == Loss::squared ? "" : "events, ") << "depth " << options.max_depth << ", splits " << options.max_splits
      << ", min_rows " << options.min_rows << ", price " << options.split_price << "\n";
  for (std::size_t row = 0; row < data.rows(); ++row) {
    for (const Column& column : data.columns) {
      if (column.missing(row)) {
        out << "?,";
      } else {
        out << (column.kind == ColumnKind::numeric ? column.values[row] : column.codes[row]) << ",";
      }
    }
    out << " " << data.response->values[row] << " at " << data.response->at_risk(row) << " * " << data.weight(row) << "\n";
  }
  return out.str();
}

search::ExactSearchOptions draw_options(Random& random, const Dataset& data, int most_depth) {
  search::ExactSearchOptions options;
  options.max_depth = 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(most_depth)));
  options.max_splits = random.below(3) == 0 ? static_cast<std::int64_t>(random.below(7)) : -1;
  options.min_rows = random.below(3) == 0 ? 1 + static_cast<std::int64_t>(random.below(4)) : 1;
  options.min_rows = std::min(options.min_rows, static_cast<std::int64_t>(data.rows()));
  const double all = static_cast<double>(tree_loss(data, leaf_of(data)));
  options.split_price = random.below(3) == 0 ? all * std::pow(10, -static_cast<double>(random.below(4))) * random.uniform() : 0;
  return options;
}

// Weights and exposures without a common unit change what events lose by their last digits.
long double rounding_of_events(const Dataset& data) {
  long double events = 0;
  for (std::size_t row = 0; row < data.rows(); ++row)
    events += data.response->loss == Loss::squared ? 0 : data.weight(row) * data.response->values[row];
  return 1e-7L * events;
}

// Empty when the tree keeps the limits, is the best one but for 1e-9 of all loss, and no tree costs less than the bound.
std::string disagreement(const Dataset& data, const search::ExactSearchOptions& options, std::int64_t work) {
  Deadline deadline(Deadline::kNoLimit, work);
  const search::ExactSearchResult result = search::search_exact(data, options, leaf_of(data), deadline);
  const std::int64_t full = (1 << options.max_depth) - 1, splits = options.max_splits < 0 ? full : std::min(options.max_splits, full);
  const long double best = SumBruteForce(data, options.min_rows, options.split_price).best(options.max_depth, splits);
  const long double cost = tree_loss(data, result.tree) + static_cast<long double>(options.split_price) * result.tree.splits();
  const long double near = 1e-9L * tree_loss(data, Tree(data)) + rounding_of_events(data);
  std::ostringstream out;
  out.precision(20);
  if (result.lower > best) out << "bound " << result.lower << " above the optimum " << best << "\n";
  if (work == std::numeric_limits<std::int64_t>::max() && !result.complete) out << "not complete\n";
  if (result.complete && cost > best + near) out << "cost " << cost << ", optimum " << best << "\n";
  if (result.complete && result.lower < best - near) out << "bound " << result.lower << ", optimum " << best << "\n";
  if (result.tree.depth() > options.max_depth || static_cast<std::int64_t>(result.tree.splits()) > splits) out << "too many splits\n";
  std::map<std::int32_t, std::int64_t> rows;
  for (std::size_t row = 0; row < data.rows(); ++row) ++rows[+result.tree.route(data, row)];
  if (result.tree.splits() > 0 && rows.size() < result.tree.leaves()) out << "a leaf without rows\n";
  for (const auto& [leaf, count] : rows) {
    if (count < options.min_rows && result.tree.splits() > 0) out << "leaf with " << count << " rows\n";
  }
  return out.str();
}

void compare(std::uint64_t seed, int rounds, const testing::DataShape& shape, int most_depth, bool stops) {
  Random random(seed);
  for (int round = 0; round < rounds; ++round) {
    const Dataset data = draw(random, shape);
    const search::ExactSearchOptions options = draw_options(random, data, most_depth);
    const std::int64_t work = stops ? static_cast<std::int64_t>(random.below(60)) : std::numeric_limits<std::int64_t>::max();
    const std::string found = disagreement(data, options, work);
    ASSERT_EQ(found, "") << "round " << round << ", work " << work << ": " << describe(data, options);
  }
}

TEST(SearchRegression, FindsTheBestTree) {
  compare(1, 1500, {10, 3, 3, false, false, 10}, 3, false);
  compare(2, 500, {10, 3, 3, true, true, 5}, 3, false);
  compare(4, 100, {12, 3, 3, false, false, 12}, 5, false);
}

TEST(SearchRegression, StopsWithABoundBelowTheOptimum) {
  compare(3, 300, {10, 4, 3, true, true, 10}, 4, true);
}

// Rows enough for the kernel to pass over blocks of boundaries.
Dataset draw_many(Random& random) {
  const std::size_t rows = 100 + random.below(400), features = 1 + random.below(4);
  const int kind = static_cast<int>(random.below(7));
  const std::uint64_t values = random.below(2) == 0 ? 1000 : 20;
  Dataset data;
  for (std::size_t f = 0; f < features; ++f) {
    Column& column = data.columns.emplace_back();
    column.name = "x" + std::to_string(f);
    for (std::size_t row = 0; row < rows; ++row) column.values.push_back(static_cast<double>(random.below(values)));
  }
  data.response.emplace();
  const bool events = random.below(2) == 0;
  const double signal = random.below(3) == 0 ? 0 : std::pow(10, random.uniform(-2, 1));
  for (std::size_t row = 0; row < rows; ++row) {
    const double number = testing::draw_number(random, kind, 1e100),
                 low = data.columns.front().values[row] < 0.4 * static_cast<double>(values) ? 1 : 0;
    data.response->values.push_back(number + signal * low * std::abs(number));
  }
  if (events) make_events(random, *data.response);
  const bool weighed = random.below(3) == 0;
  for (std::size_t row = 0; row < rows && weighed; ++row) data.weights.push_back(1 + static_cast<double>(random.below(5)));
  return data;
}

// The loss of the best tree of two levels, cut by cut.
class TwoLevels {
 public:
  TwoLevels(const Dataset& data, std::int64_t min_rows) : data_(data), min_rows_(min_rows) {
    for (const Column& column : data.columns) {
      std::vector<std::size_t> order(data.rows());
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return column.values[a] < column.values[b]; });
      orders_.push_back(order);
    }
    for (const double value : data.response->values) center_ += of_events_ ? 0 : value / static_cast<long double>(data.rows());
  }

  long double best() const {
    const std::vector<bool> all(data_.rows(), true);
    long double least = stump(all);
    for (std::size_t f = 0; f < orders_.size(); ++f) {
      std::vector<bool> left(data_.rows(), false), right(data_.rows(), true);
      for (std::size_t at = 0; at + 1 < data_.rows(); ++at) {
        left[orders_[f][at]] = true;
        right[orders_[f][at]] = false;
        const bool fits = static_cast<std::int64_t>(std::min(at + 1, data_.rows() - at - 1)) >= min_rows_;
        if (fits && divides(f, at)) least = std::min(least, stump(left) + stump(right));
      }
    }
    return least;
  }

 private:
  struct Sums {
    bool of_events = false;
    long double exposure = 0, amount = 0, alone = 0;
    std::int64_t rows = 0;
    long double gain(long double a, long double b) const {
      if (of_events) return b > 0 ? b * std::log(b / a) : 0;
      return a > 0 ? b * b / a : 0;
    }
    void add(long double a, long double b, int sign) {
      exposure += sign * a;
      amount += sign * b;
      alone += sign * gain(a, b);
      rows += sign;
    }
    long double loss() const { return rows > 0 ? std::max(0.0L, alone - gain(exposure, amount)) : 0; }
  };

  bool divides(std::size_t f, std::size_t at) const {
    return data_.columns[f].values[orders_[f][at]] < data_.columns[f].values[orders_[f][at + 1]];
  }
  long double stump(const std::vector<bool>& rows) const {
    Sums all{of_events_};
    const auto add = [&](Sums& sums, std::size_t row, int sign) {
      const long double weight = data_.weight(row);
      sums.add(weight * data_.response->at_risk(row), weight * (data_.response->values[row] - center_), sign);
    };
    for (std::size_t row = 0; row < rows.size(); ++row) {
      if (rows[row]) add(all, row, 1);
    }
    long double least = all.loss();
    for (std::size_t f = 0; f < orders_.size(); ++f) {
      Sums left{of_events_}, right = all;
      const std::vector<double>& values = data_.columns[f].values;
      for (std::size_t at = 0; at < orders_[f].size(); ++at) {
        const std::size_t row = orders_[f][at];
        if (!rows[row]) continue;
        const bool begins = left.rows > 0 && values[row] > values[row_before(f, at, rows)];
        if (begins && std::min(left.rows, right.rows) >= min_rows_) least = std::min(least, left.loss() + right.loss());
        add(left, row, 1);
        add(right, row, -1);
      }
    }
    return least;
  }
  // The row of the set before that place.
  std::size_t row_before(std::size_t f, std::size_t at, const std::vector<bool>& rows) const {
    while (!rows[orders_[f][--at]]) {
    }
    return orders_[f][at];
  }

  const Dataset& data_;
  const std::int64_t min_rows_;
  const bool of_events_ = data_.response->loss != Loss::squared;
  long double center_ = 0;
  std::vector<std::vector<std::size_t>> orders_;
};

TEST(SearchRegression, LengthyFindsTheBestTreeOfTwoLevelsOnManyRows) {
  Random random(5);
  for (int round = 0; round < 60; ++round) {
    const Dataset data = draw_many(random);
    search::ExactSearchOptions options;
    options.max_depth = 2;
    options.min_rows = random.below(2) == 0 ? 1 : 1 + static_cast<std::int64_t>(random.below(30));
    Deadline deadline;
    const search::ExactSearchResult result = search::search_exact(data, options, leaf_of(data), deadline);
    const long double all = tree_loss(data, leaf_of(data)), best = TwoLevels(data, options.min_rows).best();
    ASSERT_TRUE(result.complete);
    ASSERT_NEAR(static_cast<double>(tree_loss(data, result.tree) / all), static_cast<double>(best / all), 1e-9) << "round " << round;
    ASSERT_LE(result.lower, best + 1e-14L * all) << "round " << round;
    ASSERT_GE(result.lower, best - 1e-9L * all) << "round " << round;
  }
}

TEST(SearchRegression, EveryRuleLeavesTheOptimum) {
  Random random(6);
  for (int round = 0; round < 12; ++round) {
    const std::vector<std::int32_t> some = [&] {
      std::vector<std::int32_t> rows(40 + random.below(40));
      std::iota(rows.begin(), rows.end(), 0);
      return rows;
    }();
    const Dataset data = draw_many(random).subset(some);
    search::ExactSearchOptions options;
    options.max_depth = 3 + round % 2;
    const double all = static_cast<double>(tree_loss(data, leaf_of(data)));
    options.split_price = round % 3 == 0 ? 0.01 * all : round % 3 == 1 ? 0.1 * all : 0;
    options.min_rows = round % 4 == 3 ? 5 : 1;
    const auto loss = [&](const char* without, int threads) {
      options.rules = search::rules_without(without);
      options.threads = threads;
      Deadline deadline;
      const search::ExactSearchResult result = search::search_exact(data, options, leaf_of(data), deadline);
      EXPECT_TRUE(result.complete);
      return static_cast<double>(tree_loss(data, result.tree)) + options.split_price * static_cast<double>(result.tree.splits());
    };
    const double best = loss("", 1);
    for (const char* without : {"merge_rows", "merge_orderings", "leaf_price", "depth_price", "budgets", "known_bounds"})
      EXPECT_NEAR(loss(without, 1), best, 1e-9 * all) << without << ", round " << round;
    if (options.max_depth == 3) {
      EXPECT_NEAR(loss("monotone", 1), best, 1e-9 * all) << "round " << round;
    }
    EXPECT_EQ(loss("", 3), best) << "round " << round;
  }
}

}  // namespace
}  // namespace treewright
