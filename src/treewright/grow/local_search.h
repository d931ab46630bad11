#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "treewright/base/deadline.h"
#include "treewright/base/random.h"
#include "treewright/data/scaling.h"
#include "treewright/grow/editable_tree.h"
#include "treewright/grow/few_columns.h"

namespace treewright::grow {

/// The best tree of at most two levels and `splits` splits for these rows, if it costs less than `upper` (errors + price * splits).
using SmallTreeSolver = std::function<std::optional<EditableTree>(const RowList& rows, int depth, std::int64_t splits, double upper)>;

struct LocalSearchOptions {
  int max_depth = 3;
  std::int64_t max_splits = -1;           ///< -1 = no limit
  std::int64_t min_rows = 1;              ///< rows of positive weight that each leaf holds at least
  double term_price = 0;                  ///< of one feature in one split, in units of errors
  std::size_t max_columns = kAnyColumns;  ///< that a split asks about
  bool hyperplanes = true;                ///< or else thresholds and sets of levels only
  SmallTreeSolver solve_small;            ///< may be empty: then subtrees are not replaced whole
};

/// errors + term_price * terms of the tree on these rows, each leaf predicting its majority.
double draft_cost(const EditableTree& draft, const Dataset& data, std::span<const std::uint32_t> rows, double term_price);

/// Changes one node at a time until no change of any node lowers errors + term_price * terms. `draft` must be within the limits, and stays.
void descend(EditableTree& draft, const Dataset& data, const ScaledPoints& points, const LocalSearchOptions& options, Random& random,
             Deadline& deadline);

/// Leaves out what does not raise errors + term_price * terms: splits that do not pay and terms of hyperplanes, the lightest first; then
/// puts each threshold of a hyperplane in the middle of its gap.
void polish(EditableTree& draft, const Dataset& data, const LocalSearchOptions& options);

}  // namespace treewright::grow
