#pragma once

#include <vector>

namespace treewright::report {

/// Numbers that a person would put on an axis from low to high, about `wanted` of them.
std::vector<double> ticks(double low, double high, int wanted);

}  // namespace treewright::report
