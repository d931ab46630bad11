#pragma once

#include <span>

namespace treewright::svm1 {

/// Rows along a search line. Row i is at place + step * speed. It costs `left` if this is below 0, else `right`, plus
/// slack * max(0, eps - |place + step * speed|).
struct BandRows {
  std::span<const double> place, speed, left, right, slack;  ///< Shapes (rows).
  double eps = 0;
};

/// A convex price of the step: rate * |at_zero + slope * step|.
struct LengthPrice {
  double rate = 0, at_zero = 0, slope = 0;
};

/// The step between low and high (low < 0 < high) of smallest cost. Of equal steps it takes the widest interval, and there its middle.
/// Exact, except that the limit at a jump is approached to a millionth. O(rows log rows).
double best_step(const BandRows& rows, const LengthPrice& price, double low, double high);

/// Cost of the rows at step 0.
double band_cost(const BandRows& rows);

}  // namespace treewright::svm1
