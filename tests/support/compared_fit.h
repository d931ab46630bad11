#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "support/draw_case.h"
#include "treewright/data/costs/costs.h"
#include "treewright/data/costs/whole_weights.h"
#include "treewright/fit.h"
#include "treewright/result.h"
#include "treewright/task/objective.h"

namespace treewright::testing {

/// What has been compared so far in this process.
struct Counts {
  std::int64_t fits = 0, brute = 0;
  std::int64_t brute_deep = 0;     ///< of depth 3 or more with at least 4 features
  std::int64_t brute_costs = 0;    ///< with costs of labels
  std::int64_t brute_wide = 0;     ///< with a category of more than twelve levels
  std::int64_t brute_classes = 0;  ///< with nine or more classes, of depth 4 or more
  /// Beside whole numbers (compare_numbers.h).
  std::int64_t exact = 0, worths = 0, nears = 0, paths = 0, trade_offs = 0, tunes = 0, tops = 0;
  std::int64_t targets = 0;  ///< that are numbers, beside all trees (compare_targets.h)
  std::int64_t proofs = 0;   ///< that were checked
  std::int64_t untold = 0;   ///< optima of costs or weights whose digits no proof can hold, which the result says

  void add(const Counts& until, const Counts& since) {
    for (const auto count : {&Counts::fits, &Counts::brute, &Counts::brute_deep, &Counts::brute_costs, &Counts::brute_wide,
                             &Counts::brute_classes, &Counts::exact, &Counts::worths, &Counts::nears, &Counts::paths, &Counts::trade_offs,
                             &Counts::tunes, &Counts::tops, &Counts::targets, &Counts::proofs, &Counts::untold})
      this->*count += until.*count - since.*count;
  }
  void add(const Counts& more) { add(more, Counts()); }
};
inline Counts counts;

inline Result counted_fit(const Case& c, const FitHooks& hooks = {}) {
  ++counts.fits;
  return fit(c.data, c.options, hooks);
}

/// The rows with class weights in their weights.
inline Dataset weighted(const Case& c) {
  Dataset data = c.data;
  apply_class_weights(data, c.options.class_weight);
  return data;
}

/// Objectives of errors that differ by less are equal: below the smallest weight, above what sums of doubles lose.
inline double tolerance_of(const Dataset& data, const Result& result) {
  double total = 0, smallest = std::numeric_limits<double>::infinity();
  for (std::size_t row = 0; row < data.rows(); ++row) {
    total += data.weight(row);
    if (data.weight(row) > 0) smallest = std::min(smallest, data.weight(row));
  }
  const double objective = std::isfinite(result.objective) ? std::abs(result.objective) : 0;
  double dearest = 0;
  for (const auto* costs : {&data.costs, &data.row_costs}) {
    for (const double cost : *costs) dearest = std::max(dearest, std::abs(cost));
  }
  if (dearest > 0) return 1e-9 * dearest * total * static_cast<double>(data.classes()) / result.objective_function->error_scale();
  const WholeWeights weights = whole_weights(data);
  const double digits = weights.rounding > 0 ? 2e-13 * total : sum_tolerance(data, weights);
  return (1e-6 * smallest + digits) / result.objective_function->error_scale() + 1e-12 * objective;
}

inline bool by_exact_search(const Options& options) {
  return options.method == "oct" && options.solver == "search";
}

/// Whether training must succeed: what the library may refuse is listed here, apart from its own checks.
inline bool must_train(const Case& c) {
  if (!by_exact_search(c.options) && c.options.method != "cart") return false;
  if (c.data.rows() < 2 || c.data.features() == 0) return false;
  if (c.options.min_samples_leaf > static_cast<double>(c.data.rows())) return false;
  if (!c.options.first_column.empty() || !c.options.never_columns.empty()) return false;
  std::string spec = c.options.class_weight;
  for (std::size_t k = 0; k < 10; ++k) {
    const std::string name = "c" + std::to_string(k);
    if (spec.find(name + "=") != std::string::npos && k >= c.data.classes()) return false;
  }
  // Costs that forbid a label may differ too much from others.
  constexpr double kMostCost = 1e4;
  for (const auto* costs : {&c.data.costs, &c.data.row_costs}) {
    if (std::ranges::any_of(*costs, [](double cost) { return std::abs(cost) > kMostCost; })) return false;
  }
  const Dataset data = weighted(c);
  const std::vector<double> totals = data.class_totals();
  if (std::count_if(totals.begin(), totals.end(), [](double w) { return w > 0; }) < 2) return false;
  double total = 0, smallest = std::numeric_limits<double>::infinity();
  for (std::size_t row = 0; row < data.rows(); ++row) {
    total += data.weight(row);
    if (data.weight(row) > 0) smallest = std::min(smallest, data.weight(row));
  }
  // Small costs times light rows may vanish beside others.
  if (data.has_costs() && !data.weights.empty()) return false;
  // Beside weights, or gains, without a common unit a price may vanish.
  const bool is_whole = whole_weights(c.data.has_costs() ? gains_table(data).rows : data).rounding == 0;
  return total / smallest < 1e11 && (c.options.ccp_alpha == 0 || is_whole);
}

/// Each comparison gives "" or one sentence on what disagrees with the result of the case's own fit.
using Compare = std::string (*)(const Case& c, const Result& base);

template <class... Parts>
std::string sentence(const Parts&... parts) {
  std::ostringstream out;
  out.precision(17);
  (out << ... << parts);
  return out.str();
}

/// A stopped or finished run: bound <= optimum <= objective, both equal when optimality is claimed.
inline std::string against_optimum(const Result& result, double optimum, double tolerance, const std::string& how) {
  if (result.bound > optimum + tolerance) return sentence(how, ": bound ", result.bound, ", optimum ", optimum);
  if (result.objective < optimum - tolerance) return sentence(how, ": objective ", result.objective, " below the optimum ", optimum);
  if (result.status == Status::optimal && result.objective > optimum + tolerance)
    return sentence(how, ": 'optimal' at ", result.objective, ", optimum ", optimum);
  return "";
}

inline std::string describe_difference(const Result& a, const Result& b, const std::string& how) {
  if (a.status != b.status) return sentence(how, ": status ", to_string(a.status), " and ", to_string(b.status));
  if (a.bound != b.bound) return sentence(how, ": bound ", a.bound, " and ", b.bound);
  if (a.objective != b.objective) return sentence(how, ": objective ", a.objective, " and ", b.objective);
  if (a.tree != b.tree) return how + ": other trees";
  return "";
}

}  // namespace treewright::testing
