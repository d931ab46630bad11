#include "treewright/explain/claims.h"

#include <cmath>
#include <string_view>

namespace treewright::explain {

bool bounded(const Result& result) {
  return result.bound > 0 || result.status == Status::optimal;
}

std::optional<double> errors_to_save(const Result& result) {
  const Objective& objective = *result.objective_function;
  if (!bounded(result) || result.weighted() || objective.price() != 0 || !objective.of_counts(0, 0)) return std::nullopt;
  // Sums of shares of errors are off by their last digits.
  constexpr double kSlack = 1e-6;
  return std::floor((result.objective - result.bound) * objective.error_scale() + kSlack);
}

std::string proof(const Result& result) {
  constexpr std::string_view kNothing = "nothing: ";
  if (!bounded(result) && result.status != Status::heuristic) return "none: the run ended before a bound was proved";
  return result.proved.rfind(kNothing, 0) == 0 ? "none: " + result.proved.substr(kNothing.size()) : result.proved;
}

}  // namespace treewright::explain
