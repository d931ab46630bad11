// Half the Poisson deviance, by a logarithm whose error is known.
//
// A row with b events at exposure a loses d(b, u a) = b log(b / (u a)) - b + u a where u is predicted. A leaf with the sums A and B of
// its rows loses least at u = B / A. Let m be the rate of all rows. Then a leaf loses the sum of g(a, b) over its rows less g(A, B), with
//
//     g(A, B) = B log(B / (m A)) - B + m A, 0 log 0 = 0,
//
// for the last two terms cancel between rows and leaf. They make g(A, B) = d(B, m A) >= 0. It is convex and homogeneous, so the sums of
// two sets gain no more than the two sets together.
//
// The logarithm. A number is 2^e x with x from sqrt(1/2) to sqrt(2), and log x = 2 artanh(s) = 2 s (1 + s^2 / 3 + s^4 / 5 + ...) for s =
// (x - 1) / (x + 1), |s| < 0.1716. What follows after s^22 / 23 is below 2^-65 of the sum. x - 1 is exact, so s is off by 2^-52 of
// itself. The terms after 1 are below 0.0101 together, and off by 2^-50 of that. So log x is off by less than 2^-51 of itself, and e log
// 2 by 2^-52. Where e is not 0, |log x| is at most half of |e log 2|, and so no more than the sum of both, which is at least half of |e
// log 2|: the sum is off by less than 2^-51 + 2^-51 + 2^-53 of itself, 1.13 * 2^-50.
//
// The gain. The quotient B / (m A) is off by three roundings, which is 2^-51 of 1 in its logarithm L. With the products and sums below g
// is off by less than B (1.13 * 2^-50 |L| + 2^-51 + 2^-53 (2 |L| + 3)) + 2^-51 m A, and 2^-49 (B (|L| + 1) + m A) has room for that and
// for its own last digits. Where both sums are multiplied by the same power of two, so are `gain` and `off`, digit by digit.

#include "treewright/proof/event_gain.h"

#include <cassert>
#include <cmath>

namespace treewright::proof {

double logarithm(double number) {
  constexpr double kLog2 = 0x1.62e42fefa39efp-1;
  constexpr int kTerms = 11;
  assert(number >= 0x1p-1022 && std::isfinite(number));
  int exponent = 0;
  double x = std::frexp(number, &exponent);
  if (x < 0x1.6a09e667f3bcdp-1) {  // sqrt(1/2)
    x *= 2;
    --exponent;
  }
  const double s = (x - 1) / (x + 1), square = s * s;
  double terms = 0;
  for (int j = kTerms; j >= 1; --j) terms = (terms + 1.0 / (2 * j + 1)) * square;
  return exponent * kLog2 + (2 * s + 2 * s * terms);
}

EventGain::Enclosed EventGain::of(double exposure, double events) const {
  if (!(exposure > 0) || !(all_events_ > 0)) return {};
  const double expected = all_events_ / all_exposure_ * exposure;
  if (!(events > 0)) return {expected, 0x1p-51 * expected};
  const double log = logarithm(events / all_events_ * (all_exposure_ / exposure));
  return {events * (log - 1) + expected, 0x1p-49 * (events * (std::abs(log) + 1) + expected)};
}

}  // namespace treewright::proof
