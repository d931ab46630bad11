#pragma once

#include <memory>
#include <span>
#include <vector>

#include "treewright/base/infinity.h"
#include "treewright/search/bounds/intervals.h"
#include "treewright/search/node/ordering_search.h"
#include "treewright/search/node/worker.h"

namespace treewright::search {

/// The solved cuts of the searches of a node of that depth. Null where a limit on splits gives an ordering several searches.
std::shared_ptr<const Evidence> evidence_of(std::span<const OrderingSearch> searches, int depth, std::size_t orderings);

/// A cut to solve, between two solved ones.
struct Candidate {
  const SolvedCut* before = nullptr;
  const SolvedCut* after = nullptr;
  std::int64_t cut = 0;
  double lower = 0, open_reach = 0;
  ClassFloor floor = {};  ///< of the cut, by classes
};

/// A node while the cuts of one of its orderings are gone through.
struct NodeFrame {
  const Subset& subset;
  const Cuts& cuts;
  int depth;                           ///< of the trees on `subset`
  Worker* worker = nullptr;            ///< may be null where nothing is solved
  std::span<const double> known = {};  ///< for each ordering a bound from elsewhere on the trees whose root splits by it; may be empty

  NodeFrame by(Worker& other) const { return {subset, cuts, depth, &other, known}; }
  NodeFrame with(const Cuts& others) const { return {subset, others, depth, worker, known}; }
  double reach_left(std::int64_t cut) const { return cuts.reach_left(static_cast<std::size_t>(cut)); }
  /// Whether no better tree than `best` begins with this ordering, as is known from elsewhere.
  bool excludes(std::size_t ordering, double best) const { return !known.empty() && known[ordering] >= best; }
};

/// Solves subproblems of any depth by the interval bounds of each ordering. See node_search.cpp.
class NodeSearch {
 public:
  NodeSearch(const Problem& problem, const SearchLimits& limits) : problem_(problem), limits_(limits) {}

  /// The best tree on `range` that costs less than `upper`, if there is one. `known`: for each ordering a bound from elsewhere on the trees
  /// whose root splits by it; may be empty.
  SubproblemResult solve(Worker& worker, const ItemRange& range, int depth, std::int64_t splits, double upper,
                         std::span<const double> known) const;

  /// One search for each ordering and each way to share the splits between the children, the most promising first.
  std::vector<OrderingSearch> ordering_searches(const SubproblemResult& shallow, int depth, std::int64_t splits) const;
  /// Opens the search, or updates it for a lower `best`. `shallow` is the node solved one level shallower.
  void open(const NodeFrame& node, OrderingSearch& search, const SubproblemResult& shallow, double best) const;
  /// The middle cuts of all open ranges, in order.
  std::vector<Candidate> candidates(const NodeFrame& node, const OrderingSearch& search, double best) const;

  struct Solved {
    std::int64_t cut = 0;
    SubproblemResult left, right;
    double cost(double price) const { return left.found() && right.found() ? price + left.cost + right.cost : kInfinity; }
  };
  /// Solves both children of the candidate within the budgets that `best` leaves them, unless the worker's ledger knows them. Only the cuts
  /// of the root and of nodes of at least kKeptDepth are kept in it.
  Solved recall_cut(const NodeFrame& node, const OrderingSearch& search, const Candidate& candidate, double best) const;
  /// The results of the left and the right child. Trees are written down only if they cost less than `best` together.
  std::vector<SubproblemResult> solve_children(const NodeFrame& node, const OrderingSearch& search, const Candidate& candidate,
                                               double best) const;
  /// Whether the worker's ledger wants to know of the node's cuts before they are asked for.
  bool begins_early(const NodeFrame& node) const { return keeps(node) && node.worker->ledger->begins_early(); }
  /// Tells it of the candidates of a search, all under the same budget.
  void expect(const NodeFrame& node, const OrderingSearch& search, std::span<const Candidate> candidates, double best) const;
  /// The tree of a solved cut.
  RankTree tree_of(const NodeFrame& node, const OrderingSearch& search, Solved& solved) const;
  /// Enters what a solved cut showed into its search.
  void add(const NodeFrame& node, OrderingSearch& search, Solved& solved, double best) const;

  /// Errors that every tree with a split makes.
  Bound unavoidable_errors(const Subset& subset, double leaf, int depth, std::int64_t splits) const;

 private:
  // Below, no cut takes more than seconds.
  static constexpr int kKeptDepth = 4;

  // The same as `solve`, unchecked.
  SubproblemResult solve_node(Worker& worker, const ItemRange& range, int depth, std::int64_t splits, double upper,
                              std::span<const double> known) const;
  // Whether the cuts of a node are kept in the worker's ledger.
  bool keeps(const NodeFrame& node) const {
    return node.worker->ledger != nullptr && (node.depth >= kKeptDepth || node.worker->path.empty());
  }
  // The task of a cut of the node.
  TaskPath task_of(const NodeFrame& node, const OrderingSearch& search, const Candidate& candidate, double best) const;
  // The same as recall_cut without the ledger.
  Solved solve_cut(const NodeFrame& node, const OrderingSearch& search, const Candidate& candidate, double best) const;
  // Depth one or two: the same as DepthTwo::solve, or what the worker's `solved_sets` know.
  SubproblemResult solve_depth_two(Worker& worker, const ItemRange& range, int depth, std::int64_t splits, double upper,
                                   std::span<const double> known) const;
  // The same as `solve` on the items of a node of one level more.
  SubproblemResult solve_shallower(Worker& worker, const Subset& subset, int depth, std::int64_t splits, double upper,
                                   std::span<const double> known) const;
  // Turns the roots of both children's results into trees, if the cut costs less than `best`. Else its trees are not needed and are
  // dropped.
  void finish(const NodeFrame& node, const OrderingSearch& search, Solved& solved, double best) const;
  SubproblemResult solve_deep(Worker& worker, const Subset& subset, int depth, std::int64_t splits, double upper,
                              std::span<const double> known) const;
  // Solves the cuts that may belong to a tree of less than `best`, and enters the best tree and the bounds into the result.
  void search_orderings(const NodeFrame& node, std::vector<OrderingSearch>& searches, const SubproblemResult& shallow, double& best,
                        SubproblemResult& result) const;
  std::size_t search_side_by_side(const NodeFrame& node, std::span<OrderingSearch> searches, const SubproblemResult& shallow, double& best,
                                  SubproblemResult& result) const;
  bool search_ordering(const NodeFrame& node, OrderingSearch& search, const SubproblemResult& shallow, double best,
                       SubproblemResult& result) const;
  std::vector<Solved> solve_cuts(const NodeFrame& node, const OrderingSearch& search, std::span<const Candidate> next, double best) const;
  bool pays_side_by_side(const NodeFrame& node, double large) const;
  // Tells the ledger of the first cuts of these searches, which are the longest.
  void expect_first_cuts(const NodeFrame& node, std::span<OrderingSearch> searches, const SubproblemResult& shallow, double best) const;
  bool lacks_leaves(const Subset& subset, std::int64_t splits) const;
  double least_floor(const Subset& subset, int depth, std::int64_t splits, double enough) const;
  void bound_gap(const NodeFrame& node, OrderingSearch& search, std::size_t i, double best) const;
  double least_relaxed(const NodeFrame& node, const OrderingSearch& search) const;
  Candidate middle(const NodeFrame& node, const OrderingSearch& search, std::size_t i) const;
  bool uses_root_bounds() const { return limits_.rules.known_bounds && limits_.min_rows <= 1; }

  const Problem& problem_;
  const SearchLimits& limits_;
};

}  // namespace treewright::search
