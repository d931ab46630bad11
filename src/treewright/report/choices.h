#pragma once

#include <cstddef>
#include <string>

#include "treewright/tree.h"

namespace treewright::report {

// Trees to choose among: a panel has a slider, a line for each in a table, and their drawings, one of which report.js shows at a time.

/// Where report.js puts the slider. `what` it moves along, and what lies at its ends.
std::string choice_slider(const std::string& what, const std::string& low, const std::string& high);

/// The drawing of one tree under a line that tells what it is. `prefix` and the number make names that occur once on the page.
std::string choice_drawing(std::size_t number, const std::string& line, const Tree& tree, const std::string& prefix);

}  // namespace treewright::report
