// The objective of SVM1-ODT (Zhu et al. 2020, Z20, (1a)), counted from a tree and its rows.
//
//   minimize  sum_i c_i + alpha1 * sum_{i,b} m_ib + alpha2 * sum_b |h_b|_1
//
// c_i = 1 if row i is misclassified. In the model a row on a hyperplane, or at a node whose weights are all zero, may choose its side (p+ =
// p- = 0, and the slack m makes up for eps). So the model may reach a value that no tree has. Here the tree is routed first, and no such
// freedom is left. Row i passes a split b at the distance d = h_b . u_i - g_b (u: the columns scaled to [0, 1] by the training rows). It
// goes left if d < 0, right if d >= 0, and (1h), (1j) give it the slack
//
//   m_ib = max(0, eps - |d|) <= eps
//
// at the splits on its path and nowhere else. There is no hinge loss for the wrong side: a row on the wrong side is an error in its leaf,
// or no error. The routed tree is a point of the model if |d| <= 1 for all rows (M = 1, Theorem 2). So the optimum of the model is a lower
// bound on this objective; the two differ only by rows on a hyperplane.
//
// The scale of h belongs to the split. A tree stores raw weights w = h / range, and sum w x - threshold is d itself, so slack is counted in
// raw units. A threshold is the hyperplane of weight 1 on its column. A set of levels, (8) of the supplement, has h_bj = 1 for its column:
// |h|_1 = 1, no slack. A row with a missing value that follows missing_left has no distance and no slack.

#include "treewright/methods/svm1/objective.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace treewright::svm1 {

namespace {

const Axis* axis_of(FeatureId feature, std::span<const Axis> axes) {
  const auto at = std::find_if(axes.begin(), axes.end(), [&](const Axis& axis) { return axis.feature == feature; });
  return at == axes.end() ? nullptr : &*at;
}

}  // namespace

double svm1_distance(const Split& split, const Dataset& data, std::size_t row, std::span<const Axis> axes) {
  const double none = std::numeric_limits<double>::infinity();
  const auto from_axis = [&](const AxisSplit& axis) {
    const Axis* of = axis_of(axis.feature, axes);
    return of == nullptr ? none : (data.columns[+axis.feature].values[row] - axis.threshold) / of->scale;
  };
  const auto from_plane = [&](const HyperplaneSplit& plane) {
    double sum = 0;
    for (const auto& term : plane.terms) sum += term.weight * term_value(term, data, row);
    return sum - plane.threshold;
  };
  const double distance = match(split.rule, from_axis, from_plane, [&](const CategorySplit&) { return none; });
  return std::isnan(distance) ? none : distance;
}

double svm1_length(const Split& split, std::span<const Axis> axes) {
  const HyperplaneSplit* plane = split.plane();
  if (plane == nullptr) return 1;
  double length = 0;
  for (const auto& term : plane->terms) {
    const Axis* of = axis_of(term.feature, axes);
    if (term.level >= 0) {
      length += std::abs(term.weight);
    } else if (of != nullptr) {
      length += std::abs(term.weight) * of->scale;
    }
  }
  return length;
}

Svm1Cost svm1_cost(const Tree& tree, const Dataset& data, double eps, std::span<const Axis> axes) {
  Svm1Cost cost;
  for (const Node& node : tree.nodes()) {
    if (!node.is_leaf()) cost.weights += svm1_length(*node.split, axes);
  }
  for (std::size_t row = 0; row < data.rows(); ++row) {
    NodeId at = Tree::root();
    for (; !tree.node(at).is_leaf(); at = goes_left(*tree.node(at).split, data, row) ? tree.node(at).left : tree.node(at).right) {
      cost.slack += data.weight(row) * std::max(0.0, eps - std::abs(svm1_distance(*tree.node(at).split, data, row, axes)));
    }
    if (tree.node(at).label != data.labels[row]) cost.errors += data.weight(row);
  }
  return cost;
}

const ObjectiveKind Svm1Objective::kKind = {
    "svm1",
    [](const Options& options, const Dataset&) -> ObjectivePtr { return std::make_shared<Svm1Objective>(Svm1Objective::from(options)); },
    [](const Parameters& p) -> ObjectivePtr {
      auto objective = std::make_shared<Svm1Objective>();
      objective->slack_price = parameter<double>(p, "slack_price");
      objective->weight_price = parameter<double>(p, "weight_price");
      objective->margin = parameter<double>(p, "margin");
      objective->gap = parameter<double>(p, "gap_tolerance");
      return objective;
    }};

Svm1Objective Svm1Objective::from(const Options& options) {
  Svm1Objective objective;
  objective.slack_price = options.slack_price;
  objective.weight_price = options.weight_price;
  objective.margin = options.margin;
  objective.gap = options.gap_tolerance;
  return objective;
}

double Svm1Objective::of(const Tree& tree, const Dataset& data) const {
  return svm1_cost(tree, data, margin, scaled_axes(data, Scaling::unit, false)).total(slack_price, weight_price);
}

std::string Svm1Objective::formula() const {
  return fmt::format("errors + {:.9g} × slack within {:.9g} of a hyperplane + {:.9g} × |h|₁", slack_price, margin, weight_price);
}

Parameters Svm1Objective::parameters() const {
  return {{"slack_price", slack_price}, {"weight_price", weight_price}, {"margin", margin}, {"gap_tolerance", gap}};
}

}  // namespace treewright::svm1
