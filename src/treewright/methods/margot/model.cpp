// MARGOT, HFS-MARGOT and SFS-MARGOT as mixed-integer quadratic programs: D'Onofrio, Grani, Monaci & Palagi 2023 (DGMP23), sections 3 and 4.
//
//   minimize  sum over nodes t of  |w_t|^2 / 2 + C_t sum of weight_i xi_ti  (+ alpha u_t)
//   y_i (w_t x_i + b_t) >= 1 - xi_ti - M_xi (1 - Z_ti)                          Z_ti: sum of z_il over the last-level nodes l below t
//   w_t x_i + b_t       >= -M_H (1 - Z_i,right(t))                              t above the last level
//   w_t x_i + b_t + eps <=  M_H (1 - Z_i,left(t))
//   sum over l of z_il = 1,  z binary,  xi >= 0
//   -M_w s_tj <= w_tj <= M_w s_tj,  s binary;  HFS: sum of s_tj <= B_t,  SFS: u_t >= sum of s_tj - B_t, u_t >= 0
//
// with the paper's constants M_xi = M_w = 50 and M_H = 100. The search (search.h) has no such constants, so its optimum is smaller if they
// exclude the best tree. Solvers work to a tolerance of 1e-6 per constraint, and rows often lie exactly on a boundary. So only the sides of
// rows and the sets of features are taken from a solution, and the hyperplanes are solved again for these.

#include "treewright/methods/margot/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace treewright::margot {

MargotFormulation::MargotFormulation(const MargotProblem& problem) : MarginSkeleton(problem) {
  model_.name = "margot";
  for (std::size_t t = 0; t < nodes_.size(); ++t) {
    Node& node = nodes_[t];
    for (std::size_t j = 0; j < problem.points.axes; ++j) {
      node.w.push_back(model_.add(fmt::format("w_{}_{}", t, j), -mip::MipModel::kInfinity, mip::MipModel::kInfinity));
      model_.quadratic.push_back({node.w[j], node.w[j], 1});
    }
    node.b = model_.add(fmt::format("b_{}", t), -mip::MipModel::kInfinity, mip::MipModel::kInfinity);
    for (std::size_t i = 0; i < problem.rows(); ++i) {
      node.slack.push_back(model_.add(fmt::format("xi_{}_{}", t, i), 0, mip::MipModel::kInfinity, problem.cost(t, i)));
    }
  }
  add_assignment();
  for (std::size_t t = 0; t < nodes_.size(); ++t) {
    for (std::size_t i = 0; i < problem.rows(); ++i) {
      add_margin(t, i, kSlack, 1 - kSlack);
      if (!problem.last_level(t)) add_sides(t, i, kHeight, kHeight, kHeight - problem.epsilon);
    }
    if (!problem.level_price.empty()) add_features(t);
  }
}

void MargotFormulation::add_features(std::size_t t) {
  const svm::FeaturePrice price = problem_.price(t);
  Features features;
  std::vector<mip::MipModel::Term> count;
  for (std::size_t j = 0; j < problem_.points.axes; ++j) {
    const int w = nodes_[t].w[j], use = model_.add_binary(fmt::format("s_{}_{}", t, j));
    model_.at_most(fmt::format("used_up_{}_{}", t, j), {{w, 1}, {use, -kWeight}}, 0);
    model_.at_least(fmt::format("used_down_{}_{}", t, j), {{w, 1}, {use, kWeight}}, 0);
    count.push_back({use, 1});
    features.use.push_back(use);
  }
  if (std::isfinite(price.price)) {
    features.beyond = model_.add(fmt::format("u_{}", t), 0, mip::MipModel::kInfinity, price.price);
    count.push_back({features.beyond, -1});
  }
  model_.at_most(fmt::format("budget_{}", t), std::move(count), static_cast<double>(price.budget));
  features_.push_back(std::move(features));
}

std::vector<double> MargotFormulation::encode(const MargotTree& tree) const {
  std::vector<double> values(model_.variables.size(), 0.0);
  encode_rows(tree, values);
  for (std::size_t t = 0; t < features_.size(); ++t) {
    double used = 0;
    for (std::size_t j = 0; j < problem_.points.axes; ++j) used += values[features_[t].use[j]] = tree.planes[t].weights[j] != 0;
    if (features_[t].beyond >= 0) values[features_[t].beyond] = std::max(0.0, used - static_cast<double>(problem_.price(t).budget));
  }
  return values;
}

MargotTree MargotFormulation::decode(std::span<const double> values) const {
  std::vector<std::vector<svm::MarginConstraint>> constraints(nodes_.size());
  const std::vector<std::size_t> reached = reaches(values);
  for (std::size_t i = 0; i < reached.size(); ++i) {
    std::size_t t = reached[i];
    constraints[t].push_back(problem_.wanted(t, i));
    while (t > 0) {
      const std::size_t top = (t - 1) / 2;
      constraints[top].push_back(problem_.wanted(top, i));
      constraints[top].push_back(problem_.routed(i, t % 2 == 0));
      t = top;
    }
  }
  MargotTree tree;
  for (std::size_t t = 0; t < nodes_.size(); ++t) {
    std::vector<bool> axes(problem_.points.axes, true);
    for (std::size_t j = 0; j < axes.size() && !features_.empty(); ++j) axes[j] = values[features_[t].use[j]] > 0.5;
    const svm::SoftMargin solved = svm::solve_on_axes(problem_.points, constraints[t], axes);
    tree.planes.push_back({solved.weights, solved.offset});
  }
  tree.objective = margot_objective(problem_, tree.planes);
  return tree;
}

}  // namespace treewright::margot
