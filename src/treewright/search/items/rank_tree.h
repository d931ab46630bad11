#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "treewright/search/items/problem.h"

namespace treewright::search {

/// A tree whose splits are cuts between ranks of an ordering: how the search writes a tree down. Nodes from the root on, left before right.
struct RankTree {
  struct Node {
    std::int32_t ordering = -1;       ///< -1: a leaf
    std::uint32_t low = 0, high = 0;  ///< ranks on either side of the cut
  };
  std::vector<Node> nodes;

  static RankTree leaf() { return {{Node{}}}; }
  static RankTree split(Node root, const RankTree& left, const RankTree& right);

  /// Levels of splits.
  int depth() const;
  /// The subtrees of a root that is a split.
  std::pair<RankTree, RankTree> children() const;

  /// The tree in raw units, with its leaves labeled; splits that gain less than `split_price` are taken back, but for the root's where that
  /// is to be kept.
  Tree to_tree(const Problem& problem, const Dataset& data, double split_price, bool keep_root = false) const;
};

}  // namespace treewright::search
