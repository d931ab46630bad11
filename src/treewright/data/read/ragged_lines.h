#pragma once

#include <string>
#include <vector>

#include "treewright/data.h"

namespace treewright {

/// Blanks the lines of a CSV text that do not fit the others: those with another number of cells than most lines have, and those that
/// their quotes do not cut into cells. Blank lines are no rows, so the rest can be read, and keeps its line numbers. Returns a sentence on
/// each kind of such lines: which they are, what is wrong, and the remedy. Throws Error on what is no text.
std::vector<std::string> blank_ragged_lines(std::string& text, const ReadOptions& options, const std::string& origin);

}  // namespace treewright
