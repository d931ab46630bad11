#pragma once

#include "treewright/methods/method.h"

namespace treewright::hyperplanes {

/// The cost of a row inside the margin, by cross-validation: Method::choose of oct-h and tao.
ChosenOptions choose_cost(const Dataset& data, const Options& options, Deadline& deadline, const Trainer& trainer);

}  // namespace treewright::hyperplanes
