// A search with other machines. Here they are threads of this process that know nothing but the bytes they are sent.

#include "treewright/search/elsewhere/remote_ledger.h"

#include <gtest/gtest.h>

#include <limits>
#include <memory>
#include <mutex>
#include <set>

#include "expect_error.h"
#include "support/make_data.h"
#include "support/numbers_data.h"
#include "support/random_data.h"
#include "support/search_runs.h"
#include "treewright/base/random.h"
#include "treewright/search/elsewhere/task_solver.h"
#include "treewright/search/exact.h"

namespace treewright {
namespace {

using testing::coarse_data;
using testing::SearchOutcome;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Solves tasks that are waited for, and counts the others.
class Machines {
 public:
  std::string operator()(const SearchTask& task, double seconds) {
    std::unique_lock lock(mutex_);
    if (seconds < 0) ++given_up;
    if (seconds == 0) ++expected;
    if (seconds <= 0) return "";
    names.insert(std::string(task.name));
    if (!solver_) solver_ = std::make_unique<search::TaskSolver>(task.problem);
    lock.unlock();
    return solver_->solve(task.task, nullptr);
  }

  std::set<std::string> names;
  int expected = 0, given_up = 0;

 private:
  std::mutex mutex_;
  std::unique_ptr<search::TaskSolver> solver_;
};

struct Scenario : testing::SearchCase {
  SearchOutcome search(const Elsewhere& elsewhere = {}, std::int64_t work = std::numeric_limits<std::int64_t>::max()) const {
    search::ExactSearchOptions how = options;
    how.elsewhere = &elsewhere;
    return testing::search_outcome(data, how, work);
  }
};

TEST(RemoteLedger, FindsTheSameAsOneMachine) {
  Random random(17);
  std::vector<Scenario> runs{{testing::long_search(random)}, {testing::deep_search()}};
  for (int round = 0; round < 8; ++round) {
    Scenario& run = runs.emplace_back(Scenario{testing::short_search(random, round)});
    if (round % 4 == 2) run.options.rules = search::rules_without("bit_sets,known_bounds");
  }
  std::set<std::string> kinds;
  for (Scenario& run : runs) {
    SCOPED_TRACE(&run - runs.data());
    const SearchOutcome alone = run.search();
    for (const double divide : {kInfinity, 0.0}) {
      run.options.sending = {0, divide};
      Machines machines;
      EXPECT_EQ(run.search(std::ref(machines)), alone);
      for (const std::string& name : machines.names) kinds.insert(name.substr(0, name.find('-')));
    }
  }
  EXPECT_EQ(kinds, (std::set<std::string>{"cut", "trial"}));
}

TEST(RemoteLedger, FindsTheSameNumbers) {
  Random random(29);
  for (const Loss loss : {Loss::squared, Loss::poisson}) {
    for (const int depth : {3, 4}) {
      Scenario run{{testing::with_numbers(coarse_data(120, 4, 6), random, loss), {}}};
      run.options.max_depth = depth;
      run.options.sending = {0, kInfinity};
      Machines machines;
      EXPECT_EQ(run.search(std::ref(machines)), run.search());
      EXPECT_FALSE(machines.names.empty());
    }
  }
}

// Children with fewer leaves than classes lose their lightest ones: a bound that the other machine needs too.
TEST(RemoteLedger, KnowsTheFloorsOfManyClasses) {
  Random random(5);
  for (int round = 0; round < 30; ++round) {
    Scenario run;
    std::vector<Column> columns(3);
    for (Column& column : columns) column.name = "x";
    std::vector<std::int32_t> labels;
    for (int row = 0; row < 60; ++row) {
      for (Column& column : columns) column.values.push_back(static_cast<double>(random.below(30)));
      labels.push_back(static_cast<std::int32_t>(random.below(3) > 0 ? columns[0].values.back() / 4 : random.below(8)));
    }
    run.data = testing::make_data(columns, labels, 8);
    run.options.max_depth = 3;
    run.options.sending = {0, kInfinity};
    for (const std::int64_t work : {50, 200, 1000000}) {
      SCOPED_TRACE(::testing::Message() << "round " << round << ", work " << work);
      Machines machines;
      const SearchOutcome alone = run.search({}, work), spread = run.search(std::ref(machines), work);
      EXPECT_EQ(spread.tree, alone.tree);
      EXPECT_EQ(spread.lower, alone.lower);
      if (alone.complete) {
        EXPECT_EQ(spread.work, alone.work);
      }
    }
  }
}

TEST(RemoteLedger, BeginsCutsEarlyAndGivesUpThoseOfAnOldBudget) {
  Scenario run{{coarse_data(150, 60, 10), {}}};
  run.options.max_depth = 3;
  run.options.sending = {0, kInfinity};
  Machines machines;
  const SearchOutcome alone = run.search(), spread = run.search(std::ref(machines));
  EXPECT_EQ(spread, alone);
  EXPECT_GT(machines.expected, 100);
  EXPECT_GT(machines.given_up, 0);
  EXPECT_TRUE(
      std::any_of(machines.names.begin(), machines.names.end(), [](const std::string& name) { return name.starts_with("cut-f3-"); }));
}

TEST(RemoteLedger, DividesLongTasksFromDepthFiveOn) {
  Scenario run{{coarse_data(90, 3, 7), {}}};
  run.options.max_depth = 5;
  run.options.sending = {0, 0};
  Machines machines;
  EXPECT_EQ(run.search(std::ref(machines)), run.search());
  const auto divided = [](const std::string& name) {
    return name.find("-left-f") != std::string::npos || name.find("-right-f") != std::string::npos;
  };
  EXPECT_TRUE(std::any_of(machines.names.begin(), machines.names.end(), divided));
}

TEST(RemoteLedger, ALimitOnWorkEndsAtTheSamePlace) {
  Scenario run{{coarse_data(90, 3, 7), {}}};
  run.options.max_depth = 5;
  run.options.sending = {0, kInfinity};
  const std::int64_t whole = run.search().work;
  for (const std::int64_t work : {whole / 100, whole / 10, whole / 2}) {
    Machines machines;
    const SearchOutcome alone = run.search({}, work), spread = run.search(std::ref(machines), work);
    EXPECT_EQ(spread.tree, alone.tree);
    EXPECT_EQ(spread.lower, alone.lower);
    EXPECT_FALSE(spread.complete);
  }
}

TEST(RemoteLedger, ShortTasksStayHere) {
  Scenario run{{coarse_data(90, 3, 7), {}}};
  run.options.max_depth = 4;
  run.options.sending.seconds_to_send = 1e6;
  Machines machines;
  EXPECT_EQ(run.search(std::ref(machines)), run.search());
  EXPECT_TRUE(machines.names.empty());
}

// The machines never answer: only the stop flag ends the run.
TEST(RemoteLedger, StopsWhileItWaits) {
  Scenario run{{coarse_data(90, 3, 7), {}}};
  run.options.max_depth = 4;
  run.options.sending = {0, kInfinity};
  std::atomic<bool> stop = false;
  const Elsewhere nobody = [&stop](const SearchTask&, double) {
    stop = true;
    return std::string();
  };
  run.options.elsewhere = &nobody;
  Tree start(run.data);
  start.tally(run.data);
  Deadline deadline(Deadline::kNoLimit, std::numeric_limits<std::int64_t>::max(), &stop);
  const search::ExactSearchResult found = search::search_exact(run.data, run.options, start, deadline);
  EXPECT_FALSE(found.complete);
  EXPECT_EQ(deadline.reason(), Status::interrupted);
}

TEST(RemoteLedger, RefusesAnswersThatAreNone) {
  Scenario run{{coarse_data(90, 3, 7), {}}};
  run.options.max_depth = 4;
  run.options.sending = {0, kInfinity};
  for (const char* text : {"{}", "?", R"({"work":1,"seconds":1,"results":[]})"}) {
    const Elsewhere liar = [text](const SearchTask&, double) { return std::string(text); };
    expect_error([&] { run.search(liar); }, {"cluster", "install the same treewright"});
  }
}

TEST(TaskSolver, RefusesWhatItCannotSolve) {
  std::string problem, task;
  const Elsewhere spy = [&](const SearchTask& sent, double) {
    problem = sent.problem;
    task = sent.task;
    return std::string("{}");
  };
  Scenario run{{coarse_data(90, 3, 7), {}}};
  run.options.max_depth = 3;
  run.options.sending = {0, kInfinity};
  expect_error([&] { run.search(spy); }, {"cluster"});
  const search::TaskSolver solver(problem);
  EXPECT_FALSE(solver.solve(task, nullptr).empty());
  const std::atomic<bool> stop = true;
  EXPECT_EQ(solver.solve(task, &stop), "");
  for (const char* wrong : {"", "{}", R"({"task":[["cut",3,0,99,0,3,3,null,false]]})", R"({"task":[["cut",3,0,0,-1,3,3,null,false]]})",
                            R"({"task":[["trial",3,2,0,1000,3,3,null,false]]})", R"({"task":[["cut",3,0,0,1,3,3,null,false]]})"}) {
    expect_error([&] { solver.solve(wrong, nullptr); }, {"cluster", "the task is", "begin again"});
  }
  std::string of_other_kind = task;
  const std::size_t kind = of_other_kind.find("[[\"") + 3;
  of_other_kind.replace(kind, of_other_kind.find('"', kind) - kind, "look-ahead");
  expect_error([&] { solver.solve(of_other_kind, nullptr); }, {"cluster", "the task is of another problem", "begin again"});
  expect_error([&] { search::TaskSolver other(problem.substr(0, problem.size() / 2)); }, {"cluster", "damaged"});
  std::string later = problem;
  const std::size_t at = later.find("version");
  ASSERT_NE(at, std::string::npos);
  later[at + 8] ^= 1;
  expect_error([&] { search::TaskSolver other(later); }, {"cluster", "this worker has treewright", "install the same version"});
}

}  // namespace
}  // namespace treewright
