#pragma once

#include <string>

#include "treewright/base/deadline.h"
#include "treewright/base/options.h"
#include "treewright/data/dataset.h"

namespace treewright {

/// Option class_codes for margot trees of more than two classes: a word of max_depth letters for each class, all different. Throws Error where the
/// tree has too few leaves for that. When `deadline` stops, the best of the words tried by then.
std::string choose_class_codes(const Dataset& data, const Options& options, Deadline& deadline);

}  // namespace treewright
