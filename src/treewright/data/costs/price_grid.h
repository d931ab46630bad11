#pragma once

#include <cstdint>

namespace treewright {

/// The price of a split, rounded so that sums of errors and prices are exact in doubles: the multiple of a power of two nearest to `price`
/// for which every cost up to one split and twice `total_weight` has at most 53 bits. A price above 0 stays above 0, so that of two trees
/// with the same errors the one with fewer splits is cheaper. No search needs more: a split that costs more than all errors
/// is in no optimal tree, whatever its price. All in whole units of weight (whole_weights.h).
double price_on_grid(double price, double total_weight);

/// Whether every tree with at most `most_splits` splits that is optimal at price `grid` is optimal at `price` too, up to the last digits of
/// a cost; both in whole units.
bool same_optima(double price, double grid, std::int64_t most_splits);

}  // namespace treewright
