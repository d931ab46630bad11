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
// Weights without a common unit are rounded too. A row of weight w instead of w' > w loses (w' - w) times the square of a distance less,
// and the best mean lies within the targets: at most that to the farther end of them. The sum is `weights_off`. With a common unit weights
// differ from their multiples by 4 epsilons of their own, and so does the loss.
//
// Events. Exposures and events are whole multiples of a unit each, and scaled by the same power of two: half the deviance grows by the
// same factor as both. A tree's loss is the least sum of d(b, u a) = b log(b / (u a)) - b + u a over the rates u of its leaves. With the
// same rates, a' in place of a adds b' log(a / a') + u (a' - a). Exposures are rounded down, so that is b' (a - a') / a' at most. A row
// whose exposure is below one unit has one unit, and adds u (a' - a): over the rows of a leaf that is no more than its events times the
// largest (a' - a) / a. Let L bound the logarithms of all ratios of rates: b' in place of b adds at most |b' - b| (L + 1). So no tree
// loses more than `weights_off`, the sum of these, less. What the products of weights and exposures or events are rounded by counts among
// the differences; mostly both are 0.
//
// Cost: a few passes over the rows, and for weights, exposures and events without a common unit one sort.

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

namespace {

// What the rounding of weights takes from the loss of any tree at most, where they have no common unit.
double off_by_weights(const Dataset& data, const WholeWeights& weights) {
  if (weights.rounding == 0) return 0;
  const std::vector<double>& values = data.response->values;
  const auto [least, largest] = std::minmax_element(values.begin(), values.end());
  double off = 0;
  for (std::size_t row = 0; row < values.size(); ++row) {
    const double distance = std::max(values[row] - *least, *largest - values[row]);
    off += std::max(0.0, std::fma(weights.of(row), weights.unit, -data.weight(row))) * distance * distance;
  }
  return off * kRoundedUp;
}

ResponseGrid grid_of_numbers(const Dataset& data) {
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
  grid.units.center = center;
  grid.units.digits = digits;
  grid.units.halvings = halvings;
  grid.units.weights_off = off_by_weights(data, weights);
  return grid;
}

// The multiple of the unit that is `nearest` the number, or the one below where that is more by other than last digits.
double below(double number, double nearest, double unit) {
  return std::fma(nearest, unit, -number) > 0x1p-48 * number ? nearest - 1 : nearest;
}

// Whole multiples of a unit in place of numbers >= 0, none of them 0 where the number is not.
struct Multiples {
  std::vector<double> of_row;
  double unit = 1, total = 0, least = std::numeric_limits<double>::infinity();

  // `down`: none above its number, but by last digits, or where that is less than one unit.
  Multiples(const Dataset& numbers, bool down) {
    const WholeWeights whole = whole_weights(numbers);
    unit = whole.unit;
    for (std::size_t row = 0; row < numbers.weights.size(); ++row) {
      const double number = numbers.weights[row], nearest = whole.of(row);
      of_row.push_back(number > 0 ? std::max(1.0, down ? below(number, nearest, unit) : nearest) : 0);
      total += of_row.back();
      if (number > 0) least = std::min(least, of_row.back());
    }
  }
  /// By how much the multiple is above the number.
  double above(std::size_t row, const Dataset& numbers) const { return std::fma(of_row[row], unit, -numbers.weights[row]); }
};

// Of a product: by how much it is off.
double rounding(double weight, double number) {
  return std::abs(std::fma(weight, number, -(weight * number)));
}

ResponseGrid grid_of_events(const Dataset& data) {
  Dataset exposures, events;
  exposures.response = events.response = data.response;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    exposures.weights.push_back(data.weight(row) * data.response->at_risk(row));
    events.weights.push_back(exposures.weights.back() > 0 ? data.weight(row) * data.response->values[row] : 0);
  }
  const Multiples a(exposures, true), b(events, false);
  ResponseGrid grid;
  double loss = 0;
  for (std::size_t row = 0; row < data.rows() && b.total > 0; ++row)
    loss += b.of_row[row] > 0 ? b.of_row[row] * std::log(b.of_row[row] / b.total * (a.total / a.of_row[row])) : 0;
  // Where all rates are nearly equal the last digits of logarithms are larger than the loss.
  constexpr double kLeastLoss = 0x1p-30;
  const int scale = b.total > 0 ? kBitsOfLoss - 1 - std::ilogb(std::max(loss, kLeastLoss * b.total)) : 0;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    grid.exposure.push_back(std::ldexp(a.of_row[row], scale));
    grid.amount.push_back(std::ldexp(b.of_row[row], scale));
  }
  grid.units.unit = std::ldexp(b.unit, -scale);
  grid.units.exposure = a.unit;
  grid.units.halvings = -scale;
  const double spread = b.total > 0 ? std::log(a.total / a.least) + std::log(b.total / b.least) : 0;
  double off = 0, largest = 0;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    if (a.of_row[row] == 0) continue;
    const double weight = data.weight(row), above = a.above(row, exposures);
    const double of_exposure = rounding(weight, data.response->at_risk(row)), of_events = rounding(weight, data.response->values[row]);
    largest = std::max(largest, (std::max(0.0, above) + of_exposure) / exposures.weights[row]);
    off += (std::max(0.0, -above) + of_exposure) / (a.of_row[row] * a.unit) * (b.of_row[row] * b.unit) +
           (std::abs(b.above(row, events)) + of_events) * (spread + 3);
  }
  grid.units.weights_off = (off + 2 * b.unit * b.total * largest) * kRoundedUp;
  return grid;
}

}  // namespace

ResponseGrid response_grid(const Dataset& data) {
  return data.response->loss == Loss::squared ? grid_of_numbers(data) : grid_of_events(data);
}

}  // namespace treewright
