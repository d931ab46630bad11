#pragma once

#include <string>

#include "treewright/result.h"

namespace treewright::report {

/// What `auto` compared before it chose, and why it chose as it did: a table, the best first, long ones under a fold. HTML; empty for
/// other methods.
std::string candidates(const Result& result);

}  // namespace treewright::report
