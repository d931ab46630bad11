// The objective of MM-SVM-OCT (the model is in model.cpp), recounted from the tree and the raw rows alone:
//
//     max over splits of |w|^2 / 2  +  c1 * sum over splits and the rows that reach them of weight_i * max(0, 1 - y_i h_i)  +  c3 * splits,
//
// where y = +1 for the later class and h = w . x + b on columns scaled to [0, 1]; h is a hyperplane's sum minus its threshold in any units.
// A leaf above the last level stands for nodes with w = 0 at each level below it. There a row of the minority costs 2 c1.

#include "treewright/methods/mm_svm/objective.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "treewright/base/error.h"
#include "treewright/base/infinity.h"
#include "treewright/methods/margot/objective.h"
#include "treewright/methods/margot/problem.h"
#include "treewright/tree/scaled_plane.h"

namespace treewright::mm_svm {

namespace {

constexpr double kRounding = 1e-12;  // of a decision value, relative to its parts in raw units

class Recount {
 public:
  Recount(const Tree& tree, const Dataset& data, const MmSvmObjective& objective)
      : tree_(tree), data_(data), objective_(objective), axes_(scaled_axes(data, Scaling::unit)) {
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
  // The model has neither sets of levels nor splits by a column that is constant.
  bool is_on_axes(const SplitRule& rule) const {
    const auto has = [&](FeatureId feature, std::int32_t level) {
      return std::ranges::any_of(axes_, [&](const Axis& axis) { return axis.feature == feature && axis.level == level; });
    };
    const auto has_term = [&](const auto& term) { return has(term.feature, term.level); };
    return match(
        rule, [&](const AxisSplit& axis) { return has(axis.feature, -1); },
        [&](const HyperplaneSplit& plane) { return std::ranges::all_of(plane.terms, has_term); },
        [](const CategorySplit&) { return false; });
  }

  // Cost of the slacks and splits of this node and below; also updates `width_`.
  double cost(NodeId id, const std::vector<std::size_t>& rows, std::int64_t level) {
    const Node& node = tree_.node(id);
    const std::int64_t levels = objective_.levels;
    double total = 0;
    if (node.is_leaf()) {
      double side[2] = {0, 0};
      for (const std::size_t row : rows) side[data_.labels[row] == later_] += data_.weight(row);
      for (; level < levels; ++level) total += objective_.slack_cost * 2 * std::min(side[0], side[1]);
      return total;
    }
    if (level == levels || !is_on_axes(node.split->rule)) return kInfinity;
    const ScaledPlane plane = in_scaled_units(node.split->rule, axes_);
    double width = 0, rounding = kRounding;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      width += plane.h[a] * plane.h[a] / 2;
      rounding += kRounding * std::abs(plane.h[a]) * (1 + std::abs(axes_[a].center) / axes_[a].scale);
    }
    width_ = std::max(width_, width);
    std::vector<std::size_t> left, right;
    for (const std::size_t row : rows) {
      double h = -plane.g;
      for (std::size_t a = 0; a < axes_.size(); ++a) h += plane.h[a] * coordinate(axes_[a], data_, row);
      const double y = data_.labels[row] == later_ ? 1 : -1;
      total += objective_.slack_cost * data_.weight(row) * std::max(0.0, 1 - y * h);
      const bool to_left = goes_left(*node.split, data_, row);
      // The model has the mean for a missing value, whatever the tree says.
      if (to_left != (h < 0) && std::abs(h) > rounding) return kInfinity;
      (to_left ? left : right).push_back(row);
    }
    return total + objective_.split_price + cost(node.left, left, level + 1) + cost(node.right, right, level + 1);
  }

  const Tree& tree_;
  const Dataset& data_;
  const MmSvmObjective& objective_;
  const std::vector<Axis> axes_;
  std::vector<std::size_t> rows_;
  std::int32_t later_ = 0;
  double width_ = 0;
};

}  // namespace

const ObjectiveKind MmSvmObjective::kKind = {
    "mm-svm",
    [](const Options& options, const Dataset&) -> ObjectivePtr { return std::make_shared<MmSvmObjective>(MmSvmObjective::from(options)); },
    [](const Parameters& p) -> ObjectivePtr {
      auto objective = std::make_shared<MmSvmObjective>();
      objective->slack_cost = parameter<double>(p, "slack_cost");
      objective->split_price = parameter<double>(p, "split_price");
      const double stored = parameter<double>(p, "levels");
      if (!(stored >= 0 && stored <= margot::kMaxMargotDepth)) throw std::out_of_range("the objective has no usable number of levels");
      objective->levels = static_cast<std::int64_t>(stored);
      objective->gap = parameter<double>(p, "gap_tolerance");
      return objective;
    }};

MmSvmObjective MmSvmObjective::from(const Options& options) {
  if (options.level_costs.find(',') != std::string::npos)
    throw option_error("level_costs", "has several values, but mm-svm has one price of slack for all levels", "give one number");
  MmSvmObjective objective;
  objective.slack_cost = margot::values_by_level(options.level_costs, "level_costs", 1)[0];
  objective.split_price = options.ccp_alpha;
  objective.levels = options.max_depth;
  objective.gap = options.gap_tolerance;
  return objective;
}

double MmSvmObjective::of(const Tree& tree, const Dataset& data) const {
  return Recount(tree, data, *this).total();
}

std::string MmSvmObjective::formula() const {
  return fmt::format("|w|² / 2 of the split with the smallest margin + {:.9g} × slack + {:.9g} × splits", slack_cost, split_price);
}

Parameters MmSvmObjective::parameters() const {
  return {{"slack_cost", slack_cost}, {"split_price", split_price}, {"levels", static_cast<double>(levels)}, {"gap_tolerance", gap}};
}

}  // namespace treewright::mm_svm
