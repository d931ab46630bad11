#pragma once

#include <cmath>
#include <limits>

namespace treewright {

/// A sum of doubles without signs, each of them the nearest one to what is meant, is off by at most this share.
inline constexpr double kRoundingOfSum = 16 * std::numeric_limits<double>::epsilon();

/// Results of one operation on doubles that are never above the true ones, and equal to these where they are doubles. `off` is the rounding
/// error of the nearest double, exact (Knuth 1969, Dekker 1971): the true result is `nearest` + `off`.
inline double rounded_down(double nearest, double off) {
  return off < 0 ? std::nextafter(nearest, -std::numeric_limits<double>::infinity()) : nearest;
}

inline double sum_down(double a, double b) {
  const double sum = a + b, of_b = sum - a;
  return std::isfinite(sum) ? rounded_down(sum, (a - (sum - of_b)) + (b - of_b)) : sum;
}

/// Of numbers whose product is no subnormal one.
inline double product_down(double a, double b) {
  const double product = a * b;
  return std::isfinite(product) ? rounded_down(product, std::fma(a, b, -product)) : product;
}

/// Expects b > 0.
inline double quotient_down(double a, double b) {
  const double quotient = a / b;
  return std::isfinite(quotient) ? rounded_down(quotient, -std::fma(quotient, b, -a)) : quotient;
}

}  // namespace treewright
