#pragma once

#include <string>

#include "treewright/tree/tree.h"

namespace treewright {

/// The name on one line without control characters, whatever the file held.
std::string printable(const std::string& name);

/// The split as a question in raw units: "petal_length < 2.45?", "colour in {blue, red}?", "0.5*a - 2*b < 1?".
std::string question(const Split& split, const Tree& tree);

/// The tree as indented rules, one line a node, with rows and class weights.
std::string to_text(const Tree& tree);

}  // namespace treewright
