#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <sstream>
#include <string>

#include "support/random_data.h"
#include "support/sum_brute_force.h"
#include "treewright/search/exact.h"

namespace treewright {
namespace {

using testing::SumBruteForce;
using testing::tree_loss;

// Numbers that differ much or little, with ties, far from 0 or on both sides of it.
double draw_number(Random& random, int kind) {
  const double whole = static_cast<double>(random.below(7)), drawn = random.uniform();
  switch (kind) {
    case 0:
      return whole;
    case 1:
      return drawn;
    case 2:
      return 1e9 + 1e-3 * whole;
    case 3:
      return (whole - 3) * 1e-90;
    case 4:
      return std::exp(20 * drawn) * (random.below(2) == 0 ? -1 : 1);
    case 5:
      return random.below(6) == 0 ? 1e6 * drawn : whole / 10;
    default:
      return (drawn - 0.5) * 1e100;
  }
}

Dataset draw(Random& random, const testing::DataShape& shape) {
  Dataset data = testing::random_data(random, shape);
  const int kind = static_cast<int>(random.below(7));
  data.response.emplace();
  for (std::size_t row = 0; row < data.labels.size(); ++row) data.response->values.push_back(draw_number(random, kind));
  const std::size_t rows = data.labels.size();
  data.labels.clear();
  data.class_names.clear();
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
  out << "depth " << options.max_depth << ", splits " << options.max_splits << ", min_rows " << options.min_rows << ", price "
      << options.split_price << "\n";
  for (std::size_t row = 0; row < data.rows(); ++row) {
    for (const Column& column : data.columns) {
      if (column.missing(row)) {
        out << "?,";
      } else {
        out << (column.kind == ColumnKind::numeric ? column.values[row] : column.codes[row]) << ",";
      }
    }
    out << " " << data.response->values[row] << " * " << data.weight(row) << "\n";
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

// Empty when the tree keeps the limits, is the best one but for 1e-9 of all loss, and no tree costs less than the bound.
std::string disagreement(const Dataset& data, const search::ExactSearchOptions& options, std::int64_t work) {
  Deadline deadline(Deadline::kNoLimit, work);
  const search::ExactSearchResult result = search::search_exact(data, options, leaf_of(data), deadline);
  const std::int64_t full = (1 << options.max_depth) - 1, splits = options.max_splits < 0 ? full : std::min(options.max_splits, full);
  const long double best = SumBruteForce(data, options.min_rows, options.split_price).best(options.max_depth, splits);
  const long double cost = tree_loss(data, result.tree) + static_cast<long double>(options.split_price) * result.tree.splits();
  const long double near = 1e-9L * tree_loss(data, Tree(data));
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

}  // namespace
}  // namespace treewright
