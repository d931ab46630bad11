#pragma once

#include <cstdint>
#include <vector>

#include "treewright/tree.h"

namespace treewright::partition {

/// AHL24 Algorithm 6 with Algorithm 5 in each node: moves the thresholds of a tree so that fewer rows are misclassified and more rows
/// follow their cluster's representative. Every correctly classified representative keeps its leaf. Labels, features and category splits
/// stay.
///
/// `tree`: tallied on `representatives`, one row for each cluster. `cluster_of_row`: shape (rows of `data`).
Tree move_thresholds(const Tree& tree, const Dataset& data, const std::vector<std::int32_t>& cluster_of_row,
                     const Dataset& representatives);

}  // namespace treewright::partition
