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
// Cost: one regression, and O(rows * classes^2) for each level.

#include "treewright/grow/logistic_tree.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "treewright/grow/impurity.h"
#include "treewright/svm/logistic.h"
#include "treewright/tree/scaled_plane.h"

namespace treewright::grow {

namespace {

class Regions {
 public:
  Regions(const Dataset& data, const ScaledPoints& points, const RowList& rows, double cost)
      : data_(data), points_(points), place_(data.rows(), 0) {
    std::vector<std::size_t> number(data.classes(), data.classes());
    svm::ClassPoints train;
    train.points.axes = points.axes.size();
    for (const std::uint32_t row : rows) {
      std::size_t& one = number[static_cast<std::size_t>(data.labels[row])];
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

  EditableTree grow(const RowList& rows, int levels) const {
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
    HyperplaneSplit plane = between(best.first, best.second);
    if (plane.terms.empty()) return {};
    EditableTree node = EditableTree::fork({std::move(plane), false});
    const auto [left, right] = divide(*node.split, data_, rows);
    if (left.empty() || right.empty()) return {};
    *node.left = grow(left, levels - 1);
    *node.right = grow(right, levels - 1);
    return node;
  }

 private:
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
  std::vector<Hyperplane> planes_;   // of the classes that have rows
  std::vector<std::size_t> place_;   // of each row among the training rows
  std::vector<double> value_;        // decision values. Shape (training rows x classes that have rows).
  std::vector<std::size_t> winner_;  // of each training row, the class of the largest one
};

}  // namespace

EditableTree grow_logistic_tree(const Dataset& data, const ScaledPoints& points, int max_depth, double cost) {
  const RowList rows = weighty_rows(data);
  const auto is_other = [&](std::uint32_t row) { return data.labels[row] != data.labels[rows.front()]; };
  if (max_depth <= 0 || points.axes.empty() || std::none_of(rows.begin(), rows.end(), is_other)) return {};
  return Regions(data, points, rows, cost).grow(rows, max_depth);
}

}  // namespace treewright::grow
