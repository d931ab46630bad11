#include "treewright/fit/training_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "treewright/base/error.h"
#include "treewright/base/infinity.h"
#include "treewright/base/round_down.h"
#include "treewright/data/losses.h"
#include "treewright/fit/registry.h"
#include "treewright/task/loss_objective.h"
#include "treewright/tree/measures.h"

namespace treewright {

void check_takes_costs(const Dataset& data, const Options& options, const Method& method) {
  if (!method.takes_costs) {
    throw option_error("method", fmt::format("'{}' cannot minimize costs", method.label()),
                       fmt::format("use one of {}", names_of_methods([](const Method& other) { return other.takes_costs; })));
  }
  const auto refuse = [](std::string_view name, bool used, const char* why) {
    if (used) throw option_error(name, why, "leave it out, or leave out the costs");
  };
  refuse("class_weight", !data.row_costs.empty() && !options.class_weight.empty(), "weighs classes, and these costs are by row");
}

namespace {

// All sums of prices that a tree may have; empty = there are many.
std::vector<double> prices_of_trees(const CostObjective& costs, const Options& options, std::size_t rows) {
  constexpr std::size_t kMost = 4096;
  std::vector<double> sums{0};
  const auto add = [&](double price, std::int64_t times) {
    const std::size_t before = sums.size();
    if (price == 0 || before == 0) return;
    if (static_cast<double>(before) * static_cast<double>(times + 1) > static_cast<double>(kMost)) return sums.clear();
    for (std::int64_t i = 1; i <= times; ++i) {
      for (std::size_t j = 0; j < before; ++j) sums.push_back(sums[j] + static_cast<double>(i) * price);
    }
    std::sort(sums.begin(), sums.end());
    sums.erase(std::unique(sums.begin(), sums.end()), sums.end());
  };
  for (const double price : costs.column_prices().of_column()) add(price, 1);
  // Every leaf holds a row.
  const auto most = std::min(static_cast<std::int64_t>(rows) - 1, (std::int64_t{1} << std::min<std::int64_t>(options.max_depth, 40)) - 1);
  add(costs.split_price(), options.max_splits < 0 ? most : std::min(most, options.max_splits));
  return sums;
}

}  // namespace

void check_takes_numbers(const Response& response, const Options& options, const Method& method) {
  const auto takes = [&](const Method& one) { return std::ranges::find(one.losses, response.loss) != one.losses.end(); };
  if (!takes(method)) {
    throw option_error("method",
                       fmt::format("'{}' predicts classes, and the target is a number (loss {})", method.label(), name_of(response.loss)),
                       fmt::format("use one of {}", names_of_methods(takes)));
  }
  for (const OptionInfo& info : option_table()) {
    const bool usual = info.name == "method" || get_option(options, info.name) == info.default_text;
    if (usual || std::ranges::find(method.reads_of_numbers, info.name) != method.reads_of_numbers.end()) continue;
    if (std::ranges::find(reads::kHarmless, info.name) != reads::kHarmless.end()) continue;
    throw option_error(info.name, fmt::format("method '{}' does not read it where the target is a number", method.label()), "leave it out");
  }
}

TrainingRows::TrainingRows(const Dataset& data, const Options& options, const Method& method) : data_(data) {
  if (data.response) {
    objective_ = LossObjective::kind_of(data.response->loss).from_options(options, data);
    return;
  }
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
  if (method.exact) prices_ = prices_of_trees(*costs_, options, data.rows());
}

LeafWeight TrainingRows::leaf_weight(double share) const {
  const LeafWeight limit = LeafWeight::from(share, data_);
  return table_ ? limit.on(data_) : limit;
}

// Errors of trees are whole units. Let every tree cost at least b on the table, and let the splits and columns of one cost p: it errs on at
// least b - p, and so on that rounded up to whole units. What this is on the data, and p, is a bound on the trees that pay p, and the least
// of these bounds one on all. So no digits are lost where there are few such sums.
double TrainingRows::bound_on_data(double bound) const {
  const LossGrid& grid = table_->grid;
  constexpr double kDigits = kRoundingOfSum / 2;  // of a sum of a dozen prices
  const double scale = costs_->error_scale(), on_table = product_down(bound, scale);
  double least = kInfinity;
  for (const double price : prices_) {
    const double cost = grid.at_least(grid.whole_units(sum_down(on_table, -price * (1 + kDigits))));
    least = std::min(least, sum_down(cost, price * (1 - kDigits)));
  }
  if (prices_.empty()) least = grid.at_least(grid.units(on_table));
  return std::max(quotient_down(least, scale), least_);
}

double TrainingRows::near_on_data(double objective) const {
  const LossGrid& grid = table_->grid;
  return grid.near(GridUnits(objective * costs_->error_scale() / grid.unit())) / costs_->error_scale();
}

Progress TrainingRows::in_terms_of_data(Progress progress) const {
  if (!table_) return progress;
  progress.incumbent = near_on_data(progress.incumbent);
  progress.bound = std::min(bound_on_data(progress.bound), progress.incumbent);
  return progress;
}

void TrainingRows::put_in_terms_of_data(Result& result) const {
  if (!table_) return;
  const double scale = costs_->error_scale(), on_table = result.objective;
  result.tree.tally(data_);
  result.objective_function = costs_;
  result.errors = count_errors(result.tree, data_);
  result.cost = costs_->cost(result.tree, data_);
  result.objective = costs_->value(*result.cost, result.tree);
  result.bound = std::min(bound_on_data(result.bound), result.objective);
  if (result.status != Status::optimal) return;
  // The same tree, counted in two ways that share no code.
  const double off = std::abs(result.objective - near_on_data(on_table));
  const double known = table_->rounding / scale + kLastDigits * std::abs(on_table);
  if (off > known || !closes_gap(*costs_, result.objective, result.bound, data_)) {
    result.status = Status::heuristic;
    result.verified = false;
    result.proved += fmt::format("; but the cost recounted on the raw rows differs by {:.2g}, so optimality is not claimed", off);
  } else if ((result.objective - result.bound) * scale <= kRoundingOfSum * costs_->magnitude(result.tree, data_)) {
    result.bound = result.objective;
  }
}

}  // namespace treewright
