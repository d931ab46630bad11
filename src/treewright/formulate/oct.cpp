// The optimal classification tree as a mixed-integer program: Bertsimas & Dunn 2017 (BD17), model (24), as corrected by Vaaraniemi 2023
// (V23), model (9); and (P) of Ales, Hure & Lambert 2024 (AHL24, sec. 2.1).
//
// Source. The tree is the complete tree of depth D. An inner node t with d_t = 1 splits: it selects one feature (a_jt = 1) and a threshold
// b_t, and row i goes left iff x_ij < b_t. A node without a split sends all rows right. z_it = 1 if row i is in leaf t, l_t = 1 if the leaf
// is used, c_kt = 1 if it predicts class k, and L_t counts its rows of other classes. x and b are scaled to [0, 1]:
//
//   minimize  sum L_t + price * sum d_t                            (23), times L^
//   sum_j a_jt = d_t,  0 <= b_t <= d_t,  d_t <= d_parent           structure
//   sum_t z_it = 1,  z_it <= l_t,  sum_i z_it >= N_min l_t         (6)-(8)
//   a_m (x_i + eps - eps_min) + eps_min <= b_m + M (1 - z_it)      left of m: V23's form of (13)
//   a_m x_i >= b_m - M (1 - z_it)                                  right of m: (14)
//   sum_k c_kt = l_t                                               (18)
//   L_t >= N_t - N_kt - n (1 - c_kt),  0 <= L_t <= N_t - N_kt      (20)-(22)
//
// Erratum. As printed, (13) reads 0 <= 0 at a node without a split and lets rows go left of it. The model then has "trees" without errors
// that do not exist. eps_min on both sides forces the rows right. (P) replaces L_t by theta_ikt >= c_kt + z_it - 1 for each row, wrong
// class and leaf.
//
// Differences from the papers. Rows with equal features are merged into cells, with one weight for each class; "n" is a sum of weights, and
// N_min counts rows. Features are orderings (search/items/problem.h), which include missing values and categories.
//
// Strengthenings (rules.def) keep the optimum. The most important one is `thresholds`. For node t and ordering j let g_jrt = 1 if t splits
// on j and rank r goes left. Then a_jt = g_j0t >= g_j1t >= ... is a chain. Its 0/1 points are exactly the cuts, and all vertices of its LP
// relaxation are 0/1. The inequalities
//   sum of z_i over the leaves left of t <= sum_j g_j,rank(i,j),t <= 1 - sum of z_i over the leaves right of t
// replace b_t and the 2 n D 2^(D-1) big-M rows. They restrict a row's side to the convex hull of the sides that splits can give it, whereas
// with a big M half a split may send a row anywhere. If g and a are integral, so is z. So the solver branches on thresholds, not on rows.
//
// Invariants: encode() of any tree within the limits satisfies all rows of the model, for any choice of rules (tested). decode() does not
// route rows: it reads the features and the leaves of cells, and the tree is tallied and recounted on the raw rows.
//
// Size: z has cells * 2^D entries; g has (distinct values) * (2^D - 1).

#include "treewright/formulate/oct.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "treewright/formulate/split_bounds.h"

namespace treewright::formulate {

OctFormulation::OctFormulation(const Dataset& data, const FormulationOptions& options, Losses losses, Deadline& deadline)
    : AxisSkeleton(data, options) {
  expect_size(size(losses), options.max_depth, static_cast<double>(cells_.size()));
  model_.name = losses == Losses::p ? "p" : "oct";
  const std::int64_t splits = shape_.inner_end() - 1;
  if (options.rules.objective_step) {
    model_.step = objective_step(data, options.price, options.max_splits < 0 ? splits : std::min(splits, options.max_splits));
  }
  add_splits(options.price);
  add_features();
  // With whole thresholds z is whole by itself.
  add_leaves(!options.rules.thresholds, options.rules.leaf_splits || losses == Losses::p);
  std::vector<RoutedRow> rows;
  for (std::size_t i = 0; i < cells_.size(); ++i) rows.push_back({&cells_.cells[i], i, std::to_string(i)});
  add_routing(rows);
  losses == Losses::p ? add_p_losses() : add_losses();
  if (options.rules.split_bounds) add_split_bounds(deadline);
}

mip::ModelSize OctFormulation::size(Losses losses) const {
  const auto features = static_cast<double>(cells_.orderings().size()), cells = static_cast<double>(cells_.size());
  // The row of split_bounds names whatever has a cost.
  return Skeleton::size(features) + axis_size(cells, losses == Losses::p) +
         mip::ModelSize{0, 1, features + 2 * std::ldexp(1.0, options_.max_depth)};
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
  encode_cuts(*place, values);
  encode_leaves(place->splits(), place->leaf, place->label, values);
  encode_p_losses(place->leaf, values);
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
