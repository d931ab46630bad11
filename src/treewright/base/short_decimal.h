#pragma once

#include <cmath>
#include <optional>

namespace treewright {

/// The number with the fewest decimals that lies strictly between `below` and `above`: `near` rounded to so many. Empty if that takes more
/// decimals than a double holds, or if numbers are too large to be rounded so.
inline std::optional<double> short_decimal(double below, double above, double near) {
  constexpr int kMostDecimals = 17;
  for (int decimals = 0; decimals < kMostDecimals; ++decimals) {
    // A quotient of two whole numbers is the double that the decimal number reads back as.
    const double scale = std::pow(10.0, decimals), whole = std::round(near * scale);
    constexpr double kExact = 9007199254740992;  // 2^53
    if (!(std::abs(whole) < kExact)) return std::nullopt;
    const double shown = whole / scale;
    if (below < shown && shown < above) return shown;
  }
  return std::nullopt;
}

}  // namespace treewright
