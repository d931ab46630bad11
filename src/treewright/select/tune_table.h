#pragma once

#include <string>
#include <string_view>

#include "treewright/tune.h"

namespace treewright::select {

/// The head of the table of the trees that enter a choice: one line with its end. `fitted`: what TunedTree::fitted is called.
std::string tune_table_head(std::string_view fitted = "errors");

/// The tree's line in that table. `setting`: its name, "" where there is only one. `score`: as it is shown.
std::string tune_table_line(std::string_view setting, const TunedTree& tree, double score);

/// An interval of alpha: "0.01 .. 0.25".
std::string interval(double low, double high);

}  // namespace treewright::select
