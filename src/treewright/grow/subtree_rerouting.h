#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/grow/editable_tree.h"

namespace treewright::grow {

/// Weight of each class and number of rows in each leaf of a subtree, kept while rows move.
class LeafCounts {
 public:
  LeafCounts(const Dataset& data, std::size_t leaves, std::int64_t min_rows);

  void clear();
  void add(std::uint32_t leaf, std::uint32_t row);
  void move(std::uint32_t row, std::uint32_t from, std::uint32_t to);

  /// Weight of the rows outside their leaf's majority.
  double errors() const { return total_ - right_; }
  double total() const { return total_; }
  /// Every leaf holds min_rows.
  bool feasible() const { return short_leaves_ == 0; }
  /// Class of largest weight in a leaf, the first of equals.
  std::int32_t label(std::uint32_t leaf) const;

 private:
  /// The leaf has so many rows more.
  void count(std::uint32_t leaf, std::int64_t rows);
  double* weights(std::uint32_t leaf) { return weight_.data() + leaf * classes_; }

  const Dataset& data_;
  std::size_t classes_, leaves_;
  std::int64_t min_rows_, short_leaves_ = 0;
  std::vector<double> weight_, most_;  // (leaves x classes), (leaves)
  std::vector<std::int64_t> rows_;     // (leaves)
  double total_ = 0, right_ = 0;
};

/// The rows of one node, and for each the leaf it reaches below the left and below the right child: all that a new split at the node, with
/// both subtrees kept, can change.
struct SubtreeRerouting {
  std::span<const std::uint32_t> rows;
  std::vector<std::uint32_t> if_left, if_right;  ///< Numbers of leaves. Shapes (rows).
  std::uint32_t leaves = 0;

  SubtreeRerouting(const EditableTree& left, const EditableTree& right, const Dataset& data, std::span<const std::uint32_t> node_rows);

  /// Puts every row into the leaf it reaches when these go left.
  void fill(LeafCounts& counts, std::span<const std::uint8_t> goes_left) const;
};

/// Where to cut a sequence of rows.
struct BestCut {
  bool found = false;
  double errors = 0;
  double below = 0, above = 0;  ///< keys of the rows on either side of the cut
};

/// Tries every cut between different keys. `order`: positions in rerouting.rows by ascending key; those before the cut change sides.
/// `left`: 1 where a row stands left before it is passed, and for good if it is not in `order`; shape (rows). Only cuts that leave min_rows
/// in every leaf and have fewer errors than `to_beat` (or as many, if `ties`) count; among equals the one whose middle is nearest to
/// `wanted`. O(rows), and O(classes) a move at worst.
BestCut best_cut(const SubtreeRerouting& rerouting, std::span<const std::uint32_t> order, std::span<const double> key,
                 std::span<const std::uint8_t> left, LeafCounts& counts, double to_beat, bool ties, double wanted);

/// The same for rows that go left iff their key is below the threshold; every row has a key.
BestCut best_threshold(const SubtreeRerouting& rerouting, std::span<const double> key, LeafCounts& counts, double to_beat, bool ties,
                       double wanted);

}  // namespace treewright::grow
