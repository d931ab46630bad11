#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "treewright/data.h"
#include "treewright/data/costs/response_grid.h"
#include "treewright/data/costs/whole_weights.h"
#include "treewright/search/items/split_family.h"
#include "treewright/search/loss/two_sums.h"
#include "treewright/tree.h"

namespace treewright::search {

/// A sequence of the rows by one feature in which every cut between two different ranks is a split. A numeric feature without missing
/// values is one ordering; with missing values it is two (missing first, missing last). A categorical feature is as many as it takes to
/// have every set of levels that splits it (split_family.h) at the start of one of them. To the search they are all the same.
struct Ordering {
  FeatureId feature{};
  bool missing_first = false;       ///< rank 0 is "missing" (numeric)
  bool missing_last = false;        ///< the last rank is "missing" (numeric)
  std::vector<double> marks;        ///< numeric: every kMark-th distinct value, ascending from the first; the others are in the data
  LevelOrder levels;                ///< categorical: the levels of each rank
  std::vector<std::uint32_t> rank;  ///< rank of each item. Shape (items); empty once a Subset has taken it.
  std::uint32_t ranks = 0;

  /// The split that sends ranks <= low left and ranks >= high right; low < high, and no training row lies between.
  Split cut(std::uint32_t low, std::uint32_t high, const Dataset& data) const;

  static constexpr std::size_t kMark = 64;

 private:
  double value(std::uint32_t of_rank, const Column& column) const;
};

/// The training rows as the exact search sees them: items with a rank in each ordering.
///
/// Rows with equal features are merged: they reach the same leaf in every tree. So all of them but their heaviest class are errors,
/// whatever the leaf's label; these errors are a constant (`base_errors`). What each class weighs more than the lightest one is an item:
/// with two classes only the heavier one is left. Labels, weights, reach and row counts of the items reproduce the errors of every tree
/// exactly: errors(tree) = base_errors + reach of all items - weight of the items that the tree labels correctly.
struct Problem {
  std::int32_t classes = 0;
  std::vector<Ordering> orderings;
  std::vector<std::int32_t> label;  ///< class of each item
  std::vector<double> weight;       ///< in whole units: > 0, or 0 for an item that only counts rows
  /// By how much an item raises the optimum at most: its weight for the first of a group of equal rows, which is the heaviest, and 0 for
  /// the others. See loss/costs.cpp. Empty where every item's reach is its weight, as always with two classes.
  std::vector<double> reach;
  std::vector<std::int32_t> count;  ///< training rows the item stands for (they count towards min_samples_leaf)
  /// Where the target is a number: the two sums of each item, whose label is 0 and whose weight is what it loses by itself. Shape (items),
  /// or empty.
  std::vector<double> exposure, amount;
  std::optional<TwoSums> sums;   ///< and the loss by these
  ResponseUnits response_units;  ///< and what its units are
  double base_errors = 0;
  bool unit_rows = true;                     ///< every row weighs one unit, and counts for one row of a leaf
  double total_weight = 0, total_reach = 0;  ///< of the items
  std::int64_t total_rows = 0;
  WholeWeights row_weights;  ///< of the rows; weights, errors and costs of the search are in its unit

  std::size_t items() const { return label.size(); }

  /// Takes each item's weight for its reach, which is as true and says less: base_errors falls by what that is too much.
  void forget_reach();

  /// What every tree with a split costs on a set of items because each leaf must hold `min_rows` rows. `leaf`: what a single leaf costs;
  /// `of_weight`, `of_reach`, `rows`: what the set has of each. The leaf errs on the weight `outside` the heaviest class, and `lost` of
  /// that is lost in every tree. A leaf labeled with another class that holds weight w, r of it outside the heaviest class, saves at most r
  /// - (w - r), and w is at least min_rows minus the rows that merging cancelled. So all such leaves together save at most 2 outside -
  /// min_rows + cancelled.
  double row_bound(double leaf, double of_weight, double of_reach, double rows, std::int64_t min_rows) const {
    if (!unit_rows || min_rows <= 1) return 0;
    const double lost = of_weight - of_reach, outside = leaf + lost, cancelled = rows - of_weight;
    return std::clamp(static_cast<double>(min_rows) - cancelled - outside - lost, 0.0, leaf);
  }
};

/// `count_rows`: leaves have a least number of rows (min_samples_leaf > 1), so items without weight are kept.
/// `merge_rows`: false keeps one item per row; `merge_orderings`: false keeps equal orderings (rules.def). `family`: null is that of
/// `data`. `first`: the orderings of this feature come first, so that none of them is dropped for an equal one of another feature.
/// `rows_of_items`: gets a row of each item; may be null.
Problem make_problem(const Dataset& data, bool count_rows, bool merge_rows = true, bool merge_orderings = true,
                     const SplitFamily* family = nullptr, std::optional<FeatureId> first = {},
                     std::vector<std::uint32_t>* rows_of_items = nullptr);

}  // namespace treewright::search
