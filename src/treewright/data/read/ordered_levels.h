#pragma once

#include <string>
#include <vector>

#include "treewright/data.h"

namespace treewright {

/// A column of categories as one of ordered levels: each level becomes its place.
Column in_order(Column categories);

/// Makes `ReadOptions::ordered` of a file's columns of categories. Throws Error on a text that is none of the levels, in training.
void order_levels(Dataset& data, const std::string& origin, const ReadOptions& options);

}  // namespace treewright
