#pragma once

#include <string>

#include "treewright/data.h"

namespace treewright {

/// Groups the numbers of the target into classes, as `options.bins` or `options.edges` ask; nothing where neither does or no row has a
/// label. Throws Error on labels that are no numbers.
void group_target(Dataset& data, const std::string& origin, const ReadOptions& options);

/// Throws Error where the target is a quantity (is_quantity) and nobody said what to do with its numbers.
void refuse_quantity(const Dataset& data, const std::string& origin, const ReadOptions& options);

/// Merges classes as `options.against_rest` asks. Rows to train on must have that class; others need not.
void take_against_rest(Dataset& data, const ReadOptions& options);

}  // namespace treewright
