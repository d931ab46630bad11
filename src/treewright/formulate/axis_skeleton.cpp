#include "treewright/formulate/axis_skeleton.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace treewright::formulate {

mip::ModelSize AxisSkeleton::axis_size(double routed_rows, bool thetas) const {
  const auto features = static_cast<double>(orderings().size()), cells = static_cast<double>(cells_.size());
  const double leaves = std::ldexp(1.0, options_.max_depth), nodes = leaves - 1;
  double ranks = 0;
  for (const search::Ordering& ordering : orderings()) ranks += ordering.ranks;
  const double cuts = nodes * (options_.rules.thresholds ? ranks : features);
  // Skeleton::size has the sides of each cell.
  const double further = std::max(0.0, routed_rows - cells) * leaves;
  const double sides = options_.rules.thresholds || options_.rules.side_rows ? 2 * further : further * options_.max_depth;
  mip::ModelSize size{cuts + nodes, cuts + 2 * nodes + sides,
                      2 * cuts + nodes * (features + 4) + sides * (features + 1) + further * (options_.max_depth + 1)};
  if (!thetas) return size;
  const double count = cells * leaves * static_cast<double>(cells_.classes.size());
  return size + mip::ModelSize{count, count, 4 * count};
}

void AxisSkeleton::add_features() {
  a_.resize(shape_.inner_end());
  for (int t = 1; t < shape_.inner_end(); ++t) {
    Terms one{{d_[t], -1}};
    for (std::size_t j = 0; j < orderings().size(); ++j) {
      a_[t].push_back(model_.add_binary(fmt::format("a_{}_{}", j, t)));
      one.push_back({a_[t][j], 1});
    }
    model_.equal(fmt::format("one_feature_{}", t), std::move(one), 0);
  }
}

double AxisSkeleton::scaled(std::size_t j, std::uint32_t rank) const {
  const std::vector<double>& values = routed().values[j];
  if (options_.rules.rank_scale || values.empty()) return static_cast<double>(rank) / (orderings()[j].ranks - 1);
  return (values[rank] - values.front()) / (values.back() - values.front());
}

double AxisSkeleton::epsilon(std::size_t j) const {
  double least = 1;
  for (std::uint32_t r = 1; r < orderings()[j].ranks; ++r) least = std::min(least, scaled(j, r) - scaled(j, r - 1));
  return least;
}

void AxisSkeleton::add_routing(const std::vector<RoutedRow>& rows) {
  std::vector<double> eps;
  if (options_.rules.thresholds) {
    g_.resize(shape_.inner_end());
  } else {
    b_.resize(shape_.inner_end());
    for (std::size_t j = 0; j < orderings().size(); ++j) eps.push_back(epsilon(j));
  }
  for (int t = 1; t < shape_.inner_end(); ++t) {
    options_.rules.thresholds ? add_threshold_node(t, rows) : add_big_m_node(t, rows, eps);
  }
}

void AxisSkeleton::add_big_m_node(int t, const std::vector<RoutedRow>& rows, const std::vector<double>& eps) {
  const double least = eps.empty() ? 1 : *std::min_element(eps.begin(), eps.end());
  const double most = eps.empty() ? 1 : *std::max_element(eps.begin(), eps.end());
  b_[t] = model_.add(fmt::format("b_{}", t), 0, 1);
  model_.at_most(fmt::format("threshold_{}", t), {{b_[t], 1}, {d_[t], -1}}, 0);
  for (const RoutedRow& routed : rows) {
    Terms left{{b_[t], -1}}, right{{b_[t], -1}};
    double big_left = least, big_right = 0;
    for (std::size_t j = 0; j < eps.size(); ++j) {
      const double x = scaled(j, routed.row->rank[j]);
      left.push_back({a_[t][j], x + eps[j] - least});
      right.push_back({a_[t][j], x});
      big_left = std::max(big_left, x + eps[j]);
      big_right = std::max(big_right, 1 - x);
    }
    if (!options_.rules.tight_m) big_left = 1 + most, big_right = 1;
    double spare_left = big_left - least, spare_right = -big_right;
    if (routed.only_if_one >= 0) {
      left.push_back({routed.only_if_one, big_left});
      right.push_back({routed.only_if_one, -big_right});
      spare_left += big_left;
      spare_right -= big_right;
    }
    // `here`: what is 1 where the row is on that side of t, and 0 or the same where it is not.
    const auto add = [&](const std::string& name, const Terms& left_here, const Terms& right_here) {
      Terms l = left, r = right;
      for (const mip::MipModel::Term& term : left_here) l.push_back({term.variable, big_left * term.coefficient});
      for (const mip::MipModel::Term& term : right_here) r.push_back({term.variable, -big_right * term.coefficient});
      if (!left_here.empty()) model_.at_most("left_" + name, std::move(l), spare_left);
      if (!right_here.empty()) model_.at_least("right_" + name, std::move(r), spare_right);
    };
    if (options_.rules.side_rows) {
      add(fmt::format("{}_{}", routed.name, t), below(2 * t, routed.cell, 1), below(2 * t + 1, routed.cell, 1));
      continue;
    }
    for (const mip::MipModel::Term& z : below(2 * t, routed.cell, 1))
      add(fmt::format("{}_{}_{}", routed.name, t, model_.variables[z.variable].name), {z}, {});
    for (const mip::MipModel::Term& z : below(2 * t + 1, routed.cell, 1))
      add(fmt::format("{}_{}_{}", routed.name, t, model_.variables[z.variable].name), {}, {z});
  }
}

