// Targets as numbers whose sums are exact.
//
// A search for numbers adds weights and weighted targets in many orders, and a split is judged by the differences of such sums. So both are
// put on grids: weights are whole multiples of a unit (whole_weights.h), and a row's weight times its target, less a number near the mean
// of all, is a multiple of a power of two, so that all sums have 52 bits at most. Of these the loss of a leaf follows up to the last digits
// of a double (search/loss/two_sums.cpp).
//
// Units. Powers of two are taken out of the targets until all rows together lose 2^44 to 2^46 units as one leaf: then whole units are fine
// enough to tell trees apart, and sums of losses are exact.
//
// What the grid changes. Let a row have weight w, target z and on the grid the target z'. A tree predicts each leaf's mean, and its loss is
// the squared distance of the targets from the nearest vector that is constant on leaves. A distance changes by no more than the vector
// moves: sqrt(loss) differs by at most `moved` = sqrt(sum of w (z - z')^2). So a tree of loss L on the grid loses at least L - 2 moved
// sqrt(L). That holds for sums of losses and prices of splits too: with prices P, L + P >= V gives L - 2 moved sqrt(L) + P >= V - 2 moved
// sqrt(V) where L <= V, and all the more where L is larger and V >= moved^2. The differences are measured, not estimated; mostly they are
// the last digits of the targets.
//
// Weights without a common unit are rounded too. A row of weight w instead of w' loses (w' - w) times the square of a distance within the
// range of the targets less, at most: `weights_off`. With a common unit weights differ from their multiples by 4 epsilons of their own,
// and so does the loss.
//
// Cost: a few passes over the rows.

#include "treewright/data/costs/response_grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "treewright/base/error.h"
#include "treewright/base/round_down.h"
#include "treewright/data/costs/whole_weights.h"

namespace treewright {

namespace {

// Of the sums of absolute amounts, and of the loss of all rows in one leaf.
constexpr int kBitsOfAmounts = 51, kBitsOfLoss = 46;

// Targets as far from their mean as this have squares that are doubles, as have sums of these.
constexpr double kFarthest = 0x1p400, kNearest = 0x1p-400;

// A sum of up to 2^31 squares as added, and what it may be instead.
constexpr double kRoundedUp = 1 + 0x1p-20;

double largest_distance(const std::vector<double>& values, double from) {
  double largest = 0;
  for (const double value : values) largest = std::max(largest, std::abs(value - from));
  return largest;
}

void check_distances(const Dataset& data, double largest) {
  if (largest == 0 || (kNearest <= largest && largest <= kFarthest)) return;
  throw Error(data.target_name, "holds numbers whose squares are too large or too small for a computer's numbers",
              "measure the target in another unit");
}

}  // namespace

double ResponseUnits::at_least(double units) const {
  constexpr double kLastDigits = 16 * std::numeric_limits<double>::epsilon();
  const double on_grid = std::max(0.0, units) * unit, off = 2 * moved * std::sqrt(on_grid) + weights_off;
  return std::max(0.0, on_grid - off - kLastDigits * (on_grid + off));
}

ResponseGrid response_grid(const Dataset& data) {
  const std::vector<double>& values = data.response->values;
  const WholeWeights weights = whole_weights(data);
  ResponseGrid grid;
  double total = 0, sum = 0;
  for (std::size_t row = 0; row < values.size(); ++row) {
    grid.exposure.push_back(weights.of(row));
    total += weights.of(row);
  }
  for (std::size_t row = 0; row < values.size() && total > 0; ++row) sum += grid.exposure[row] / total * values[row];
  const double center = sum;
  const double largest = largest_distance(values, center);
  check_distances(data, largest);

  double absolute = 0;
  for (std::size_t row = 0; row < values.size(); ++row) absolute += grid.exposure[row] * std::abs(values[row] - center);
  const int digits = absolute > 0 ? kBitsOfAmounts - 1 - std::ilogb(absolute) : 0;
  double loss = 0, moved = 0;
  for (std::size_t row = 0; row < values.size(); ++row) {
    const double weight = grid.exposure[row], meant = weight * (values[row] - center);
    const double amount = std::round(std::ldexp(meant, digits));
    grid.amount.push_back(amount);
    if (weight == 0) continue;
    // Of the product and of the difference: half a last digit each.
    const double off = std::abs(meant - std::ldexp(amount, -digits)) + std::numeric_limits<double>::epsilon() * std::abs(meant);
    loss += amount * amount / weight;
    moved += off * off / weight;
  }
  grid.units.moved = std::sqrt(moved * weights.unit) * kRoundedUp;
  const int halvings = loss > 0 ? static_cast<int>(std::ceil((std::ilogb(loss) + 1 - kBitsOfLoss) / 2.0)) : 0;
  for (double& amount : grid.amount) amount = std::ldexp(amount, -halvings);
  grid.units.unit = weights.unit * std::ldexp(1.0, 2 * (halvings - digits));
  grid.units.weights_off = weights.rounding * 4 * largest * largest * kRoundedUp;
  return grid;
}

}  // namespace treewright
