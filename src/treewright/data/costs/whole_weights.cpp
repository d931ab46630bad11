// Row weights as whole numbers.
//
// An exact search compares sums of weights that it added in different orders. With real weights such sums differ in their last digits, and
// every tolerance is wrong for some data: 1e-9 of the total treats 9 rows of weight 1 as nothing beside one row of weight
// 1e10. Sums of whole numbers
// below 2^53 are exact, so the search counts in whole multiples of one unit and needs no tolerance.
//
// A common unit. Equal weights are their own unit. Counts, class weights, and shares such as 150/50 are multiples of their greatest common
// divisor, which Euclid's algorithm finds in doubles: a remainder below 2^-40 of the largest weight counts as zero. Where weights are too
// unequal for that, the decimal place of their last digit is tried. A unit is accepted when every weight equals its multiple up to the last
// digits of a double. Then two trees of different sums of multiples have different
// costs, and two of the same sum differ in the last digit of a double at most.
//
// No common unit (weights drawn from a continuous distribution). The unit is a power of two such that the total has 51 bits, and every
// weight is rounded to its nearest multiple. A tree's cost then changes by at most `rounding`, the sum of what was rounded. So no
// tree costs less than the optimum in units less `rounding`. Powers of two that are far apart, such as 1 and 2^45, have `rounding` 0.
//
// Cost: O(n log n) for sorting the weights.

#include "treewright/data/costs/whole_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace treewright {

namespace {

constexpr int kBits = 51;

// The greatest common divisor of two weights; 0 if it is too small to be told from rounding.
double common_divisor(double a, double b, double largest) {
  const double zero = std::ldexp(largest, -40);
  while (b > zero) {
    double rest = std::fmod(a, b);
    if (b - rest <= zero) rest = 0;
    a = b;
    b = rest;
  }
  return a > std::ldexp(largest, -30) ? a : 0;
}

// Whether every weight is a multiple of the unit, and their sum is small enough.
bool fits(const std::vector<double>& distinct, double rows, double unit) {
  constexpr double kLastDigits = 4 * std::numeric_limits<double>::epsilon();
  return rows * distinct.back() / unit < std::ldexp(1.0, kBits) && std::all_of(distinct.begin(), distinct.end(), [&](double weight) {
           return std::abs(weight - std::round(weight / unit) * unit) <= kLastDigits * weight;
         });
}

// The common unit of these weights (ascending, > 0); 0 if there is none.
double common_unit(const std::vector<double>& distinct, double rows) {
  const double largest = distinct.back();
  double divisor = distinct.front();
  for (const double weight : distinct) divisor = divisor == 0 ? 0 : common_divisor(weight, divisor, largest);
  if (divisor > 0) {
    // The divisor has the errors of all remainders; the largest multiple has the least relative error.
    const double unit = largest / std::round(largest / divisor);
    if (fits(distinct, rows, unit)) return unit;
  }
  const auto place = static_cast<int>(std::floor(std::log10(distinct.front())));
  for (int digits = 0; digits < std::numeric_limits<double>::max_digits10; ++digits) {
    const double unit = std::pow(10.0, place - digits);
    if (!(rows * largest / unit < std::ldexp(1.0, kBits))) return 0;
    if (fits(distinct, rows, unit)) return unit;
  }
  return 0;
}

}  // namespace

WholeWeights whole_weights(const Dataset& data) {
  WholeWeights whole;
  if (data.weights.empty()) return whole;
  std::vector<double> distinct = data.weights;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  if (distinct.front() == 0) distinct.erase(distinct.begin());
  if (distinct.empty()) {
    whole.multiple.assign(data.rows(), 0.0);
    return whole;
  }
  const double total = std::accumulate(data.weights.begin(), data.weights.end(), 0.0);
  const double common = common_unit(distinct, static_cast<double>(data.rows()));
  whole.unit = common > 0 ? common : std::ldexp(1.0, std::ilogb(total) + 1 - kBits);
  whole.multiple.resize(data.rows());
  for (std::size_t row = 0; row < data.rows(); ++row) {
    whole.multiple[row] = std::round(data.weights[row] / whole.unit);
    (common == 0 ? whole.rounding : whole.last_digits) += std::abs(std::fma(-whole.multiple[row], whole.unit, data.weights[row]));
  }
  return whole;
}

double sum_tolerance(const Dataset& data, const WholeWeights& weights) {
  return weights.rounding > 0 ? data.weight_tolerance() : std::min(data.weight_tolerance(), weights.unit / 2);
}

double WholeWeights::errors(std::span<const std::int32_t> labels, std::span<const std::int32_t> predicted) const {
  double sum = 0;
  for (std::size_t row = 0; row < labels.size(); ++row) sum += labels[row] == predicted[row] ? 0 : of(row);
  return sum;
}

}  // namespace treewright
