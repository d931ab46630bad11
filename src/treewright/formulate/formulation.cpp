#include "treewright/formulate/formulation.h"

#include <fmt/format.h>

#include <cmath>

#include "treewright/base/error.h"

namespace treewright::formulate {

void check_model_size(double rows, int max_depth, double columns) {
  const double variables = std::ldexp(1.0, max_depth) * (rows + columns);
  if (max_depth <= 20 && variables <= 2e7) return;
  throw option_error("max_depth", fmt::format("the model of depth {} for {} rows has about {:.1e} variables", max_depth, rows, variables),
                     "a MIP can be solved at depths of 2 or 3; --method oct goes deeper");
}

double objective_step(const Dataset& data, double price, std::int64_t max_terms) {
  for (std::size_t row = 0; row < data.rows(); ++row) {
    if (data.weight(row) != std::floor(data.weight(row))) return 0;
  }
  // Two objectives differ by a whole number plus price * d for some d; a whole number apart where d = 0.
  double least = 1;
  for (std::int64_t d = 1; d <= std::min<std::int64_t>(max_terms, 1000); ++d) {
    const double away = std::abs(price * static_cast<double>(d) - std::round(price * static_cast<double>(d)));
    if (away > 1e-9) least = std::min(least, away);
  }
  return max_terms > 1000 && price > 0 ? 0 : least * (1 - 1e-3);
}

}  // namespace treewright::formulate
