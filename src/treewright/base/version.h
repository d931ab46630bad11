#pragma once

namespace treewright {

/// "major.minor.patch"
const char* version();

}  // namespace treewright
