#pragma once

#include <limits>
#include <vector>

#include "treewright/tree.h"

namespace treewright::explain {

/// The conditions of the splits above a node on one feature, merged.
struct FeatureLimit {
  double low = -std::numeric_limits<double>::infinity();  ///< low <= x < high
  double high = std::numeric_limits<double>::infinity();
  std::vector<bool> levels;  ///< the levels allowed. Shape (levels of the feature), empty where there are none.
  bool missing = true;       ///< a row with a missing value passes
  bool asked = false;        ///< some split above asks for the feature
};

/// One side of a hyperplane.
struct HalfSpace {
  const Split* split = nullptr;  ///< of kind HyperplaneSplit; lives as long as the tree
  bool left = false;
};

/// The rows that reach a node: those that satisfy all limits and lie on the correct side of all hyperplanes.
struct Region {
  std::vector<FeatureLimit> limits;  ///< shape (features)
  std::vector<HalfSpace> planes;
};

/// The region of each node. Shape (nodes).
std::vector<Region> regions(const Tree& tree);

}  // namespace treewright::explain
