// A greedy tree of hyperplanes: CART with a support vector machine (SVM) in each node. It is the top-down baseline of BD17 (Table 6), and the
// start of methods that optimize the whole tree.
//
// Idea. An SVM separates two classes, so the classes of the node are divided into two groups. Candidates are all divisions of up to five
// classes. With more classes they are each class against the rest, and every cut of the classes in the order of their means along the
// direction in which the means differ most. After a fit, each class joins the side that holds most of it. If that changes a group, the SVM
// is fitted once more. The hyperplane keeps the direction of the SVM. Its threshold is that of the SVM if enough rows are left on both sides,
// otherwise the threshold of smallest impurity. Of these hyperplanes and of the axis and category splits, the node takes the one of smallest
// impurity, as CART does. A node is split while it is impure.
//
// Difference from the sources. BD17 finds each split by a small MIP over the rows of the node. OC1 (Murthy, Kasif & Salzberg 1994) changes one
// coefficient at a time.
//
// Cost: a node with m rows and q axes takes one fit for each division, a few tens of O(m q) passes each.

#include "treewright/grow/oblique_cart.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "treewright/base/stop_point.h"
#include "treewright/data/midpoint.h"
#include "treewright/grow/cart.h"
#include "treewright/grow/split_search.h"
#include "treewright/svm/squared_hinge.h"
#include "treewright/tree/scaled_plane.h"

namespace treewright::grow {

namespace {

constexpr std::size_t kAllGroupings = 5;

class Grower {
 public:
  Grower(const Dataset& data, const ScaledPoints& points, const ObliqueCartOptions& options, Random& random)
      : data_(data),
        points_(points),
        options_(options),
        random_(random),
        search_(options.criterion, data.classes(), data.labels, data.weights, options.min_rows) {}

  EditableTree grow(const RowList& rows, int depth) {
    std::vector<double> class_weight(data_.classes(), 0.0);
    for (const std::uint32_t row : rows) class_weight[data_.labels[row]] += data_.weight(row);
    const auto many = static_cast<std::int64_t>(rows.size());
    if (depth >= options_.max_depth || many / 2 < options_.min_rows || impurity(options_.criterion, class_weight) <= 1e-12) return {};

    best_.reset();
    best_score_ = -std::numeric_limits<double>::infinity();
    search_.enter(class_weight);
    if (options_.axis_splits) try_axis(rows);
    draw_axes();
    for (const std::vector<bool>& right : groupings(class_weight, rows)) try_plane(rows, right);
    if (!best_) return {};
    EditableTree draft = EditableTree::fork(*best_);
    const auto [left, right] = divide(*draft.split, data_, rows);
    *draft.left = grow(left, depth + 1);
    *draft.right = grow(right, depth + 1);
    return draft;
  }

 private:
  // Place of each class along the direction in which the means of the classes differ most (power iteration on their scatter).
  std::vector<std::size_t> line_up(const std::vector<std::size_t>& present, const RowList& rows) const {
    const std::size_t q = points_.axes.size();
    std::vector<std::size_t> index(data_.classes());
    for (std::size_t i = 0; i < present.size(); ++i) index[present[i]] = i;
    std::vector<std::vector<double>> mean(present.size(), std::vector<double>(q, 0.0));
    std::vector<double> weight(present.size(), 0.0), center(q, 0.0), direction(q, 1.0), along(present.size());
    for (const std::uint32_t row : rows) {
      const std::size_t c = index[data_.labels[row]];
      weight[c] += data_.weight(row);
      for (std::size_t a = 0; a < q; ++a) mean[c][a] += data_.weight(row) * points_.row(row)[a];
    }
    for (std::size_t c = 0; c < mean.size(); ++c) {
      for (std::size_t a = 0; a < q; ++a) center[a] += (mean[c][a] /= weight[c]) / static_cast<double>(mean.size());
    }
    for (int round = 0; round < 30; ++round) {
      std::vector<double> next(q, 0.0);
      double length = 0;
      for (std::size_t c = 0; c < mean.size(); ++c) {
        along[c] = 0;
        for (std::size_t a = 0; a < q; ++a) along[c] += direction[a] * (mean[c][a] - center[a]);
        for (std::size_t a = 0; a < q; ++a) next[a] += along[c] * (mean[c][a] - center[a]);
      }
      for (const double d : next) length += d * d;
      if (!(length > 0)) break;
      for (std::size_t a = 0; a < q; ++a) direction[a] = next[a] / std::sqrt(length);
    }
    std::vector<std::size_t> order(present.size()), place(present.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return along[a] < along[b]; });
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    return place;
  }

  // Groups of classes that should go right.
  std::vector<std::vector<bool>> groupings(const std::vector<double>& class_weight, const RowList& rows) const {
    std::vector<std::size_t> present;
    for (std::size_t c = 0; c < class_weight.size(); ++c) {
      if (class_weight[c] > 0) present.push_back(c);
    }
    std::vector<std::vector<bool>> result;
    const auto add = [&](auto&& goes_right) {
      std::vector<bool> right(class_weight.size(), false);
      for (std::size_t i = 0; i < present.size(); ++i) right[present[i]] = goes_right(i);
      result.push_back(std::move(right));
    };
    if (present.size() <= kAllGroupings) {
      for (unsigned set = 1; set < 1u << (present.size() - 1); ++set) add([&](std::size_t i) { return (set >> i & 1) != 0; });
    } else {
      for (std::size_t one = 0; one < present.size(); ++one) add([&](std::size_t i) { return i == one; });
      const std::vector<std::size_t> place = line_up(present, rows);
      for (std::size_t first = 2; first + 1 < present.size(); ++first) add([&](std::size_t i) { return place[i] >= first; });
    }
    return result;
  }

