// Trees with a price on unequal treatment: the classification model of Aghaei, Azizi & Vayanos 2019 (AAAI). Z20 compares with it ("Fair",
// without the fairness term).
//
// From Aghaei et al.: the objective, loss + lambda * disparate impact (their index for classification is discrimination_index); one split
// on one feature in every node, numeric by threshold and categorical by set of levels; labels of leaves as variables. From BD17: the tree
// itself. Aghaei et al. tie rows to splits by indicator constraints of their own. Here this part is that of oct.cpp with its
// strengthenings. So without fairness the problem is that of oct by a MIP, and its times say nothing about the model of Aghaei et al.
// Difference: leaves predict their majority class, as in every tree of this library; theirs may predict any class. Where classes are
// equally heavy, the model chooses among them, and its choice is kept. It knows the classes that are not the lightest one in every cell. No
// other is needed: where such a class is among the heaviest of a leaf, all classes are equally heavy there. With d_gk the difference of the
// two shares for group g and class k, one that it knows has |d_gk + d_gl| <= |d_gk| + |d_gl| if it takes the rows of such a class l.
//
// With given_ikt = z_it c_kt (sum over k = z_it, given_ikt <= c_kt), group g's share of class k is linear, and so is the index:
//   impact_gk >= +-(sum over all rows of w_i given_ik / W - sum over g of w_i given_ik / W_g),   cost lambda W.
//
// The rules are those of oct.cpp. `split_bounds` bounds errors and prices alone, which is a bound here too.

#include "treewright/methods/fair/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "treewright/base/equal_sums.h"

namespace treewright::fair {

namespace {

// Group of each row, numbered from 0 in the order of the values; missing last.
std::vector<std::int32_t> groups_of(const Column& column) {
  std::vector<double> keys(column.size(), std::numeric_limits<double>::infinity());
  for (std::size_t row = 0; row < column.size(); ++row) {
    if (!column.missing(row)) keys[row] = column.kind == ColumnKind::numeric ? column.values[row] : static_cast<double>(column.codes[row]);
  }
  std::vector<std::size_t> order(column.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
  std::vector<std::int32_t> groups(column.size());
  for (std::size_t i = 1; i < order.size(); ++i) groups[order[i]] = groups[order[i - 1]] + (keys[order[i - 1]] < keys[order[i]]);
  return groups;
}

}  // namespace

double discrimination_index(const Tree& tree, const Dataset& data, FeatureId column) {
  const std::vector<std::int32_t> group = groups_of(data.columns[+column]), label = tree.predict(data);
  const std::int32_t groups = 1 + *std::max_element(group.begin(), group.end());
  // Entry `groups` holds all rows.
  std::vector<double> total(groups + 1, 0.0);
  std::vector<std::vector<double>> given(groups + 1, std::vector<double>(data.classes(), 0.0));
  for (std::size_t row = 0; row < data.rows(); ++row) {
    for (const std::int32_t g : {group[row], groups}) {
      total[g] += data.weight(row);
      given[g][label[row]] += data.weight(row);
    }
  }
  double index = 0;
  for (std::int32_t g = 0; g < groups; ++g) {
    for (std::size_t k = 0; k < data.classes() && total[g] > 0; ++k)
      index += std::abs(given[groups][k] / total[groups] - given[g][k] / total[g]);
  }
  return index;
}

FairFormulation::FairFormulation(const Dataset& data, const formulate::FormulationOptions& options, FeatureId column, double fairness,
                                 Deadline& deadline)
    : formulate::OctFormulation(data, options, Losses::oct, deadline) {
  model_.name = "fair";
  // Without a class that any label can win, a single leaf has the fewest errors and no impact.
  if (fairness <= 0 || cells_.classes.empty()) return;
  model_.step = 0;
  const std::vector<std::int32_t> group = groups_of(data.columns[+column]);
  group_weight_.assign(2 + *std::max_element(group.begin(), group.end()), 0.0);
  const double groups = static_cast<double>(group_weight_.size()) - 1, classes = static_cast<double>(cells_.classes.size());
  const double given = static_cast<double>(cells_.size()) * std::ldexp(1.0, options.max_depth) * classes, impacts = groups * classes;
  expect_size(size(Losses::oct) + mip::ModelSize{given + impacts, 2 * given + 2 * impacts, 4 * given + 2 * groups * given + 2 * impacts},
              options.max_depth, static_cast<double>(cells_.size()));
  given_.assign(cells_.size(), std::vector<std::vector<int>>(shape_.leaf_end()));
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    group_.push_back(group[cells_.cells[i].first_row]);
    group_weight_[group_[i]] += cells_.cells[i].weight;
    group_weight_.back() += cells_.cells[i].weight;
    for (int t = shape_.inner_end(); t < shape_.leaf_end(); ++t) {
      Terms all{{z_[i][t], -1}};
      for (std::size_t c = 0; c < cells_.classes.size(); ++c) {
        given_[i][t].push_back(model_.add(fmt::format("given_{}_{}_{}", i, cells_.classes[c], t), 0, 1));
        all.push_back({given_[i][t][c], 1});
        model_.at_most(fmt::format("given_label_{}_{}_{}", i, cells_.classes[c], t), {{given_[i][t][c], 1}, {c_[t][c], -1}}, 0);
      }
      model_.equal(fmt::format("given_one_{}_{}", i, t), std::move(all), 0);
    }
  }
  const double everybody = group_weight_.back();
  for (std::int32_t g = 0; g + 1 < static_cast<std::int32_t>(group_weight_.size()); ++g) {
    for (std::size_t c = 0; c < cells_.classes.size() && group_weight_[g] > 0; ++c) {
      const int impact = model_.add(fmt::format("impact_{}_{}", g, cells_.classes[c]), 0, 1, fairness * everybody);
      impacts_.push_back({g, c, impact});
      Terms difference;
      for (std::size_t i = 0; i < cells_.size(); ++i) {
        const double w = cells_.cells[i].weight, by = w / everybody - (group_[i] == g ? w / group_weight_[g] : 0);
        for (int t = shape_.inner_end(); t < shape_.leaf_end(); ++t) difference.push_back({given_[i][t][c], by});
      }
      Terms more = difference, less = difference;
      more.push_back({impact, -1});
      less.push_back({impact, 1});
      model_.at_most(fmt::format("impact_more_{}_{}", g, cells_.classes[c]), std::move(more), 0);
      model_.at_least(fmt::format("impact_less_{}_{}", g, cells_.classes[c]), std::move(less), 0);
    }
  }
}

double FairFormulation::share(const std::vector<double>& values, std::size_t c, std::int32_t group) const {
  const bool everybody = group + 1 == static_cast<std::int32_t>(group_weight_.size());
  double sum = 0;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (!everybody && group_[i] != group) continue;
    for (int t = shape_.inner_end(); t < shape_.leaf_end(); ++t) sum += cells_.cells[i].weight * values[given_[i][t][c]];
  }
  return sum / group_weight_[group];
}

