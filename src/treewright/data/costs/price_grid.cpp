#include "treewright/data/costs/price_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace treewright {

double price_on_grid(double price, double total_weight) {
  const double most = 2 * total_weight + 2;
  const double grid = std::ldexp(1.0, std::ilogb(4 * most) + 1 - 52);
  return price > 0 ? std::max(1.0, std::round(std::min(price, most) / grid)) * grid : 0;
}

// Errors e and splits s are whole numbers. So which of two trees is cheaper, e + price * s or e' + price * s', changes only where the price
// passes a fraction (e - e') / (s' - s). A tree that is optimal at `grid` stays so on the way to `price` up to the first such fraction, and
// at that fraction it still is. So the fraction may be `price` itself, as a decimal number is up to its last digit, but not `grid`.
bool same_optima(double price, double grid, std::int64_t most_splits) {
  constexpr double kLastDigits = 4 * std::numeric_limits<double>::epsilon();
  for (std::int64_t s = 1; s <= most_splits && price != grid; ++s) {
    const double from = grid * static_cast<double>(s), to = price * static_cast<double>(s);
    if (grid < price ? std::ceil(from) < to * (1 - kLastDigits) : std::floor(from) > to * (1 + kLastDigits)) return false;
  }
  return true;
}

}  // namespace treewright
