#pragma once

#include <cassert>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "treewright/base/thread_pool.h"
#include "treewright/search/bounds/ledger.h"
#include "treewright/search/bounds/subproblem.h"
#include "treewright/search/depth_two/solved_sets.h"
#include "treewright/search/items/subset.h"
#include "treewright/search/node/node_search.h"

namespace treewright::search {

/// Hears of each better tree and each better bound: their costs, and a letter for who found the tree.
using Report = std::function<void(double best, double lower, char source)>;

/// The search of all rows to one depth.
struct Level {
  int depth = 0;
  std::int64_t splits = 0;
  double best = std::numeric_limits<double>::infinity();  ///< what a tree of this depth has to beat
  double trivial_bound = 0;                               ///< bound on every tree of this depth that is known at once
  SubproblemResult result;                                ///< the best tree found, and the bound
  bool opened = false;                                    ///< whether the searches are there; without orderings there are none
  std::vector<OrderingSearch> searches;
  double leaf = std::numeric_limits<double>::infinity();  ///< cost of a single leaf, where that is a tree of the level
  std::optional<FeatureId> first = {};                    ///< the column that every tree of the level asks first; empty = any

  bool may_ask_first(FeatureId column) const { return !first || *first == column; }
};

/// Work that proofs are expected to take; 0 before it is known.
struct ExpectedWork {
  double depth_three = 0, depth_four = 0, last_level = 0;
};

/// What the parts of the search at the root share: all items, the levels and what is known of them, threads and their memory.
class Root {
 public:
  /// `items`: those of the problem, ranked.
  Root(const Problem& of, Subset items, const SearchLimits& within, Deadline& until, int on_threads, Ledger* kept_in);

  const Problem& problem;
  const SearchLimits& limits;
  Deadline& deadline;
  Ledger* const ledger;  ///< may be null
  const NodeSearch nodes;
  const int threads;
  ThreadPool pool;
  const Subset ranked;
  const std::optional<Subset> packed;  ///< where the search runs on bit sets
  const Subset& all = packed ? *packed : ranked;
  std::vector<Cuts> cuts;     ///< of each ordering
  std::vector<Level> levels;  ///< from depth three on
  ExpectedWork expected;
  double floor = 0;  ///< no tree of any level costs less, as is known from elsewhere
  /// What all trees of 1, 2, ... leaves lose at least, where that is known at once; see find_least_losses.
  std::vector<double> least_losses;
  Crew crew;  ///< the threads and their memory

  Level& top() { return levels.back(); }
  const Level& top() const { return levels.back(); }
  /// A level with what is known of it at once. `first`: of the trees whose root asks this column. A single leaf is none of them.
  Level level(int depth, std::int64_t splits, double upper, std::optional<FeatureId> first = {}) const;
  /// All items, and the cuts of the ordering of a search of the level.
  NodeFrame node(const Level& level, const OrderingSearch& search) const {
    assert(search.ordering < cuts.size());
    return {all, cuts[search.ordering], level.depth};
  }
  /// Before levels are made: of trees up to that depth and number of splits.
  void find_least_losses(int depth, std::int64_t splits);
  /// Bound on all trees of the level.
  double bound(const Level& level) const;
  /// What these trees cost at least: see "depth by price" in node_search.cpp.
  TreeBound deepest(const TreeRange& trees) const;
  /// Takes the tree if it is better than those of the level before.
  void consider(Level& level, const SubproblemResult& found, char source, const Report& report) const;

  /// A worker to solve all items to that depth.
  std::unique_ptr<Worker> borrow(Deadline& until, int depth);
  void give_back(std::unique_ptr<Worker> worker) { crew.give_back(std::move(worker)); }

 private:
  // What all trees with a split lose.
  double unavoidable(int depth, std::int64_t most_splits) const;

  std::optional<SolvedSets> solved_sets_;
};

}  // namespace treewright::search
