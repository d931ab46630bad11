#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "treewright/result.h"

namespace treewright {

/// Makes the objective of a tree file. Throws std::out_of_range on an unknown kind or a missing parameter.
using ObjectiveReader = std::function<ObjectivePtr(std::string_view kind, const Parameters& parameters)>;

/// Reads what `to_json` wrote. `origin` names the source in messages. Throws Error on anything else: damaged text, another schema version,
/// nodes that do not form a tree.
Result from_json(std::string_view text, const std::string& origin, const ObjectiveReader& objectives);

/// The tree alone of what `to_json` wrote. Throws Error as `from_json` does.
Tree tree_from_json(std::string_view text, const std::string& origin);

}  // namespace treewright
