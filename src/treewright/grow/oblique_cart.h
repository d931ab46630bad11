#pragma once

#include <cstdint>

#include "treewright/base/random.h"
#include "treewright/data/scaling.h"
#include "treewright/grow/editable_tree.h"
#include "treewright/grow/few_columns.h"
#include "treewright/grow/impurity.h"

namespace treewright::grow {

struct ObliqueCartOptions {
  Criterion criterion = Criterion::gini;
  int max_depth = 3;
  std::int64_t min_rows = 1;              ///< rows of positive weight that each leaf holds at least
  double cost = 1;                        ///< of a margin violation, see fit_squared_hinge
  double feature_share = 1;               ///< share of the axes that a node's hyperplanes may use, drawn at random for each node
  std::size_t max_columns = kAnyColumns;  ///< that a split asks about
  bool axis_splits = true;                ///< thresholds and sets of levels compete with the hyperplanes
};

/// A tree of hyperplanes grown from the root down, one split at a time. `random` is asked only where feature_share is below 1.
EditableTree grow_oblique_cart(const Dataset& data, const ScaledPoints& points, const ObliqueCartOptions& options, Random& random);

}  // namespace treewright::grow
