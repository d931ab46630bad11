#pragma once

#include <string>

namespace treewright::testing {

/// A file of this checkout. `path`: from its top.
std::string in_source(const std::string& path);

}  // namespace treewright::testing
