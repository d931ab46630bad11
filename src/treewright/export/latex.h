#pragma once

#include <string>

#include "treewright/explain/text.h"

namespace treewright::exports {

/// The tree as a LaTeX document, drawn by the package forest; the environment `forest` may be copied into another document.
std::string to_latex(const Tree& tree, int digits = explain::kDigits);

}  // namespace treewright::exports
