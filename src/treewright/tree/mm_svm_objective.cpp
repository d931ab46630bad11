// What a tree costs as MM-SVM-OCT (the model is written out in formulate/mm_svm.cpp), recounted from the tree and the raw rows alone:
//
//     max over splits of |w|^2 / 2  +  c1 * sum over splits and the rows that reach them of weight_i * max(0, 1 - y_i h_i)  +  c3 * splits,
//
// y = +1 for the later class, h = w . x + b on columns scaled to [0, 1], which is a hyperplane's sum less its threshold in any units. A leaf above the
// last level stands for nodes with w = 0 at each level below it, where a row of the minority costs 2 c1.

#include "treewright/tree/mm_svm_objective.h"

#include <algorithm>
#include <limits>

#include "treewright/tree/unit_axes.h"

namespace treewright {

namespace {

class Recount {
 public:
  Recount(const Tree& tree, const Dataset& data, const Objective& objective)
      : tree_(tree), data_(data), objective_(objective), axes_(unit_axes_and_levels(data)) {
    for (std::size_t row = 0; row < data.rows(); ++row) {
      if (data.weight(row) <= 0) continue;
      rows_.push_back(row);
      later_ = std::max(later_, data.labels[row]);
    }
  }

  double total() {
    const double slacks = cost(Tree::root(), rows_, 0);
    return slacks + width_;
  }

 private:
  // Of the slacks and splits here and below. `width_` grows on the way.
  double cost(NodeId id, const std::vector<std::size_t>& rows, std::size_t level) {
    const Node& node = tree_.node(id);
    const std::size_t levels = objective_.level_costs.size();
    double total = 0;
    if (node.is_leaf()) {
      double side[2] = {0, 0};
      for (const std::size_t row : rows) side[data_.labels[row] == later_] += data_.weight(row);
      for (; level < levels; ++level) total += objective_.level_costs[level] * 2 * std::min(side[0], side[1]);
      return total;
    }
    if (level == levels || std::holds_alternative<CategorySplit>(node.split->rule)) return std::numeric_limits<double>::infinity();
    const UnitPlane plane = in_unit_scale(node.split->rule, axes_);
    double width = 0;
    for (const double w : plane.h) width += w * w / 2;
    width_ = std::max(width_, width);
    std::vector<std::size_t> left, right;
    for (const std::size_t row : rows) {
      double h = -plane.g;
      for (std::size_t a = 0; a < axes_.size(); ++a) h += plane.h[a] * unit_value(axes_[a], data_, row);
      const double y = data_.labels[row] == later_ ? 1 : -1;
      total += objective_.level_costs[level] * data_.weight(row) * std::max(0.0, 1 - y * h);
      (goes_left(*node.split, data_, row) ? left : right).push_back(row);
    }
    return total + objective_.alpha + cost(node.left, left, level + 1) + cost(node.right, right, level + 1);
  }

  const Tree& tree_;
  const Dataset& data_;
  const Objective& objective_;
  const std::vector<UnitAxis> axes_;
  std::vector<std::size_t> rows_;
  std::int32_t later_ = 0;
  double width_ = 0;
};

}  // namespace

double mm_svm_objective(const Tree& tree, const Dataset& data, const Objective& objective) {
  return Recount(tree, data, objective).total();
}

}  // namespace treewright
