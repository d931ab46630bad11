// Tree alternating optimization (TAO; Carreira-Perpinan & Tavallali 2018), with margins.
//
// Idea. All of the tree except the split of one node t is fixed. A row that reaches t ends in one leaf if it goes left, and in another if
// it goes right; each leaf classifies it correctly or not. If both leaves agree, the split of t does not matter for the row. The other rows
// (the care rows of the paper) each have a better side. The best split at t is the two-class classifier with the smallest weighted error on
// them. These classification problems are solved node by node, from the leaves to the root, until nothing improves.
//
// Differences from the paper. TAO fits a logistic regression, without a margin. Here the classifier is an SVM with the option `svm_cost`;
// DGMP23 shows that margins help trees. The threshold of the SVM is kept if it does not raise the objective. Otherwise the rows are sorted
// along the normal, and the cut with the fewest errors is taken. A candidate is evaluated with the majority labels that its leaves would
// get. It replaces the split only if the objective, errors + price of terms, does not rise. An equal objective is accepted, because a wider
// margin predicts better.
//
// Features. The norm may be l1 instead of l2 (`sparse`), which sets many weights to 0. With a price on terms, the fit is repeated on the
// half of the axes with the largest weights, then on half of these, and so on (recursive feature elimination, Guyon et al. 2002). The
// cheapest tree is kept. Where a split may ask about few columns, they are chosen before the fit (few_columns.cpp), and those that it asks
// about now are tried too: so the search may stay with them. Local search (local_search.cpp) changes thresholds, sets of levels and the
// structure.
//
// Cost of a pass: O(n depth^2 q) for routing, because every row passes each of its nodes twice, and one fit at each node.

#include "treewright/grow/alternating.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "treewright/base/stop_point.h"
#include "treewright/data/midpoint.h"
#include "treewright/grow/subtree_rerouting.h"
#include "treewright/svm/sparse_hinge.h"
#include "treewright/tree/scaled_plane.h"
#include "treewright/tree/split_columns.h"

namespace treewright::grow {

namespace {

class Alternation {
 public:
  Alternation(const Dataset& data, const ScaledPoints& points, const AlternatingOptions& options, Deadline& deadline)
      : data_(data), points_(points), options_(options), deadline_(deadline) {}

  // Whether the objective fell.
  bool pass(EditableTree& node, std::span<const std::uint32_t> rows) {
    if (node.is_leaf() || deadline_.poll(1)) return false;
    const auto [left, right] = divide(*node.split, data_, rows);
    bool gained = pass(*node.left, left);
    gained |= pass(*node.right, right);
    return revise(node, rows) || gained;
  }

 private:
  struct Care {
    RowList rows;
    svm::TwoClassPoints train;
    bool any_left = false, any_right = false;
  };

  double price(const Split& split) const { return options_.term_price * terms_of(split); }

  bool revise(EditableTree& node, std::span<const std::uint32_t> rows) {
    const SubtreeRerouting rerouting(*node.left, *node.right, data_, rows);
    stop_point();
    LeafCounts counts(data_, rerouting.leaves, options_.min_rows);
    rerouting.fill(counts, sides(*node.split, data_, rows));
    const double before = counts.errors() + price(*node.split);
    const Care care = care_rows(rerouting, counts);
    if (!care.any_left || !care.any_right) return false;  // simplify() and the local search take such a node away

    best_ = before;
    best_split_.reset();
    std::vector<std::size_t> axes(points_.axes.size());
    std::iota(axes.begin(), axes.end(), std::size_t{0});
    if (options_.max_columns < data_.features()) {
      const std::vector<std::size_t> now = axes_of(*node.split);
      axes = few_columns(training_points(care, axes), points_.axes, axes, options_.cost, options_.max_columns);
      if (axes != now) try_smaller(care, now, rerouting, counts);
    }
    try_smaller(care, axes, rerouting, counts);
    if (!best_split_) return false;
    node.split = std::move(best_split_);
    return best_ < before - 1e-9 * std::max(1.0, before);
  }

  // Planes on these axes, and, if terms have a price, on fewer and fewer of them.
  void try_smaller(const Care& care, std::vector<std::size_t> axes, const SubtreeRerouting& rerouting, LeafCounts& counts) {
    while (!axes.empty()) {
      const std::vector<double> weights = try_plane(care, axes, rerouting, counts);
      if (options_.term_price <= 0 || axes.size() == 1) break;
      std::stable_sort(axes.begin(), axes.end(), [&](std::size_t a, std::size_t b) { return std::abs(weights[a]) > std::abs(weights[b]); });
      axes.resize((axes.size() + 1) / 2);
      std::sort(axes.begin(), axes.end());
    }
  }

