// A logistic regression written as a tree of hyperplanes.
//
// Idea. A logistic regression predicts the class of the largest decision value s_k = w_k . x + b_k. Of two classes that is one hyperplane,
// and the tree has one split. Of more classes, s_a < s_b is a hyperplane too, with the weights w_b - w_a. It says which of the two classes
// is out. A tree that compares pairs of classes until one is left has the regions of the regression. With K classes it takes at most K - 1
// levels. A node looks only at classes that win somewhere among its rows, so that most paths are shorter.
//
// Which pair. The planes of all pairs of such classes are candidates. A node takes the one whose sides have the least Gini impurity of the
// winning classes: not of the labels, because the tree is to reproduce the regression. If the depth ends before one class is left, the leaf
// predicts the majority of its rows, as every leaf does.
//
// What differs from the regression. A region without a training row belongs to a neighbor. A leaf predicts the majority of its rows even if
// another class has the largest decision value there. The probabilities are the shares in the leaf; those of the regression vary within it.
//
// Few columns. Where a split may ask about few columns, the plane between the two classes is a regression of its own, of the rows in the
// node that have these labels, on the columns that few_columns.cpp chooses. The pair is chosen as before. On each side one of the two
// classes is out: the rows that it had won go to the best of the others.
//
// Cost: one regression, and O(rows * classes^2) for each level.

#include "treewright/grow/logistic_tree.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "treewright/grow/few_columns.h"
#include "treewright/grow/impurity.h"
#include "treewright/svm/logistic.h"
#include "treewright/tree/scaled_plane.h"

namespace treewright::grow {

namespace {

class Regions {
 public:
  Regions(const Dataset& data, const ScaledPoints& points, const RowList& rows, double cost, std::size_t max_columns)
      : data_(data),
        points_(points),
        cost_(cost),
        max_columns_(max_columns),
        number_(data.classes(), data.classes()),
        place_(data.rows(), 0) {
    svm::ClassPoints train;
    train.points.axes = points.axes.size();
    for (const std::uint32_t row : rows) {
      std::size_t& one = number_[static_cast<std::size_t>(data.labels[row])];
      if (one == data.classes()) one = train.classes++;
      train.target.push_back(static_cast<std::uint32_t>(one));
      train.weight.push_back(data.weight(row));
      const std::span<const double> x = points.row(row);
      train.points.x.insert(train.points.x.end(), x.begin(), x.end());
    }
    planes_ = svm::fit_logistic(train, cost);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      place_[rows[i]] = i;
      std::size_t best = 0;
      for (std::size_t k = 0; k < planes_.size(); ++k) {
        value_.push_back(planes_[k].decision_value(train.row(i)));
        if (value_.back() > value_[i * planes_.size() + best]) best = k;
      }
      winner_.push_back(best);
    }
  }

  EditableTree grow(const RowList& rows, int levels) { return grow(rows, levels, std::vector<char>(planes_.size(), 1)); }

 private:
  bool limited() const { return max_columns_ < data_.features(); }

  // `in`: the classes that no plane above has ruled out. Shape (planes).
  EditableTree grow(const RowList& rows, int levels, const std::vector<char>& in) {
    if (limited()) choose_winners(rows, in);
    std::vector<double> wins(planes_.size(), 0.0);
    for (const std::uint32_t row : rows) wins[winner_[place_[row]]] += data_.weight(row);
    std::vector<std::size_t> left_over;
    for (std::size_t k = 0; k < wins.size(); ++k) {
      if (wins[k] > 0) left_over.push_back(k);
    }
    if (left_over.size() < 2 || levels == 0) return {};
    std::pair<std::size_t, std::size_t> best;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < left_over.size(); ++i) {
      for (std::size_t j = i + 1; j < left_over.size(); ++j) {
        const double here = impurity_of(rows, left_over[i], left_over[j]);
        if (here >= least) continue;
        least = here;
        best = {left_over[i], left_over[j]};
      }
    }
    HyperplaneSplit plane = limited() ? of_few_columns(rows, best.first, best.second) : between(best.first, best.second);
    if (plane.terms.empty()) return {};
    EditableTree node = EditableTree::fork({std::move(plane), false});
    const auto [left, right] = divide(*node.split, data_, rows);
    if (left.empty() || right.empty()) return {};
    std::vector<char> in_left = in, in_right = in;
    in_left[best.second] = in_right[best.first] = 0;
    *node.left = grow(left, levels - 1, in_left);
    *node.right = grow(right, levels - 1, in_right);
    return node;
  }

