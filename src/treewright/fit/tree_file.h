#pragma once

#include <string>
#include <string_view>

#include "treewright/tree/json.h"

namespace treewright {

/// Reads what `to_json` wrote, with the objective of any method. Throws Error as the other `from_json` does.
Result from_json(std::string_view text, const std::string& origin);

}  // namespace treewright
