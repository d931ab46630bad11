#pragma once

#include "treewright/data.h"
#include "treewright/data/generate.h"

namespace treewright {

/// The generators behind `generate`; options are checked there.
Dataset generate_partitions(int regions, const GenerateOptions& options);
Dataset generate_balance_scale();
Dataset generate_tic_tac_toe();
Dataset generate_monks(int problem, const GenerateOptions& options);

}  // namespace treewright
