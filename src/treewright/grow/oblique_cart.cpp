// A greedy tree of hyperplanes: CART with a support vector machine (SVM) in each node. It is the top-down baseline of BD17 (Table 6), and
// the start of methods that optimize the whole tree.
//
// Idea. An SVM separates two classes, so the classes of the node are divided into two groups in many ways (class_groups.cpp), and an SVM is
// fitted to each. The hyperplane keeps the direction of the SVM. Its threshold is that of the SVM if enough rows are left on both sides,
// otherwise the threshold of smallest impurity. Of these hyperplanes and of the axis and category splits, the node takes the one of
// smallest impurity, as CART does. A node is split while it is impure.
//
// Difference from the sources. BD17 finds each split by a small MIP over the rows of the node. OC1 (Murthy, Kasif & Salzberg 1994) changes
// one coefficient at a time.
//
// Cost: a node with m rows and q axes takes up to two fits for each division, a few tens of O(m q) passes each.

#include "treewright/grow/oblique_cart.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "treewright/data/midpoint.h"
#include "treewright/grow/cart.h"
#include "treewright/grow/class_groups.h"
#include "treewright/grow/split_search.h"

namespace treewright::grow {

namespace {

// As fit_groups and class_groups take them.
constexpr int kAttempts = 2, kDirections = 1;

class Grower {
 public:
  Grower(const Dataset& data, const ScaledPoints& points, const ObliqueCartOptions& options, Random& random)
      : data_(data),
        points_(points),
        options_(options),
        random_(random),
        search_(options.criterion, data.classes(), data.labels, data.weights, options.min_rows, data.counts) {}

  EditableTree grow(const RowList& rows, int depth) {
    std::vector<double> class_weight(data_.classes(), 0.0);
    for (const std::uint32_t row : rows) class_weight[data_.labels[row]] += data_.weight(row);
    const std::int64_t count = counted_rows(data_, rows);
    if (depth >= options_.max_depth || count / 2 < options_.min_rows || impurity(options_.criterion, class_weight) <= 1e-12) return {};

    best_.reset();
    best_score_ = -std::numeric_limits<double>::infinity();
    search_.enter(class_weight);
    if (options_.axis_splits) try_axis(rows);
    draw_axes();
    std::vector<std::size_t> present;
    for (std::size_t c = 0; c < class_weight.size(); ++c) {
      if (class_weight[c] > 0) present.push_back(c);
    }
    for (const ClassGroup& right : class_groups(data_, points_, rows, present, kDirections)) try_group(rows, right);
    if (!best_) return {};
    EditableTree tree = EditableTree::fork(*best_);
    const auto [left, right] = divide(*tree.split, data_, rows);
    *tree.left = grow(left, depth + 1);
    *tree.right = grow(right, depth + 1);
    return tree;
  }

 private:
  void draw_axes() {
    axes_.resize(points_.axes.size());
    std::iota(axes_.begin(), axes_.end(), std::size_t{0});
    if (options_.feature_share >= 1 || axes_.size() < 2) return;
    random_.shuffle(axes_);
    axes_.resize(std::max<std::size_t>(1, static_cast<std::size_t>(options_.feature_share * static_cast<double>(axes_.size()))));
    std::sort(axes_.begin(), axes_.end());
  }

  void try_group(const RowList& rows, const ClassGroup& right) {
    if (axes_.empty()) return;
    fit_groups(data_, points_, axes_, rows, right, options_.cost, options_.max_columns, kAttempts,
               [&](HyperplaneSplit plane, const std::vector<double>& sums, const ClassGroup&) {
                 consider(std::move(plane), sums, rows);
                 return true;
               });
  }

  void consider(HyperplaneSplit plane, const std::vector<double>& sums, const RowList& rows) {
    std::vector<double> left(data_.classes(), 0.0), right(data_.classes(), 0.0);
    std::int64_t rows_left = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const bool goes_left = sums[i] < plane.threshold;
      rows_left += goes_left ? data_.count(rows[i]) : 0;
      (goes_left ? left : right)[data_.labels[rows[i]]] += data_.weight(rows[i]);
    }
    const std::int64_t count = counted_rows(data_, rows);
    if (rows_left >= options_.min_rows && count - rows_left >= options_.min_rows) {
      offer({std::move(plane), false}, purity(left) + purity(right));
      return;
    }
    std::vector<RankedRow> list = ranked(sums, rows);
    bool constant = false;
    const RankSplit cut = search_.best_numeric(list, best_score_, constant);
    if (!cut.found()) return;
    // Rows are ascending.
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

  // CART's stump has the best threshold or set of levels, of all columns.
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
  double best_score_ = 0;  // purity of the children, by weight
};

}  // namespace

EditableTree grow_oblique_cart(const Dataset& data, const ScaledPoints& points, const ObliqueCartOptions& options, Random& random) {
  return Grower(data, points, options, random).grow(weighty_rows(data), 0);
}

}  // namespace treewright::grow
