#include "treewright/task/objective.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "treewright/base/compensated_sum.h"
#include "treewright/base/error.h"
#include "treewright/data/costs/whole_weights.h"
#include "treewright/tree/measures.h"

namespace treewright {

std::optional<double> Objective::of_counts(double, std::size_t) const {
  return {};
}

std::vector<double> Objective::label_gains(const Node& node) const {
  return node.class_weight;
}

ColumnPrices column_prices_of(const Parameters& parameters) {
  for (const auto& [name, value] : parameters) {
    if (name != kColumnPrices) continue;
    const auto& prices = parameter<std::vector<double>>(parameters, kColumnPrices);
    if (!std::ranges::all_of(prices, [](double price) { return price >= 0 && std::isfinite(price); }))
      throw std::out_of_range("the price of a column is negative or not finite");
    return ColumnPrices(prices);
  }
  return {};
}

std::string column_prices_term(const ColumnPrices& prices, double scale) {
  return prices.any() ? fmt::format(" + prices of columns / {:.9g}", scale) : "";
}

const ObjectiveKind ErrorObjective::kKind = {"errors",
                                             [](const Options& options, const Dataset& data) -> ObjectivePtr {
                                               return std::make_shared<ErrorObjective>(ErrorObjective::from(options, data));
                                             },
                                             [](const Parameters& p) -> ObjectivePtr {
                                               const double scale = parameter<double>(p, "error_scale");
                                               if (!(scale > 0)) throw std::out_of_range("the scale of errors is not above 0");
                                               return std::make_shared<ErrorObjective>(parameter<double>(p, "alpha"), scale,
                                                                                       column_prices_of(p));
                                             }};

std::array<double, 3> error_scales(const Dataset& data) {
  const std::vector<double> totals = data.class_totals();
  const auto largest = std::max_element(totals.begin(), totals.end());
  // Leaves out the majority from the start: subtracting it later would lose small weights to rounding.
  const double others = std::accumulate(std::next(largest), totals.end(), std::accumulate(totals.begin(), largest, 0.0));
  return {others, *largest, others + *largest};
}

ErrorObjective ErrorObjective::from(const Options& options, const Dataset& data) {
  const auto [majority_errors, majority, total] = error_scales(data);
  double scale = 1;
  if (options.alpha_scale == "majority-errors") scale = majority_errors;
  if (options.alpha_scale == "baseline-correct") scale = majority;
  if (options.alpha_scale == "rows") scale = total;
  check_price(options.ccp_alpha, scale, data);
  return ErrorObjective(options.ccp_alpha, scale, ColumnPrices::from(options.column_costs, data));
}

// Sums of weights without a common unit are not known any better, so a tree with the split could not be told from one without.
void check_price(double alpha, double scale, const Dataset& data) {
  const double price = alpha * scale, least = data.weight_tolerance();
  if (price > 0 && price <= least && whole_weights(data).rounding > 0) {
    throw option_error(
        "ccp_alpha",
        fmt::format("a split costs {:.3g}, which vanishes beside the total weight of the rows, {:.9g}", price, error_scales(data)[2]),
        fmt::format("use 0, or more than {:.3g}", least / scale));
  }
}

KnownSums ErrorObjective::known_sums(const Dataset& data) const {
  const WholeWeights weights = whole_weights(data);
  const double last_digits = sum_tolerance(data, weights);
  return {weights.rounding > 0 ? 0 : last_digits, std::max(last_digits, 2 * weights.rounding)};
}

std::optional<double> ErrorObjective::of_counts(double errors, std::size_t terms) const {
  if (prices_.any()) return {};
  return value(errors, terms);
}

double ErrorObjective::of(const Tree& tree, const Dataset& data) const {
  return value(count_errors(tree, data), tree.terms()) + prices_.of(tree) / error_scale_;
}

std::string ErrorObjective::formula() const {
  return fmt::format("errors / {:.9g}{}{}", error_scale_, alpha_ > 0 ? fmt::format(" + {:.9g} × terms", alpha_) : "",
                     column_prices_term(prices_, error_scale_));
}

Parameters ErrorObjective::parameters() const {
  Parameters parameters{{"alpha", alpha_}, {"error_scale", error_scale_}};
  if (prices_.any()) parameters.emplace_back(kColumnPrices, prices_.of_column());
  return parameters;
}

bool closes_gap(const Objective& function, double objective, double bound, const Dataset& data) {
  constexpr double kRounding = 1e-9, kMostRounding = 1e-6;
  assert(function.error_scale() > 0);
  const double scale = function.error_scale(), off = std::abs(objective - bound) * scale;
  const double paid = std::abs(objective * scale - function.certain(data));
  if (off <= (kRounding + function.gap_tolerance()) * paid) return true;
  const KnownSums known = function.known_sums(data);
  return off <= known.last_digits || (off <= kMostRounding * paid && off <= known.rounding);
}

std::int64_t min_leaf_rows(double min_samples_leaf, std::size_t rows) {
  assert(min_samples_leaf >= 0);
  if (min_samples_leaf >= 1) return static_cast<std::int64_t>(std::ceil(min_samples_leaf));
  // 0.07 * 100 rounds to just above 7: a share must not demand one row too many.
  const double wanted = min_samples_leaf * static_cast<double>(rows);
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(wanted - 1e-9 * wanted)));
}

}  // namespace treewright
