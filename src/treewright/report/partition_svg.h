#pragma once

#include <string>

#include "treewright/reduce/data_partition.h"

namespace treewright::report {

/// Clusters of rows of two numeric columns as a picture: rows as dots of their class, clusters as the hulls of their rows, representatives
/// as rings. Rows with a missing value are left out. Throws Error if the data have other columns than two numeric ones.
std::string to_svg(const Dataset& data, const reduce::DataPartition& partition);

}  // namespace treewright::report
