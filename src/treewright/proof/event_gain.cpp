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
// The gain. Let x = m A be the events that the rate of all rows expects, and D = B - x. Two roundings make x off by 2^-52 of itself. As
// d(B, x) changes with x by 1 - B / x = -D / x, that is 2^-52 |D|, and 2^-104 B with what is left of it.
//
// Where |s| < 0.171 for s = D / (B + x), log(B / x) = 2 artanh(s), and 2 B = (B + x) (1 + s), so that g = s (D + 2 B (s^2 / 3 + s^4 / 5 +
// ...)) is a product in which nothing cancels: the sum is below 0.07 |D|, its terms after s^22 are nothing beside that, and the last
// digits are below 2^-49 g.
//
// Elsewhere g = B log(B / x) - D. With |D| >= 0.17 (B + x), B is at most 6 |D|, and B |log(B / x)| at most g + |D|. The quotient costs
// 2^-53 B, the logarithm 1.13 * 2^-50 B |log|, the product and the differences a last digit each: below 2^-48 (|D| + g) together, and as
// |D| <= 7 g there, below 2^-45 g. Where both sums are multiplied by the same power of two, so are `gain` and `off`, digit by digit.

#include "treewright/proof/event_gain.h"

#include <cassert>
#include <cmath>

namespace treewright::proof {

namespace {

constexpr double kNear = 0.171;  // of s

// s^2 / 3 + s^4 / 5 + ... + s^22 / 23
double later_terms(double square) {
  constexpr int kTerms = 11;
  double terms = 0;
  for (int j = kTerms; j >= 1; --j) terms = (terms + 1.0 / (2 * j + 1)) * square;
  return terms;
}

}  // namespace

double logarithm(double number) {
  constexpr double kLog2 = 0x1.62e42fefa39efp-1;
  assert(number >= 0x1p-1022 && std::isfinite(number));
  int exponent = 0;
  double x = std::frexp(number, &exponent);
  if (x < 0x1.6a09e667f3bcdp-1) {  // sqrt(1/2)
    x *= 2;
    --exponent;
  }
  const double s = (x - 1) / (x + 1);
  return exponent * kLog2 + (2 * s + 2 * s * later_terms(s * s));
}

EventGain::Enclosed EventGain::of(double exposure, double events) const {
  if (!(exposure > 0) || !(all_events_ > 0)) return {};
  const double expected = all_events_ / all_exposure_ * exposure;
  if (!(events > 0)) return {expected, 0x1p-51 * expected};
  const double apart = events - expected, s = apart / (events + expected), rest = 0x1p-100 * (events + expected);
  if (std::abs(s) < kNear) {
    const double gain = s * (apart + 2 * events * later_terms(s * s));
    return {gain, 0x1p-51 * std::abs(apart) + 0x1p-49 * gain + rest};
  }
  const double gain = events * logarithm(events / expected) - apart;
  return {gain, 0x1p-48 * (std::abs(apart) + gain) + rest};
}

}  // namespace treewright::proof
