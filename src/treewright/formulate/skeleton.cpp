#include "treewright/formulate/skeleton.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace treewright::formulate {

Skeleton::Skeleton(const Dataset& data, const FormulationOptions& options)
    : options_(options), cells_(Cells::from(data, options.rules.merge_rows)), shape_{options.max_depth} {
  total_ = std::accumulate(cells_.totals.begin(), cells_.totals.end(), 0.0);
  model_.offset = cells_.base_errors;
}

mip::ModelSize Skeleton::size(double features) const {
  const auto cells = static_cast<double>(cells_.size()), classes = static_cast<double>(cells_.classes.size());
  const double depth = options_.max_depth, leaves = std::ldexp(1.0, options_.max_depth), in_leaves = cells * leaves;
  mip::ModelSize size{in_leaves + leaves * (classes + 3), in_leaves + cells + leaves * (3 * classes + depth + 6), 0};
  // Of z: used, one leaf, rows and weight of a leaf, both sides of each node above, losses.
  size.terms = in_leaves * (5 + depth + 2 * classes) + leaves * (8 * classes + 2 * depth + 10);
  if (options_.rules.side_rows || options_.rules.thresholds)
    return size + mip::ModelSize{0, 2 * cells * leaves, 2 * in_leaves * features + in_leaves * (depth + 2)};
  return size + mip::ModelSize{0, in_leaves * depth, in_leaves * depth * (features + 2)};
}

double Skeleton::weight(std::size_t cell) const {
  const std::vector<double>& w = cells_.cells[cell].class_weight;
  return std::accumulate(w.begin(), w.end(), 0.0);
}

double Skeleton::others(std::size_t cell, std::size_t c) const {
  return weight(cell) - cells_.cells[cell].class_weight[cells_.classes[c]];
}

void Skeleton::add_splits(double price) {
  d_.resize(shape_.inner_end());
  Terms splits;
  for (int t = 1; t < shape_.inner_end(); ++t) {
    d_[t] = model_.add_binary(fmt::format("d_{}", t), price);
    splits.push_back({d_[t], 1});
    if (t > 1) model_.at_most(fmt::format("below_a_split_{}", t), {{d_[t], 1}, {d_[t / 2], -1}}, 0);
  }
  if (options_.max_splits >= 0) model_.at_most("max_splits", std::move(splits), static_cast<double>(options_.max_splits));
}

void Skeleton::add_leaves(bool whole_rows, bool leaf_splits) {
  l_.resize(shape_.leaf_end());
  c_.resize(shape_.leaf_end());
  z_.assign(cells_.size(), std::vector<int>(shape_.leaf_end()));
  for (int t = shape_.inner_end(); t < shape_.leaf_end(); ++t) {
    l_[t] = model_.add_binary(fmt::format("l_{}", t));
    Terms one{{l_[t], -1}}, rows{{l_[t], -static_cast<double>(options_.min_rows)}}, weights{{l_[t], -1}};  // as shares of the least weight
    for (const std::int32_t k : cells_.classes) {
      c_[t].push_back(model_.add_binary(fmt::format("c_{}_{}", k, t)));
      one.push_back({c_[t].back(), 1});
    }
    if (!cells_.classes.empty()) model_.equal(fmt::format("one_label_{}", t), std::move(one), 0);
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      z_[i][t] = model_.add(fmt::format("z_{}_{}", i, t), 0, 1, 0, whole_rows);
      rows.push_back({z_[i][t], static_cast<double>(cells_.cells[i].rows)});
      if (options_.min_weight > 0) weights.push_back({z_[i][t], cells_.cells[i].weight / options_.min_weight});
      model_.at_most(fmt::format("used_{}_{}", i, t), {{z_[i][t], 1}, {l_[t], -1}}, 0);
    }
    model_.at_least(fmt::format("min_rows_{}", t), std::move(rows), 0);
    if (options_.min_weight > 0) model_.at_least(fmt::format("min_weight_{}", t), std::move(weights), 0);
    for (int m = t; m > 1 && leaf_splits; m /= 2) {
      if (m % 2 == 0) model_.at_most(fmt::format("leaf_{}_needs_split_{}", t, m / 2), {{l_[t], 1}, {d_[m / 2], -1}}, 0);
    }
  }
  for (std::size_t i = 0; i < cells_.size(); ++i) model_.equal(fmt::format("one_leaf_{}", i), below(1, i, 1), 1);
  for (int t = 1; t < shape_.inner_end() && options_.rules.used_sides; ++t) {
    for (const int side : {2 * t, 2 * t + 1}) {
      Terms rows{{d_[t], -static_cast<double>(options_.min_rows)}};
      for (std::size_t i = 0; i < cells_.size(); ++i) {
        for (const mip::MipModel::Term& term : below(side, i, static_cast<double>(cells_.cells[i].rows))) rows.push_back(term);
      }
      model_.at_least(fmt::format("side_{}", side), std::move(rows), 0);
    }
  }
  for (int t = std::max(1, shape_.inner_end() / 2); t < shape_.inner_end() && options_.rules.sibling_labels; ++t) {
    for (std::size_t c = 0; c < cells_.classes.size(); ++c) {
      model_.at_most(fmt::format("siblings_{}_{}", cells_.classes[c], t), {{c_[2 * t][c], 1}, {c_[2 * t + 1][c], 1}}, 1);
    }
  }
}

