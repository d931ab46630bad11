#include "treewright/select/least_costs.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "treewright/base/error.h"
#include "treewright/base/round_down.h"
#include "treewright/fit/registry.h"
#include "treewright/fit/training_rows.h"
#include "treewright/select/path_trainer.h"
#include "treewright/task/objective.h"
#include "treewright/tree/aligned.h"

namespace treewright::select {

LeastCosts::LeastCosts(const Dataset& data, const Options& options) {
  const auto is_whole = [](double weight) { return weight == std::floor(weight); };
  is_whole_ = options.ccp_alpha == 0 && options.class_weight.empty() && !data.has_costs() && std::ranges::all_of(data.weights, is_whole);
  Dataset weighted = data;
  apply_class_weights(weighted, options.class_weight);
  if (data.has_costs()) {
    table_ = gains_table(weighted);
  } else {
    whole_weights_ = whole_weights(weighted);
  }
  const bool has_unit = options.ccp_alpha == 0 && whole_weights_.rounding == 0 && (!table_ || table_->grid.off() == 0);
  if (has_unit) unit_ = table_ ? table_->grid.unit() : whole_weights_.unit;
}

// Where errors are whole units, so is the least number of them: a bound is rounded up to it. Those on costs are (training_rows.cpp).
LeastCost LeastCosts::of(Result result) const {
  LeastCost least;
  const Objective& objective = *result.objective_function;
  const double scale = objective.error_scale();
  least.cost = result.cost.value_or(result.errors) + objective.split_price() * static_cast<double>(result.tree.splits());
  least.bound = product_down(result.bound, scale);
  const LossGrid errors(whole_weights_);
  if (!table_ && unit_ > 0) least.bound = errors.at_least(errors.whole_units(least.bound));
  least.bound = std::min(least.bound, least.cost);
  least.status = result.status;
  least.result = std::make_shared<const Result>(std::move(result));
  return least;
}

void check_asks_columns(const Dataset& data, const Options& options) {
  check_proves_many(options, "the worth of columns needs trees that are proved");
  if (options.min_weight_fraction_leaf > 0)
    throw option_error("min_weight_fraction_leaf", "cannot be used where a column is to be asked first", "use min_samples_leaf");
  data.validate_for_training();
  need_classes(data);
  for (const Column& column : data.columns) {
    if (column.name.empty()) throw Error("a column", "has no name, and the worth of columns is told by name", "give it one");
  }
  if (data.has_costs()) check_takes_costs(data, options, method_of(options));
}

}  // namespace treewright::select
