#include "treewright/formulate/formulation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace treewright::formulate {

std::vector<double> Formulation::cheapest_point(std::span<const Tree* const> trees) const {
  std::vector<double> cheapest;
  double least = std::numeric_limits<double>::infinity();
  for (const Tree* tree : trees) {
    std::optional<std::vector<double>> values = encode(*tree);
    if (!values || !model_.broken(*values).empty()) continue;
    const double cost = model_.objective(*values);
    if (cost < least) cheapest = *std::move(values);
    least = std::min(least, cost);
  }
  return cheapest;
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
