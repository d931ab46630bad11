#pragma once

#include <string>
#include <string_view>

#include "treewright/tune.h"

namespace treewright::select {

/// The head of the table of the trees that enter a choice: one line with its end.
std::string tune_table_head();

/// The tree's line in that table. `setting`: its name, "" where there is only one.
std::string tune_table_line(std::string_view setting, const TunedTree& tree);

/// An interval of alpha: "0.01 .. 0.25".
std::string interval(double low, double high);

}  // namespace treewright::select
