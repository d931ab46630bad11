#pragma once

#include <vector>

#include "treewright/tree/tree.h"

namespace treewright {

/// How much each feature moves the class probabilities of one row away from the average.
struct ShapleyValues {
  std::vector<std::vector<double>> values;  ///< shape (features, classes)
  std::vector<double> average;              ///< probabilities when nothing is known of the row. Shape (classes).
};

/// Exact Shapley values, path-dependent: a split whose feature is not known sends a row to both sides by the weight of the training rows
/// there. For each class they add up to the row's probability less the average. `data` must be aligned to the tree, which must be tallied.
/// Throws Error on a tree with hyperplanes, whose splits belong to no single feature.
ShapleyValues shapley_values(const Tree& tree, const Dataset& data, std::size_t row);

}  // namespace treewright
