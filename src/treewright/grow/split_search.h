#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "treewright/data/ranked_rows.h"
#include "treewright/grow/impurity.h"

namespace treewright::grow {

/// The best way to cut one node's rows in two by one feature.
struct RankSplit {
  double score = -std::numeric_limits<double>::infinity();  ///< the larger, the purer the children;
                                                            ///< comparable within a node
  bool missing_left = false;
  // Numeric: ranks below `first_right` go left; the rows at both edges of the cut give the threshold.
  std::uint32_t first_right = 0, last_left_row = 0, first_right_row = 0;
  // Categorical: levels that go left, ascending.
  std::vector<std::uint32_t> left_levels;

  bool found() const { return score > -std::numeric_limits<double>::infinity(); }
};

/// A cut of a sorted list before position i leaves i of its present rows on the left, and rows without a value, which stand at its end, on
/// one of the sides. The first and the last i that leave `min_leaf` rows on either side; none where the first is behind the last.
std::pair<std::size_t, std::size_t> range_of_cuts(std::size_t rows, std::size_t present, bool missing_left, std::size_t min_leaf);
/// Rows of a list that have a value.
std::size_t present_rows(std::span<const RankedRow> list);

/// Finds the best cut of a node along one feature, for numeric and for categorical features.
///
/// A cut is scored by the purity of its children, purity(S) = W_S - W_S * impurity(S) with W_S the weight of
/// S: sum w_k^2 / W for gini, sum w_k log2 w_k - W log2 W for entropy, max w_k for misclassification. It is
/// convex in the class weights w and homogeneous, so no cut scores below its parent, and a node's impurity
/// decreases by score - purity(parent).
class SplitSearch {
 public:
  /// `labels` per row; `weights` per row, or empty if every row weighs 1; `counts` per row, how many rows of a leaf it counts for, or empty
  /// if each counts for 1. They must outlive the search.
  SplitSearch(Criterion criterion, std::size_t classes, std::span<const std::int32_t> labels, std::span<const double> weights,
              std::int64_t min_leaf_rows, std::span<const std::int32_t> counts = {});

  /// Weight of each class among some rows.
  using Sums = std::vector<double>;
  Sums none() const { return Sums(classes_, 0.0); }
  Sums of_all(const Dataset& data);
  void add(Sums& sums, std::uint32_t row) const { sums[labels_[row]] += weight(row); }
  bool impure(const Sums& node) const { return impurity(criterion_, node) > std::numeric_limits<double>::epsilon(); }
  /// A difference of scores as a decrease of the impurity of all rows.
  double decrease(double gain) const { return gain / weight_of_all_; }

  /// The node whose lists come next.
  void enter(const Sums& class_weight);
  double purity_of_node() const;

  /// The best cut of the node's `list`, none where no cut leaves min_leaf_rows on both sides or scores above
  /// `to_beat`. Sets `constant` if the rows that have a value all have the same one.
  RankSplit best_numeric(std::span<const RankedRow> list, double to_beat, bool& constant);
  /// `alone`: only a single level may be parted from the rest, one that is marked there, missing first; null: any set of levels.
  RankSplit best_categorical(std::span<const RankedRow> list, double to_beat, const std::vector<bool>* alone, bool& constant);

  /// How much a score must exceed another to count as better. Sums of the same weights in another order
  /// differ in their last digits; without a margin those digits, not the order of features, would decide
  /// ties.
  double margin() const { return 1e-12 * total_weight_; }

 private:
  struct Level {
    std::uint32_t code;
    std::int64_t rows;
  };

  template <Criterion criterion, bool unit_weights>
  void scan(std::span<const RankedRow> list, std::size_t present, bool missing_left, RankSplit& best);
  void scan(std::span<const RankedRow> list, std::size_t present, bool missing_left, RankSplit& best);
  double score(const double* left) const;
  double weight(std::uint32_t row) const { return weights_.empty() ? 1.0 : weights_[row]; }
  std::size_t count_missing(std::span<const RankedRow> list);
  std::int64_t count(std::uint32_t row) const { return counts_.empty() ? 1 : counts_[row]; }
  std::int64_t counted(std::span<const RankedRow> list) const;
  std::pair<std::size_t, std::size_t> enough_rows(std::span<const RankedRow> list, std::size_t present, bool missing_left) const;
  bool enough(std::int64_t rows_left, std::int64_t rows) const { return rows_left >= min_leaf_rows_ && rows - rows_left >= min_leaf_rows_; }

  void collect_levels(std::span<const RankedRow> present);
  /// The set of levels on the left: none, and with one more.
  void clear_left();
  void add_left(std::uint32_t level);
  std::vector<std::uint32_t> levels_by_share() const;

  Criterion criterion_;
  std::size_t classes_;
  std::span<const std::int32_t> labels_;
  std::span<const double> weights_;
  std::int64_t min_leaf_rows_;
  std::span<const std::int32_t> counts_;
  double total_weight_ = 0, weight_of_all_ = 0;
  std::vector<double> total_, left_, missing_, with_missing_;
  std::int64_t rows_left_ = 0;
  std::vector<Level> levels_;
  std::vector<double> level_weight_;  // (levels x classes)
};

}  // namespace treewright::grow
