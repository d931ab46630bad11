#pragma once

#include <string>
#include <vector>

#include "treewright/data.h"
#include "treewright/data/read/notes.h"

namespace treewright::cli {

/// Notes on the data, a line each, with what to do about them.
std::string notes_text(const std::vector<DataNote>& notes);

/// Before training: prints notes on the data unless `quiet`, and removes the columns that training does better without. Throws Error if
/// none is left. `origin` is what messages call the data.
void prepare(Dataset& data, const std::string& origin, bool quiet);

}  // namespace treewright::cli
