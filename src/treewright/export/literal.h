#pragma once

#include <string>

namespace treewright::exports {

/// The double as a literal of C, C++, Python, JavaScript and SQL that reads back to the same double.
std::string literal(double value);

}  // namespace treewright::exports
