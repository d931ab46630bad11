#pragma once

#include <span>
#include <vector>

#include "treewright/data/scaling.h"
#include "treewright/tree.h"

namespace treewright {

/// A hyperplane h . u = g over scaled axes; a row goes left iff h . u < g.
struct ScaledPlane {
  std::vector<double> h;  ///< Shape (axes).
  double g = 0;
};

/// In raw units, where sum - threshold is h . u - g. The heaviest terms come first. Weights that are 0, or last digits beside
/// the heaviest one, give no term.
HyperplaneSplit in_raw_units(const ScaledPlane& plane, std::span<const Axis> axes);

/// A threshold or a hyperplane in scaled units, an axis split with weight 1; terms that are on none of the axes (constant columns) are
/// left out. The rule must not be a set of levels.
ScaledPlane in_scaled_units(const SplitRule& rule, std::span<const Axis> axes);

}  // namespace treewright
