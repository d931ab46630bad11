#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

namespace treewright::search {

// What labels cost. See costs.cpp.

/// Rows with equal features as items: calls `add` for each with its label and weight, the heaviest first. That one bears the reach of them
/// all, which is its weight; the others have none. Returns what every tree loses on the rows besides. `class_weight`: of the rows. Shape
/// (classes).
double items_of_rows(std::span<const double> class_weight, const std::function<void(std::size_t label, double weight, double reach)>& add);

/// Cost of a leaf. `reach`: of its items; `weights`: of those of each label. Shape (labels).
double leaf_cost(double reach, std::span<const double> weights);

/// The label under which a leaf costs least; the first of several.
std::int32_t best_label(std::span<const double> weights);

/// No tree of so many leaves costs less, splits aside. `reach`: of its items; `weights`: of those of each label. Shape (labels).
double least_cost(double reach, std::vector<double> weights, std::int64_t leaves);

}  // namespace treewright::search
