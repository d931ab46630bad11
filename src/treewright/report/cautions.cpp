// What a page says at a leaf that may mislead: its number comes from few training rows, or the test rows contradict it.
//
// A leaf states a number: the probability of its class, a rate or a mean. If it is true, the leaf's test rows are draws from the
// binomial, the Poisson or, nearly, the normal distribution with that number. Tails of the first two are summed exactly: approximations,
// Wilson's interval among them, call one row that a probability of 0.99 missed an event of nine standard errors, and it happens once in
// a hundred such rows. A tree has many leaves, and the page speaks of the worst of them, so each is held to a level of 5 % by their number
// (Bonferroni). The thousands of rows of a large leaf show that 0.97 is not 0.975; the page is silent on what is clear, but small.

#include "treewright/report/cautions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace treewright::report {

namespace {

// The terms of a tail beside the mean, which only fall: the first, and each by the one before it.
template <class Ratio>
double tail(double first, double at, double step, const Ratio& next_by_this) {
  double sum = first;
  for (double term = first; term > 1e-17 * sum; at += step) sum += term *= next_by_this(at);
  return sum;
}

// The whole count next to it on the side of what was expected.
double towards(double expected, double count) {
  constexpr double kRounding = 1e-9;
  return count < expected ? std::min(std::ceil(count - kRounding), expected) : std::max(std::floor(count + kRounding), expected);
}

}  // namespace

double chance_of_share(double share, double trials, double probability) {
  const double n = std::floor(trials + 1e-9), p = probability, expected = n * p, k = towards(expected, n * share);
  if (!(n > 0) || k == expected) return 1;
  if (p <= 0 || p >= 1) return 0;
  const double first =
      std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) + k * std::log(p) + (n - k) * std::log1p(-p));
  const double odds = p / (1 - p);
  const double one_sided = k < expected ? tail(first, k, -1, [&](double i) { return i / ((n - i + 1) * odds); })
                                        : tail(first, k, 1, [&](double i) { return (n - i) / (i + 1) * odds; });
  return std::min(1.0, 2 * one_sided);
}

double chance_of_events(double events, double expected) {
  const double k = towards(expected, events);
  if (k == expected) return 1;
  if (!(expected > 0)) return 0;
  const double first = std::exp(k * std::log(expected) - expected - std::lgamma(k + 1));
  const double one_sided = k < expected ? tail(first, k, -1, [&](double i) { return i / expected; })
                                        : tail(first, k, 1, [&](double i) { return expected / (i + 1); });
  return std::min(1.0, 2 * one_sided);
}

double chance_of_mean(double errors_off, std::int64_t degrees) {
  // Abramowitz and Stegun 1964, 26.7.3 and 26.7.4: finite sums.
  const double angle = std::atan(std::abs(errors_off) / std::sqrt(static_cast<double>(degrees))), cos2 = std::pow(std::cos(angle), 2);
  const bool odd = degrees % 2 == 1;
  double sum = 0, term = odd ? std::cos(angle) : 1;
  for (std::int64_t i = odd ? 3 : 2; i <= degrees && term > 1e-17; i += 2) {
    sum += term;
    term *= cos2 * static_cast<double>(i - 1) / static_cast<double>(i);
  }
  const double within = odd ? 2 / std::numbers::pi * (angle + std::sin(angle) * sum) : std::sin(angle) * sum;
  return std::clamp(1 - within, 0.0, 1.0);
}

bool is_clear(double chance, std::size_t leaves) {
  return chance * static_cast<double>(leaves) < 0.05;
}

std::string few_rows(std::int64_t rows, const std::string& of, const std::string& interval) {
  return few_of(rows, "training row", of, interval);
}

std::string few_of(std::int64_t count, const std::string& things, const std::string& of, const std::string& interval) {
  constexpr std::int64_t kFew = 20;
  if (count >= kFew) return "";
  const std::string only = count == 0 ? fmt::format("No {}", things) : fmt::format("Only {} {}{}", count, things, count == 1 ? "" : "s");
  if (interval.empty()) return fmt::format("<p class=\"soft bare\">{}.</p>", only);
  return fmt::format("<p class=\"soft bare\">{}: {} may be anywhere from {} (95 % confidence).</p>", only, of, interval);
}

std::string contradiction(const std::string& what, const std::string& seen) {
  return fmt::format("<p class=\"few\">Test rows contradict its {}: {}.</p>", what, seen);
}

std::string contradictions_note() {
  return "<p class=\"soft\">Test rows contradict a leaf where they are far from what it says, and so clearly that chance alone does "
         "this to any leaf of a tree in fewer than 1 of 20 sets of test rows.</p>";
}

}  // namespace treewright::report
