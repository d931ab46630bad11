#include "treewright/search/bounds/ledger.h"

#include <gtest/gtest.h>

#include <map>
#include <mutex>
#include <set>

#include "expect_error.h"
#include "support/random_data.h"
#include "support/search_runs.h"
#include "treewright/base/random.h"
#include "treewright/search/exact.h"

namespace treewright {
namespace {

using search::Fact;
using search::NodeTask;
using search::TaskPath;
using testing::SearchOutcome;

// Facts in the order in which they were found.
class MemoryLedger : public search::Ledger {
 public:
  using Line = std::pair<TaskPath, Fact>;

  const Fact* find(const TaskPath& task) override {
    std::lock_guard lock(mutex_);
    const auto at = facts_.find(task);
    return at == facts_.end() ? nullptr : &at->second;
  }
  void add(const TaskPath& task, const Fact& fact) override {
    std::lock_guard lock(mutex_);
    // Grids overlap, so two threads may try the same cut at once.
    if (facts_.emplace(task, fact).second) lines.emplace_back(task, fact);
  }
  void know(const Line& line) { facts_.insert(line); }

  std::vector<Line> lines;

 private:
  std::mutex mutex_;
  std::map<TaskPath, Fact> facts_;
};

struct Scenario : testing::SearchCase {
  SearchOutcome search(search::Ledger* ledger, int threads, std::int64_t work = std::numeric_limits<std::int64_t>::max()) const {
    search::ExactSearchOptions how = options;
    how.ledger = ledger;
    how.threads = threads;
    return testing::search_outcome(data, how, work);
  }
};

Scenario long_scenario() {
  Random random(17);
  return {testing::long_search(random)};
}

std::vector<Scenario> scenarios() {
  Random random(31);
  std::vector<Scenario> all{long_scenario(), {testing::deep_search()}};
  for (int round = 0; round < 8; ++round) all.push_back({testing::short_search(random, round)});
  return all;
}

TEST(Ledger, ASearchWithOneFindsTheSame) {
  std::set<NodeTask::Kind> kinds;
  for (const Scenario& run : scenarios()) {
    MemoryLedger ledger;
    EXPECT_EQ(run.search(&ledger, 1), run.search(nullptr, 1));
    for (const auto& [task, fact] : ledger.lines) kinds.insert(task.front().kind);
  }
  EXPECT_EQ(kinds.size(), 5);
}

TEST(Ledger, LengthyASearchGoesOnAfterAnyFact) {
  for (const Scenario& run : scenarios()) {
    MemoryLedger whole;
    const SearchOutcome undisturbed = run.search(&whole, 1);
    const std::size_t step = 1 + whole.lines.size() / 8;
    for (std::size_t known = 0; known <= whole.lines.size(); known += step) {
      for (const int threads : {1, 2, 3}) {
        MemoryLedger ledger;
        for (std::size_t i = 0; i < known; ++i) ledger.know(whole.lines[i]);
        EXPECT_EQ(run.search(&ledger, threads), undisturbed) << known << " facts known, " << threads << " threads";
        if (threads == 1) {
          EXPECT_EQ(known + ledger.lines.size(), whole.lines.size()) << "nothing is solved again";
        }
      }
    }
  }
}

// Threads end in any order, and short tasks may not have been kept.
TEST(Ledger, AnyFactsMayBeMissing) {
  Random random(5);
  std::size_t longest = 0;
  for (const Scenario& run : {long_scenario(), Scenario{testing::deep_search()}}) {
    MemoryLedger whole;
    const SearchOutcome undisturbed = run.search(&whole, 2);
    for (const auto& [path, fact] : whole.lines) longest = std::max(longest, path.size());
    for (int round = 0; round < 12; ++round) {
      MemoryLedger ledger;
      for (const auto& line : whole.lines) {
        // Without any of the root, those below are all that is known.
        if (random.below(2) == 0 && (round > 2 || line.first.size() > 1)) ledger.know(line);
      }
      EXPECT_EQ(run.search(&ledger, 1 + round % 3), undisturbed);
    }
  }
  EXPECT_EQ(longest, 3);
}

// A limit counts the work of earlier runs: it ends at the same place.
TEST(Ledger, ALimitOnWorkHoldsForAllRunsTogether) {
  const Scenario run = long_scenario();
  const SearchOutcome whole = run.search(nullptr, 1);
  for (const double share : {0.01, 0.1, 0.3, 0.6, 0.9}) {
    const auto work = static_cast<std::int64_t>(share * static_cast<double>(whole.work));
    MemoryLedger ledger;
    run.search(&ledger, 2, work / 2);
    const SearchOutcome stopped = run.search(nullptr, 1, work);
    const SearchOutcome resumed = run.search(&ledger, 2, work);
    EXPECT_EQ(resumed.tree, stopped.tree);
    EXPECT_EQ(resumed.lower, stopped.lower);
    EXPECT_FALSE(resumed.complete);
    EXPECT_EQ(run.search(&ledger, 1), whole);
  }
}

// A cut that was solved for trees below a low cost says little of others.
TEST(Ledger, FactsForAnotherBudgetAreNotUsed) {
  const Scenario run = long_scenario();
  MemoryLedger whole;
  const SearchOutcome undisturbed = run.search(&whole, 1);
  MemoryLedger ledger;
  for (auto [task, fact] : whole.lines) {
    if (task.front().kind != NodeTask::Kind::cut) continue;
    task.back().budget -= 0.5;
    for (search::SubproblemResult& child : fact.results) child = {};
    ledger.know({task, fact});
  }
  EXPECT_EQ(run.search(&ledger, 1), undisturbed);
}

TEST(Ledger, RefusesAFactThatIsNoneOfTheData) {
  const Scenario run = long_scenario();
  MemoryLedger whole;
  run.search(&whole, 1);
  using Change = std::function<void(Fact&)>;
  const std::vector<Change> changes = {
      [](Fact& fact) { fact.results.clear(); },
      [](Fact& fact) { fact.work = -1; },
      [](Fact& fact) { fact.results.front().tree.nodes.clear(); },
      [](Fact& fact) { fact.results.front().tree.nodes.pop_back(); },
      [](Fact& fact) { fact.results.front().tree.nodes.push_back({}); },
      [](Fact& fact) { fact.results.front().tree.nodes.front().ordering = 1000; },
      [](Fact& fact) { fact.results.front().tree.nodes.front().high = 1000000; },
      [](Fact& fact) { std::swap(fact.results.front().tree.nodes.front().low, fact.results.front().tree.nodes.front().high); },
      [](Fact& fact) { fact.results.front().lower_by_ordering.assign(100, 0.0); },
      [](Fact& fact) { fact.results.front().root.splits = 1; },
      [](Fact& fact) { fact.results.front().cost = std::numeric_limits<double>::infinity(); },
      [](Fact& fact) {  // deeper than the task's depth
        std::vector<search::RankTree::Node> chain(5, fact.results.front().tree.nodes.front());
        chain.resize(11);
        fact.results.front().tree.nodes = chain;
      }};
  const auto look_ahead = std::find_if(whole.lines.begin(), whole.lines.end(),
                                       [](const auto& line) { return line.first.front().kind == NodeTask::Kind::look_ahead; });
  ASSERT_NE(look_ahead, whole.lines.end());
  for (std::size_t i = 0; i < changes.size(); ++i) {
    SCOPED_TRACE(i);
    MemoryLedger ledger;
    Fact fact = look_ahead->second;
    changes[i](fact);
    ledger.know({look_ahead->first, fact});
    expect_error([&] { run.search(&ledger, 1); }, {"checkpoint", "none of these data"});
  }
}

}  // namespace
}  // namespace treewright
