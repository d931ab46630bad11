#pragma once

#include <functional>
#include <span>
#include <vector>

#include "treewright/data/scaling.h"
#include "treewright/grow/editable_tree.h"

namespace treewright::grow {

/// Which classes go right. Shape (classes).
using ClassGroup = std::vector<bool>;

/// Up to so many classes, class_groups gives all divisions.
inline constexpr std::size_t kAllGroups = 5;

/// Divisions of these classes into two groups that a hyperplane might separate: see class_groups.cpp. `directions`: along how many
/// directions the classes are lined up if they are more than kAllGroups.
std::vector<ClassGroup> class_groups(const Dataset& data, const ScaledPoints& points, const RowList& rows,
                                     const std::vector<std::size_t>& classes, int directions);

/// Weight of each class on the right of a hyperplane less its weight on the left. `sums`: of the rows. Shape (classes).
std::vector<double> class_balance(const Dataset& data, const RowList& rows, const std::vector<double>& sums, double threshold);

/// Fits a support vector machine on these axes to a division, moves each class to the side of the hyperplane that holds most of it, and
/// fits again while that changes the division, `attempts` times at most. `fitted` gets each hyperplane, the sums of the rows, and the
/// division as the hyperplane has it; it ends the fits if it returns false. A hyperplane asks about at most `max_columns`.
void fit_groups(const Dataset& data, const ScaledPoints& points, std::span<const std::size_t> axes, const RowList& rows, ClassGroup right,
                double cost, std::size_t max_columns, int attempts,
                const std::function<bool(HyperplaneSplit plane, const std::vector<double>& sums, const ClassGroup& right)>& fitted);

}  // namespace treewright::grow
