#include "treewright/data/price_grid.h"

#include <algorithm>
#include <cmath>

namespace treewright {

double price_on_grid(double price, double total_weight) {
  const double most = 2 * total_weight + 2;
  const double grid = std::ldexp(1.0, std::ilogb(4 * most) + 1 - 52);
  return std::round(std::min(price, most) / grid) * grid;
}

// Errors e and splits s are whole numbers. So which of two trees is cheaper, e + price * s or e' + price * s', changes only where the price
// passes a fraction (e - e') / (s' - s).
bool same_optima(double price, double grid, std::int64_t most_splits) {
  if (price == grid) return true;
  const double low = std::min(price, grid), high = std::max(price, grid);
  for (std::int64_t s = 1; s <= most_splits; ++s) {
    const auto k = static_cast<double>(s);
    if (std::floor(high * k) >= std::ceil(low * k)) return false;
  }
  return true;
}

}  // namespace treewright
