#pragma once

#include <cstdint>

#include "treewright/base/deadline.h"
#include "treewright/data/scaling.h"
#include "treewright/grow/editable_tree.h"
#include "treewright/grow/few_columns.h"

namespace treewright::grow {

struct AlternatingOptions {
  double cost = 1;                        ///< of a margin violation, see fit_squared_hinge
  bool sparse = false;                    ///< l1 instead of l2 norms of the weights, see fit_sparse_hinge
  double term_price = 0;                  ///< of one feature in one split, in units of errors
  std::int64_t min_rows = 1;              ///< rows of positive weight that each leaf holds at least
  std::size_t max_columns = kAnyColumns;  ///< that a split asks about
  int max_passes = 20;
};

/// Improves the tree node by node until a pass over all nodes gains nothing. Errors + term_price * terms never rise, and leaves
/// that hold min_rows go on doing so, as do splits of at most max_columns. `draft` must be within the limits.
void alternate(EditableTree& draft, const Dataset& data, const ScaledPoints& points, const AlternatingOptions& options, Deadline& deadline);

}  // namespace treewright::grow
