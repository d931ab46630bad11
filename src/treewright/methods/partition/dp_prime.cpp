// The optimal tree for clusters of rows with free representatives: model (DP') of Ales, Hure & Lambert 2024 (AHL24, sec. 4.2).
//
// Leaves, labels and errors belong to clusters; a cluster weighs as much as its rows. Splits belong to rows. r_i = 1 means that row i
// represents its cluster, and only such a row is tied to the cluster's leaf:
//
//   sum_{i in p} r_i = 1                                                        (26)
//   a_t (x_i + mu - mu_min) + mu_min <= b_t + (1 + mu_max)(2 - z_p - r_i)       left of t (24)
//   a_t x_i >= b_t - (2 - z_p - r_i)                                            right of t (25)
//
// Without strengthenings (rules.def) this is the paper's model. With them, thresholds are chains of 0/1 variables as in oct.cpp, one row
// stands for equal rows of a cluster, and errors are counted by leaf (BD17 (20), (22)) instead of by cluster, class and leaf (21).
//
// Why it is a relaxation. For each cluster a tree may choose a row that it classifies correctly, if there is one. So (DP') counts a cluster
// as misclassified only if all its rows are, which never exceeds the errors (Proposition 3). Its bound is a bound for the problem on all
// rows.
//
// Invariant: encode() of a tree within the limits chooses such rows; the cost is then cost_of(tree).
//
// Size: clusters * 2^D variables z; distinct values * (2^D - 1) variables g; 2 constraints for each row of the data and inner node.

#include "treewright/methods/partition/dp_prime.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace treewright::partition {

namespace {

// Clusters must not be merged, and N_min counts rows, which the model does not have. A side may be without a representative, so that every
// tree is a point of the model.
formulate::FormulationOptions of_clusters(formulate::FormulationOptions options) {
  options.rules.merge_rows = options.rules.used_sides = false;
  options.min_rows = 1;
  options.min_weight = 0;
  return options;
}

}  // namespace

DpPrimeFormulation::DpPrimeFormulation(const Dataset& data, const std::vector<std::vector<std::int32_t>>& clusters,
                                       const Dataset& representatives, const formulate::FormulationOptions& options)
    : formulate::AxisSkeleton(representatives, of_clusters(options)),
      clusters_(clusters),
      rows_(formulate::Cells::from(data, false)),
      r_(data.rows(), -1) {
  const auto n = static_cast<double>(data.rows());
  const bool by_leaf = options.rules.leaf_losses;
  expect_size(size(static_cast<double>(rows_.orderings().size())) + axis_size(n, !by_leaf) + mip::ModelSize{n, n, n}, options.max_depth, n);
  model_.name = "dp_prime";
  const std::int64_t splits = shape_.inner_end() - 1;
  if (options.rules.objective_step) {
    model_.step =
        formulate::objective_step(representatives, options.price, options.max_splits < 0 ? splits : std::min(splits, options.max_splits));
  }
  add_splits(options.price);
  add_leaves(true, true);
  add_features();
  add_routing(add_representatives(options.rules.merge_rows));
  // The label of a leaf, that of most rows, may not be that of most clusters.
  by_leaf ? add_losses(false) : add_p_losses();
}

std::vector<formulate::AxisSkeleton::RoutedRow> DpPrimeFormulation::add_representatives(bool merge_rows) {
  std::vector<RoutedRow> routed;
  for (std::size_t p = 0; p < clusters_.size(); ++p) {
    std::set<std::vector<std::uint32_t>> seen;
    std::vector<std::int32_t> rows;
    for (const std::int32_t row : clusters_[p]) {
      if (seen.insert(rows_.cells[row].rank).second || !merge_rows) rows.push_back(row);
    }
    Terms one;
    for (const std::int32_t row : rows) {
      if (rows.size() > 1 || !merge_rows) {
        r_[row] = model_.add_binary(fmt::format("r_{}", row));
        one.push_back({r_[row], 1});
      }
      routed.push_back({&rows_.cells[row], p, std::to_string(row), r_[row]});
    }
    if (!one.empty()) model_.equal(fmt::format("one_row_{}", p), std::move(one), 1);
  }
  return routed;
}

std::optional<std::vector<double>> DpPrimeFormulation::encode(const Tree& tree) const {
  const std::optional<formulate::Placement> place = formulate::Placement::of(tree, rows_, shape_);
  if (!place) return {};
  std::vector<double> values(model_.variables.size(), 0.0);
  encode_cuts(*place, values);
  std::vector<int> leaf;
  for (const std::vector<std::int32_t>& cluster : clusters_) {
    std::int32_t stands = -1;
    for (const std::int32_t row : cluster) {
      // A row equal to an earlier one takes the same side.
      if (cluster.size() > 1 && r_[row] < 0) continue;
      if (stands < 0 || place->label[place->leaf[row]] == rows_.data->labels[row]) stands = row;
    }
    if (stands < 0) stands = cluster.front();
    if (r_[stands] >= 0) values[r_[stands]] = 1;
    leaf.push_back(place->leaf[stands]);
  }
  encode_leaves(place->splits(), leaf, place->label, values);
  encode_p_losses(leaf, values);
  return values;
}

Tree DpPrimeFormulation::decode(std::span<const double> values) const {
  Tree tree(*rows_.data);
  const auto build = [&](auto&& self, NodeId id, int t) -> void {
    // A node without a split sends all rows right.
    while (t < shape_.inner_end() && values[d_[t]] < 0.5) t = 2 * t + 1;
    if (t >= shape_.inner_end()) return;
    for (std::size_t j = 0; j < a_[t].size(); ++j) {
      if (values[a_[t][j]] < 0.5) continue;
      const std::uint32_t low = last_left(t, j, values);
      const auto [left, right] = tree.split(id, rows_.orderings()[j].cut(low, low + 1, *rows_.data));
      self(self, left, 2 * t);
      self(self, right, 2 * t + 1);
      return;
    }
  };
  build(build, Tree::root(), 1);
  tree.tally(*rows_.data);
  return tree;
}

std::vector<std::int32_t> DpPrimeFormulation::chosen(std::span<const double> values) const {
  std::vector<std::int32_t> rows;
  for (const std::vector<std::int32_t>& cluster : clusters_) {
    std::int32_t stands = cluster.front();
    for (const std::int32_t row : cluster) {
      if (r_[row] >= 0 && values[r_[row]] > 0.5) stands = row;
    }
    rows.push_back(stands);
  }
  return rows;
}

double DpPrimeFormulation::cost_of(const Tree& tree) const {
  const std::vector<std::int32_t> label = tree.predict(*rows_.data);
  double cost = options_.price * static_cast<double>(tree.splits());
  for (std::size_t p = 0; p < clusters_.size(); ++p) {
    const bool lost =
        std::none_of(clusters_[p].begin(), clusters_[p].end(), [&](std::int32_t row) { return label[row] == cells_.data->labels[p]; });
    if (lost) cost += cells_.data->weight(p);
  }
  return cost;
}

}  // namespace treewright::partition
