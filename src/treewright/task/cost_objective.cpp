#include "treewright/task/cost_objective.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "treewright/base/error.h"
#include "treewright/data/costs/costs.h"

namespace treewright {

const ObjectiveKind CostObjective::kKind = {"costs",
                                            [](const Options& options, const Dataset& data) -> ObjectivePtr {
                                              return std::make_shared<CostObjective>(CostObjective::from(options, data, data.costs));
                                            },
                                            [](const Parameters& p) -> ObjectivePtr {
                                              const double scale = parameter<double>(p, "error_scale");
                                              if (!(scale > 0)) throw std::out_of_range("the scale of costs is not above 0");
                                              const auto& costs = parameter<std::vector<double>>(p, "costs");
                                              if (!std::all_of(costs.begin(), costs.end(), [](double cost) { return std::isfinite(cost); }))
                                                throw std::out_of_range("a cost is not finite");
                                              return std::make_shared<CostObjective>(parameter<double>(p, "alpha"), scale, costs,
                                                                                     column_prices_of(p));
                                            }};

CostObjective CostObjective::from(const Options& options, const Dataset& data, std::vector<double> costs) {
  if (options.alpha_scale == "baseline-correct") {
    throw option_error("alpha_scale", "baseline-correct counts rows, and the objective is a cost",
                       "use majority-errors (the cost of a tree without splits), rows, or errors (a cost of 1)");
  }
  double scale = 1;
  if (options.alpha_scale == "majority-errors") scale = root_costs(data, costs).best_label;
  if (options.alpha_scale == "rows") scale = error_scales(data)[2];
  return {options.ccp_alpha, scale > 0 ? scale : 1, std::move(costs), ColumnPrices::from(options.column_costs, data)};
}

std::string CostObjective::formula() const {
  return fmt::format("cost / {:.9g}{}{}", scale_, alpha_ > 0 ? fmt::format(" + {:.9g} × terms", alpha_) : "",
                     column_prices_term(prices_, scale_));
}

Parameters CostObjective::parameters() const {
  Parameters parameters{{"alpha", alpha_}, {"error_scale", scale_}, {"costs", costs_}};
  if (prices_.any()) parameters.emplace_back(kColumnPrices, prices_.of_column());
  return parameters;
}

double CostObjective::value(double cost, const Tree& tree) const {
  return (cost + prices_.of(tree)) / scale_ + alpha_ * static_cast<double>(tree.terms());
}

KnownSums CostObjective::known_sums(const Dataset& data) const {
  Dataset with = data;
  with.costs = costs_;
  const GainsTable table = gains_table(with);
  return {table.last_digits, table.rounding};
}

std::vector<double> CostObjective::label_gains(const Node& node) const {
  if (!by_row()) return treewright::label_gains(node.class_weight, costs_);
  std::vector<double> gains;
  for (const double cost : node.label_cost) gains.push_back(-cost);
  return gains;
}

double CostObjective::cost(const Tree& tree, const Dataset& data) const {
  return cost_of(tree.predict(data), data, costs_);
}

double CostObjective::magnitude(const Tree& tree, const Dataset& data) const {
  return magnitude_of(tree.predict(data), data, costs_) + prices_.of(tree) + split_price() * static_cast<double>(tree.terms());
}

std::string CostObjective::unfit_for(const Dataset& data) const {
  if (by_row()) return data.row_costs.empty() ? "the tree was trained on costs by row, and these rows have none" : "";
  if (!data.row_costs.empty()) return "the tree was trained on costs by class, and these rows have costs of their own";
  const std::size_t wanted = data.classes() * data.classes();
  return costs_.size() == wanted ? "" : fmt::format("there are {} costs for {} classes", costs_.size(), data.classes());
}

double loss_scale(const Options& options, const Dataset& data) {
  return data.has_costs() ? CostObjective::from(options, data, data.costs).error_scale()
                          : ErrorObjective::from(options, data).error_scale();
}

const CostObjective* as_costs(const Objective& objective) {
  return dynamic_cast<const CostObjective*>(&objective);
}

std::vector<double> costs_of(const Objective& objective) {
  const CostObjective* const function = as_costs(objective);
  return function == nullptr ? std::vector<double>() : function->costs();
}

}  // namespace treewright
