#pragma once

#include <string>

#include "treewright/explain/text.h"

namespace treewright {

/// The tree in Graphviz's language.
std::string to_dot(const Tree& tree, int digits = kDigits);

}  // namespace treewright
