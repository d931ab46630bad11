#include "treewright/methods/margot/skeleton.h"

#include <fmt/format.h>

#include <algorithm>

namespace treewright::margot {

mip::ModelSize MarginSkeleton::size_of(const MargotProblem& problem) {
  const auto rows = static_cast<double>(problem.rows()), nodes = static_cast<double>(problem.nodes());
  const double axes = static_cast<double>(problem.points.axes), last = (nodes + 1) / 2, depth = problem.depth;
  // Planes, slacks, z; margins and both sides; features and widths.
  return {nodes * (2 * axes + 4) + rows * (nodes + last), rows * (1 + nodes + 2 * (nodes - last)) + nodes * (2 * axes + 4),
          rows * ((nodes + 2 * (nodes - last)) * (axes + 2) + last * (2 * depth + 1)) + nodes * (9 * axes + 10)};
}

MarginSkeleton::MarginSkeleton(const MargotProblem& problem) : problem_(problem), nodes_(problem.nodes()) {
  mip::check_model_size(size_of(problem), problem.depth, static_cast<double>(problem.rows()));
}

void MarginSkeleton::add_assignment() {
  for (std::size_t i = 0; i < problem_.rows(); ++i) {
    std::vector<mip::MipModel::Term> one;
    z_.emplace_back(nodes_.size(), -1);
    for (std::size_t t = 0; t < nodes_.size(); ++t) {
      if (!problem_.last_level(t)) continue;
      z_[i][t] = model_.add_binary(fmt::format("z_{}_{}", i, t));
      one.push_back({z_[i][t], 1});
    }
    model_.equal(fmt::format("assigned_{}", i), std::move(one), 1);
  }
}

std::vector<mip::MipModel::Term> MarginSkeleton::decision_value(std::size_t t, std::size_t row) const {
  std::vector<mip::MipModel::Term> terms{{nodes_[t].b, 1}};
  const auto x = problem_.points.row(row);
  for (std::size_t j = 0; j < x.size(); ++j) terms.push_back({nodes_[t].w[j], x[j]});
  return terms;
}

// coefficient * Z_ti
void MarginSkeleton::add_below(std::size_t t, std::size_t row, double coefficient, std::vector<mip::MipModel::Term>& terms) const {
  if (problem_.last_level(t)) {
    terms.push_back({z_[row][t], coefficient});
    return;
  }
  add_below(2 * t + 1, row, coefficient, terms);
  add_below(2 * t + 2, row, coefficient, terms);
}

void MarginSkeleton::add_margin(std::size_t t, std::size_t row, double big, double least) {
  std::vector<mip::MipModel::Term> margin = decision_value(t, row);
  for (mip::MipModel::Term& term : margin) term.coefficient *= problem_.wanted(t, row).sign;
  margin.push_back({nodes_[t].slack[row], 1});
  add_below(t, row, -big, margin);
  model_.at_least(fmt::format("margin_{}_{}", t, row), std::move(margin), least);
}

void MarginSkeleton::add_sides(std::size_t t, std::size_t row, double right, double left, double most) {
  std::vector<mip::MipModel::Term> above = decision_value(t, row), under = above;
  add_below(2 * t + 2, row, -right, above);
  model_.at_least(fmt::format("right_{}_{}", t, row), std::move(above), -right);
  add_below(2 * t + 1, row, left, under);
  model_.at_most(fmt::format("left_{}_{}", t, row), std::move(under), most);
}

void MarginSkeleton::encode_rows(const MargotTree& tree, std::vector<double>& values) const {
  for (std::size_t t = 0; t < nodes_.size(); ++t) {
    const Hyperplane& plane = tree.planes[t];
    for (std::size_t j = 0; j < plane.weights.size(); ++j) values[nodes_[t].w[j]] = plane.weights[j];
    values[nodes_[t].b] = plane.offset;
  }
  for (std::size_t i = 0; i < problem_.rows(); ++i) {
    for (std::size_t t = 0;;) {
      const double h = tree.planes[t].decision_value(problem_.points.row(i));
      values[nodes_[t].slack[i]] = std::max(0.0, 1 - problem_.wanted(t, i).sign * h);
      if (problem_.last_level(t)) {
        values[z_[i][t]] = 1;
        break;
      }
      t = 2 * t + (h >= 0 ? 2 : 1);
    }
  }
}

std::vector<std::size_t> MarginSkeleton::reaches(std::span<const double> values) const {
  std::vector<std::size_t> reaches;
  for (const std::vector<int>& z : z_) {
    std::size_t t = nodes_.size() / 2;
    for (std::size_t l = t; l < nodes_.size(); ++l) {
      if (values[z[l]] > values[z[t]]) t = l;
    }
    reaches.push_back(t);
  }
  return reaches;
}

}  // namespace treewright::margot
