#pragma once

#include <string>

#include "treewright/tree/tree.h"

namespace treewright {

/// The tree in Graphviz's language.
std::string to_dot(const Tree& tree);

}  // namespace treewright
