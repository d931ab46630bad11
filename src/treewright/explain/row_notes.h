#pragma once

#include <string>
#include <vector>

#include "treewright/tree.h"

namespace treewright::explain {

/// A column of new rows that is probably written otherwise than in training.
struct RowNote {
  std::string kind;  ///< unseen_levels, no_value, one_value, doubtful_numbers or other_unit
  std::string column;
  std::string problem;  ///< what was found, in words
  std::string remedy;
};

/// Looks at the columns that the splits of the tree ask about: levels that training did not see in many rows, one value in all rows, no
/// value. `read`: the rows as they were read; `aligned`: the same after `align`.
std::vector<RowNote> look_at_rows(const Dataset& read, const Dataset& aligned, const Tree& tree);

/// A list of objects with "kind", "column", "problem" and "remedy".
std::string to_json(const std::vector<RowNote>& notes);

}  // namespace treewright::explain
