#pragma once

#include <string>

#include "treewright/explain/text.h"

namespace treewright::explain {

/// The tree in the style of scikit-learn's export_text, with the comparators of this library.
std::string to_plain_text(const Tree& tree, int digits = kDigits);

}  // namespace treewright::explain
