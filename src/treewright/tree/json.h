#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "treewright/result.h"

namespace treewright {

/// Makes the objective of a tree file. `result`: everything else that was read. `kind` is empty in files of schema version 1, whose
/// parameters are "alpha" and "error_scale"; the others are among the options. Throws std::out_of_range on an unknown kind or a missing
/// parameter.
using ObjectiveReader = std::function<ObjectivePtr(const Result& result, std::string_view kind, const Parameters& parameters)>;

/// Reads what `to_json` wrote, of this or an earlier schema version. `origin` names the source in messages. Throws Error on anything else:
/// damaged text, a later schema version, nodes that do not form a tree.
Result from_json(std::string_view text, const std::string& origin, const ObjectiveReader& objectives);

/// The tree alone of what `to_json` wrote. Throws Error as `from_json` does.
Tree tree_from_json(std::string_view text, const std::string& origin);

}  // namespace treewright
