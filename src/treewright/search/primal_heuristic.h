#pragma once

#include <functional>
#include <span>
#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/base/thread_pool.h"
#include "treewright/search/depth_two.h"

namespace treewright::search {

/// Finds a good tree in a fraction of a second, for the exact search to beat. See primal_heuristic.cpp.
class PrimalHeuristic {
 public:
  PrimalHeuristic(const Problem& problem, const SearchLimits& limits, Deadline& deadline, ThreadPool& pool)
      : problem_(problem), limits_(limits), deadline_(deadline), pool_(pool) {}

  /// A tree of at most that depth.
  SubproblemResult look_ahead(const Subset& all, int depth) const;

  /// The same below a grid of cuts of the given orderings (the most promising first), then of finer grids around the best ones.
  /// `cuts`: of every ordering of `all`. `on_tree` is called with every tree, in an order that does not depend on the threads.
  void try_roots(const Subset& all, const std::vector<Cuts>& cuts, std::span<const std::size_t> orderings, int depth,
                 const std::function<void(const SubproblemResult&)>& on_tree) const;

 private:
  struct Root {
    std::size_t ordering = 0;
    std::uint32_t place = 0;
    double cost = 0;
  };
  SubproblemResult look_ahead(DepthTwo& depth_two, Deadline& deadline, const ItemRange& range, int depth) const;
  SubproblemResult with_root(DepthTwo& depth_two, Deadline& deadline, const Subset& all, Root root, int depth) const;
  std::vector<Root> best_roots(const Subset& all, const RankTree& tree) const;
  SubproblemResult improve_root(DepthTwo& depth_two, Deadline& deadline, const Subset& all, SubproblemResult result, int depth) const;

  const Problem& problem_;
  const SearchLimits& limits_;
  Deadline& deadline_;
  ThreadPool& pool_;
};

}  // namespace treewright::search
