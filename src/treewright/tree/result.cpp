#include "treewright/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "treewright/data/costs.h"
#include "treewright/tree/cost_objective.h"
#include "treewright/tree/objective.h"

namespace treewright {

ObjectivePtr plain_errors() {
  return std::make_shared<ErrorObjective>();
}

bool Result::weighted() const {
  const auto by_class = [](const auto& option) { return option.first == "class_weight"; };
  return total_weight != static_cast<double>(rows) || std::any_of(options.begin(), options.end(), by_class);
}

double Result::gap() const {
  return std::max(0.0, objective - bound) / std::max(std::abs(objective), 1e-10);
}

std::vector<std::string> check_claims(const Result& result, const Dataset& data) {
  std::vector<std::string> broken;
  const auto claim = [&](bool holds, std::string sentence) {
    if (!holds) broken.push_back(std::move(sentence));
  };
  // Sums of weights may be added in another order. Weights are not negative, so a sum is accurate to its last digits.
  const auto equal = [](double a, double b) { return a == b || std::abs(a - b) <= 1e-9 * std::max(std::abs(a), std::abs(b)); };
  const double total = data.total_weight();
  claim(!result.edited, "the file was changed after it was written: its checksum does not match");
  claim(static_cast<std::int64_t>(data.rows()) == result.rows,
        fmt::format("the data have {} rows, but the tree was trained on {}", data.rows(), result.rows));
  claim(equal(total, result.total_weight), fmt::format("the total weight is {}, but it was {} in training", total, result.total_weight));

  const double errors = count_errors(result.tree, data);
  claim(equal(errors, result.errors), fmt::format("errors are {} by recount, but {} are claimed", errors, result.errors));
  const Objective& function = *result.objective_function;
  const bool of_counts = function.of_counts(errors, result.tree.terms()).has_value();
  if (of_counts) {
    const double scale = function.error_scale();
    bool known = scale == 1;
    for (const double possible : error_scales(data)) known = known || equal(scale, possible);
    claim(known, fmt::format("errors are divided by {}, which is not a scale that alpha_scale gives on these rows", scale));
  }
  const CostObjective* const costs = as_costs(function);
  if (std::string fault = costs == nullptr ? "" : costs->unfit_for(data); !fault.empty()) {
    broken.push_back(std::move(fault));
    return broken;
  }
  claim((costs != nullptr) == result.cost.has_value(), "costs and the cost of the tree are not both there");
  if (costs != nullptr && result.cost) {
    const double cost = costs->cost(result.tree, data);
    claim(equal(cost, *result.cost), fmt::format("the cost is {} by recount, but {} is claimed", cost, *result.cost));
  }
  const double objective = function.of(result.tree, data);
  claim(equal(objective, result.objective), fmt::format("the objective is {} by recount, but {} is claimed", objective, result.objective));
  claim(result.bound <= result.objective || equal(result.bound, result.objective),
        fmt::format("the bound {} lies above the objective {}", result.bound, result.objective));
  claim(result.status != Status::optimal || closes_gap(function, result.objective, result.bound, data),
        fmt::format("the status is optimal, but the gap is {}", result.gap()));

  claim(result.tree.depth() <= result.max_depth,
        fmt::format("the tree has depth {}, but {} is allowed", result.tree.depth(), result.max_depth));
  claim(result.max_splits < 0 || static_cast<std::int64_t>(result.tree.splits()) <= result.max_splits,
        fmt::format("the tree has {} splits, but {} are allowed", result.tree.splits(), result.max_splits));
  Tree recounted = result.tree;
  recounted.tally(data);
  for (std::size_t i = 0; i < recounted.nodes().size(); ++i) {
    const Node& stored = result.tree.nodes()[i];
    const Node& counted = recounted.nodes()[i];
    claim(!counted.is_leaf() || counted.rows >= result.min_leaf_rows || recounted.nodes().size() == 1,
          fmt::format("leaf {} holds {} rows, but {} are required", i, counted.rows, result.min_leaf_rows));
    double weight = 0;
    for (const double w : counted.class_weight) weight += w;
    claim(!counted.is_leaf() || weight >= result.min_leaf_weight || equal(weight, result.min_leaf_weight) || recounted.nodes().size() == 1,
          fmt::format("leaf {} has weight {}, but {} is required", i, weight, result.min_leaf_weight));
    claim(stored.rows == counted.rows, fmt::format("node {} holds {} rows by recount, but {} are stored", i, counted.rows, stored.rows));
    const auto all_equal = [&equal](const std::vector<double>& a, const std::vector<double>& b) {
      return std::equal(a.begin(), a.end(), b.begin(), b.end(), equal);
    };
    const bool same = all_equal(stored.class_weight, counted.class_weight);
    claim(all_equal(stored.label_cost, counted.label_cost),
          fmt::format("what labels cost in node {} is {} by recount, {} is stored", i, fmt::join(counted.label_cost, " "),
                      fmt::join(stored.label_cost, " ")));
    // A node that no row reaches predicts what its method says.
    const std::vector<double> gains = function.label_gains(counted);
    const auto best = std::max_element(gains.begin(), gains.end());
    const bool is_best = stored.label >= 0 && static_cast<std::size_t>(stored.label) < gains.size() && equal(gains[stored.label], *best);
    claim(is_best || counted.rows == 0,
          costs == nullptr
              ? fmt::format("node {} predicts class {}, most of its weight is of class {}", i, stored.label, best - gains.begin())
              : fmt::format("node {} predicts class {}, and class {} costs less", i, stored.label, best - gains.begin()));
    claim(same, fmt::format("node {} has class weights {} by recount, {} are stored", i, fmt::join(counted.class_weight, " "),
                            fmt::join(stored.class_weight, " ")));
  }
  return broken;
}

}  // namespace treewright
