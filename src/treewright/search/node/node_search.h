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
  void open(OrderingSearch& search, const Cuts& cuts, const Subset& subset, const SubproblemResult& shallow, int depth, double best) const;
  /// The middle cuts of all open ranges, in order.
  std::vector<Candidate> candidates(const OrderingSearch& search, const Cuts& cuts, double best) const;

  struct Solved {
    std::int64_t cut = 0;
    SubproblemResult left, right;
    double cost(double price) const { return left.found() && right.found() ? price + left.cost + right.cost : kInfinity; }
  };
  /// Solves both children of the candidate within the budgets that `best` leaves them, unless the worker's ledger knows them. Only the cuts
  /// of the root and of nodes of at least kKeptDepth are kept in it.
  Solved recall_cut(Worker& worker, const Subset& subset, const Cuts& cuts, const OrderingSearch& search, const Candidate& candidate,
                    int depth, double best) const;
  /// The results of the left and the right child. Trees are written down only if they cost less than `best` together.
  std::vector<SubproblemResult> solve_children(Worker& worker, const Subset& subset, const Cuts& cuts, const OrderingSearch& search,
                                               const Candidate& candidate, int depth, double best) const;
  /// Whether the worker's ledger wants to know of a node's cuts before they are asked for.
  bool begins_early(const Worker& worker, int depth) const { return keeps(worker, depth) && worker.ledger->begins_early(); }
  /// Tells it of the candidates of a search, all under the same budget.
  void expect(const Worker& worker, const OrderingSearch& search, std::span<const Candidate> candidates, int depth, double best) const;
  /// The tree of a solved cut.
  RankTree tree_of(Worker& worker, const Subset& subset, const Cuts& cuts, const OrderingSearch& search, Solved& solved) const;
  /// Enters what a solved cut showed into its search.
  void add(OrderingSearch& search, const Cuts& cuts, const Subset& subset, Solved& solved, int depth, double best) const;

  /// Errors that every tree with a split makes.
  Bound unavoidable_errors(const Subset& subset, double leaf, int depth, std::int64_t splits) const;

 private:
  // Below, no cut takes more than seconds.
  static constexpr int kKeptDepth = 4;

  // The same as `solve`, unchecked.
  SubproblemResult solve_node(Worker& worker, const ItemRange& range, int depth, std::int64_t splits, double upper,
                              std::span<const double> known) const;
  // Whether the cuts of a node are kept in the worker's ledger.
  bool keeps(const Worker& worker, int depth) const { return worker.ledger != nullptr && (depth >= kKeptDepth || worker.path.empty()); }
  // The task of a cut of the node at hand.
  TaskPath task_of(const Worker& worker, const OrderingSearch& search, const Candidate& candidate, int depth, double best) const;
  // The same as recall_cut without the ledger.
  Solved solve_cut(Worker& worker, const Subset& subset, const Cuts& cuts, const OrderingSearch& search, const Candidate& candidate,
                   int depth, double best) const;
  // Depth one or two: the same as DepthTwo::solve, or what the worker's `solved_sets` know.
  SubproblemResult solve_depth_two(Worker& worker, const ItemRange& range, int depth, std::int64_t splits, double upper,
                                   std::span<const double> known) const;
  // The same as `solve` on the items of a node of one level more.
  SubproblemResult solve_shallower(Worker& worker, const Subset& subset, int depth, std::int64_t splits, double upper,
                                   std::span<const double> known) const;
  // Turns the roots of both children's results into trees, if the cut costs less than `best`. Else its trees are not needed and are
  // dropped.
  void finish(Worker& worker, const Subset& subset, const Cuts& cuts, const OrderingSearch& search, Solved& solved, double best) const;
  SubproblemResult solve_deep(Worker& worker, const Subset& subset, int depth, std::int64_t splits, double upper,
                              std::span<const double> known) const;
  // Solves the cuts that may belong to a tree of less than `best`, and enters the best tree and the bounds into the result.
  void search_orderings(Worker& worker, const Subset& subset, std::vector<OrderingSearch>& searches, int depth,
                        const SubproblemResult& shallow, std::span<const double> known, double& best, SubproblemResult& result) const;
  std::size_t search_side_by_side(Worker& worker, const Subset& subset, std::span<OrderingSearch> searches, int depth,
                                  const SubproblemResult& shallow, std::span<const double> known, double& best,
                                  SubproblemResult& result) const;
  bool search_ordering(Worker& worker, const Subset& subset, OrderingSearch& search, int depth, const SubproblemResult& shallow,
                       std::span<const double> known, double best, SubproblemResult& result) const;
  std::vector<Solved> solve_cuts(Worker& worker, const Subset& subset, const Cuts& cuts, const OrderingSearch& search,
                                 std::span<const Candidate> next, int depth, double best) const;
  bool pays_side_by_side(const Worker& worker, const Subset& subset, int depth, double large) const;
  // Tells the ledger of the first cuts of these searches, which are the longest.
  void expect_first_cuts(const Worker& worker, const Subset& subset, std::span<OrderingSearch> searches, int depth,
                         const SubproblemResult& shallow, std::span<const double> known, double best) const;
  bool lacks_leaves(const Subset& subset, std::int64_t splits) const;
  double least_floor(const Subset& subset, int depth, std::int64_t splits, double enough) const;
  void bound_gap(OrderingSearch& search, std::size_t i, const Cuts& cuts, const Subset& subset, double best) const;
  double least_relaxed(const OrderingSearch& search, const Cuts& cuts) const;
  Candidate middle(const OrderingSearch& search, std::size_t i, const Cuts& cuts) const;
  bool uses_root_bounds() const { return limits_.rules.known_bounds && limits_.min_rows <= 1; }

  const Problem& problem_;
  const SearchLimits& limits_;
};

}  // namespace treewright::search
