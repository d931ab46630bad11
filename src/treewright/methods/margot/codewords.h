#pragma once

#include <string>

#include "treewright/base/deadline.h"
#include "treewright/data.h"
#include "treewright/methods/margot/rows.h"
#include "treewright/options.h"

namespace treewright::margot {

/// Chooses option class_codes for more than two classes: different codewords of max_depth bits, one for each class. Throws Error if the
/// tree has too few leaves. If `deadline` stops, returns the best codewords so far.
std::string choose_class_codes(const Dataset& data, const Options& options, Deadline& deadline);

}  // namespace treewright::margot
