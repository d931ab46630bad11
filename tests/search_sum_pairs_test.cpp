#include "treewright/search/depth_two/sum_pairs.h"

#include <gtest/gtest.h>

#include "support/numbers_data.h"
#include "treewright/search/depth_two/depth_two.h"
#include "treewright/search/depth_two/pack.h"
#include "treewright/search/depth_two/solved_sets.h"

namespace treewright {
namespace {

using search::DepthTwo;
using search::ItemRange;
using search::SubproblemResult;
using search::Subset;

// Costs are whole units, rounded down after gains were added in another order.
void expect_near(const SubproblemResult& a, const SubproblemResult& b) {
  constexpr double kUnits = 2;
  EXPECT_NEAR(a.cost, b.cost, kUnits);
  EXPECT_NEAR(a.lower.strict, b.lower.strict, kUnits);
  ASSERT_EQ(a.lower_by_ordering.size(), b.lower_by_ordering.size());
}

TEST(SumPairs, FindTheTreesOfTheKernel) {
  Random random(41);
  int compared = 0;
  for (int round = 0; round < 300; ++round) {
    const Loss loss = round % 2 == 0 ? Loss::squared : Loss::poisson;
    const Dataset data = testing::random_numbers(random, {60, 5, 3, true, true, 2 + static_cast<int>(random.below(5))}, loss);
    const search::Problem problem = search::make_problem(data, false);
    if (problem.orderings.empty()) continue;
    search::SearchLimits limits;
    limits.rules = search::rules_of_numbers({}, 4);
    limits.split_price = static_cast<double>(random.below(3)) * 0x1p40;
    const Subset all = Subset::all(problem);
    const search::BitColumns cuts = search::bits_of_items(all).value();
    if (cuts.cuts() == 0 || cuts.cuts() > search::SumPairs::kMostCuts) continue;
    const search::SumPairs pairs(all, *problem.sums, cuts);
    const search::SolvedSets sets(cuts);
    DepthTwo solver(problem, limits);
    Deadline unlimited;
    for (std::size_t cut = 0; cut < cuts.cuts(); ++cut) {
      std::size_t f = 0;
      while (cuts.first_cut[f + 1] <= cut) ++f;
      search::ItemSet side;
      sets.side(sets.all(), f, cuts.low[cut], false, side);
      const ItemRange range{all, f, 0, cuts.place[cut]};
      for (const std::int64_t splits : {1, 2, 3}) {
        const int depth = splits == 1 ? 1 : 2;
        SubproblemResult by_pairs = solver.solve(pairs, side, range, depth, splits, unlimited);
        SubproblemResult by_kernel = solver.solve(range, depth, splits, std::numeric_limits<double>::infinity(), {}, unlimited);
        expect_near(by_pairs, by_kernel);
        solver.finish(range, by_pairs);
        solver.finish(range, by_kernel);
        EXPECT_EQ(by_pairs.tree.nodes.empty(), by_kernel.tree.nodes.empty());
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 1000);
}

}  // namespace
}  // namespace treewright
