#include "treewright/grow/editable_tree.h"

namespace treewright::grow {

EditableTree EditableTree::copy() const {
  EditableTree twin;
  twin.split = split;
  if (!is_leaf()) {
    twin.left = std::make_unique<EditableTree>(left->copy());
    twin.right = std::make_unique<EditableTree>(right->copy());
  }
  return twin;
}

EditableTree EditableTree::fork(Split split) {
  EditableTree draft;
  draft.split = std::move(split);
  draft.left = std::make_unique<EditableTree>();
  draft.right = std::make_unique<EditableTree>();
  return draft;
}

EditableTree EditableTree::of(const Tree& tree, NodeId id) {
  EditableTree draft;
  const Node& node = tree.node(id);
  if (node.is_leaf()) return draft;
  draft.split = node.split;
  draft.left = std::make_unique<EditableTree>(of(tree, node.left));
  draft.right = std::make_unique<EditableTree>(of(tree, node.right));
  return draft;
}

Tree EditableTree::to_tree(const Dataset& data) const {
  Tree tree(data);
  const auto build = [&](auto&& self, const EditableTree& draft, NodeId id) -> void {
    if (draft.is_leaf()) return;
    const auto [l, r] = tree.split(id, *draft.split);
    self(self, *draft.left, l);
    self(self, *draft.right, r);
  };
  build(build, *this, Tree::root());
  tree.tally(data);
  return tree;
}

double terms_of(const Split& split) {
  return split.plane() != nullptr ? static_cast<double>(split.plane()->terms.size()) : 1.0;
}

std::pair<RowList, RowList> divide(const Split& split, const Dataset& data, std::span<const std::uint32_t> rows) {
  std::pair<RowList, RowList> parts;
  const std::vector<std::uint8_t> left = sides(split, data, rows);
  for (std::size_t i = 0; i < rows.size(); ++i) (left[i] ? parts.first : parts.second).push_back(rows[i]);
  return parts;
}

std::int64_t counted_rows(const Dataset& data, std::span<const std::uint32_t> rows) {
  if (data.counts.empty()) return static_cast<std::int64_t>(rows.size());
  std::int64_t counted = 0;
  for (const std::uint32_t row : rows) counted += data.counts[row];
  return counted;
}

void drop_small(EditableTree& draft, const Dataset& data, std::span<const std::uint32_t> rows, std::int64_t min_rows) {
  if (draft.is_leaf()) return;
  const auto [left, right] = divide(*draft.split, data, rows);
  if (std::min(counted_rows(data, left), counted_rows(data, right)) < min_rows) {
    draft = EditableTree();
    return;
  }
  drop_small(*draft.left, data, left, min_rows);
  drop_small(*draft.right, data, right, min_rows);
}

RowList weighty_rows(const Dataset& data) {
  RowList rows;
  for (std::uint32_t row = 0; row < data.rows(); ++row) {
    if (data.weight(row) > 0) rows.push_back(row);
  }
  return rows;
}

}  // namespace treewright::grow
