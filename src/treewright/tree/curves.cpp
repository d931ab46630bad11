// Curves of survival. A search compares and cuts many trees that are tallied, and nobody looks at their curves: a finished tree is given
// them, and a recount makes them anew.

#include "treewright/data/survival.h"
#include "treewright/tree/routing.h"

namespace treewright {

void set_curves(Tree& tree, const Dataset& data) {
  if (tree.loss != Loss::survival) return;
  const std::vector<RowNumbers> rows = rows_of_nodes(tree, data);
  std::vector<Node> nodes = tree.nodes();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].is_leaf()) nodes[i].estimate.survival = survival_curve(data, rows[i]);
  }
  tree = tree.with_nodes(std::move(nodes));
}

}  // namespace treewright
