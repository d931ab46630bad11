#pragma once

#include <string>

#include "treewright/tree.h"

namespace treewright::exports {

/// The tree as a PMML 4.4 TreeModel (Data Mining Group); hyperplanes become derived fields.
std::string to_pmml(const Tree& tree);

}  // namespace treewright::exports
