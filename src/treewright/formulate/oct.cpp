// The optimal classification tree as a mixed-integer program: Bertsimas & Dunn 2017 (BD17), model (24), as corrected by Vaaraniemi 2023
// (V23), model (9); and (P) of Ales, Hure & Lambert 2024 (AHL24, sec. 2.1).
//
// Source. The tree is the complete tree of depth D. An inner node t with d_t = 1 splits: it selects one feature (a_jt = 1) and a threshold b_t,
// and row i goes left iff x_ij < b_t. A node without a split sends all rows right. z_it = 1 if row i is in leaf t, l_t = 1 if the leaf is used,
// c_kt = 1 if it predicts class k, and L_t counts its rows of other classes. x and b are scaled to [0, 1]:
//
//   minimize  sum L_t + price * sum d_t                            (23), times L^
//   sum_j a_jt = d_t,  0 <= b_t <= d_t,  d_t <= d_parent           structure
//   sum_t z_it = 1,  z_it <= l_t,  sum_i z_it >= N_min l_t         (6)-(8)
//   a_m (x_i + eps - eps_min) + eps_min <= b_m + M (1 - z_it)      left of m: V23's form of (13)
//   a_m x_i >= b_m - M (1 - z_it)                                  right of m: (14)
//   sum_k c_kt = l_t                                               (18)
//   L_t >= N_t - N_kt - n (1 - c_kt),  0 <= L_t <= N_t - N_kt      (20)-(22)
//
// Erratum. As printed, (13) reads 0 <= 0 at a node without a split and lets rows go left of it. The model then has "trees" without errors that do
// not exist. eps_min on both sides forces the rows right. (P) replaces L_t by theta_ikt >= c_kt + z_it - 1 for each row, wrong class and leaf.
//
// Differences from the papers. Rows with equal features are merged into cells, with one weight for each class; "n" is a sum of weights, and
// N_min counts rows. Features are orderings (search/problem.h), which include missing values and categories.
//
// Strengthenings (rules.def) keep the optimum. The most important one is `thresholds`. For node t and ordering j let g_jrt = 1 if t splits on j
// and rank r goes left. Then a_jt = g_j0t >= g_j1t >= ... is a chain. Its 0/1 points are exactly the cuts, and all vertices of its LP relaxation
// are 0/1. The inequalities
//   sum of z_i over the leaves left of t <= sum_j g_j,rank(i,j),t <= 1 - sum of z_i over the leaves right of t
// replace b_t and the 2 n D 2^(D-1) big-M rows. They restrict a row's side to the convex hull of the sides that splits can give it, whereas with
// a big M half a split may send a row anywhere. If g and a are integral, so is z. So the solver branches on thresholds, not on rows.
//
// Invariants: encode() of any tree within the limits satisfies all rows of the model, for any choice of rules (tested). decode() does not route
// rows: it reads the features and the leaves of cells, and the tree is tallied and recounted on the raw rows.
//
// Size: z has cells * 2^D entries; g has (distinct values) * (2^D - 1).

#include "treewright/formulate/oct.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "treewright/formulate/split_bounds.h"

