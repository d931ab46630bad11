// What the search has solved is kept, so that a search that was killed goes on where it was.
//
// The root is a deterministic function of the results of its tasks: cuts, trials of the heuristics, and the trees of all rows to small
// depths. So it is enough to keep these results with the work that each took. A search that is given the facts of an earlier one asks the
// same questions in the same order, finds the first answers in the ledger, counts the same work, and ends with the same tree and bound,
// with any number of threads. The facts may come in any order, and any of them may be missing.
//
// From depth five on a cut of the root may take minutes. So the cuts of nodes below are kept as well, down to depth four, by the path that
// leads to them (NodeSearch::recall_cut). A fact of the root needs none of those that it was made from.
//
// A fact is used only for the very task that it answers, with the same budget: its bounds then reach as far as the search needs. So a
// wrong order of the search cannot make a bound wrong.
//
// A ledger may also have other machines solve the tasks (remote_ledger.cpp). The search tells it early which cuts it will ask for: all
// that are open under the budget at hand. It asks for each of them in the same words later, unless a better tree changes the budget.

#include "treewright/search/bounds/ledger.h"

#include <algorithm>
#include <cassert>

#include "treewright/error.h"

namespace treewright::search {

namespace {

// Whether the nodes from `next` on begin with a tree of cuts of the problem; `next` is then the node after it.
bool is_tree(const std::vector<RankTree::Node>& nodes, std::size_t& next, int depth, const Problem& problem) {
  if (next == nodes.size()) return false;
  const RankTree::Node& node = nodes[next++];
  if (node.ordering < 0) return true;
  const auto f = static_cast<std::size_t>(node.ordering);
  return depth > 0 && f < problem.orderings.size() && node.low < node.high && node.high < problem.orderings[f].ranks &&
         is_tree(nodes, next, depth - 1, problem) && is_tree(nodes, next, depth - 1, problem);
}

// Whether a result has the form of one on these data. That it is true is not to be seen.
bool fits(const SubproblemResult& result, int depth, const Problem& problem) {
  const std::size_t orderings = result.lower_by_ordering.size();
  if (result.root.splits != 0 || (orderings != 0 && orderings != problem.orderings.size())) return false;
  std::size_t end = 0;
  if (!result.found()) return result.tree.nodes.empty();
  return is_tree(result.tree.nodes, end, depth, problem) && end == result.tree.nodes.size();
}

bool fits(const Fact& fact, const NodeTask& task, const Problem& problem) {
  const bool cut = task.kind == NodeTask::Kind::cut;
  return fact.results.size() == (cut ? 2 : 1) && fact.work >= 0 &&
         std::all_of(fact.results.begin(), fact.results.end(),
                     [&](const SubproblemResult& result) { return fits(result, cut ? task.depth - 1 : task.depth, problem); });
}

}  // namespace

std::vector<SubproblemResult> recall_results(Ledger* ledger, const Problem& problem, const TaskPath& task, const Candidate* candidate,
                                             Deadline& deadline, const std::function<std::vector<SubproblemResult>()>& solve) {
  if (ledger == nullptr) return solve();
  assert(!task.empty() && (candidate != nullptr) == (task.back().kind == NodeTask::Kind::cut));
  if (const Fact* known = ledger->find(task)) {
    if (!fits(*known, task.back(), problem)) {
      throw Error("checkpoint", "holds a fact that is none of these data", "give another file", ErrorKind::file);
    }
    deadline.poll(known->work);
    return known->results;
  }
  Fact fact;
  if (std::optional<Fact> told = ledger->ask(task, candidate, deadline)) {
    if (!fits(*told, task.back(), problem)) {
      throw Error("cluster", "a worker gave an answer that is none of these data", "install the same treewright on all machines",
                  ErrorKind::file);
    }
    fact = std::move(*told);
    deadline.poll(fact.work);
    ledger->add(task, fact);
    return std::move(fact.results);
  }
  const std::int64_t before = deadline.work();
  const double begin = deadline.elapsed();
  fact.results = solve();
  fact.work = deadline.work() - before;
  fact.seconds = deadline.elapsed() - begin;
  if (!deadline.stopped()) {
    assert(fits(fact, task.back(), problem));
    ledger->add(task, fact);
  }
  return std::move(fact.results);
}

SubproblemResult recall(Ledger* ledger, const Problem& problem, const NodeTask& task, Deadline& deadline,
                        const std::function<SubproblemResult()>& solve) {
  return std::move(recall_results(ledger, problem, {task}, nullptr, deadline, [&] { return std::vector{solve()}; }).front());
}

}  // namespace treewright::search
