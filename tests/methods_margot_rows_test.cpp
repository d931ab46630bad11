#include "treewright/methods/margot/rows.h"

#include <gtest/gtest.h>

#include "treewright/base/deadline.h"
#include "treewright/base/random.h"
#include "treewright/methods/margot/search.h"

namespace treewright {
namespace {

// More columns than rows; some rows are equal or half of another one, every fifth column is constant.
Dataset wide_data(Random& random, std::size_t rows, std::size_t columns) {
  Dataset data;
  data.class_names = {"a", "b"};
  std::vector<std::vector<double>> values(rows, std::vector<double>(columns, 3.0));
  for (std::size_t i = 0; i < rows; ++i) {
    const std::uint64_t kind = i == 0 ? 0 : random.below(5);
    const std::vector<double>& other = values[i == 0 ? 0 : random.below(i)];
    for (std::size_t j = 0; j < columns; ++j) {
      if (j % 5 != 0) values[i][j] = kind == 1 ? other[j] : kind == 2 ? other[j] / 2 : static_cast<double>(random.below(5));
    }
    data.labels.push_back(i < 2 ? static_cast<std::int32_t>(i) : static_cast<std::int32_t>(random.below(2)));
  }
  for (std::size_t j = 0; j < columns; ++j) {
    Column column;
    column.name = "x" + std::to_string(j);
    for (std::size_t i = 0; i < rows; ++i) column.values.push_back(values[i][j]);
    data.columns.push_back(std::move(column));
  }
  return data;
}

TEST(MargotRows, InTheirRowSpaceHaveTheSameOptimum) {
  Random random(4);
  for (int round = 0; round < 30; ++round) {
    const std::size_t rows = 4 + random.below(5);
    const Dataset data = wide_data(random, rows, 2 * rows + random.below(10));
    Options options;
    options.max_depth = 1 + round % 2;
    options.level_costs = round % 3 == 0 ? "0.01" : round % 3 == 1 ? "1" : "100";
    const margot::MargotObjective objective = margot::MargotObjective::from(options);
    const margot::MargotRows plain = margot::margot_rows(data, options, objective);
    margot::MargotRows wide = plain;
    margot::use_row_space(wide, margot::row_space_of(wide));
    ASSERT_TRUE(wide.row_space);
    EXPECT_LE(wide.problem.points.axes, rows);
    Deadline deadline;
    const margot::MargotResult direct = margot::solve_margot(plain.problem, deadline, 1e-6),
                               inside = margot::solve_margot(wide.problem, deadline, 1e-6);
    EXPECT_TRUE(direct.complete);
    EXPECT_TRUE(inside.complete);
    EXPECT_NEAR(inside.tree.objective, direct.tree.objective, 2e-5 * std::max(1.0, direct.tree.objective)) << "round " << round;
    // The trees are of the original columns.
    const Tree tree = margot::margot_tree(wide, inside.tree, data);
    EXPECT_NEAR(objective.of(tree, data), inside.tree.objective, 1e-6 * std::max(1.0, inside.tree.objective)) << "round " << round;
    const std::vector<Hyperplane> again = margot::with_unsplit_nodes(wide.problem, margot::planes_of(tree, wide));
    EXPECT_LE(margot::margot_objective(wide.problem, again), inside.tree.objective * (1 + 1e-5) + 1e-6) << "round " << round;
  }
}

TEST(MargotRows, KeepTheirColumnsWithBudgets) {
  Random random(5);
  const Dataset data = wide_data(random, 5, 20);
  Options options;
  options.max_depth = 1;
  options.feature_selection = "hard";
  options.feature_budgets = "2";
  const margot::MargotRows rows = margot::margot_rows(data, options, margot::MargotObjective::from(options));
  EXPECT_EQ(margot::row_space_of(rows), nullptr);
}

TEST(MargotRows, KeepTheirColumnsIfTheseAreFew) {
  Random random(6);
  Options options;
  options.max_depth = 1;
  const margot::MargotRows rows = margot::margot_rows(wide_data(random, 9, 8), options, margot::MargotObjective::from(options));
  EXPECT_EQ(margot::row_space_of(rows), nullptr);
}

}  // namespace
}  // namespace treewright