  void choose_winners(const RowList& rows, const std::vector<char>& in) {
    for (const std::uint32_t row : rows) {
      const double* const value = value_.data() + place_[row] * planes_.size();
      std::size_t best = planes_.size();
      for (std::size_t k = 0; k < planes_.size(); ++k) {
        if (in[k] != 0 && (best == planes_.size() || value[k] > value[best])) best = k;
      }
      winner_[place_[row]] = best;
    }
  }

  // On whose right side b is more probable than a, by a regression of these two classes; no terms where one of them has no row here.
  HyperplaneSplit of_few_columns(const RowList& rows, std::size_t a, std::size_t b) const {
    svm::TwoClassPoints train;
    train.points.axes = points_.axes.size();
    bool any_a = false, any_b = false;
    for (const std::uint32_t row : rows) {
      const std::size_t k = number_[static_cast<std::size_t>(data_.labels[row])];
      if (k != a && k != b) continue;
      (k == a ? any_a : any_b) = true;
      train.target.push_back(k == a ? -1 : 1);
      train.weight.push_back(data_.weight(row));
      const std::span<const double> x = points_.row(row);
      train.points.x.insert(train.points.x.end(), x.begin(), x.end());
    }
    if (!any_a || !any_b) return {};
    std::vector<std::size_t> all(points_.axes.size());
    std::iota(all.begin(), all.end(), std::size_t{0});
    const std::vector<std::size_t> few = few_columns(train, points_.axes, all, cost_, max_columns_);
    svm::TwoClassPoints part = on_axes(train, all, few);
    svm::ClassPoints two{std::move(part.points), 2, {}, std::move(part.weight)};
    for (const double target : part.target) two.target.push_back(target > 0 ? 1 : 0);
    const std::vector<Hyperplane> fitted = svm::fit_logistic(two, cost_);
    ScaledPlane plane{std::vector<double>(points_.axes.size(), 0.0), fitted[0].offset - fitted[1].offset};
    for (std::size_t k = 0; k < few.size(); ++k) plane.h[few[k]] = fitted[1].weights[k] - fitted[0].weights[k];
    return in_raw_units(plane, points_.axes);
  }

  // On whose right side b has a larger decision value than a.
  HyperplaneSplit between(std::size_t a, std::size_t b) const {
    ScaledPlane plane{planes_[b].weights, planes_[a].offset - planes_[b].offset};
    for (std::size_t axis = 0; axis < plane.h.size(); ++axis) plane.h[axis] -= planes_[a].weights[axis];
    return in_raw_units(plane, points_.axes);
  }

  // Of the winners on both sides of the plane between a and b, by weight.
  double impurity_of(const RowList& rows, std::size_t a, std::size_t b) const {
    const std::size_t k = planes_.size();
    std::vector<double> left(k, 0.0), right(k, 0.0);
    for (const std::uint32_t row : rows) {
      const std::size_t i = place_[row];
      (value_[i * k + b] < value_[i * k + a] ? left : right)[winner_[i]] += data_.weight(row);
    }
    const auto impure = [](const std::vector<double>& weight) {
      return std::accumulate(weight.begin(), weight.end(), 0.0) * impurity(Criterion::gini, weight);
    };
    return impure(left) + impure(right);
  }

  const Dataset& data_;
  const ScaledPoints& points_;
  double cost_;
  std::size_t max_columns_;
  std::vector<std::size_t> number_;  // of each class among those that have rows
  std::vector<Hyperplane> planes_;   // of the classes that have rows
  std::vector<std::size_t> place_;   // of each row among the training rows
  std::vector<double> value_;        // decision values. Shape (training rows x classes that have rows).
  std::vector<std::size_t> winner_;  // of each training row, the class of the largest one
};

}  // namespace

EditableTree grow_logistic_tree(const Dataset& data, const ScaledPoints& points, int max_depth, double cost, std::size_t max_columns) {
  const RowList rows = weighty_rows(data);
  const auto is_other = [&](std::uint32_t row) { return data.labels[row] != data.labels[rows.front()]; };
  if (max_depth <= 0 || points.axes.empty() || std::none_of(rows.begin(), rows.end(), is_other)) return {};
  return Regions(data, points, rows, cost, max_columns).grow(rows, max_depth);
}

}  // namespace treewright::grow