void Skeleton::add_losses(bool largest_class) {
  loss_.resize(shape_.leaf_end());
  for (int t = shape_.inner_end(); t < shape_.leaf_end(); ++t) {
    loss_[t] = model_.add(fmt::format("L_{}", t), 0, options_.rules.upper_bounds ? total_ : mip::MipModel::kInfinity, 1);
    for (std::size_t c = 0; c < cells_.classes.size(); ++c) {
      const std::int32_t k = cells_.classes[c];
      Terms least;  // N_t - N_kt
      for (std::size_t i = 0; i < cells_.size(); ++i) least.push_back({z_[i][t], others(i, c)});
      least.push_back({loss_[t], -1});
      Terms most = least;
      const double big = options_.rules.tight_m ? total_ - cells_.totals[k] : total_;
      least.push_back({c_[t][c], big});
      model_.at_most(fmt::format("loss_{}_{}", k, t), std::move(least), big);
      if (largest_class) model_.at_least(fmt::format("loss_is_least_{}_{}", k, t), std::move(most), 0);
    }
  }
}

Skeleton::Terms Skeleton::below(int t, std::size_t cell, double coefficient) const {
  Terms terms;
  for (int leaf = shape_.first_leaf(t); leaf < shape_.last_leaf(t); ++leaf) terms.push_back({z_[cell][leaf], coefficient});
  return terms;
}

void Skeleton::encode_leaves(const std::vector<bool>& splits, const std::vector<int>& leaf, const std::vector<int>& label,
                             std::vector<double>& values) const {
  for (int t = 1; t < shape_.inner_end(); ++t) values[d_[t]] = splits[t];
  std::vector<double> loss(shape_.leaf_end(), 0.0);
  // A label that is not in use stands for a leaf of no weight: any label does.
  const auto index = [&](int t) {
    const auto named = std::find(cells_.classes.begin(), cells_.classes.end(), label[t]);
    return named == cells_.classes.end() ? std::size_t{0} : static_cast<std::size_t>(named - cells_.classes.begin());
  };
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const int t = leaf[i];
    values[z_[i][t]] = values[l_[t]] = 1;
    if (cells_.classes.empty()) continue;
    values[c_[t][index(t)]] = 1;
    loss[t] += others(i, index(t));
  }
  for (int t = shape_.inner_end(); t < shape_.leaf_end() && !loss_.empty(); ++t) values[loss_[t]] = loss[t];
}

std::vector<int> Skeleton::leaves_of(std::span<const double> values) const {
  std::vector<int> result;
  for (const std::vector<int>& z : z_) {
    int leaf = shape_.inner_end();
    for (int t = leaf; t < shape_.leaf_end(); ++t) {
      if (values[z[t]] > values[z[leaf]]) leaf = t;
    }
    result.push_back(leaf);
  }
  return result;
}

}  // namespace treewright::formulate
