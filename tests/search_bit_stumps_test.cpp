#include "treewright/search/depth_two/bit_stumps.h"

#include <gtest/gtest.h>

#include "support/plain_stumps.h"
#include "support/random_data.h"
#include "support/random_subset.h"
#include "treewright/search/depth_two/depth_two.h"
#include "treewright/search/depth_two/pack.h"

namespace treewright {
namespace {

using testing::plain_stumps;
using testing::StumpErrors;
using testing::Weights;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A random range of a random node of a random problem.
struct Case {
  search::Problem problem;
  search::Subset whole, copy;  // of the range
  std::size_t ordering = 0;
  std::uint32_t first = 0, last = 0;
  std::int64_t min_rows = 1;

  Case(Random& random, Weights weights, int classes) {
    const testing::DataShape shape{120, 4, classes, false, true, 2 + static_cast<int>(random.below(6))};
    Dataset data = testing::random_data(random, shape);
    while (static_cast<int>(data.classes()) != classes || data.rows() < 2) data = testing::random_data(random, shape);
    testing::give_weights(random, weights, data);
    min_rows = random.below(2) == 0 ? 1 : 1 + static_cast<std::int64_t>(random.below(20));
    problem = search::make_problem(data, min_rows > 1, random.below(2) == 0);
    whole = testing::random_subset(random, problem, static_cast<int>(random.below(3)));
    last = whole.size;
    if (!problem.orderings.empty()) {
      ordering = random.below(problem.orderings.size());
      search::Cuts cuts;
      cuts.assign(whole, ordering);
      if (cuts.size() > 0 && random.below(3) > 0)
        (random.below(2) == 0 ? first : last) = cuts.place(random.below(static_cast<std::uint64_t>(cuts.size())));
    }
    range().copy_to(copy);
  }
  search::ItemRange range() const { return {whole, ordering, first, last}; }
  StumpErrors plain(const std::vector<bool>& inside) const {
    return plain_stumps(copy, problem.orderings.size(), problem.classes, inside, min_rows);
  }
};

template <class T>
void compare(Weights weights, int classes, std::uint64_t seed) {
  Random random(seed);
  for (int round = 0; round < 150; ++round) {
    const Case c(random, weights, classes);
    if (c.problem.orderings.empty()) continue;
    search::BitColumns columns;
    search::pack(c.whole, classes, c.min_rows, columns);
    search::BitStumps<T> bits;
    bits.assign(columns, c.min_rows);
    bits.restrict_to(c.range());
    ASSERT_EQ(bits.weight(), c.copy.total_weight);
    ASSERT_EQ(bits.total_reach(), c.copy.total_reach);
    ASSERT_EQ(bits.leaf_errors(), c.copy.leaf_errors(classes));
    if (c.min_rows > 1) {
      ASSERT_EQ(bits.rows(), static_cast<double>(c.copy.rows));
    }
    for (std::size_t f = 0; f < c.problem.orderings.size(); ++f) {
      StumpErrors best_single = c.plain(std::vector<bool>(c.copy.size, true));
      double single = best_single.leaf, single_relaxed = best_single.leaf;
      for (std::size_t cut = bits.first_cut(f); cut < bits.first_cut(f + 1); ++cut) {
        std::vector<bool> left(c.copy.size, false), right(c.copy.size, false);
        double weight_left = 0;
        std::int64_t rows_left = 0;
        for (std::uint32_t at = 0; at < c.copy.size; ++at) {
          const std::uint32_t i = c.copy.order_of(f)[at];
          const bool goes_left = c.copy.ranks_of(f)[at] < bits.rank(cut);
          (goes_left ? left : right)[i] = true;
          weight_left += goes_left ? c.copy.weight[i] : 0;
          rows_left += goes_left ? c.copy.count[i] : 0;
        }
        ASSERT_EQ(bits.divides(cut), weight_left > 0 && weight_left < c.copy.total_weight);
        ASSERT_EQ(bits.fits(cut), c.min_rows <= 1 || (rows_left >= c.min_rows && c.copy.rows - rows_left >= c.min_rows));
        single_relaxed = std::min(single_relaxed, bits.single(cut).relaxed);
        if (bits.fits(cut)) single = std::min(single, bits.single(cut).strict);
        const StumpErrors l = c.plain(left), r = c.plain(right);
        const auto found = bits.evaluate(cut);
        ASSERT_EQ(found.left_leaf, l.leaf);
        ASSERT_EQ(found.right_leaf, r.leaf);
        ASSERT_EQ(found.left, (search::Bound{l.strict, l.relaxed}));
        ASSERT_EQ(found.right, (search::Bound{r.strict, r.relaxed}));
      }
      ASSERT_GE(single, best_single.strict);
      ASSERT_GE(single_relaxed, best_single.relaxed);
    }
  }
}

TEST(BitStumps, Narrow) {
  compare<std::int16_t>(Weights::none, 2, 1);
  compare<std::int16_t>(Weights::whole, 2, 2);
  compare<std::int16_t>(Weights::none, 3, 3);
  compare<std::int16_t>(Weights::whole, 7, 4);
}

TEST(BitStumps, Wide) {
  compare<std::int32_t>(Weights::none, 2, 5);
  compare<std::int32_t>(Weights::whole, 2, 6);
  compare<std::int32_t>(Weights::whole, 5, 7);
}

// The cheapest tree of two levels whose root asks each ordering, by looking at all of them.
std::vector<double> plain_roots(const Case& c, std::int64_t splits, double price) {
  std::vector<double> best(c.problem.orderings.size(), kInfinity);
  for (std::size_t f = 0; f < best.size(); ++f) {
    for (std::uint32_t place = 1; place < c.copy.size; ++place) {
      if (c.copy.ranks_of(f)[place] == c.copy.ranks_of(f)[place - 1]) continue;
      std::vector<bool> left(c.copy.size, false), right(c.copy.size, true);
      std::int64_t rows = 0;
      for (std::uint32_t at = 0; at < place; ++at) {
        const std::uint32_t i = c.copy.order_of(f)[at];
        left[i] = true;
        right[i] = false;
        rows += c.copy.count[i];
      }
      if (c.min_rows > 1 && (rows < c.min_rows || c.copy.rows - rows < c.min_rows)) continue;
      const StumpErrors l = c.plain(left), r = c.plain(right);
      const double l_tree = std::min(l.leaf, l.strict + price), r_tree = std::min(r.leaf, r.strict + price);
      double value = l.leaf + r.leaf;
      if (splits == 2) value = std::min(l_tree + r.leaf, l.leaf + r_tree);
      if (splits == 3) value = l_tree + r_tree;
      best[f] = std::min(best[f], price + value);
    }
  }
  return best;
}

TEST(BitStumps, DepthTwoFindsTheOptimum) {
  Random random(8);
  int in_bits = 0;
  for (int round = 0; round < 600; ++round) {
    const Case c(random, random.below(2) == 0 ? Weights::none : Weights::whole, 2 + static_cast<int>(random.below(3)));
    if (c.problem.orderings.empty()) continue;
    const auto splits = 1 + static_cast<std::int64_t>(random.below(3));
    search::SearchLimits limits;
    limits.min_rows = c.min_rows;
    limits.split_price = static_cast<double>(random.below(3)) / 2;
    in_bits += search::worth_packing(c.whole, c.problem.classes, c.min_rows);
    const std::vector<double> roots = plain_roots(c, splits, limits.split_price);
    const double leaf = c.copy.leaf_errors(c.problem.classes);
    const double optimum = std::min(leaf, *std::min_element(roots.begin(), roots.end()));
    const double upper = random.below(2) == 0 ? kInfinity : optimum + static_cast<double>(random.below(3)) - 1;
    const search::Subset packed_whole = search::packed(c.whole, c.problem.classes, c.min_rows);
    for (const auto& [whole, bit_sets] : {std::pair{&c.whole, true}, {&c.whole, false}, {&packed_whole, true}}) {
      const search::ItemRange range{*whole, c.ordering, c.first, c.last};
      limits.rules.bit_sets = bit_sets;
      search::DepthTwo depth_two(c.problem, limits);
      Deadline unlimited;
      search::SubproblemResult result = depth_two.solve(range, 2, splits, upper, {}, unlimited);
      ASSERT_EQ(result.found(), optimum < upper) << "round " << round;
      if (result.found()) {
        ASSERT_EQ(result.cost, optimum) << "round " << round;
      }
      ASSERT_LE(result.lower.strict, optimum) << "round " << round;
      ASSERT_GE(result.lower.strict, std::min(optimum, upper)) << "round " << round;
      ASSERT_LE(result.lower.relaxed, result.lower.strict);
      for (std::size_t f = 0; f < result.lower_by_ordering.size(); ++f) ASSERT_LE(result.lower_by_ordering[f], roots[f]);
      depth_two.finish(range, result);
      ASSERT_EQ(result.tree.nodes.empty(), !result.found());
    }
  }
  EXPECT_GT(in_bits, 100);
}

}  // namespace
}  // namespace treewright
