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

/// What a row of weight 1 loses where `predicted` is the number for each unit of exposure: (value - predicted)^2, or half the Poisson
/// deviance, value * log(value / expected) - (value - expected) with 0 log 0 = 0, which is never negative. The last two terms sum to 0 over
/// the rows of a leaf that predicts their own rate.
inline double row_loss(Loss loss, double value, double exposure, double predicted) {
  if (loss == Loss::squared) return (value - predicted) * (value - predicted);
  const double expected = exposure * predicted;
  if (!(value > 0)) return expected;
  // Beside the expected number the two terms cancel: with r = value / expected - 1, expected * ((1 + r) log(1 + r) - r) as a series.
  const double r = (value - expected) / expected;
  constexpr double kSeries = 1e-4;
  if (std::abs(r) < kSeries) return expected * r * r * (1.0 / 2 - r * (1.0 / 6 - r * (1.0 / 12 - r / 20)));
  return std::max(0.0, value * std::log(value / expected) - (value - expected));
}

/// What a row of data with a response loses, by its weight: nothing without weight, even where no event was predicted.
inline double row_loss(const Dataset& data, std::size_t row, double predicted) {
  const double weight = data.weight(row);
  const Response& seen = *data.response;
  return weight > 0 ? weight * row_loss(seen.loss, seen.values[row], seen.at_risk(row), predicted) : 0;
}

}  // namespace treewright
