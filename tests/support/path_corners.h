#pragma once

#include <vector>

namespace treewright::testing {

/// A corner of a complexity path.
struct PathCorner {
  int splits;
  double loss;
};

/// Corners of the lower convex hull of (k, least loss with at most k splits), by comparing all triples.
inline std::vector<PathCorner> path_corners(const std::vector<double>& loss, double tolerance = 1e-9) {
  std::vector<PathCorner> result;
  for (int k = 0; k < static_cast<int>(loss.size()); ++k) {
    bool corner = k == 0 || loss[k] < loss[k - 1] - tolerance;
    for (int i = 0; i < k && corner; ++i) {
      for (int j = k + 1; j < static_cast<int>(loss.size()); ++j) {
        const double line = loss[i] + (loss[j] - loss[i]) * (k - i) / (j - i);
        if (loss[k] >= line - tolerance) corner = false;
      }
    }
    if (corner) result.push_back({k, loss[k]});
  }
  return result;
}

}  // namespace treewright::testing