  void draw_axes() {
    axes_.resize(points_.axes.size());
    std::iota(axes_.begin(), axes_.end(), std::size_t{0});
    if (options_.feature_share >= 1 || axes_.size() < 2) return;
    random_.shuffle(axes_);
    axes_.resize(std::max<std::size_t>(1, static_cast<std::size_t>(options_.feature_share * static_cast<double>(axes_.size()))));
    std::sort(axes_.begin(), axes_.end());
  }

  void try_plane(const RowList& rows, std::vector<bool> right) {
    if (axes_.empty()) return;
    svm::TwoClassPoints train;
    train.points.axes = axes_.size();
    train.points.x.reserve(rows.size() * axes_.size());
    for (const std::uint32_t row : rows) {
      stop_point();
      const std::span<const double> x = points_.row(row);
      for (const std::size_t a : axes_) train.points.x.push_back(x[a]);
      train.weight.push_back(data_.weight(row));
    }
    for (int attempt = 0; attempt < 2; ++attempt) {
      train.target.clear();
      for (const std::uint32_t row : rows) train.target.push_back(right[data_.labels[row]] ? 1 : -1);
      const Hyperplane separator = svm::fit_squared_hinge(train, options_.cost);
      std::vector<double> weights(points_.axes.size(), 0.0), balance(data_.classes(), 0.0);
      for (std::size_t i = 0; i < axes_.size(); ++i) weights[axes_[i]] = separator.weights[i];
      HyperplaneSplit plane = in_raw_units({weights, -separator.offset}, points_.axes);
      if (plane.terms.empty()) return;
      const std::vector<double> sums = plane_sums(plane, data_, rows);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        balance[data_.labels[rows[i]]] += sums[i] < plane.threshold ? -data_.weight(rows[i]) : data_.weight(rows[i]);
      }
      consider(std::move(plane), sums, rows);
      bool changed = false, any_left = false, any_right = false;
      for (std::size_t c = 0; c < right.size(); ++c) {
        if (balance[c] == 0) continue;
        changed |= right[c] != (balance[c] > 0);
        right[c] = balance[c] > 0;
        (right[c] ? any_right : any_left) = true;
      }
      if (!changed || !any_left || !any_right) return;
    }
  }

  void consider(HyperplaneSplit plane, const std::vector<double>& sums, const RowList& rows) {
    std::vector<double> left(data_.classes(), 0.0), right(data_.classes(), 0.0);
    std::int64_t rows_left = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool goes = sums[i] < plane.threshold;
      rows_left += goes;
      (goes ? left : right)[data_.labels[rows[i]]] += data_.weight(rows[i]);
    }
    const auto many = static_cast<std::int64_t>(rows.size());
    if (rows_left >= options_.min_rows && many - rows_left >= options_.min_rows) {
      offer({std::move(plane), false}, purity(left) + purity(right));
      return;
    }
    std::vector<RankedRow> list = ranked(sums, rows);
    bool constant = false;
    const RankSplit cut = search_.best_numeric(list, best_score_, constant);
    if (!cut.found()) return;
    const auto sum_of = [&](std::uint32_t row) { return sums[std::lower_bound(rows.begin(), rows.end(), row) - rows.begin()]; };
    plane.threshold = midpoint(sum_of(cut.last_left_row), sum_of(cut.first_right_row));
    offer({std::move(plane), false}, cut.score);
  }

  static std::vector<RankedRow> ranked(const std::vector<double>& keys, const RowList& rows) {
    std::vector<std::uint32_t> order(rows.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
    std::vector<RankedRow> list;
    std::uint32_t rank = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
      rank += i > 0 && keys[order[i]] != keys[order[i - 1]];
      list.push_back({rank, rows[order[i]]});
    }
    return list;
  }

  double purity(const std::vector<double>& class_weight) const {
    const double total = std::accumulate(class_weight.begin(), class_weight.end(), 0.0);
    return total * (1 - impurity(options_.criterion, class_weight));
  }

  // The best threshold or set of levels is the root of a CART stump.
  void try_axis(const RowList& rows) {
    std::vector<std::int32_t> numbers(rows.begin(), rows.end());
    const Dataset here = data_.subset(numbers);
    CartOptions cart;
    cart.criterion = options_.criterion;
    cart.max_depth = 1;
    cart.min_leaf_rows = options_.min_rows;
    const Tree stump = grow_cart(here, cart);
    if (stump.splits() == 0) return;
    const Node& root = stump.node(Tree::root());
    offer(*root.split, purity(stump.node(root.left).class_weight) + purity(stump.node(root.right).class_weight));
  }

  void offer(Split split, double score) {
    if (best_ && score <= best_score_ + search_.margin()) return;
    best_ = std::move(split);
    best_score_ = score;
  }

  const Dataset& data_;
  const ScaledPoints& points_;
  const ObliqueCartOptions& options_;
  Random& random_;
  SplitSearch search_;
  std::vector<std::size_t> axes_;
  std::optional<Split> best_;
  double best_score_ = 0;
};

}  // namespace

EditableTree grow_oblique_cart(const Dataset& data, const ScaledPoints& points, const ObliqueCartOptions& options, Random& random) {
  return Grower(data, points, options, random).grow(weighty_rows(data), 0);
}

}  // namespace treewright::grow
