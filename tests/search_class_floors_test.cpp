#include "treewright/search/bounds/class_floors.h"

#include <gtest/gtest.h>

#include <vector>

#include "support/cost_case.h"
#include "support/random_data.h"
#include "treewright/data/costs/costs.h"
#include "treewright/search/depth_two/class_bounds.h"
#include "treewright/search/exact.h"
#include "treewright/search/node/node_search.h"

namespace treewright::search {
namespace {

// Rows of many classes, some with costs of labels; in whole weights.
Dataset drawn(Random& random) {
  Dataset data;
  do {
    data = testing::random_data(random, {40, 4, 7, random.below(2) == 0, random.below(2) == 0, 5});
  } while (data.classes() < 3 || data.rows() < 8 || !testing::has_two_classes(data));
  if (random.below(2) == 0) {
    data.costs = testing::random_costs(random, data.classes());
    GainsTable table = gains_table(data);
    if (!table.constant) return table.rows;
    data.costs.clear();
  }
  return data;
}

// The optimum of each side of every cut, by a search that knows no bound by classes, is no less than its floor; with one leaf it is equal.
TEST(ClassFloors, AreBelowTheOptimaOfBothSides) {
  Random random(77);
  int useful = 0, cuts_seen = 0;
  for (int round = 0; round < 150; ++round) {
    const Dataset data = drawn(random);
    const Problem problem = make_problem(data, false);
    if (problem.items() < 2 || problem.classes < 3) continue;
    const Subset all = Subset::all(problem);
    SearchLimits limits;
    limits.rules.class_bound = false;
    NodeSearch nodes(problem, limits);
    Worker worker{DepthTwo(problem, limits), {}};
    Deadline deadline;
    worker.deadline = &deadline;
    for (std::size_t f = 0; f < problem.orderings.size(); ++f) {
      Cuts cuts;
      cuts.assign(all, f);
      KernelColumns<double> columns;
      columns.assign(ItemRange::all(all), problem.classes, 1);
      ClassBounds<double> of_sides;
      of_sides.assign(columns, f, false, 0);
      for (const int depth : {0, 1, 2}) {
        const std::int64_t splits = full_splits(depth);
        const std::vector<ClassFloor> floors = ClassFloors(problem, all, splits + 1, splits + 1).of(f);
        ASSERT_EQ(static_cast<std::int64_t>(floors.size()), cuts.size());
        for (std::size_t cut = 0; cut < floors.size(); ++cut) {
          const ItemRange left{all, f, 0, cuts.place(cut)}, right{all, f, cuts.place(cut), all.size};
          const auto optimum = [&](const ItemRange& side) {
            return nodes.solve(worker, side, depth, splits, std::numeric_limits<double>::infinity(), {}).cost;
          };
          EXPECT_LE(floors[cut].left, optimum(left)) << testing::to_string(data);
          EXPECT_LE(floors[cut].right, optimum(right)) << testing::to_string(data);
          useful += depth > 0 && floors[cut].left + floors[cut].right > 0;
          ++cuts_seen;
          if (of_sides.empty()) continue;
          const SideCosts& costs = of_sides[static_cast<std::int64_t>(cut)];
          EXPECT_EQ(depth == 0 ? costs.left_one : costs.left_two, depth < 2 ? floors[cut].left : costs.left_two);
          EXPECT_EQ(depth == 0 ? costs.right_one : costs.right_two, depth < 2 ? floors[cut].right : costs.right_two);
        }
      }
    }
  }
  EXPECT_GT(useful, cuts_seen / 10);
}

}  // namespace
}  // namespace treewright::search
