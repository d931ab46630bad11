#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/tree.h"

namespace treewright {

/// By so much, at least, is the logit of a leaf's label above all others: the label stays the most probable class, also in single
/// precision.
inline constexpr double kLeadOfLabel = 1e-5;

/// The distance of each row to the plane, as a ProbabilityModel counts it: positive to the right, from -1 to 1, 0 where a value is missing
/// and nothing stands in. `reach`: what counts as 1. Shape (rows).
std::vector<double> distances(const HyperplaneSplit& plane, double reach, const Dataset& data, std::span<const std::uint32_t> rows);

}  // namespace treewright