  // All axes of the columns that the split asks about.
  std::vector<std::size_t> axes_of(const Split& split) const {
    const std::vector<FeatureId> columns = columns_of(split.rule);
    std::vector<std::size_t> axes;
    for (std::size_t a = 0; a < points_.axes.size(); ++a) {
      if (std::binary_search(columns.begin(), columns.end(), points_.axes[a].feature)) axes.push_back(a);
    }
    return axes;
  }

  // The care rows of the node on these axes.
  svm::TwoClassPoints training_points(const Care& care, const std::vector<std::size_t>& axes) const {
    svm::TwoClassPoints train;
    train.points.axes = axes.size();
    train.target = care.train.target;
    train.weight = care.train.weight;
    train.points.x.reserve(care.rows.size() * axes.size());
    for (const std::uint32_t row : care.rows) {
      const std::span<const double> x = points_.row(row);
      for (const std::size_t a : axes) train.points.x.push_back(x[a]);
    }
    return train;
  }

  Care care_rows(const SubtreeRerouting& rerouting, const LeafCounts& counts) const {
    Care care;
    std::vector<std::int32_t> label(rerouting.leaves);
    for (std::uint32_t leaf = 0; leaf < rerouting.leaves; ++leaf) label[leaf] = counts.label(leaf);
    for (std::uint32_t i = 0; i < rerouting.rows.size(); ++i) {
      const std::uint32_t row = rerouting.rows[i];
      const bool left_right = label[rerouting.if_left[i]] == data_.labels[row],
                 right_right = label[rerouting.if_right[i]] == data_.labels[row];
      if (left_right == right_right) continue;
      (left_right ? care.any_left : care.any_right) = true;
      care.rows.push_back(row);
      care.train.target.push_back(left_right ? -1 : 1);
      care.train.weight.push_back(data_.weight(row));
    }
    return care;
  }

  // Fits a hyperplane on these axes and keeps it if nothing so far is better. Returns its weights, shape (points_.axes()).
  std::vector<double> try_plane(const Care& care, const std::vector<std::size_t>& axes, const SubtreeRerouting& rerouting,
                                LeafCounts& counts) {
    const svm::TwoClassPoints train = training_points(care, axes);
    stop_point();
    const Hyperplane separator =
        options_.sparse ? svm::fit_sparse_hinge(train, options_.cost) : svm::fit_squared_hinge(train, options_.cost);
    std::vector<double> weights(points_.axes.size(), 0.0);
    for (std::size_t k = 0; k < axes.size(); ++k) weights[axes[k]] = separator.weights[k];
    HyperplaneSplit plane = in_raw_units({weights, -separator.offset}, points_.axes);
    if (plane.terms.empty()) return weights;

    const double extra = options_.term_price * static_cast<double>(plane.terms.size());
    const std::vector<double> sums = plane_sums(plane, data_, rerouting.rows);
    std::vector<std::uint8_t> left(sums.size());
    for (std::size_t i = 0; i < sums.size(); ++i) left[i] = sums[i] < plane.threshold;
    rerouting.fill(counts, left);
    stop_point();
    const double tolerance = 1e-9 * std::max(1.0, best_);
    if (counts.feasible() && counts.errors() + extra <= best_ + tolerance) {
      best_ = std::min(best_, counts.errors() + extra);
      best_split_ = Split{std::move(plane), false};
      return weights;
    }
    const BestCut cut = best_threshold(rerouting, sums, counts, best_ - extra, !best_split_, plane.threshold);
    if (cut.found) {
      plane.threshold = midpoint(cut.below, cut.above);
      best_ = cut.errors + extra;
      best_split_ = Split{std::move(plane), false};
    }
    return weights;
  }

  const Dataset& data_;
  const ScaledPoints& points_;
  const AlternatingOptions& options_;
  Deadline& deadline_;
  double best_ = 0;
  std::optional<Split> best_split_;
};

}  // namespace

void alternate(EditableTree& draft, const Dataset& data, const ScaledPoints& points, const AlternatingOptions& options,
               Deadline& deadline) {
  const RowList rows = weighty_rows(data);
  Alternation alternation(data, points, options, deadline);
  for (int pass = 0; pass < options.max_passes; ++pass) {
    if (!alternation.pass(draft, rows)) return;
  }
}

}  // namespace treewright::grow
