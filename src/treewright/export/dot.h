#pragma once

#include <string>

#include "treewright/explain/text.h"

namespace treewright::exports {

/// The tree in Graphviz's language.
std::string to_dot(const Tree& tree, int digits = explain::kDigits);

}  // namespace treewright::exports
