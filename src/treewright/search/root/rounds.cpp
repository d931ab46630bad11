// The cuts of the root, in rounds.
//
// A rising bound. The cuts of the least bound come first, so the root's bound rises from round to round. A search that is stopped early
// states the least bound of the cuts that are left. (Stages with budgets below the incumbent, in which kept subproblems are solved again
// and again, raised the bound more slowly: experiments/lab.md.)
//
// Threads. The root's open cuts are taken in rounds of a fixed number and solved side by side. The results of a round are added in order
// before the next round starts. Nothing depends on which thread finishes first, so any number of threads returns the same tree. That
// includes a limit on work: each cut counts its own work, and the round ends at the first cut, in order, that exceeds what is left.

#include "treewright/search/root/rounds.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <utility>

#include "treewright/base/ordered_tasks.h"

namespace treewright::search {

// Opens every search, or updates it for a better tree.
void Rounds::open(Level& level, const SubproblemResult& shallow) const {
  for (OrderingSearch& search : level.searches) {
    root_.nodes.open(root_.node(level, search), search, shallow, level.best);
  }
}

// The most promising cuts. Other machines hear of those that later rounds will ask for.
std::vector<Rounds::Task> Rounds::next_tasks(Level& level) const {
  const NodeSearch& nodes = root_.nodes;
  std::vector<Task> tasks;
  for (OrderingSearch& search : level.searches) {
    for (const Candidate& candidate : nodes.candidates(root_.node(level, search), search, level.best)) {
      tasks.push_back({&search, candidate});
    }
  }
  // The least bounds first; equal ones in the order of their searches.
  std::stable_sort(tasks.begin(), tasks.end(), [](const Task& x, const Task& y) { return x.candidate.lower < y.candidate.lower; });
  if (tasks.size() <= kCuts) return tasks;
  std::unique_ptr<Worker> worker = root_.borrow(root_.deadline, level.depth);
  for (std::size_t i = kCuts; i < tasks.size(); ++i) {
    const NodeFrame node = root_.node(level, *tasks[i].search).by(*worker);
    if (nodes.begins_early(node)) nodes.expect(node, *tasks[i].search, {&tasks[i].candidate, 1}, level.best);
  }
  root_.give_back(std::move(worker));
  tasks.resize(kCuts);
  return tasks;
}

// Whether there were any cuts to solve.
bool Rounds::solve_round(Level& level, const SubproblemResult& shallow, const Report& report) const {
  const NodeSearch& nodes = root_.nodes;
  const double price = root_.limits.split_price, budget = level.best;
  const std::vector<Task> tasks = next_tasks(level);
  if (tasks.empty()) return false;
  std::vector<NodeSearch::Solved> solved(tasks.size());
  // A tree whose cost equals the trivial bound makes the later tasks of its round needless, but not the earlier ones: one of those may find
  // a tree of equal cost, which comes first.
  const std::size_t counted = run_ordered(root_.pool, root_.deadline, tasks.size(), [&](std::size_t i, Deadline& deadline) {
    std::unique_ptr<Worker> worker = root_.borrow(deadline, level.depth);
    const OrderingSearch& search = *tasks[i].search;
    solved[i] = nodes.recall_cut(root_.node(level, search).by(*worker), search, tasks[i].candidate, budget);
    root_.give_back(std::move(worker));
    return solved[i].cost(price) <= level.trivial_bound;
  });
  std::unique_ptr<Worker> worker = root_.borrow(root_.deadline, level.depth);
  for (std::size_t i = 0; i < counted; ++i) {
    OrderingSearch& search = *tasks[i].search;
    const NodeFrame node = root_.node(level, search).by(*worker);
    if (const double cost = solved[i].cost(price); cost < level.best) {
      level.result.tree = nodes.tree_of(node, search, solved[i]);
      level.best = level.result.cost = cost;
    }
    nodes.add(node, search, solved[i], level.best);
  }
  root_.give_back(std::move(worker));
  if (level.best < budget) open(level, shallow);
  report(level.best, root_.bound(level), level.best < budget ? 'S' : ' ');
  return true;
}

void Rounds::solve(Level& level, const SubproblemResult& shallow, const std::function<void()>& before_each, const Report& report) const {
  root_.consider(level, shallow, 'S', report);
  level.searches = root_.nodes.ordering_searches(shallow, level.depth, level.splits);
  std::erase_if(level.searches,
                [&](const OrderingSearch& search) { return !level.may_ask_first(root_.problem.orderings[search.ordering].feature); });
  level.opened = true;
  open(level, shallow);
  const Level& top = root_.top();
  const auto is_open = [&] { return level.best > level.trivial_bound && top.best > top.trivial_bound; };
  for (bool open_cuts = true; open_cuts && is_open() && !root_.deadline.poll();) {
    const double best = level.best;
    before_each();
    if (level.best < best) open(level, shallow);
    open_cuts = solve_round(level, shallow, report);
  }
  const double price = root_.limits.split_price;
  level.result.lower = {root_.bound(level), 0};
  level.result.lower_by_ordering.assign(root_.problem.orderings.size(), std::numeric_limits<double>::infinity());
  for (const OrderingSearch& search : level.searches) {
    double& lower = level.result.lower_by_ordering[search.ordering];
    lower = std::min(lower, search.lower(price));
  }
  level.result.include_constant_orderings(price + shallow.lower.strict);
  level.result.evidence = evidence_of(level.searches, level.depth, root_.problem.orderings.size());
}

}  // namespace treewright::search
