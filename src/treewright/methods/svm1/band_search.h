#pragma once

#include <span>

namespace treewright::svm1 {

/// Rows on a line. Row i stands at place + step * speed and costs `left` where that is below 0, `right` elsewhere, and besides
/// slack * max(0, eps - |place + step * speed|).
struct BandRows {
  std::span<const double> place, speed, left, right, slack;  ///< Shapes (rows).
  double eps = 0;
};

/// A convex price of the step: rate * |at_zero + slope * step|.
struct LengthPrice {
  double rate = 0, at_zero = 0, slope = 0;
};

/// The step between low and high (low < 0 < high) of least cost: among equals in the widest interval, and where the cost is level in its
/// middle. Exact but for the limit at a jump, which is approached to a millionth. O(rows log rows).
double best_step(const BandRows& rows, const LengthPrice& price, double low, double high);

/// Their cost where they stand.
double band_cost(const BandRows& rows);

}  // namespace treewright::svm1
