#pragma once

#include <vector>

#include "treewright/data.h"

namespace treewright {

/// Loss on a ResponseGrid and on the data.
struct ResponseUnits {
  double unit = 1;         ///< loss of the data in one unit of the grid
  double moved = 0;        ///< sqrt of the loss by which the targets on the grid differ from those of the data
  double weights_off = 0;  ///< loss that the rounding of weights, or of exposures and events, takes from any tree at most
  /// Of squared error: amounts are whole multiples of 2^-halvings, each next to the weight times the target's distance from the center in
  /// steps of 2^-(digits - halvings).
  double center = 0;
  int digits = 0, halvings = 0;
  /// Of events: what an exposure of 1 on the grid means is `exposure` times 2^halvings, and exposures and events are whole multiples of
  /// 2^-halvings.
  double exposure = 1;

  /// What trees that lose at least so many units on the grid lose at least on the data: rounded down.
  double at_least(double units) const;
  /// About what a tree of so many units loses.
  double near(double units) const { return units * unit; }
};

/// The response of all rows as two numbers a row whose sums are exact in doubles, whatever their order: a leaf with the sums A and B
/// gains B^2 / A units of loss over what its rows cost each (search/loss/two_sums.cpp). See response_grid.cpp.
struct ResponseGrid {
  std::vector<double> exposure;  ///< multiples of a power of two >= 0, of squared error whole numbers. Shape (rows).
  std::vector<double> amount;    ///< the same, with signs; 0 where the exposure is 0. Shape (rows).
  ResponseUnits units;
};

/// Throws Error where the squares of the targets are no doubles.
ResponseGrid response_grid(const Dataset& data);

}  // namespace treewright
