#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/data.h"
#include "treewright/data/costs/loss_grid.h"

namespace treewright {

/// How much better each label is than the worst one for rows with these weights of the true classes. `costs`: as Dataset::costs; where they
/// are empty, these are the weights themselves. Shape (classes).
std::vector<double> label_gains(std::span<const double> class_weight, std::span<const double> costs);

/// The first label of the largest gain.
std::int32_t best_label(std::span<const double> class_weight, std::span<const double> costs);

/// What the labels cost these rows. `costs`: as Dataset::costs; empty = by the data's `row_costs`, without which it is an Error.
double cost_of(std::span<const std::int32_t> labels, const Dataset& data, std::span<const double> costs);

/// The same with every cost without its sign: what the last digits of the sum are those of.
double magnitude_of(std::span<const std::int32_t> labels, const Dataset& data, std::span<const double> costs);

/// The label that costs each row least by `row_costs`, the first of equals. Shape (rows).
std::vector<std::int32_t> cheapest_labels(const Dataset& data);

/// The single label of all rows that costs least, and the rows if each had its cheapest label.
struct RootCosts {
  double best_label = 0;  ///< what the label costs above `least`
  double least = 0;       ///< what no labels cost less than
};
/// `costs`: as for `cost_of`.
RootCosts root_costs(const Dataset& data, std::span<const double> costs);

/// Rows whose weighted errors are the costs of the data.
struct GainsTable {
  Dataset rows;            ///< has no costs
  LossGrid grid;           ///< what errors of trees on `rows` are in costs of the data
  double last_digits = 0;  ///< of sums of these costs and gains; well below what two labels of a row differ by
  double rounding = 0;     ///< up to what they are known: more, where the gains have no common unit
  bool constant = false;   ///< one label is the best for every row: no tree is better than a leaf
};
/// Expects data.has_costs(). Throws Error if the costs of rows differ too much to be added.
GainsTable gains_table(const Dataset& data);

/// Throws Error if the data have costs. `who` cannot use them.
void refuse_costs(const Dataset& data, const std::string& who);

}  // namespace treewright
