#include "treewright/explain/claims.h"

#include <cmath>
#include <string_view>

namespace treewright::explain {

namespace {

constexpr std::string_view kNothing = "nothing: ";

}  // namespace

bool bounded(const Result& result) {
  const bool is_stopped = result.status != Status::optimal && result.status != Status::heuristic;
  return result.bound > 0 || result.status == Status::optimal || (is_stopped && !result.proved.starts_with("nothing"));
}

std::optional<double> errors_to_save(const Result& result) {
  const Objective& objective = *result.objective_function;
  const bool known = result.bound > 0 || result.status == Status::optimal;
  if (!known || result.weighted() || objective.price() != 0 || !objective.of_counts(0, 0)) return std::nullopt;
  // Sums of shares of errors are off by their last digits.
  constexpr double kSlack = 1e-6;
  return std::floor((result.objective - result.bound) * objective.error_scale() + kSlack);
}

std::string status(const Result& result) {
  return std::string(to_string(result.status)) + (result.verified ? " (verified)" : "");
}

std::string proof(const Result& result) {
  if (bounded(result) && result.bound == 0 && result.status != Status::optimal)
    return "only that no objective is below 0: the run ended before more was proved";
  return result.proved.starts_with(kNothing) ? "none: " + result.proved.substr(kNothing.size()) : result.proved;
}

}  // namespace treewright::explain
