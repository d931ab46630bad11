#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "treewright/formulate/cells.h"
#include "treewright/tree.h"

namespace treewright::formulate {

/// The complete binary tree of the papers: inner nodes 1..2^D-1, leaves 2^D..2^(D+1)-1, children of t are 2t and 2t+1.
struct CompleteTree {
  int depth = 0;

  int inner_end() const { return 1 << depth; }  ///< inner nodes are 1 <= t < inner_end()
  int leaf_end() const { return 2 << depth; }   ///< leaves are inner_end() <= t < leaf_end()
  /// First and one past the last leaf below node t (or t itself).
  int first_leaf(int t) const {
    while (t < inner_end()) t = 2 * t;
    return t;
  }
  int last_leaf(int t) const {
    while (t < inner_end()) t = 2 * t + 1;
    return t + 1;
  }
};

/// The label of each node below which all leaves have the same, or else -1: such a node is one leaf. Tree::simplify overlooks it where real
/// weights are added up in another order.
std::vector<int> only_labels(const Tree& tree);

/// A tree laid on the complete tree. A node that does not split sends everything right, as in BD17 with V23's correction.
struct Placement {
  struct Cut {
    int ordering = -1;                ///< -1: the node does not split
    std::uint32_t low = 0, high = 0;  ///< the last rank that goes left and the first that goes right, among the cells that are here
  };
  std::vector<Cut> cut;    ///< of each inner node; entry 0 is unused
  std::vector<int> leaf;   ///< of each cell: a number of the complete tree
  std::vector<int> label;  ///< of each leaf of the complete tree by its number; -1 where no cell arrives

  /// Whether each inner node splits; entry 0 is unused.
  std::vector<bool> splits() const;

  /// Empty where the tree is deeper than `shape` or has other than axis and category splits over these orderings. Splits that pay nothing
  /// or have an empty side are taken back first.
  static std::optional<Placement> of(const Tree& tree, const Cells& cells, CompleteTree shape);

  /// In raw units and tallied. Needs `leaf` and the orderings; lows and highs are found again from where the cells are. Nodes
  /// with an empty side vanish; so do splits that do not pay `split_price` (negative: none). Cells that lie on the wrong side of any cut of
  /// their node (a solver's tolerance) end up where the tree sends them.
  Tree to_tree(const Cells& cells, CompleteTree shape, double split_price) const;
};

}  // namespace treewright::formulate
