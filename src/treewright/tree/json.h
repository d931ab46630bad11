#pragma once

#include <string>
#include <string_view>

#include "treewright/tree/result.h"

namespace treewright {

/// The result with its tree as JSON (schema docs/tree-schema.md). Numbers are written with the digits that bring back the same
/// double, so the round trip is exact.
std::string to_json(const Result& result);

/// Reads what `to_json` wrote. `origin` names the source in messages. Throws Error on anything else: damaged text, another
/// schema version, nodes that form no tree.
Result from_json(std::string_view text, const std::string& origin);

/// The claims of a result without its tree, as one JSON object: what `--json` prints.
std::string summary_json(const Result& result);

}  // namespace treewright
