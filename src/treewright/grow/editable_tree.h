#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "treewright/tree/routing.h"

namespace treewright::grow {

using RowList = std::vector<std::uint32_t>;

/// A tree under revision: a node and everything below it, so that subtrees can be moved, replaced and copied. A leaf has no split; labels
/// are not kept, since a leaf always predicts the majority of the rows that reach it.
struct EditableTree {
  std::optional<Split> split;
  std::unique_ptr<EditableTree> left, right;

  bool is_leaf() const { return !split.has_value(); }
  int depth() const { return is_leaf() ? 0 : 1 + std::max(left->depth(), right->depth()); }
  EditableTree copy() const;
  /// Two new leaves below a new split.
  static EditableTree fork(Split split);

  static EditableTree of(const Tree& tree, NodeId id = Tree::root());
  /// As a tree of `data`, tallied.
  Tree to_tree(const Dataset& data) const;
};

/// Features of the split: the terms of a hyperplane, 1 of any other.
double terms_of(const Split& split);

/// The rows that go left and right, in their order.
std::pair<RowList, RowList> divide(const Split& split, const Dataset& data, std::span<const std::uint32_t> rows);

/// How many rows of a leaf these count for (Dataset::counts).
std::int64_t counted_rows(const Dataset& data, std::span<const std::uint32_t> rows);

/// Takes back splits with fewer than `min_rows` rows of positive weight on a side, from the root down.
void drop_small(EditableTree& draft, const Dataset& data, std::span<const std::uint32_t> rows, std::int64_t min_rows);

/// All rows of positive weight: the others take no part in training.
RowList weighty_rows(const Dataset& data);

}  // namespace treewright::grow
