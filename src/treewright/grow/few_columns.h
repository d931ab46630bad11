#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <vector>

#include "treewright/data/scaling.h"
#include "treewright/svm/squared_hinge.h"

namespace treewright::grow {

/// So many columns are no limit.
inline constexpr std::size_t kAnyColumns = std::numeric_limits<std::size_t>::max();

/// Those of `allowed` (numbers of `axes`, ascending) that belong to at most `most` columns, chosen so that a support vector machine of this
/// cost (fit_squared_hinge) has a small objective on them: see few_columns.cpp. `points` has the allowed axes alone.
std::vector<std::size_t> few_columns(const svm::TwoClassPoints& points, std::span<const Axis> axes, std::span<const std::size_t> allowed,
                                     double cost, std::size_t most);

/// The points on some of the axes that they have; `of`: the numbers of these axes, `some`: those wanted, both ascending.
svm::TwoClassPoints on_axes(const svm::TwoClassPoints& points, std::span<const std::size_t> of, std::span<const std::size_t> some);

}  // namespace treewright::grow
