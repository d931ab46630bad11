#include "treewright/methods/margot/search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include "support/all_assignments.h"
#include "support/data_folder.h"
#include "support/margot_problem.h"
#include "treewright/base/deadline.h"
#include "treewright/base/random.h"
#include "treewright/data.h"

namespace treewright {
namespace {

using testing::AllAssignments;
using testing::random_problem;

TEST(Margot, EqualsEveryAssignmentAndSetOfFeatures) {
  Random random(5);
  for (int round = 0; round < 60; ++round) {
    const int depth = 1 + round % 2;
    margot::MargotProblem problem = random_problem(random, 3 + random.below(4), 2 + random.below(3), depth);
    const bool hard = round % 4 < 2;
    for (int level = 0; level < depth; ++level) {
      problem.level_price.push_back(
          {random.below(3), hard ? std::numeric_limits<double>::infinity() : std::pow(4.0, static_cast<double>(random.below(5)) - 3)});
    }
    const double least = AllAssignments(problem).best();
    Deadline deadline;
    const margot::MargotResult found = margot::solve_margot(problem, deadline, 1e-6);
    EXPECT_TRUE(found.complete);
    EXPECT_NEAR(found.tree.objective, least, 2e-5 * std::max(1.0, least)) << "round " << round;
    EXPECT_LE(found.lower, least + 2e-5 * std::max(1.0, least)) << "round " << round;
    EXPECT_EQ(margot::margot_objective(problem, found.tree.planes), found.tree.objective);
  }
}

TEST(Margot, AnyNumberOfThreadsFindsTheSame) {
  Random random(6);
  for (int round = 0; round < 4; ++round) {
    margot::MargotProblem problem = random_problem(random, 16, 3, 2);
    if (round % 2 == 1) problem.level_price = {{1, 0.5}, {1, 0.5}};
    Deadline one, four;
    const margot::MargotResult alone = margot::solve_margot(problem, one, 1e-4, {}, 1),
                               together = margot::solve_margot(problem, four, 1e-4, {}, 4);
    EXPECT_EQ(alone.tree.objective, together.tree.objective);
    EXPECT_EQ(alone.lower, together.lower);
    EXPECT_EQ(alone.nodes, together.nodes);
  }
}

TEST(Margot, EqualsEveryAssignment) {
  Random random(3);
  for (int round = 0; round < 60; ++round) {
    const int depth = round % 6 == 5 ? 3 : round % 6 == 4 ? 1 : 2;
    const margot::MargotProblem problem = random_problem(random, depth == 3 ? 4 : 3 + random.below(5), 1 + random.below(3), depth);
    const double least = AllAssignments(problem).best();
    Deadline deadline;
    const margot::MargotResult found = margot::solve_margot(problem, deadline, 1e-6);
    EXPECT_TRUE(found.complete);
    EXPECT_NEAR(found.tree.objective, least, 2e-5 * std::max(1.0, least)) << "round " << round;
    EXPECT_LE(found.lower, least + 2e-5 * std::max(1.0, least)) << "round " << round;
    EXPECT_GE(found.lower, found.tree.objective * (1 - 1e-6) - 1e-12);
    EXPECT_EQ(margot::margot_objective(problem, found.tree.planes), found.tree.objective);
  }
}

// Another order of the search, in which states near the best tree come first.
TEST(Margot, ShortMemoryChangesNoOptimum) {
  Random random(8);
  bool differs = false;
  for (int round = 0; round < 12; ++round) {
    margot::MargotProblem problem = random_problem(random, 16, 3, 2);
    if (round % 2 == 1) problem.level_price = {{1, 0.5}, {1, 0.5}};
    Deadline none, always;
    const margot::MargotResult ample = margot::solve_margot(problem, none, 1e-6),
                               scarce = margot::solve_margot(problem, always, 1e-6, {}, 1, {}, 0, margot::kManyRows, 2);
    EXPECT_TRUE(scarce.complete);
    EXPECT_NEAR(scarce.tree.objective, ample.tree.objective, 2e-5 * std::max(1.0, ample.tree.objective)) << "round " << round;
    EXPECT_NEAR(scarce.lower, ample.lower, 2e-5 * std::max(1.0, ample.lower)) << "round " << round;
    differs = differs || scarce.nodes != ample.nodes;
  }
  EXPECT_TRUE(differs);
}

// Many copies of few rows: the same optimum, found with features branched on.
TEST(Margot, CopiesOfRowsChangeNothing) {
  Random random(10);
  for (int round = 0; round < 40; ++round) {
    margot::MargotProblem problem = random_problem(random, 3 + random.below(4), 2 + random.below(3), 2);
    for (int level = 0; level < 2; ++level) {
      problem.level_price.push_back({random.below(3), round % 2 == 0 ? std::numeric_limits<double>::infinity()
                                                                     : std::pow(4.0, static_cast<double>(random.below(5)) - 3)});
    }
    const double least = AllAssignments(problem).best();
    constexpr int kCopies = 20;
    margot::MargotProblem copied = problem;
    for (double& weight : copied.weight) weight /= kCopies;
    const margot::MargotProblem once = copied;
    for (int copy = 1; copy < kCopies; ++copy) {
      copied.points.x.insert(copied.points.x.end(), once.points.x.begin(), once.points.x.end());
      copied.target.insert(copied.target.end(), once.target.begin(), once.target.end());
      copied.weight.insert(copied.weight.end(), once.weight.begin(), once.weight.end());
    }
    Deadline deadline;
    const margot::MargotResult found = margot::solve_margot(copied, deadline, 1e-6);
    EXPECT_TRUE(found.complete) << "round " << round;
    EXPECT_NEAR(found.tree.objective, least, 2e-5 * std::max(1.0, least)) << "round " << round;
    EXPECT_LE(found.lower, least + 2e-5 * std::max(1.0, least)) << "round " << round;
  }
}

TEST(Margot, TargetsMayDifferByLevel) {
  Random random(7);
  for (int round = 0; round < 40; ++round) {
    margot::MargotProblem problem = random_problem(random, 4 + random.below(4), 2, 2);
    for (std::size_t i = 0; i < 2 * problem.rows(); ++i) problem.level_target.push_back(random.below(2) == 0 ? -1 : 1);
    const double least = AllAssignments(problem).best();
    Deadline deadline;
    const margot::MargotResult found = margot::solve_margot(problem, deadline, 1e-6);
    EXPECT_TRUE(found.complete);
    EXPECT_NEAR(found.tree.objective, least, 2e-5 * std::max(1.0, least)) << "round " << round;
    EXPECT_EQ(margot::margot_objective(problem, found.tree.planes), found.tree.objective);
  }
}

TEST(Margot, LengthyAStartIsAPartitionToGoOnFrom) {
  Random random(9);
  int helped = 0;
  for (int round = 0; round < 30; ++round) {
    const margot::MargotProblem problem = random_problem(random, 40, 2, 2);
    Deadline unlimited, none(Deadline::kNoLimit, 0), same(Deadline::kNoLimit, 0);
    const margot::MargotResult full = margot::solve_margot(problem, unlimited);
    const double alone = margot::solve_margot(problem, none).tree.objective;
    const double begun = margot::solve_margot(problem, same, 1e-4, {}, 1, {full.tree.planes}).tree.objective;
    EXPECT_LE(begun, full.tree.objective * (1 + 1e-6)) << "round " << round;
    helped += alone > full.tree.objective * (1 + 1e-3);
  }
  EXPECT_GT(helped, 0);
}

TEST(Margot, OneFeatureOnALine) {
  // Budgets of one feature, many ties: rows follow one another on the line.
  Random random(8);
  for (int round = 0; round < 60; ++round) {
    margot::MargotProblem problem = random_problem(random, 6 + random.below(3), 2, 2);
    problem.level_price.assign(2, {1, std::numeric_limits<double>::infinity()});
    const double least = AllAssignments(problem).best();
    Deadline deadline;
    const margot::MargotResult found = margot::solve_margot(problem, deadline, 1e-6);
    EXPECT_TRUE(found.complete);
    EXPECT_NEAR(found.tree.objective, least, 2e-5 * std::max(1.0, least)) << "round " << round;
  }
}

TEST(Margot, AStoppedSearchKeepsAValidBound) {
  Random random(4);
  for (int round = 0; round < 10; ++round) {
    const margot::MargotProblem problem = random_problem(random, 24, 2, 2);
    Deadline unlimited;
    const margot::MargotResult full = margot::solve_margot(problem, unlimited);
    double objective = std::numeric_limits<double>::infinity(), lower = 0;
    for (const std::int64_t work : {0, 1, 40, 200}) {
      Deadline deadline(Deadline::kNoLimit, work);
      const margot::MargotResult stopped = margot::solve_margot(problem, deadline, 1e-4, [&](double o, double l, bool) {
        objective = o;
        lower = l;
      });
      EXPECT_LE(stopped.lower, full.tree.objective * (1 + 1e-6));
      EXPECT_GE(stopped.tree.objective, full.lower * (1 - 1e-6));
      EXPECT_EQ(margot::margot_objective(problem, stopped.tree.planes), stopped.tree.objective);
      EXPECT_EQ(objective, stopped.tree.objective);
      EXPECT_LE(lower, stopped.lower);
    }
  }
}

// The training rows of a published split of DGMP23's, numbers scaled to [0, 1] among them.
margot::MargotProblem published(const std::filesystem::path& folder, const std::string& name) {
  const Dataset data = read_dataset((folder / (name + ".csv")).string());
  std::ifstream split(folder.parent_path() / "splits" / "donofrio2023" / (name + ".tsv"));
  margot::MargotProblem problem;
  problem.points.axes = data.features();
  std::string part;
  split >> part >> part;
  for (std::size_t row; split >> row >> part;) {
    if (part != "train") continue;
    problem.target.push_back(data.labels[row] == 0 ? -1 : 1);
    problem.weight.push_back(1);
    for (const Column& column : data.columns) problem.points.x.push_back(column.values[row]);
  }
  for (std::size_t j = 0; j < problem.points.axes; ++j) {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (std::size_t i = j; i < problem.points.x.size(); i += problem.points.axes) {
      low = std::min(low, problem.points.x[i]);
      high = std::max(high, problem.points.x[i]);
    }
    for (std::size_t i = j; i < problem.points.x.size(); i += problem.points.axes) {
      problem.points.x[i] = high > low ? (problem.points.x[i] - low) / (high - low) : 0;
    }
  }
  return problem;
}

TEST(Margot, LengthyKnownOptimaOfPublishedSplits) {
  const std::optional<std::filesystem::path> folder = testing::data_folder();
  if (!folder || !std::filesystem::exists(folder->parent_path() / "splits")) {
    GTEST_SKIP() << "TREEWRIGHT_DATA_DIR is not set, or has no splits beside it";
  }
  // Found by two other programs as well; hyper-parameters of DGMP23 Table 21.
  struct Known {
    const char* name;
    double c0, c1, optimum;
  };
  for (const Known& known : {Known{"breast-cancer-diagnostic", 1, 1, 65.237488}, Known{"sonar", 1e-3, 0.1, 0.165803},
                             Known{"wholesale", 1e3, 1e3, 91504.457}, Known{"ionosphere", 10, 10, 614.460839}}) {
    margot::MargotProblem problem = published(*folder, known.name);
    problem.level_cost = {known.c0, known.c1};
    Deadline deadline;
    const margot::MargotResult found = margot::solve_margot(problem, deadline);
    EXPECT_TRUE(found.complete);
    EXPECT_NEAR(found.tree.objective, known.optimum, 1e-4 * known.optimum) << known.name;
  }
}

}  // namespace
}  // namespace treewright
