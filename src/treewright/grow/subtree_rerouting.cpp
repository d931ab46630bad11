// Subtree rerouting: the errors of a subtree when rows change sides at its root. Every change of the hyperplane methods is evaluated by it.
//
// Idea. The split of a node t changes, both subtrees stay. A row that goes left reaches one leaf, a row that goes right another; both
// leaves are found once, O(rows * depth). A split of t is then a choice between two leaves for each row. The errors follow from the class
// weights of the leaves, which predict their new majority. To try all thresholds of a key, the rows are sorted by it and moved from right
// to left one by one (Dunn 2018, ch. 2).
//
// Cost: a move changes two leaves. It takes O(1), or O(classes) if the weight of a majority class falls.

#include "treewright/grow/subtree_rerouting.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace treewright::grow {

LeafCounts::LeafCounts(const Dataset& data, std::size_t leaves, std::int64_t min_rows)
    : data_(data), classes_(data.classes()), leaves_(leaves), min_rows_(min_rows) {
  clear();
}

void LeafCounts::clear() {
  weight_.assign(leaves_ * classes_, 0.0);
  most_.assign(leaves_, 0.0);
  rows_.assign(leaves_, 0);
  short_leaves_ = min_rows_ > 0 ? static_cast<std::int64_t>(leaves_) : 0;
  total_ = right_ = 0;
}

void LeafCounts::add(std::uint32_t leaf, std::uint32_t row) {
  const double weight = data_.weight(row);
  double& mine = weights(leaf)[data_.labels[row]];
  mine += weight;
  total_ += weight;
  if (mine > most_[leaf]) {
    right_ += mine - most_[leaf];
    most_[leaf] = mine;
  }
  count(leaf, data_.count(row));
}

void LeafCounts::count(std::uint32_t leaf, std::int64_t rows) {
  const bool was_short = rows_[leaf] < min_rows_;
  rows_[leaf] += rows;
  short_leaves_ += (rows_[leaf] < min_rows_) - was_short;
}

void LeafCounts::move(std::uint32_t row, std::uint32_t from, std::uint32_t to) {
  if (from == to) return;
  const double weight = data_.weight(row);
  double* const source = weights(from);
  double& mine = source[data_.labels[row]];
  const bool was_most = mine >= most_[from];
  mine -= weight;
  if (was_most) {
    const double most = *std::max_element(source, source + classes_);
    right_ += most - most_[from];
    most_[from] = most;
  }
  count(from, -data_.count(row));
  double& theirs = weights(to)[data_.labels[row]];
  theirs += weight;
  if (theirs > most_[to]) {
    right_ += theirs - most_[to];
    most_[to] = theirs;
  }
  count(to, data_.count(row));
}

std::int32_t LeafCounts::label(std::uint32_t leaf) const {
  const double* const first = weight_.data() + leaf * classes_;
  return static_cast<std::int32_t>(std::max_element(first, first + classes_) - first);
}

namespace {

// Numbers the leaves below `draft` from `next` on and writes each row's leaf at its position.
void reach(const EditableTree& draft, const Dataset& data, const std::vector<std::uint32_t>& positions, std::span<const std::uint32_t> rows,
           std::vector<std::uint32_t>& leaf, std::uint32_t& next) {
  if (draft.is_leaf()) {
    for (const std::uint32_t position : positions) leaf[position] = next;
    ++next;
    return;
  }
  RowList here;
  for (const std::uint32_t position : positions) here.push_back(rows[position]);
  const std::vector<std::uint8_t> goes = sides(*draft.split, data, here);
  std::vector<std::uint32_t> left, right;
  for (std::size_t i = 0; i < positions.size(); ++i) (goes[i] ? left : right).push_back(positions[i]);
  reach(*draft.left, data, left, rows, leaf, next);
  reach(*draft.right, data, right, rows, leaf, next);
}

}  // namespace

SubtreeRerouting::SubtreeRerouting(const EditableTree& left, const EditableTree& right, const Dataset& data,
                                   std::span<const std::uint32_t> node_rows)
    : rows(node_rows), if_left(node_rows.size()), if_right(node_rows.size()) {
  std::vector<std::uint32_t> all(node_rows.size());
  for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  reach(left, data, all, rows, if_left, leaves);
  reach(right, data, all, rows, if_right, leaves);
}

void SubtreeRerouting::fill(LeafCounts& counts, std::span<const std::uint8_t> goes_left) const {
  counts.clear();
  for (std::size_t i = 0; i < rows.size(); ++i) counts.add(goes_left[i] ? if_left[i] : if_right[i], rows[i]);
}

BestCut best_cut(const SubtreeRerouting& rerouting, std::span<const std::uint32_t> order, std::span<const double> key,
                 std::span<const std::uint8_t> left, LeafCounts& counts, double to_beat, bool ties, double wanted) {
  BestCut best;
  best.errors = to_beat;
  rerouting.fill(counts, left);
  // Sums of real weights differ in their last digits when added in another order.
  const double margin = 1e-9 * std::max(1.0, counts.total());
  for (std::size_t at = 0; at + 1 < order.size(); ++at) {
    const std::uint32_t i = order[at];
    if (left[i]) {
      counts.move(rerouting.rows[i], rerouting.if_left[i], rerouting.if_right[i]);
    } else {
      counts.move(rerouting.rows[i], rerouting.if_right[i], rerouting.if_left[i]);
    }
    const double low = key[i], high = key[order[at + 1]];
    if (!(low < high) || !counts.feasible()) continue;
    const double errors = counts.errors();
    const bool better = errors < best.errors - margin;
    const bool equal = !better && errors <= best.errors + margin && (best.found || ties);
    if (!better && !equal) continue;
    if (equal && best.found && std::abs((low + high) / 2 - wanted) >= std::abs((best.below + best.above) / 2 - wanted)) continue;
    best = {true, better ? errors : best.errors, low, high};
  }
  return best;
}

BestCut best_threshold(const SubtreeRerouting& rerouting, std::span<const double> key, LeafCounts& counts, double to_beat, bool ties,
                       double wanted) {
  std::vector<std::uint32_t> order(key.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return key[a] < key[b]; });
  return best_cut(rerouting, order, key, std::vector<std::uint8_t>(key.size(), 0), counts, to_beat, ties, wanted);
}

}  // namespace treewright::grow