namespace treewright::formulate {

OctFormulation::OctFormulation(const Dataset& data, const FormulationOptions& options, Losses losses, Deadline& deadline)
    : Skeleton(data, options) {
  expect_size(size(losses), options.max_depth, static_cast<double>(cells_.size()));
  model_.name = losses == Losses::p ? "p" : "oct";
  const std::int64_t splits = shape_.inner_end() - 1;
  if (options.rules.objective_step) {
    model_.step = objective_step(data, options.price, options.max_splits < 0 ? splits : std::min(splits, options.max_splits));
  }
  add_splits(options.price);
  add_features();
  // With whole thresholds z is whole by itself.
  add_leaves(!options.rules.thresholds);
  options.rules.thresholds ? add_threshold_splits() : add_big_m_splits();
  losses == Losses::p ? add_p_losses() : add_losses();
  if (options.rules.split_bounds) add_split_bounds(deadline);
}

mip::ModelSize OctFormulation::size(Losses losses) const {
  const auto features = static_cast<double>(cells_.orderings().size());
  const double leaves = std::ldexp(1.0, options_.max_depth), nodes = leaves - 1, in_leaves = static_cast<double>(cells_.size()) * leaves;
  double ranks = 0;
  for (const search::Ordering& ordering : cells_.orderings()) ranks += ordering.ranks;
  const double cuts = nodes * (options_.rules.thresholds ? ranks : features);
  // Thresholds; the row of split_bounds names whatever has a cost.
  mip::ModelSize size = Skeleton::size(features) +
                        mip::ModelSize{cuts + nodes, cuts + 2 * nodes + 1, 2 * cuts + nodes * (features + 4) + features + 2 * leaves};
  if (losses == Losses::p) {
    const double thetas = in_leaves * static_cast<double>(cells_.classes.size());
    size = size + mip::ModelSize{thetas, thetas, 4 * thetas};
  }
  return size;
}

void OctFormulation::add_features() {
  a_.resize(shape_.inner_end());
  for (int t = 1; t < shape_.inner_end(); ++t) {
    Terms one{{d_[t], -1}};
    for (std::size_t j = 0; j < cells_.orderings().size(); ++j) {
      a_[t].push_back(model_.add_binary(fmt::format("a_{}_{}", j, t)));
      one.push_back({a_[t][j], 1});
    }
    model_.equal(fmt::format("one_feature_{}", t), std::move(one), 0);
  }
}

double OctFormulation::scaled(std::size_t j, std::uint32_t rank) const {
  const search::Ordering& ordering = cells_.orderings()[j];
  if (options_.rules.rank_scale || ordering.values.size() != ordering.ranks) return static_cast<double>(rank) / (ordering.ranks - 1);
  return (ordering.values[rank] - ordering.values.front()) / (ordering.values.back() - ordering.values.front());
}

double OctFormulation::epsilon(std::size_t j) const {
  double least = 1;
  for (std::uint32_t r = 1; r < cells_.orderings()[j].ranks; ++r) least = std::min(least, scaled(j, r) - scaled(j, r - 1));
  return least;
}

void OctFormulation::add_big_m_splits() {
  const std::size_t features = cells_.orderings().size();
  std::vector<double> eps;
  for (std::size_t j = 0; j < features; ++j) eps.push_back(epsilon(j));
  const double least = features == 0 ? 1 : *std::min_element(eps.begin(), eps.end());
  const double most = features == 0 ? 1 : *std::max_element(eps.begin(), eps.end());
  b_.resize(shape_.inner_end());
  for (int t = 1; t < shape_.inner_end(); ++t) {
    b_[t] = model_.add(fmt::format("b_{}", t), 0, 1);
    model_.at_most(fmt::format("threshold_{}", t), {{b_[t], 1}, {d_[t], -1}}, 0);
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      Terms left{{b_[t], -1}}, right{{b_[t], -1}};
      double big_left = least, big_right = 0;
      for (std::size_t j = 0; j < features; ++j) {
        const double x = scaled(j, cells_.cells[i].rank[j]);
        left.push_back({a_[t][j], x + eps[j] - least});
        right.push_back({a_[t][j], x});
        big_left = std::max(big_left, x + eps[j]);
        big_right = std::max(big_right, 1 - x);
      }
      if (!options_.rules.tight_m) big_left = 1 + most, big_right = 1;
      // `here`: what is 1 where the row is on that side of t, and 0 or the same where it is not.
      const auto add = [&](const std::string& name, const Terms& left_here, const Terms& right_here) {
        Terms l = left, r = right;
        for (const mip::MipModel::Term& term : left_here) l.push_back({term.variable, big_left * term.coefficient});
        for (const mip::MipModel::Term& term : right_here) r.push_back({term.variable, -big_right * term.coefficient});
        if (!left_here.empty()) model_.at_most("left_" + name, std::move(l), big_left - least);
        if (!right_here.empty()) model_.at_least("right_" + name, std::move(r), -big_right);
      };
      if (options_.rules.side_rows) {
        add(fmt::format("{}_{}", i, t), below(2 * t, i, 1), below(2 * t + 1, i, 1));
        continue;
      }
      for (const mip::MipModel::Term& z : below(2 * t, i, 1))
        add(fmt::format("{}_{}_{}", i, t, model_.variables[z.variable].name), {z}, {});
      for (const mip::MipModel::Term& z : below(2 * t + 1, i, 1))
        add(fmt::format("{}_{}_{}", i, t, model_.variables[z.variable].name), {}, {z});
    }
  }
}

