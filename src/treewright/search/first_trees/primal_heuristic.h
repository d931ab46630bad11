#pragma once

#include <functional>
#include <span>
#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/search/bounds/ledger.h"
#include "treewright/search/node/node_search.h"

namespace treewright::search {

/// Finds a good tree in a fraction of a second, for the exact search to beat. See primal_heuristic.cpp.
class PrimalHeuristic {
 public:
  /// `ledger`: may be null.
  PrimalHeuristic(const Problem& problem, const SearchLimits& limits, Deadline& deadline, Crew& crew, Ledger* ledger)
      : problem_(problem), limits_(limits), deadline_(deadline), crew_(crew), ledger_(ledger), nodes_(problem, limits) {}

  /// A tree of at most that depth.
  SubproblemResult look_ahead(const Subset& all, int depth) const;
  /// A tree of the same shape but for its lowest levels, with better cuts. `exact`: how many levels are solved to the optimum, two or more.
  /// `tree`: one of these items, within the limits.
  SubproblemResult polish(const Subset& all, const RankTree& tree, int exact) const;
  /// A task of kind look_ahead or trial. `cuts`: of the trial's ordering.
  SubproblemResult solve(const NodeTask& task, const Subset& all, const Cuts* cuts, Deadline& deadline) const;

 private:
  friend class RootTrials;
  struct Root {
    std::size_t ordering = 0;
    std::uint32_t place = 0;
    double cost = 0;
  };
  // `exact`: how many of the lowest levels are solved to the optimum.
  SubproblemResult look_ahead(Worker& worker, const ItemRange& range, int depth, int exact) const;
  SubproblemResult with_root(Worker& worker, const Subset& all, Root root, int depth, int exact) const;
  SubproblemResult polish(Worker& worker, const ItemRange& range, const RankTree& tree, int exact) const;
  SubproblemResult below_root(const Subset& all, Root root, const SubproblemResult& left, const SubproblemResult& right) const;
  std::vector<Root> best_roots(const Subset& all, const RankTree& tree) const;
  SubproblemResult improve_root(Worker& worker, const Subset& all, SubproblemResult result, int depth, int exact) const;

  const Problem& problem_;
  const SearchLimits& limits_;
  Deadline& deadline_;
  Crew& crew_;
  Ledger* ledger_;
  NodeSearch nodes_;
};

/// Looks for better trees below other roots: first a grid of cuts of every promising ordering, then finer grids around the best cuts. The
/// best ones are tried with three exact levels as well. The trials can be run in parts.
class RootTrials {
 public:
  /// `cuts`: of every ordering of `all`. `orderings`: the most promising first. The references must stay valid.
  RootTrials(const PrimalHeuristic& heuristic, const Subset& all, const std::vector<Cuts>& cuts, std::span<const std::size_t> orderings,
             int depth);

  /// Whether all grids were tried.
  bool ended() const { return next_ == grid_.size(); }
  /// Runs the next trials of the grids side by side and calls `on_tree` with every tree, in an order that does not depend on the threads.
  void run_some(const std::function<void(const SubproblemResult&)>& on_tree);
  /// Whether there is no trial with three exact levels at hand.
  bool exact_ended() const { return next_exact_ == exact_.size(); }
  /// The same with three exact levels: each takes much longer. The first is a look-ahead.
  void run_exact(const std::function<void(const SubproblemResult&)>& on_tree);

 private:
  struct Trial {
    std::size_t ordering;
    std::int64_t cut, step;  // and how far its neighbors on the grid are
    double cost = std::numeric_limits<double>::infinity();
  };
  void add(std::size_t ordering, std::int64_t first, std::int64_t last);
  void run(std::span<Trial> trials, int exact, const std::function<void(const SubproblemResult&)>& on_tree);
  void refine();

  const PrimalHeuristic& heuristic_;
  const Subset& all_;
  const std::vector<Cuts>& cuts_;
  int depth_;
  std::vector<Trial> grid_, done_, exact_;  // the grid at hand, those before, and trials with three exact levels
  std::size_t next_ = 0, next_exact_ = 0;   // of the grid, and of the exact ones
};

}  // namespace treewright::search
