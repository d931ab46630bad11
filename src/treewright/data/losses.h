#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <string_view>

#include "treewright/data.h"

namespace treewright {

inline constexpr std::array kLosses = {Loss::squared, Loss::poisson, Loss::survival};

/// The name in options and tree files.
std::string_view name_of(Loss loss);
/// The loss of that name, or nothing.
std::optional<Loss> loss_named(std::string_view name);

/// Half the Poisson deviance, b log(b / x) - b + x with 0 log 0 = 0, where b > 0 events were seen and x expected; infinite where x is 0.
/// With s = (b - x) / (b + x), log(b / x) = 2 artanh(s), and as 2 b = (b + x) (1 + s), the terms without a cube of s are (b - x) s: where b
/// and x are near, nothing cancels. It is off by some last digits of itself, and by |b - x| times the relative error of x.
template <class Number>
Number half_deviance(Number events, Number expected) {
  constexpr Number kNear = 0.171;
  constexpr int kTerms = 11;  // what follows is below 2^-65
  if (!(events > 0)) return expected;
  const Number difference = events - expected, s = difference / (events + expected), square = s * s;
  if (!(std::abs(s) < kNear)) return events * std::log(events / expected) - difference;
  Number terms = 0;
  for (int j = kTerms; j >= 1; --j) terms = (terms + Number(1) / static_cast<Number>(2 * j + 1)) * square;
  return s * (difference + 2 * events * terms);
}

/// What a row of weight 1 loses where `predicted` is the number for each unit of exposure: (value - predicted)^2, or half the Poisson
/// deviance, value * log(value / expected) - (value - expected) with 0 log 0 = 0, which is never negative. The last two terms sum to 0 over
/// the rows of a leaf that predicts their own rate.
inline double row_loss(Loss loss, double value, double exposure, double predicted) {
  if (loss == Loss::squared) return (value - predicted) * (value - predicted);
  return half_deviance(value, exposure * predicted);
}

/// What a row of data with a response loses, by its weight: nothing without weight, even where no event was predicted.
inline double row_loss(const Dataset& data, std::size_t row, double predicted) {
  const double weight = data.weight(row);
  const Response& seen = *data.response;
  return weight > 0 ? weight * row_loss(seen.loss, seen.values[row], seen.at_risk(row), predicted) : 0;
}

}  // namespace treewright
