#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace treewright::report {

/// Numbers that a person would put on an axis from low to high, about `wanted` of them: multiples of 1, 2 or 5 times a power of ten, and of
/// `least` or more, which is 1 where numbers are whole. None where high is not above low.
std::vector<double> ticks(double low, double high, int wanted, double least = 0);

/// The same for an axis of so many units from left to right: as many, up to `wanted`, as have labels that do not touch.
std::vector<double> ticks_across(double low, double high, int wanted, double width, const std::function<std::string(double)>& label,
                                 double least = 0);

/// The ends of the central 98 % of these numbers, in ascending order: a few far ones must not squeeze all others together.
std::pair<double, double> central_range(const std::vector<double>& sorted);

}  // namespace treewright::report
