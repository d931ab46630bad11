#pragma once

#include <string>

#include "treewright/base/deadline.h"
#include "treewright/base/options.h"
#include "treewright/data/dataset.h"
#include "treewright/methods/margot/train.h"

namespace treewright::margot {

/// Option class_codes for margot trees of more than two classes: a codeword of max_depth bits for each class, all different. Throws Error where
/// the tree has too few leaves for that. When `deadline` stops, the best of the codewords tried by then.
std::string choose_class_codes(const Dataset& data, const Options& options, Deadline& deadline, Budgets budgets = Budgets::none);

}  // namespace treewright::margot
