// Method fair: errors and disparate impact, by a solver. The result's objective covers errors and splits only. The solver's bound is on the
// sum with the disparate impact; `proved` states it.

#include <fmt/format.h>

#include "treewright/base/did_you_mean.h"
#include "treewright/base/error.h"
#include "treewright/formulate/solve_model.h"
#include "treewright/methods/fair/method.h"
#include "treewright/methods/fair/model.h"

namespace treewright::fair {

namespace {

// The protected column; the first column if none is named and fairness is 0.
FeatureId protected_column(const Task& task) {
  if (task.options.fairness == 0 && task.options.protected_column.empty()) return FeatureId{0};
  for (std::size_t f = 0; f < task.data.features(); ++f) {
    if (task.data.columns[f].name == task.options.protected_column) return FeatureId{static_cast<std::int32_t>(f)};
  }
  throw option_error("protected_column",
                     fmt::format("there is no column '{}'{}", task.options.protected_column,
                                 did_you_mean(task.options.protected_column, names_of_columns(task.data))),
                     "give the name of the column whose groups should be treated equally");
}

Result train(const Task& task) {
  const double fairness = task.options.fairness;
  const FeatureId column = protected_column(task);
  double weight = 0;
  for (std::size_t row = 0; row < task.data.rows(); ++row) weight += task.data.weight(row);
  const auto impact = [&](const Tree& tree) { return fairness * weight * discrimination_index(tree, task.data, column); };

  Result result = formulate::solve_model(task, [&](Deadline& deadline) {
    formulate::TreeModel model{
        std::make_unique<FairFormulation>(task.data, formulate::formulation_options(task), column, fairness, deadline),
        formulate::axis_claim(task.data), [&](Deadline& left) { return formulate::searched_start(task, left); }};
    if (fairness > 0) model.extra_cost = impact;
    return model;
  });
  if (fairness == 0) return result;
  const auto& objective = task.objective_as<ErrorObjective>();
  const double index = discrimination_index(result.tree, task.data, column);
  const double cost = objective.of(result.tree, task.data) * objective.error_scale() + fairness * weight * index;
  const std::string bound =
      result.status == Status::heuristic
          ? result.proved  // why it claims nothing
          : fmt::format("no tree within the limits has less than {}, as the solver says", result.bound * objective.error_scale() / weight);
  result.proved =
      fmt::format("nothing about errors and splits; errors + fairness is {} of the total weight (discrimination index {} of '{}'); {}",
                  cost / weight, index, task.options.protected_column, bound);
  if (result.status == Status::optimal) result.status = Status::heuristic;
  result.bound = 0;
  return result;
}

}  // namespace

std::vector<Method> methods() {
  Method method{
      "fair",
      "fair",
      "axis tree for few errors and little disparate impact between the groups of a column, by a mixed-integer program (Aghaei et al. "
      "2019)",
      true,
      joined({reads::kTree, reads::kLeaves, reads::kErrors, reads::kRun, reads::kModel, {"disable", "fairness", "protected_column"}}),
      &ErrorObjective::kKind,
      train};
  method.bounds_more = [](const Options& options) { return options.fairness > 0; };
  return {method};
}

}  // namespace treewright::fair
