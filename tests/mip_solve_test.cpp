#include "support/source_folder.h"
#include "treewright/mip/highs.h"
#include "treewright/mip/solve.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "expect_error.h"
#include "support/scratch_folder.h"
#include "treewright/base/file.h"
#include "treewright/mip/external.h"
#include "treewright/mip/solution_file.h"

namespace treewright {
namespace {

// Knapsack: values 5 4 3, weights 2 3 1, at most 5; the best is 5 + 4 (weight 5) = 9.
mip::MipModel knapsack() {
  mip::MipModel model;
  model.name = "knapsack";
  const int a = model.add_binary("a", -5), b = model.add_binary("b", -4), c = model.add_binary("c", -3);
  model.at_most("room", {{a, 2}, {b, 3}, {c, 1}}, 5);
  model.offset = 1;
  return model;
}

mip::MipOptions by(std::string command) {
  mip::MipOptions options;
  options.solver = std::move(command);
  return options;
}

mip::MipSolution run(const std::string& command, double seconds = Deadline::kNoLimit) {
  Deadline deadline(seconds);
  return mip::solve(knapsack(), {}, by(command), deadline);
}

void expect_best(const mip::MipSolution& solution) {
  EXPECT_EQ(solution.status, Status::optimal);
  ASSERT_EQ(solution.values.size(), 3u);
  EXPECT_NEAR(solution.objective, -8, 1e-6);
  EXPECT_NEAR(solution.bound, -8, 1e-6);
  EXPECT_NEAR(solution.values[0], 1, 1e-6);
  EXPECT_NEAR(solution.values[1], 1, 1e-6);
  EXPECT_NEAR(solution.values[2], 0, 1e-6);
}

TEST(MipSolve, Highs) {
  if (!mip::has_highs()) {
    expect_error([] { run("highs"); }, {"no HiGHS"});
    GTEST_SKIP() << "this build has no HiGHS";
  }
  expect_best(run("highs"));
  const double start[] = {1, 1, 0};
  Deadline deadline;
  std::vector<Progress> heard;
  expect_best(mip::solve(knapsack(), start, {}, deadline, [&](const Progress& p) { heard.push_back(p); }));
  mip::MipModel impossible = knapsack();
  impossible.at_least("too_much", {{0, 1}, {1, 1}, {2, 1}}, 4);
  const mip::MipSolution none = mip::solve(impossible, {}, {}, deadline);
  EXPECT_TRUE(none.infeasible);
  EXPECT_TRUE(none.values.empty());
}

TEST(MipSolve, HighsTakesLinearAndQuadraticProgrammes) {
  if (!mip::has_highs()) GTEST_SKIP() << "this build has no HiGHS";
  mip::MipModel model;  // (x - 2)^2 on x <= 1, less 4
  const int x = model.add("x", 0, 1, -4);
  model.quadratic = {{x, x, 2}};
  Deadline deadline;
  const mip::MipSolution solution = mip::solve(model, {}, {}, deadline);
  EXPECT_EQ(solution.status, Status::optimal);
  EXPECT_NEAR(solution.objective, -3, 1e-6);
  model.variables[x].integer = true;
  expect_error([&] { mip::solve(model, {}, {}, deadline); }, {"integer variables and a quadratic objective"});
  model.quadratic.clear();
  model.add_row("disc", -mip::MipModel::kInfinity, {}, 1, {{x, x, 2}});
  expect_error([&] { mip::solve(model, {}, {}, deadline); }, {"quadratic rows", "mip_solver"});
}

TEST(MipSolve, HighsFromManyThreads) {
  if (!mip::has_highs()) GTEST_SKIP() << "this build has no HiGHS";
  std::vector<std::thread> threads;
  std::vector<mip::MipSolution> solutions(8);
  for (std::size_t i = 0; i < solutions.size(); ++i) {
    threads.emplace_back([&solutions, i] {
      mip::MipOptions options;
      options.threads = 1 + static_cast<int>(i % 3);
      Deadline deadline;
      solutions[i] = mip::solve(knapsack(), {}, options, deadline);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const mip::MipSolution& solution : solutions) expect_best(solution);
}

TEST(MipSolve, AStoppedRunSaysWhy) {
  std::atomic<bool> stop{true};
  for (const char* solver : {"highs", "sleep 1000 # {lp} {solution}"}) {
    if (std::string(solver) == "highs" && !mip::has_highs()) continue;
    Deadline interrupted(Deadline::kNoLimit, std::numeric_limits<std::int64_t>::max(), &stop);
    EXPECT_EQ(mip::solve(knapsack(), {}, by(solver), interrupted).status, Status::interrupted);
    Deadline out(0);
    EXPECT_EQ(mip::solve(knapsack(), {}, by(solver), out).status, Status::time_limit);
  }
}

TEST(MipExternal, ReadsWhatTheCommandLeaves) {
  expect_best(run("printf '# status optimal\\na 1\\nb 1\\n' > {solution} # {lp}"));
  const mip::MipSolution unproved = run("printf 'a 1\\nc 1\\n# bound -8.5\\n# nodes 12\\n' > {solution} # {mps}");
  EXPECT_EQ(unproved.status, Status::heuristic);
  EXPECT_EQ(unproved.objective, -7);
  EXPECT_EQ(unproved.bound, -8.5);
  EXPECT_EQ(unproved.nodes, 12);
}

TEST(MipExternal, GivesTheCommandItsFiles) {
  const testing::ScratchFolder folder;
  const double start[] = {1, 0, 1};
  Deadline deadline(1000);
  const std::string copies = folder / "";
  mip::MipOptions options =
      by("cp {lp} {mps} {start} {cbc_start} " + copies + "; echo {time} {threads} {seed} > " + copies + "words; echo 'a 1' > {solution}");
  options.threads = 2;
  options.seed = 42;
  mip::solve(knapsack(), start, options, deadline);
  EXPECT_NE(read_file(folder / "model.lp").find("room: + 2 a + 3 b + c <= 5"), std::string::npos);
  EXPECT_NE(read_file(folder / "model.mps").find(" L room"), std::string::npos);
  EXPECT_EQ(read_file(folder / "start.mst"), "# the start\na 1\nb 0\nc 1\n");
  EXPECT_EQ(read_file(folder / "start.sol"), "Stopped on iterations - objective value -7\n0 a 1 0\n1 b 0 0\n2 c 1 0\n");
  const std::string words = read_file(folder / "words");
  EXPECT_NE(words.find(" 2 42"), std::string::npos) << words;
}

TEST(MipExternal, FailuresAreErrorsWithTheCommandsLastWords) {
  expect_error([] { run("no-such-solver {lp} {solution}"); }, {"exit code 127", "no-such-solver"});
  expect_error([] { run("echo out of licences; exit 3 # {lp} {solution}"); }, {"exit code 3", "out of licences"});
  expect_error([] { run("kill -SEGV $$ # {lp} {solution}"); }, {"ended by signal 11"});
  expect_error([] { run("true {lp} {solution}"); }, {"left no solution file"});
  expect_error([] { run("echo what is this > {solution} # {lp}"); }, {"line 1", "'what is this'"});
  expect_error([] { run("head -c 100000 /dev/urandom > {solution} # {lp}"); }, {"solution file"});
  expect_error([] { run(": > {solution} # {lp}"); }, {"holds no values"});
  expect_error([] { run("printf 'a 1\\nb 1\\nc 1\\n' > {solution} # {lp}"); }, {"break 1 of the model's demands, room among them"});
  expect_error([] { run("cbc model.lp"); }, {"does not say where the model goes"});
  expect_error([] { run("cbc {lp}"); }, {"does not say where the solution goes"});
}

// The command and what it started are gone afterwards, whatever they do.
TEST(MipExternal, NothingOutlivesTheCommand) {
  const testing::ScratchFolder folder;
  const std::string pid = folder / "pid";
  run("sleep 1000 & echo $! > " + pid + "; echo 'a 1' > {solution} # {lp}");
  const pid_t child = std::stoi(read_file(pid));
  for (int i = 0; i < 500 && kill(child, 0) == 0; ++i) {
    // A process that has ended but was not waited for still has a number.
    std::ifstream status("/proc/" + std::to_string(child) + "/stat");
    const std::string line((std::istreambuf_iterator<char>(status)), {});
    if (line.find(") Z ") != std::string::npos) return;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_NE(kill(child, 0), 0);
}

TEST(MipExternal, TheUserStopsADeafCommand) {
  std::atomic<bool> stop{false};
  Deadline deadline(Deadline::kNoLimit, std::numeric_limits<std::int64_t>::max(), &stop);
  const testing::ScratchFolder folder;
  const std::string up = folder / "up";
  std::thread user([&] {
    while (!std::filesystem::exists(up)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    stop = true;
  });
  const mip::MipSolution solution =
      mip::solve(knapsack(), {}, by("trap '' TERM; touch " + up + "; while :; do sleep 1; done # {lp} {solution}"), deadline);
  user.join();
  EXPECT_EQ(solution.status, Status::interrupted);
  EXPECT_TRUE(solution.values.empty());
}

TEST(MipSolutionFile, Cbc) {
  const mip::MipModel model = knapsack();
  expect_best([&] {
    mip::MipSolution s = mip::read_solution(
        "Optimal - objective value -8.00000000\n      0 a                    1                      -5\n** 1 b 1 -4\n", model, "file");
    s.bound = s.objective;  // what solve() makes of optimal
    return s;
  }());
  EXPECT_EQ(mip::read_solution("# nodes 1e43\na 1\n", model, "file").nodes, 0) << "more than a number of nodes can be";
  expect_error([&] { mip::read_solution("a inf\n", model, "file"); }, {"file, line 1", "no variable with a value"});
  EXPECT_TRUE(mip::read_solution("Infeasible - objective value 0.0\n 0 a 1 0\n", model, "file").infeasible);
  const mip::MipSolution stopped = mip::read_solution("Stopped on time - objective value -5\n 0 a 1 0\n", model, "file");
  EXPECT_EQ(stopped.status, Status::time_limit);
  EXPECT_EQ(stopped.objective, -4);
  EXPECT_TRUE(mip::read_solution("Stopped on time - objective value -5\n 0 a 0.5 0\n", model, "file").values.empty()) << "an LP solution";
}

// The recipes of docs/mip.md, where the solvers are.
TEST(MipRecipes, Cbc) {
  if (std::system("command -v cbc > /dev/null") != 0) GTEST_SKIP() << "no cbc here";
  const std::string recipe = "cbc {mps} -sec {time} -threads {threads} -mipstart {cbc_start} -solve -solution {solution}";
  expect_best(run(recipe));
  expect_best(run("cbc {lp} -sec {time} -solve -solution {solution}"));
  Deadline deadline;
  const double start[] = {1, 1, 0};
  expect_best(mip::solve(knapsack(), start, by(recipe), deadline));
}

TEST(MipRecipes, Scip) {
  const std::string python = testing::in_source(".venv-highs/bin/python"), script = testing::in_source("examples/solve_with_scip.py");
  if (std::system((python + " -c 'import pyscipopt' > /dev/null 2>&1").c_str()) != 0) GTEST_SKIP() << "no pyscipopt in .venv-highs";
  const std::string recipe = python + " " + script + " {lp} {solution} {time} {start}";
  expect_best(run(recipe));
  Deadline deadline;
  const double start[] = {1, 1, 0};
  expect_best(mip::solve(knapsack(), start, by(recipe), deadline));
}

}  // namespace
}  // namespace treewright