void AxisSkeleton::add_threshold_node(int t, const std::vector<RoutedRow>& rows) {
  g_[t].resize(orderings().size());
  for (std::size_t j = 0; j < orderings().size(); ++j) {
    // The last rank always goes right: the split would have an empty side.
    std::vector<int>& chain = g_[t][j];
    chain.push_back(a_[t][j]);
    for (std::uint32_t r = 1; r + 1 < orderings()[j].ranks; ++r) {
      chain.push_back(model_.add_binary(fmt::format("g_{}_{}_{}", j, r, t)));
      model_.at_most(fmt::format("chain_{}_{}_{}", j, r, t), {{chain[r], 1}, {chain[r - 1], -1}}, 0);
    }
  }
  for (const RoutedRow& routed : rows) {
    Terms left = below(2 * t, routed.cell, 1), right = below(2 * t + 1, routed.cell, 1);
    for (std::size_t j = 0; j < orderings().size(); ++j) {
      const std::uint32_t rank = routed.row->rank[j];
      if (rank >= g_[t][j].size()) continue;
      left.push_back({g_[t][j][rank], -1});
      right.push_back({g_[t][j][rank], 1});
    }
    const bool bound = routed.only_if_one < 0;
    if (!bound) {
      left.push_back({routed.only_if_one, 1});
      right.push_back({routed.only_if_one, 1});
    }
    model_.at_most(fmt::format("left_{}_{}", routed.name, t), std::move(left), bound ? 0 : 1);
    model_.at_most(fmt::format("right_{}_{}", routed.name, t), std::move(right), bound ? 1 : 2);
  }
}

void AxisSkeleton::add_p_losses() {
  theta_.assign(cells_.size(), std::vector<std::vector<int>>(shape_.leaf_end()));
  const double most = options_.rules.upper_bounds ? 1 : mip::MipModel::kInfinity;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    for (int t = shape_.inner_end(); t < shape_.leaf_end(); ++t) {
      for (std::size_t c = 0; c < cells_.classes.size(); ++c) {
        const std::int32_t k = cells_.classes[c];
        const double wrong = others(i, c);
        const bool needed = wrong > 0 || !options_.rules.wrong_labels;
        theta_[i][t].push_back(needed ? model_.add(fmt::format("theta_{}_{}_{}", i, k, t), 0, most, wrong) : -1);
        if (needed) model_.at_most(fmt::format("wrong_{}_{}_{}", i, k, t), {{c_[t][c], 1}, {z_[i][t], 1}, {theta_[i][t].back(), -1}}, 1);
      }
    }
  }
}

void AxisSkeleton::encode_cuts(const Placement& place, std::vector<double>& values) const {
  for (int t = 1; t < shape_.inner_end(); ++t) {
    const auto& [j, low, high] = place.cut[t];
    if (j < 0) continue;
    values[a_[t][j]] = 1;
    if (!b_.empty()) values[b_[t]] = scaled(j, low + 1);
    for (std::uint32_t r = 0; r <= low && !g_.empty(); ++r) values[g_[t][j][r]] = 1;
  }
}

void AxisSkeleton::encode_p_losses(const std::vector<int>& leaf, std::vector<double>& values) const {
  for (std::size_t i = 0; i < cells_.size() && !theta_.empty(); ++i) {
    const int t = leaf[i];
    for (std::size_t c = 0; c < cells_.classes.size(); ++c) {
      if (theta_[i][t][c] >= 0) values[theta_[i][t][c]] = values[c_[t][c]];
    }
  }
}

std::uint32_t AxisSkeleton::last_left(int t, std::size_t j, std::span<const double> values) const {
  // Of b, up to the tolerance of solvers: half of the smallest gap between values.
  const double b = b_.empty() ? 0 : values[b_[t]] - epsilon(j) / 2;
  const auto left = [&](std::uint32_t rank) { return b_.empty() ? values[g_[t][j][rank]] > 0.5 : scaled(j, rank) < b; };
  std::uint32_t low = 0;
  while (low + 2 < orderings()[j].ranks && left(low + 1)) ++low;
  return low;
}

}  // namespace treewright::formulate
