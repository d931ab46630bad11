#pragma once

#include <optional>
#include <vector>

#include "treewright/data/scaling.h"
#include "treewright/grow/subtree_rerouting.h"

namespace treewright::grow {

/// A hyperplane of two axes: weights . x < offset goes left.
struct PairLine {
  std::vector<double> weights;  ///< Shape (axes); two are not zero.
  double offset = 0;
};

/// About the line of least errors in the planes of two columns: see pair_sweep.cpp. Nothing where no two axes of different columns vary.
std::optional<PairLine> sweep_pairs(const Dataset& data, const ScaledPoints& points, const SubtreeRerouting& rerouting);

}  // namespace treewright::grow
