#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "flags.h"
#include "treewright/data.h"
#include "treewright/tree.h"

namespace treewright::cli {

/// How a tree does on labeled rows: accuracy, AUC, scores of the probabilities, measures of each class with intervals, the confusion
/// matrix. `data` must be aligned to it.
std::string score_text(const Tree& tree, const Dataset& data, const Decision& choice = {});
nlohmann::ordered_json score_json(const Tree& tree, const Dataset& data, const Decision& choice = {});

}  // namespace treewright::cli
