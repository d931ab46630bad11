#include "treewright/fit/training_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "treewright/base/error.h"
#include "treewright/fit/registry.h"

namespace treewright {

void check_takes_costs(const Dataset& data, const Options& options, const Method& method) {
  if (!method.takes_costs) {
    std::string others;
    for (const Method& other : methods()) {
      if (other.takes_costs) others += (others.empty() ? "" : ", ") + std::string(other.name);
    }
    throw option_error("method", fmt::format("'{}' cannot minimize costs", method.name), fmt::format("use one of {}", others));
  }
  const auto refuse = [](std::string_view name, bool used, const char* why) {
    if (used) throw option_error(name, why, "leave it out, or leave out the costs");
  };
  refuse("class_weight", !data.row_costs.empty() && !options.class_weight.empty(), "weighs classes, and these costs are by row");
}

TrainingRows::TrainingRows(const Dataset& data, const Options& options, const Method& method) : data_(data) {
  if (!data.has_costs()) {
    objective_ = method.objective->from_options(options, data);
    return;
  }
  check_takes_costs(data, options, method);
  table_ = gains_table(data);
  costs_ = std::make_shared<CostObjective>(CostObjective::from(options, data, data.costs));
  const double scale = costs_->error_scale();
  if (!table_->constant) check_price(options.ccp_alpha, scale, table_->rows);
  objective_ = std::make_shared<ErrorObjective>(options.ccp_alpha, scale, costs_->column_prices());
  least_ = root_costs(data, data.costs).least / scale;
}

LeafWeight TrainingRows::leaf_weight(double share) const {
  const LeafWeight limit = LeafWeight::from(share, data_);
  return table_ ? limit.on(data_) : limit;
}

Progress TrainingRows::in_terms_of_data(Progress progress) const {
  if (!table_) return progress;
  progress.incumbent = shown(progress.incumbent);
  progress.bound = std::min(std::max(shown(progress.bound), least_), progress.incumbent);
  return progress;
}

void TrainingRows::put_in_terms_of_data(Result& result) const {
  if (!table_) return;
  const double on_table = result.objective, open = result.objective - result.bound;
  result.tree.tally(data_);
  result.objective_function = costs_;
  result.errors = count_errors(result.tree, data_);
  result.cost = costs_->cost(result.tree, data_);
  result.objective = costs_->value(*result.cost, result.tree);
  // The same tree, counted in two ways that share no code.
  const double off = result.objective - shown(on_table), known = table_->rounding / costs_->error_scale();
  const bool agree = std::abs(off) <= known;
  // The difference of the two counts is rounding, and cancels.
  const double bound = agree ? result.objective - open : shown(on_table - open);
  result.bound = std::min(std::max(bound, least_), result.objective);
  if (result.status == Status::optimal && !(agree && closes_gap(*costs_, result.objective, result.bound, data_))) {
    result.status = Status::heuristic;
    result.verified = false;
    result.proved += fmt::format("; but the cost recounted on the raw rows differs by {:.2g}, so optimality is not claimed", std::abs(off));
  }
}

}  // namespace treewright
