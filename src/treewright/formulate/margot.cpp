// MARGOT, HFS-MARGOT and SFS-MARGOT as mixed-integer quadratic programmes: D'Onofrio, Grani, Monaci & Palagi 2023 (DGMP23), sections 3 and 4.
//
//   minimise  sum over nodes t of  |w_t|^2 / 2 + C_t sum of weight_i xi_ti  (+ alpha u_t)
//   y_i (w_t x_i + b_t) >= 1 - xi_ti - M_xi (1 - Z_ti)                          Z_ti: sum of z_il over the last-level nodes l below t
//   w_t x_i + b_t       >= -M_H (1 - Z_i,right(t))                              t above the last level
//   w_t x_i + b_t + eps <=  M_H (1 - Z_i,left(t))
//   sum over l of z_il = 1,  z binary,  xi >= 0
//   -M_w s_tj <= w_tj <= M_w s_tj,  s binary;  HFS: sum of s_tj <= B_t,  SFS: u_t >= sum of s_tj - B_t, u_t >= 0
//
// with the paper's constants M_xi = M_w = 50 and M_H = 100. The search of margin/margot.h has none, so its optimum is the smaller one where these
// cut off a tree. Solvers work to 1e-6 a row and rows often lie exactly on a border, so a solution is read as sides of rows and sets of
// features, and the hyperplanes are solved again for these.

#include "treewright/formulate/margot.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

