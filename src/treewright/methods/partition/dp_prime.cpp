// The optimal tree for clusters of rows with free representatives: model (DP') of Ales, Hure & Lambert 2024 (AHL24, sec. 4.2).
//
// Leaves, labels and errors belong to clusters; a cluster weighs as much as its rows. Splits belong to rows. r_i = 1 means that row i
// represents its cluster, and only such a row is tied to the cluster's leaf:
//
//   sum_{i in p} r_i = 1                                           (26)
//   sum of z_p over the leaves left of t  <= sum_j g_j,rank(i,j),t + (1 - r_i)       (24)
//   sum of z_p over the leaves right of t <= 1 - sum_j g_j,rank(i,j),t + (1 - r_i)   (25)
//
// Differences. Thresholds are chains g of 0/1 variables as in oct.cpp, instead of the paper's b_t and big M. Of rows with equal features in
// one cluster, one is enough. Errors are counted by leaf (BD17 (20)-(22)); the paper counts by cluster, class and leaf (21).
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
    : formulate::Skeleton(representatives, of_clusters(options)),
      clusters_(clusters),
      rows_(formulate::Cells::from(data, false)),
      r_(data.rows(), -1) {
  double ranks = 0;
  for (const search::Ordering& ordering : rows_.orderings()) ranks += ordering.ranks;
  // As for all rows, besides the clusters.
  const double leaves = std::ldexp(1.0, options.max_depth), features = static_cast<double>(rows_.orderings().size()), cuts = leaves * ranks;
  const auto n = static_cast<double>(data.rows());
  expect_size(size(0) + mip::ModelSize{n + cuts + leaves, 2 * n * leaves + n + cuts + leaves,
                                       2 * n * leaves * (features + 1) + n * leaves * (options.max_depth + 1) + n + 2 * cuts +
                                           leaves * (features + 2)},
              options.max_depth, n);
  model_.name = "dp_prime";
  const std::int64_t splits = shape_.inner_end() - 1;
  if (options.rules.objective_step) {
    model_.step =
        formulate::objective_step(representatives, options.price, options.max_splits < 0 ? splits : std::min(splits, options.max_splits));
  }
  add_splits(options.price);
  add_leaves(true);
  add_splits_of_rows();
  add_losses();
}

void DpPrimeFormulation::add_splits_of_rows() {
  const std::vector<search::Ordering>& orderings = rows_.orderings();
  a_.resize(shape_.inner_end());
  g_.assign(shape_.inner_end(), std::vector<std::vector<int>>(orderings.size()));
  for (int t = 1; t < shape_.inner_end(); ++t) {
    Terms one{{d_[t], -1}};
    for (std::size_t j = 0; j < orderings.size(); ++j) {
      a_[t].push_back(model_.add_binary(fmt::format("a_{}_{}", j, t)));
      one.push_back({a_[t][j], 1});
      std::vector<int>& chain = g_[t][j];
      chain.push_back(a_[t][j]);
      for (std::uint32_t rank = 1; rank + 1 < orderings[j].ranks; ++rank) {
        chain.push_back(model_.add_binary(fmt::format("g_{}_{}_{}", j, rank, t)));
        model_.at_most(fmt::format("chain_{}_{}_{}", j, rank, t), {{chain[rank], 1}, {chain[rank - 1], -1}}, 0);
      }
    }
    model_.equal(fmt::format("one_feature_{}", t), std::move(one), 0);
  }
  for (std::size_t p = 0; p < clusters_.size(); ++p) {
    std::set<std::vector<std::uint32_t>> seen;
    std::vector<std::int32_t> rows;
    for (const std::int32_t row : clusters_[p]) {
      if (seen.insert(rows_.cells[row].rank).second) rows.push_back(row);
    }
    Terms one;
    for (const std::int32_t row : rows) {
      const bool alone = rows.size() == 1;
      if (!alone) {
        r_[row] = model_.add_binary(fmt::format("r_{}", row));
        one.push_back({r_[row], 1});
      }
      for (int t = 1; t < shape_.inner_end(); ++t) {
        Terms left = below(2 * t, p, 1), right = below(2 * t + 1, p, 1);
        for (std::size_t j = 0; j < orderings.size(); ++j) {
          const std::uint32_t rank = rows_.cells[row].rank[j];
          if (rank >= g_[t][j].size()) continue;
          left.push_back({g_[t][j][rank], -1});
          right.push_back({g_[t][j][rank], 1});
        }
        if (!alone) {
          left.push_back({r_[row], 1});
          right.push_back({r_[row], 1});
        }
        model_.at_most(fmt::format("left_{}_{}", row, t), std::move(left), alone ? 0 : 1);
        model_.at_most(fmt::format("right_{}_{}", row, t), std::move(right), alone ? 1 : 2);
      }
    }
    if (!one.empty()) model_.equal(fmt::format("one_row_{}", p), std::move(one), 1);
  }
}

std::optional<std::vector<double>> DpPrimeFormulation::encode(const Tree& tree) const {
  const std::optional<formulate::Placement> place = formulate::Placement::of(tree, rows_, shape_);
  if (!place) return {};
  std::vector<double> values(model_.variables.size(), 0.0);
  std::vector<bool> splits(shape_.inner_end(), false);
  for (int t = 1; t < shape_.inner_end(); ++t) {
    const auto& [j, low, high] = place->cut[t];
    if (j < 0) continue;
    splits[t] = true;
    for (std::uint32_t rank = 0; rank <= low; ++rank) values[g_[t][j][rank]] = 1;
  }
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
  encode_leaves(splits, leaf, place->label, values);
  return values;
}

Tree DpPrimeFormulation::decode(std::span<const double> values) const {
  Tree tree(*rows_.data);
  const auto build = [&](auto&& self, NodeId id, int t) -> void {
    // A node without a split sends all rows right.
    while (t < shape_.inner_end() && values[d_[t]] < 0.5) t = 2 * t + 1;
    if (t >= shape_.inner_end()) return;
    for (std::size_t j = 0; j < g_[t].size(); ++j) {
      if (values[a_[t][j]] < 0.5) continue;
      std::uint32_t low = 0;
      while (low + 1 < g_[t][j].size() && values[g_[t][j][low + 1]] > 0.5) ++low;
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
