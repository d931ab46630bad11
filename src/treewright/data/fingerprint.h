#pragma once

#include <string>

#include "treewright/data.h"

namespace treewright {

/// A hash of everything that training reads: names, cells, levels, labels and weights. Data that differ have different ones, but for
/// accidents.
std::string fingerprint(const Dataset& data);

}  // namespace treewright
