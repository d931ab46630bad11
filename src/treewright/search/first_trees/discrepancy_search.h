#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/base/thread_pool.h"
#include "treewright/search/bounds/ledger.h"
#include "treewright/search/depth_two/depth_two.h"
#include "treewright/search/items/problem.h"
#include "treewright/search/items/set_table.h"
#include "treewright/search/items/subset.h"

namespace treewright::search {

/// What the trees of at most two levels show of a set of items.
struct RootList {
  double leaf = 0;                  ///< cost of a single leaf
  double best = 0;                  ///< of the best tree
  std::vector<std::uint32_t> cuts;  ///< of all items, by the cost of the best tree with that root, cheapest first
};
using RootLists = SetTable<std::shared_ptr<const RootList>>;

/// Looks for good trees of packed items, at first among very few, then among more and more. See discrepancy_search.cpp.
class DiscrepancySearch {
 public:
  /// Trees of at most `depth` levels, two or more. `all`: packed. `known`: of these items; searches to different depths may share it.
  /// `ledger`: may be null. The references must stay valid.
  DiscrepancySearch(const Problem& problem, const SearchLimits& limits, const Subset& all, int depth, Deadline& deadline, ThreadPool& pool,
                    RootLists& known, Ledger* ledger);

  /// Discrepancies of the trees that come next.
  std::int64_t discrepancies() const { return discrepancies_; }
  /// Whether all trees were tried.
  bool ended() const { return discrepancies_ > most_; }
  /// Looks below the next roots side by side for trees that cost less than `upper`. Calls `on_tree` with those that it finds, in an order
  /// that does not depend on the threads.
  void run_some(double upper, const std::function<void(const SubproblemResult&)>& on_tree);

 private:
  // A node of the tree at hand. Its items are packed only when they are asked for.
  struct Node {
    ItemSet set;
    Subset subset;
    bool is_packed = false;
    std::size_t cut = 0;              // of all items: what divides the parent
    bool right = false;               // which side of it this node is
    std::vector<std::uint32_t> tree;  // the best one found: cuts, root first, left before right; kShallow is a tree of at most two levels
  };
  struct Worker {
    DepthTwo depth_two;
    std::vector<Node> nodes;  // on the way from the root to the node at hand, by levels below them
    Deadline& deadline;
    std::vector<double> costs;
  };

  SubproblemResult below_root(Deadline& deadline, std::size_t root, double upper) const;
  double best_tree(Worker& worker, int depth, std::int64_t discrepancies, double upper) const;
  double try_cut(Worker& worker, int depth, std::size_t cut, std::int64_t discrepancies, double upper) const;
  std::shared_ptr<const RootList> roots_of(Worker& worker, int depth) const;
  void enter(Worker& worker, int depth, std::size_t cut, bool right) const;
  const Subset& subset_of(Worker& worker, int depth) const;
  std::size_t cut_of(const BitColumns& part, std::size_t cut) const;
  RankTree write_down(Worker& worker, int depth, const std::uint32_t*& next) const;

  const Problem& problem_;
  const SearchLimits& limits_;
  const Subset& all_;
  const int depth_;
  Deadline& deadline_;
  ThreadPool& pool_;
  Ledger* ledger_;
  std::vector<std::size_t> ordering_;  // of each cut
  RootLists& known_;
  std::int64_t discrepancies_ = 0, most_ = 0;
  std::size_t next_root_ = 0;
};

}  // namespace treewright::search
