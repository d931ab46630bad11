#pragma once

#include <initializer_list>

#include "treewright/options.h"
#include "treewright/result.h"

namespace treewright::select {

/// The limits of a result on depth, splits and rows of a leaf, for more trees on its rows.
Options limits_of(const Result& result);

/// Lets the options of the result say of these names what `stated` says, as after a single fit.
void state_options(Result& result, const Options& stated, std::initializer_list<const char*> names);

}  // namespace treewright::select
