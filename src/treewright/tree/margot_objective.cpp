// What a tree costs in MARGOT (D'Onofrio, Grani, Monaci & Palagi 2023, DGMP23), recounted from the tree and the raw rows alone.
//
// A split of the tree says sum < threshold; h = sum - threshold is the functional margin h_t(x) of the paper whatever the units are, and a raw
// weight times the range of its column is the weight w_t on columns scaled to [0, 1]. So a node at level l costs
//
//     |w|^2 / 2 + C_l * sum of weight_i * max(0, 1 - y_i h_i) + alpha * max(0, features - B_l),      y_i = +1 for the later class.
//
// With more classes than two each has a word, and y_i at level l is its l-th letter (fit/class_codes.cpp).
//
// The paper's tree is complete. Where ours has a leaf, or fewer levels below a split than the model, nodes with w = 0 are left out:
// such a node splits nothing, b = the label of the majority is its best offset, and each row of the minority costs 2 C_l (sec. 3: "the
// misclassification cost is 2 C_t"). A leaf costs that at each level below it; a subtree may stand lower in the complete tree,
// below nodes with w = 0, and counts where it is cheapest. Cost: rows x levels^2 x features.

#include "treewright/tree/margot_objective.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>

#include "treewright/tree/unit_axes.h"

namespace treewright {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

using Rows = std::vector<std::size_t>;

class Recount {
 public:
  Recount(const Tree& tree, const Dataset& data, const Objective& objective) : tree_(tree), data_(data), objective_(objective) {
    for (const UnitAxis& axis : unit_axes_and_levels(data)) range_[{+axis.feature, axis.level}] = axis.range;
    for (std::size_t row = 0; row < data.rows(); ++row) {
      if (data.weight(row) > 0) positive_ = std::max(positive_, data.labels[row]);
    }
  }

  double cost(NodeId id, const Rows& rows, std::size_t level) const {
    const Node& node = tree_.node(id);
    if (level == objective_.level_costs.size()) return node.is_leaf() ? 0 : kInfinity;
    double side[2] = {0, 0};
    for (const std::size_t row : rows) side[wants_right(row, level)] += data_.weight(row);
    const double unsplit = objective_.level_costs[level] * 2 * std::min(side[0], side[1]) + cost(id, rows, level + 1);
    if (node.is_leaf()) return unsplit;
    Rows left, right;
    double here = plane_cost(*node.split, rows, level, left, right);
    here += cost(node.left, left, level + 1) + cost(node.right, right, level + 1);
    return std::min(unsplit, here);
  }

 private:
  // The side that the row's class wants.
  bool wants_right(std::size_t row, std::size_t level) const {
    const std::int32_t label = data_.labels[row];
    return objective_.class_codes.empty() ? label == positive_ : objective_.class_codes[static_cast<std::size_t>(label)][level] == '1';
  }
  double range(const HyperplaneSplit::Term& term) const {
    const auto found = range_.find({+term.feature, term.level});
    return found == range_.end() ? 0 : found->second;
  }

  // Of the split itself, and where it sends the rows.
  double plane_cost(const Split& split, const Rows& rows, std::size_t level, Rows& left, Rows& right) const {
    HyperplaneSplit plane;
    if (const auto* axis = std::get_if<AxisSplit>(&split.rule)) {
      plane = {{{axis->feature, 1, -1, {}}}, axis->threshold};
    } else if (const auto* given = std::get_if<HyperplaneSplit>(&split.rule)) {
      plane = *given;
    } else {
      return kInfinity;
    }
    double total = 0;
    for (const auto& term : plane.terms) total += std::pow(term.weight * range(term), 2) / 2;
    for (const std::size_t row : rows) {
      double sum = 0;
      for (const auto& term : plane.terms) sum += term.weight * term_value(term, data_, row);
      const double h = std::isnan(sum) ? 0 : sum - plane.threshold;
      const double y = wants_right(row, level) ? 1 : -1;
      total += objective_.level_costs[level] * data_.weight(row) * std::max(0.0, 1 - y * h);
      (goes_left(split, data_, row) ? left : right).push_back(row);
    }
    if (objective_.feature_budgets.empty()) return total;
    const auto beyond = static_cast<std::int64_t>(plane.terms.size()) - objective_.feature_budgets[level];
    return total + objective_.alpha * static_cast<double>(std::max<std::int64_t>(0, beyond));
  }

  const Tree& tree_;
  const Dataset& data_;
  const Objective& objective_;
  std::map<std::pair<std::int32_t, std::int32_t>, double> range_;
  std::int32_t positive_ = 0;
};

}  // namespace

double margot_objective(const Tree& tree, const Dataset& data, const Objective& objective) {
  assert(objective.class_codes.empty() || objective.class_codes.size() == data.class_names.size());
  assert(objective.feature_budgets.empty() || objective.feature_budgets.size() == objective.level_costs.size());
  Rows rows;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    if (data.weight(row) > 0) rows.push_back(row);
  }
  return Recount(tree, data, objective).cost(Tree::root(), rows, 0);
}

}  // namespace treewright