std::optional<std::vector<double>> FairFormulation::encode(const Tree& tree) const {
  std::optional<std::vector<double>> values = formulate::OctFormulation::encode(tree);
  if (!values || given_.empty()) return values;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    for (int t = shape_.inner_end(); t < shape_.leaf_end(); ++t) {
      for (std::size_t c = 0; c < cells_.classes.size(); ++c) (*values)[given_[i][t][c]] = (*values)[z_[i][t]] * (*values)[c_[t][c]];
    }
  }
  const auto everybody = static_cast<std::int32_t>(group_weight_.size()) - 1;
  for (const auto& [group, c, variable] : impacts_) (*values)[variable] = std::abs(share(*values, c, everybody) - share(*values, c, group));
  return values;
}

Tree FairFormulation::decode(std::span<const double> values) const {
  if (given_.empty()) return formulate::OctFormulation::decode(values);
  const formulate::Placement place = placement_of(values);
  // A split without fewer errors may still serve fairness: a negative price keeps all splits.
  const Tree tree = place.to_tree(cells_, shape_, -1);
  const std::vector<NodeId> leaves = tree.apply(*cells_.data);
  std::vector<Node> nodes = tree.nodes();
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    Node& leaf = nodes[+leaves[cells_.cells[i].first_row]];
    for (std::size_t c = 0; c < cells_.classes.size(); ++c) {
      const std::int32_t label = cells_.classes[c];
      const bool heaviest = equal_sums(leaf.class_weight[label], *std::max_element(leaf.class_weight.begin(), leaf.class_weight.end()));
      if (heaviest && values[c_[place.leaf[i]][c]] > 0.5) leaf.label = label;
    }
  }
  return tree.with_nodes(std::move(nodes));
}

}  // namespace treewright::fair
