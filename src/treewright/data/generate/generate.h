#pragma once

#include <string>
#include <vector>

#include "treewright/data.h"
#include "treewright/data/generate/generators.h"

namespace treewright {

/// The data set of that name. Throws Error on an unknown name, and on an option that is out of range or that
/// the generator does not look at.
///   bd17-train, bd17-test: `generate_tree_study` (all options)
///   4-partitions, 6-partitions: points between hyperplanes with margins (seed)
///   balance-scale, tic-tac-toe: all cases of the rule (no option)
///   monks-1, monks-2, monks-3: all cases of the rule (seed, label_noise: share of labels flipped)
Dataset generate(const std::string& name, const GenerateOptions& options = {});

/// The names that `generate` knows.
std::vector<std::string> generator_names();

}  // namespace treewright
