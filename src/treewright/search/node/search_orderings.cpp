// The orderings of a node and the cuts of an ordering, one after the other or side by side.
//
// A node searches one ordering after the other, and in an ordering the middle cuts of all open ranges, until none is open. Each tree that
// it finds lowers the budget of what follows. Nearly always the first ordering has the best tree, or none has one within the budget. So
// where threads are idle, the orderings that are left are searched side by side under the budget of now, and so are the cuts of an
// ordering. Their results are used in order, up to the first that has a better tree; those behind it are searched again under the new
// budget. So the tree, the bounds and the work that is counted are those of one after the other, for any number of threads.
//
// Where it pays. The cuts of the root are solved in rounds, side by side (root/rounds.cpp), and a round ends with its longest cut. Without
// threads below the root the others wait for that one: with many threads that is most of the time. Small nodes take less time than handing
// them on. Nodes whose cuts are kept by a ledger are searched in order, because the ledger expects their tasks in order.

#include <algorithm>
#include <utility>
#include <vector>

#include "treewright/base/ordered_tasks.h"
#include "treewright/search/node/node_search.h"

namespace treewright::search {

namespace {

// Items times squared orderings: what a subproblem of depth two takes in nanoseconds, about. Bit sets take less. The orderings of a node of
// depth three are worth handing on from some milliseconds on, its cuts where one subproblem takes some dozens of microseconds.
constexpr double kLargeNode = 10'000, kLargeCut = 30'000, kBitSetsShare = 0.01;

}  // namespace

void NodeSearch::expect_first_cuts(const NodeFrame& node, std::span<OrderingSearch> searches, const SubproblemResult& shallow,
                                   double best) const {
  Cuts cuts;
  const NodeFrame ahead = node.with(cuts);
  for (OrderingSearch& search : searches) {
    if (node.excludes(search.ordering, best)) continue;
    cuts.assign(node.subset, search.ordering);
    open(ahead, search, shallow, best);
    expect(ahead, search, candidates(ahead, search, best), best);
  }
}

// Solves cuts of one ordering until none is left that may win. Enters its best tree of less than `best` and the bounds on all its trees
// into the result. Returns whether there is such a tree.
bool NodeSearch::search_ordering(const NodeFrame& node, OrderingSearch& search, const SubproblemResult& shallow, double best,
                                 SubproblemResult& result) const {
  double& lower = result.lower_by_ordering[search.ordering];
  if (node.excludes(search.ordering, best)) {
    lower = std::min(lower, node.known[search.ordering]);
    return false;
  }
  node.worker->level(node.depth).cuts.assign(node.subset, search.ordering);
  open(node, search, shallow, best);
  bool found = false;
  while (!node.worker->deadline->stopped()) {
    const std::vector<Candidate> next = candidates(node, search, best);
    if (next.empty()) break;
    if (begins_early(node)) expect(node, search, next, best);
    for (Solved& solved : solve_cuts(node, search, next, best)) {
      if (solved.cost(limits_.split_price) < best) {
        found = true;
        best = result.cost = solved.cost(limits_.split_price);
        result.tree = tree_of(node, search, solved);
      }
      add(node, search, solved, best);
    }
  }
  lower = std::min(lower, search.lower(limits_.split_price));
  if (limits_.min_rows > 1) result.lower.relaxed = std::min(result.lower.relaxed, least_relaxed(node, search));
  return found;
}

// Whether the parts of a node of depth three, and so of a deeper one, are `large` enough for threads of their own.
bool NodeSearch::pays_side_by_side(const NodeFrame& node, double large) const {
  const Crew* crew = node.worker->crew;
  if (crew == nullptr || crew->pool.threads() == 1 || keeps(node)) return false;
  const auto orderings = static_cast<double>(problem_.orderings.size());
  return node.subset.size * orderings * orderings * (node.subset.is_packed() ? kBitSetsShare : 1) >= large;
}

// The cuts up to the first that has a better tree, or up to a limit.
std::vector<NodeSearch::Solved> NodeSearch::solve_cuts(const NodeFrame& node, const OrderingSearch& search, std::span<const Candidate> next,
                                                       double best) const {
  Deadline& deadline = *node.worker->deadline;
  std::vector<Solved> solved(next.size());
  std::size_t over = 0;
  if (next.size() == 1 || !pays_side_by_side(node, kLargeCut)) {
    for (bool better = false; !better && over < next.size() && (over == 0 || !deadline.stopped()); ++over) {
      solved[over] = recall_cut(node, search, next[over], best);
      better = solved[over].cost(limits_.split_price) < best;
    }
  } else {
    Crew& crew = *node.worker->crew;
    over = run_ordered(crew.pool, deadline, next.size(), [&](std::size_t i, Deadline& until) {
      std::unique_ptr<Worker> own = crew.borrow(*node.worker, node.depth, until);
      solved[i] = recall_cut(node.by(*own), search, next[i], best);
      crew.give_back(std::move(own));
      return solved[i].cost(limits_.split_price) < best;
    });
  }
  solved.resize(over);
  return solved;
}

// Returns how many of the searches are over: those up to the first that found a better tree, or up to a limit.
std::size_t NodeSearch::search_side_by_side(const NodeFrame& node, std::span<OrderingSearch> searches, const SubproblemResult& shallow,
                                            double& best, SubproblemResult& result) const {
  Crew& crew = *node.worker->crew;
  std::vector<SubproblemResult> results(searches.size());
  const std::size_t over = run_ordered(crew.pool, *node.worker->deadline, searches.size(), [&](std::size_t i, Deadline& until) {
    results[i].lower_by_ordering.assign(problem_.orderings.size(), kInfinity);
    results[i].lower = Bound::of_nothing();
    std::unique_ptr<Worker> own = crew.borrow(*node.worker, node.depth, until);
    const bool found = search_ordering(node.by(*own).with(own->level(node.depth).cuts), searches[i], shallow, best, results[i]);
    crew.give_back(std::move(own));
    return found;
  });
  for (std::size_t i = 0; i < over; ++i) {
    double& lower = result.lower_by_ordering[searches[i].ordering];
    lower = std::min(lower, results[i].lower_by_ordering[searches[i].ordering]);
    result.lower.relaxed = std::min(result.lower.relaxed, results[i].lower.relaxed);
    if (!results[i].found()) continue;
    best = result.cost = results[i].cost;
    result.tree = std::move(results[i].tree);
  }
  for (OrderingSearch& search : searches.subspan(over)) {
    search.solved.clear();
    search.floors.clear();
  }
  return over;
}

void NodeSearch::search_orderings(const NodeFrame& node, std::vector<OrderingSearch>& searches, const SubproblemResult& shallow,
                                  double& best, SubproblemResult& result) const {
  const bool side_by_side = pays_side_by_side(node, kLargeNode);
  double expected_below = kInfinity;
  for (std::size_t i = 0; i < searches.size();) {
    const std::span<OrderingSearch> left = std::span(searches).subspan(i);
    if (side_by_side && !node.worker->deadline->stopped()) {
      i += search_side_by_side(node, left, shallow, best, result);
      continue;
    }
    if (begins_early(node) && best < expected_below) {
      expect_first_cuts(node, left, shallow, best);
      expected_below = best;
    }
    if (search_ordering(node, left.front(), shallow, best, result)) best = result.cost;
    ++i;
  }
}

}  // namespace treewright::search