void OctFormulation::add_threshold_splits() {
  g_.assign(shape_.inner_end(), std::vector<std::vector<int>>(cells_.orderings().size()));
  for (int t = 1; t < shape_.inner_end(); ++t) {
    for (std::size_t j = 0; j < cells_.orderings().size(); ++j) {
      // The last rank always goes right: the split would have an empty side.
      std::vector<int>& chain = g_[t][j];
      chain.push_back(a_[t][j]);
      for (std::uint32_t r = 1; r + 1 < cells_.orderings()[j].ranks; ++r) {
        chain.push_back(model_.add_binary(fmt::format("g_{}_{}_{}", j, r, t)));
        model_.at_most(fmt::format("chain_{}_{}_{}", j, r, t), {{chain[r], 1}, {chain[r - 1], -1}}, 0);
      }
    }
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      Terms left = below(2 * t, i, 1), right = below(2 * t + 1, i, 1);
      for (std::size_t j = 0; j < cells_.orderings().size(); ++j) {
        const std::uint32_t rank = cells_.cells[i].rank[j];
        if (rank >= g_[t][j].size()) continue;
        left.push_back({g_[t][j][rank], -1});
        right.push_back({g_[t][j][rank], 1});
      }
      model_.at_most(fmt::format("left_{}_{}", i, t), std::move(left), 0);
      model_.at_most(fmt::format("right_{}_{}", i, t), std::move(right), 1);
    }
  }
}

void OctFormulation::add_p_losses() {
  theta_.assign(cells_.size(), std::vector<std::vector<int>>(shape_.leaf_end()));
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    for (int t = shape_.inner_end(); t < shape_.leaf_end(); ++t) {
      for (std::size_t c = 0; c < cells_.classes.size(); ++c) {
        const std::int32_t k = cells_.classes[c];
        const double wrong = others(i, c);
        theta_[i][t].push_back(wrong > 0 ? model_.add(fmt::format("theta_{}_{}_{}", i, k, t), 0, 1, wrong) : -1);
        if (wrong > 0) model_.at_most(fmt::format("wrong_{}_{}_{}", i, k, t), {{c_[t][c], 1}, {z_[i][t], 1}, {theta_[i][t].back(), -1}}, 1);
      }
    }
  }
}

void OctFormulation::add_split_bounds(Deadline& deadline) {
  const std::vector<double> bounds = split_bounds(cells_, options_, deadline);
  if (bounds.empty() || cells_.classes.empty()) return;
  // cost >= bound of the root's ordering, or the errors of a single leaf.
  const double leaf = total_ - *std::max_element(cells_.totals.begin(), cells_.totals.end());
  Terms terms;
  for (std::size_t v = 0; v < model_.variables.size(); ++v) {
    if (model_.variables[v].cost != 0) terms.push_back({static_cast<int>(v), model_.variables[v].cost});
  }
  for (std::size_t j = 0; j < bounds.size(); ++j) {
    if (bounds[j] == mip::MipModel::kInfinity) {
      model_.variables[a_[1][j]].upper = 0;  // N_min leaves it no cut
    } else {
      terms.push_back({a_[1][j], leaf - (bounds[j] - cells_.base_errors)});
    }
  }
  // Rounding of real weights must not cut off the optimum.
  model_.at_least("split_bounds", std::move(terms), leaf - 1e-7 * std::max(1.0, leaf));
}

std::optional<std::vector<double>> OctFormulation::encode(const Tree& tree) const {
  const std::optional<Placement> place = Placement::of(tree, cells_, shape_);
  if (!place) return {};
  std::vector<double> values(model_.variables.size(), 0.0);
  for (int t = 1; t < shape_.inner_end(); ++t) {
    const auto& [j, low, high] = place->cut[t];
    if (j < 0) continue;
    values[a_[t][j]] = 1;
    if (!b_.empty()) values[b_[t]] = scaled(j, low + 1);
    for (std::uint32_t r = 0; r <= low && !g_.empty(); ++r) values[g_[t][j][r]] = 1;
  }
  encode_leaves(place->splits(), place->leaf, place->label, values);
  for (std::size_t i = 0; i < cells_.size() && !theta_.empty(); ++i) {
    const int t = place->leaf[i];
    for (std::size_t c = 0; c < cells_.classes.size(); ++c) {
      if (theta_[i][t][c] >= 0) values[theta_[i][t][c]] = values[c_[t][c]];
    }
  }
  return values;
}

Placement OctFormulation::placement_of(std::span<const double> values) const {
  Placement place;
  place.cut.resize(shape_.inner_end());
  for (int t = 1; t < shape_.inner_end(); ++t) {
    for (std::size_t j = 0; j < a_[t].size(); ++j) {
      if (values[a_[t][j]] > 0.5) place.cut[t].ordering = static_cast<int>(j);
    }
  }
  place.leaf = leaves_of(values);
  return place;
}

Tree OctFormulation::decode(std::span<const double> values) const {
  return placement_of(values).to_tree(cells_, shape_, options_.price);
}

}  // namespace treewright::formulate
