#include "treewright/select/solve_again.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "treewright/base/round_down.h"
#include "treewright/error.h"
#include "treewright/search/bounds/rules.h"
#include "treewright/select/stated_options.h"
#include "treewright/task/asked_columns.h"
#include "treewright/task/cost_objective.h"
#include "treewright/task/loss_objective.h"

namespace treewright::select {

namespace {

// Methods whose bound covers trees of axis and category splits.
constexpr std::array<std::string_view, 3> kMethods = {"oct", "binoct", "partition"};

// The interval bounds: without them the search solves every cut.
constexpr std::array<std::string_view, 2> kKeptRules = {"monotone", "lipschitz"};

std::string rules_off() {
  std::string names;
  for (const search::RuleInfo& rule : search::rule_table()) {
    if (std::find(kKeptRules.begin(), kKeptRules.end(), rule.name) != kKeptRules.end()) continue;
    names += (names.empty() ? "" : ",") + std::string(rule.name);
  }
  return names;
}

// Of what is summed to the objective, in units of errors, each without its sign.
double magnitude(const Result& result, const Dataset& data) {
  const CostObjective* const costs = as_costs(*result.objective_function);
  return costs != nullptr ? costs->magnitude(result.tree, data) : result.objective * result.objective_function->error_scale();
}

}  // namespace

SecondSolve solve_again(const Result& result, const Dataset& data, double time_limit, const FitHooks& given) {
  if (std::find(kMethods.begin(), kMethods.end(), result.method) == kMethods.end()) {
    throw Error("method '" + result.method + "'",
                "its trees are not those of one problem over thresholds and categories, so it cannot be solved again",
                "run check without --again");
  }
  const CostObjective* const costs = as_costs(*result.objective_function);
  // Of numbers the objective is compared, of which the price of a split is a part in any case.
  const bool numbers = result.tree.loss.has_value();
  const double scale = numbers ? 1 : result.objective_function->error_scale();
  Options options = limits_of(result);
  options.min_weight_fraction_leaf = result.min_leaf_weight / data.total_weight();
  if (!numbers) options.alpha_scale = "errors";
  options.ccp_alpha = numbers ? result.objective_function->price() : result.objective_function->split_price();
  options.disable = rules_off();
  options.n_jobs = 1;
  options.time_limit = time_limit;
  Dataset reversed = data;
  if (costs != nullptr) reversed.costs = costs->costs();
  if (const std::string* prices = result.option("column_costs")) options.column_costs = *prices;
  // The first search was given columns that are constant in place of those that are never asked. This one is not given them at all, unless
  // a price names them.
  const AskedColumns asked = AskedColumns::of(result);
  if (asked.first()) options.first_column = data.columns[static_cast<std::size_t>(+*asked.first())].name;
  if (const std::string* top = result.option("top")) options.top = *top;
  for (auto never = asked.never().rbegin(); never != asked.never().rend(); ++never) {
    // A tree needs a column, if only a constant one.
    reversed.columns.size() > 1 && options.column_costs.empty() ? void(reversed.columns.erase(reversed.columns.begin() + +*never))
                                                                : hide_columns(reversed, {*never});
  }
  std::reverse(reversed.columns.begin(), reversed.columns.end());
  options.max_columns = asked.most();
  FitHooks hooks;
  hooks.stop = given.stop;
  hooks.listener = given.listener;
  SecondSolve second;
  second.result = fit(reversed, options, hooks);

  const double objective = result.objective * scale, bound = result.bound * scale;
  const Result& again = second.result;
  // Claims are doubles: they are equal up to the last digits of their own sums, and no further.
  const double digits = numbers ? LossObjective::kOptimal : kRoundingOfSum * std::max(magnitude(result, data), magnitude(again, reversed));
  const char* const unit = numbers ? "of the objective" : costs == nullptr ? "errors" : "of cost";
  if (bound > again.objective + digits) {
    second.broken.push_back(fmt::format("the bound is {:.12g} {}, but there is a tree with {:.12g}", bound, unit, again.objective));
  }
  if (again.bound > objective + digits) {
    second.broken.push_back(
        fmt::format("the tree has {:.12g} {}, but a second search proves a bound of {:.12g}", objective, unit, again.bound));
  }
  // An optimum is known up to what sums of weights are, and its bound is lower where that is more than digits.
  const double known = numbers ? digits : std::max(result.objective_function->known_sums(data).rounding, digits);
  if (second.broken.empty() && result.status == Status::optimal && objective > again.objective + known) {
    second.broken.push_back(
        fmt::format("the tree has {:.12g} {} and is called optimal, but there is a tree with {:.12g}", objective, unit, again.objective));
  }
  return second;
}

}  // namespace treewright::select
