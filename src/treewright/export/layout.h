#pragma once

#include <vector>

#include "treewright/tree.h"

namespace treewright::exports {

/// Where a node stands: the middle of its upper edge.
struct Place {
  double x = 0, y = 0;
};

struct Layout {
  std::vector<Place> places;  ///< shape (nodes)
  double width = 0, height = 0;
};

/// A tidy drawing: levels in rows, each split in the middle above its children, no two boxes of a level closer than `gap`, equal
/// subtrees drawn alike. `widths`: of each node's box, shape (nodes). `row`: from the top of one level to the top of the next; boxes
/// are `box` high.
Layout tidy_layout(const Tree& tree, const std::vector<double>& widths, double gap, double row, double box);

}  // namespace treewright::exports
