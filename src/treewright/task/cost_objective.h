#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "treewright/data/costs/costs.h"
#include "treewright/task/objective.h"

namespace treewright {

/// cost / scale + alpha * terms, where the cost is the sum of what the labels cost the rows (Dataset::costs, Dataset::row_costs).
class CostObjective final : public Objective {
 public:
  /// `costs`: as Dataset::costs; empty = by the `row_costs` of the data.
  CostObjective(double alpha, double scale, std::vector<double> costs, ColumnPrices prices = {})
      : alpha_(alpha), scale_(scale), costs_(std::move(costs)), prices_(std::move(prices)) {}

  /// Reads ccp_alpha, alpha_scale and column_costs. `data`: the training rows with their class weights. The unit majority-errors becomes
  /// what the best single label costs above the cheapest labels of all rows, rows their weight, and errors a cost of 1. Where each class
  /// costs 0 if it is labeled right, and no label less, the first of these is the cost of the best tree without splits. Throws Error on
  /// baseline-correct.
  static CostObjective from(const Options& options, const Dataset& data, std::vector<double> costs);
  static const ObjectiveKind kKind;

  std::string_view kind() const override { return kKind.name; }
  double of(const Tree& tree, const Dataset& data) const override { return value(cost(tree, data), tree); }
  std::string formula() const override;
  Parameters parameters() const override;
  double price() const override { return alpha_; }
  double error_scale() const override { return scale_; }
  KnownSums known_sums(const Dataset& data) const override;
  double certain(const Dataset& data) const override { return root_costs(data, costs_).least; }
  std::vector<double> label_gains(const Node& node) const override;

  double value(double cost, const Tree& tree) const;
  /// Recounted on the raw rows.
  double cost(const Tree& tree, const Dataset& data) const;
  /// Of what is summed to the value of a tree, in units of cost, each without its sign.
  double magnitude(const Tree& tree, const Dataset& data) const;
  const std::vector<double>& costs() const { return costs_; }
  bool by_row() const { return costs_.empty(); }
  const ColumnPrices& column_prices() const { return prices_; }
  /// Why the costs are none of these rows, as a sentence; "" if they can be counted there.
  std::string unfit_for(const Dataset& data) const;

 private:
  double alpha_, scale_;
  std::vector<double> costs_;
  ColumnPrices prices_;
};

/// What the errors of trees on these rows are divided by or, where labels have costs, the costs: see ErrorObjective::from and
/// CostObjective::from. Throws Error as they do.
double loss_scale(const Options& options, const Dataset& data);

/// nullptr if the objective is no cost.
const CostObjective* as_costs(const Objective& objective);
/// The costs of an objective as Dataset::costs; empty if it has none, or if they are by row.
std::vector<double> costs_of(const Objective& objective);

}  // namespace treewright
