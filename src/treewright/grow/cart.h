#pragma once

#include <cstdint>

#include "treewright/data.h"
#include "treewright/grow/impurity.h"
#include "treewright/search/items/split_family.h"
#include "treewright/tree.h"

namespace treewright::grow {

/// The names and meanings are scikit-learn's, except that `min_leaf_rows` counts rows and is never a share.
struct CartOptions {
  Criterion criterion = Criterion::gini;  ///< of classes
  int max_depth = -1;                     ///< no split lies at this depth or deeper; negative = no limit
  std::int64_t min_leaf_rows = 1;         ///< rows of positive weight that each leaf holds at least
  std::int64_t min_split_rows = 2;        ///< a node with fewer rows of positive weight is not split
  double min_impurity_decrease = 0;       ///< a split reduces the impurity of the whole tree by at least so much
  std::int64_t max_leaf_nodes = -1;       ///< split the node of largest gain first until there are so many leaves; -1 = no limit
  double ccp_alpha = 0;                   ///< minimal cost-complexity pruning after growth (see cost_complexity.h); 0 = none
  /// Whose categories of many levels are split one level from the rest, by a level that the family splits alone; null = by any set. It must
  /// outlive the growth.
  const search::SplitFamily* family = nullptr;
  std::int32_t root_feature = -1;  ///< the root is split by this feature; -1 = by any
  std::int64_t max_splits = -1;    ///< after growth and pruning, `trim` the tree to so many splits (BD17 sec. 3); -1 = no limit
};

/// A CART tree of `data` (labeled or with a response, and valid in the sense of Dataset::validate), tallied on all its rows.
/// One class, equal numbers or nothing to split on gives a single leaf.
Tree grow_cart(const Dataset& data, const CartOptions& options = {});

}  // namespace treewright::grow
