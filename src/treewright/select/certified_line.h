#pragma once

#include <vector>

#include "treewright/trade_off.h"

namespace treewright::select {

/// The points (false positives, false negatives) that proofs leave open: those with a * false positives + b * false negatives >= bound for
/// each of some prices a, b > 0, and both not negative. Its lower left boundary is convex.
class CertifiedLine {
 public:
  /// Expects a, b > 0 and a bound that holds for every tree.
  void add(double a, double b, double bound) { sides_.push_back({a, b, bound}); }

  /// Corners of the boundary, fewest false positives first; the first one has none, and the last one no false negatives.
  std::vector<ErrorPair> corners() const;

  /// The least false negatives with so many false positives.
  double least_false_negatives(double false_positives) const;

 private:
  struct Side {
    double a, b, bound;
    double at(double x) const { return (bound - a * x) / b; }
  };

  std::vector<Side> sides_ = {{0, 1, 0}};
};

/// The least a * false positives + b * false negatives on a line with these corners.
double least_cost(const std::vector<ErrorPair>& corners, double a, double b);

}  // namespace treewright::select