namespace treewright {

namespace {

using Terms = std::vector<MipModel::Term>;

std::size_t level_of(std::size_t t) {
  return static_cast<std::size_t>(std::bit_width(t + 1) - 1);
}

}  // namespace

MargotFormulation::MargotFormulation(const MargotProblem& problem) : problem_(problem) {
  const std::size_t rows = problem.target.size(), axes = problem.points.axes;
  model_.name = "margot";
  nodes_.resize((std::size_t{1} << problem.depth) - 1);
  for (std::size_t t = 0; t < nodes_.size(); ++t) {
    TreeNode& node = nodes_[t];
    for (std::size_t j = 0; j < axes; ++j) {
      node.w.push_back(model_.add(fmt::format("w_{}_{}", t, j), -MipModel::kInfinity, MipModel::kInfinity));
      model_.quadratic.push_back({node.w[j], node.w[j], 1});
    }
    node.b = model_.add(fmt::format("b_{}", t), -MipModel::kInfinity, MipModel::kInfinity);
    const double cost = problem.level_cost[level_of(t)];
    for (std::size_t i = 0; i < rows; ++i) {
      node.slack.push_back(model_.add(fmt::format("xi_{}_{}", t, i), 0, MipModel::kInfinity, cost * problem.weight[i]));
    }
  }
  for (std::size_t i = 0; i < rows; ++i) {
    Terms one;
    z_.emplace_back(nodes_.size(), -1);
    for (std::size_t t = 0; t < nodes_.size(); ++t) {
      if (!last(t)) continue;
      z_[i][t] = model_.add_binary(fmt::format("z_{}_{}", i, t));
      one.push_back({z_[i][t], 1});
    }
    model_.equal(fmt::format("assigned_{}", i), std::move(one), 1);
  }
  for (std::size_t t = 0; t < nodes_.size(); ++t) {
    add_margins(t);
    if (!problem.level_price.empty()) add_features(t, problem.level_price[level_of(t)]);
  }
}

Terms MargotFormulation::height(std::size_t t, std::size_t row) const {
  Terms terms{{nodes_[t].b, 1}};
  const auto x = problem_.points.row(row);
  for (std::size_t j = 0; j < x.size(); ++j) terms.push_back({nodes_[t].w[j], x[j]});
  return terms;
}

// coefficient * Z_ti
void MargotFormulation::add_below(std::size_t t, std::size_t row, double coefficient, Terms& terms) const {
  if (last(t)) {
    terms.push_back({z_[row][t], coefficient});
    return;
  }
  add_below(2 * t + 1, row, coefficient, terms);
  add_below(2 * t + 2, row, coefficient, terms);
}

void MargotFormulation::add_margins(std::size_t t) {
  for (std::size_t i = 0; i < problem_.target.size(); ++i) {
    Terms margin = height(t, i);
    for (MipModel::Term& term : margin) term.coefficient *= problem_.wanted(t, i).sign;
    margin.push_back({nodes_[t].slack[i], 1});
    add_below(t, i, -kSlack, margin);
    model_.at_least(fmt::format("margin_{}_{}", t, i), std::move(margin), 1 - kSlack);
    if (last(t)) continue;
    Terms right = height(t, i), left = right;
    add_below(2 * t + 2, i, -kHeight, right);
    model_.at_least(fmt::format("right_{}_{}", t, i), std::move(right), -kHeight);
    add_below(2 * t + 1, i, kHeight, left);
    model_.at_most(fmt::format("left_{}_{}", t, i), std::move(left), kHeight - problem_.epsilon);
  }
}

void MargotFormulation::add_features(std::size_t t, const FeaturePrice& price) {
  TreeNode& node = nodes_[t];
  Terms count;
  for (std::size_t j = 0; j < problem_.points.axes; ++j) {
    node.use.push_back(model_.add_binary(fmt::format("s_{}_{}", t, j)));
    model_.at_most(fmt::format("used_up_{}_{}", t, j), {{node.w[j], 1}, {node.use[j], -kWeight}}, 0);
    model_.at_least(fmt::format("used_down_{}_{}", t, j), {{node.w[j], 1}, {node.use[j], kWeight}}, 0);
    count.push_back({node.use[j], 1});
  }
  if (std::isfinite(price.price)) {
    node.beyond = model_.add(fmt::format("u_{}", t), 0, MipModel::kInfinity, price.price);
    count.push_back({node.beyond, -1});
  }
  model_.at_most(fmt::format("budget_{}", t), std::move(count), static_cast<double>(price.budget));
}

std::vector<double> MargotFormulation::encode(const MargotTree& tree) const {
  std::vector<double> values(model_.variables.size(), 0.0);
  for (std::size_t t = 0; t < nodes_.size(); ++t) {
    const MargotTree::Plane& plane = tree.planes[t];
    double used = 0;
    for (std::size_t j = 0; j < plane.weights.size(); ++j) {
      values[nodes_[t].w[j]] = plane.weights[j];
      used += plane.weights[j] != 0;
      if (!nodes_[t].use.empty()) values[nodes_[t].use[j]] = plane.weights[j] != 0;
    }
    values[nodes_[t].b] = plane.offset;
    if (nodes_[t].beyond >= 0)
      values[nodes_[t].beyond] = std::max(0.0, used - static_cast<double>(problem_.level_price[level_of(t)].budget));
  }
  for (std::size_t i = 0; i < problem_.target.size(); ++i) {
    for (std::size_t t = 0;;) {
      double h = 0;
      for (const MipModel::Term& term : height(t, i)) h += term.coefficient * values[term.variable];
      values[nodes_[t].slack[i]] = std::max(0.0, 1 - problem_.wanted(t, i).sign * h);
      if (last(t)) {
        values[z_[i][t]] = 1;
        break;
      }
      t = 2 * t + (h >= 0 ? 2 : 1);
    }
  }
  return values;
}

MargotTree MargotFormulation::decode(std::span<const double> values) const {
  std::vector<std::vector<MarginConstraint>> constraints(nodes_.size());
  for (std::size_t i = 0; i < problem_.target.size(); ++i) {
    std::size_t t = nodes_.size() / 2;
    for (std::size_t l = t; l < nodes_.size(); ++l) {
      if (values[z_[i][l]] > values[z_[i][t]]) t = l;
    }
    constraints[t].push_back(problem_.wanted(t, i));
    while (t > 0) {
      const std::size_t top = (t - 1) / 2;
      constraints[top].push_back(problem_.wanted(top, i));
      constraints[top].push_back(t % 2 == 0 ? MarginConstraint{i, 1, 0} : MarginConstraint{i, -1, problem_.epsilon});
      t = top;
    }
  }
  MargotTree tree;
  for (std::size_t t = 0; t < nodes_.size(); ++t) {
    std::vector<bool> axes(problem_.points.axes, true);
    for (std::size_t j = 0; j < nodes_[t].use.size(); ++j) axes[j] = values[nodes_[t].use[j]] > 0.5;
    const SoftMargin solved = solve_on_axes(problem_.points, constraints[t], axes);
    tree.planes.push_back({solved.weights, solved.offset});
  }
  tree.objective = margot_objective(problem_, tree.planes);
  return tree;
}

}  // namespace treewright
