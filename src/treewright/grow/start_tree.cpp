#include "treewright/grow/start_tree.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "treewright/grow/cart.h"
#include "treewright/search/items/split_family.h"
#include "treewright/tree/objective.h"

namespace treewright::grow {

namespace {

bool is_within(const Tree& tree, const Task& task, std::int64_t min_rows) {
  if (tree.depth() > task.options.max_depth) return false;
  if (task.options.max_splits >= 0 && static_cast<std::int64_t>(tree.splits()) > task.options.max_splits) return false;
  return std::all_of(tree.nodes().begin(), tree.nodes().end(), [&](const Node& node) { return !node.is_leaf() || node.rows >= min_rows; });
}

}  // namespace

Tree start_tree(const Task& task, std::int64_t min_rows) {
  const double price = task.objective_as<ErrorObjective>().split_price();
  const search::SplitFamily family(task.data);
  CartOptions cart;
  cart.min_leaf_rows = min_rows;
  cart.max_depth = static_cast<int>(task.options.max_depth);
  const auto grown = [&] {
    Tree tree = grow_cart(task.data, cart);
    tree.simplify(price);
    trim(tree, cart.max_depth, task.options.max_splits);
    tree.simplify(price);
    return tree;
  };
  std::vector<Tree> others;
  if (family.is_restricted()) others.push_back(grown());
  cart.max_subset_levels = search::kMaxSubsetLevels;
  Tree best = grown();
  for (const Tree* given : task.starts) {
    Tree& tree = others.emplace_back(*given);
    tree.tally(task.data);
    tree.simplify(price);
  }
  for (Tree& tree : others) {
    if (is_within(tree, task, min_rows) && family.holds(tree, task.data) &&
        errors_and_splits(tree, task.data, price) < errors_and_splits(best, task.data, price))
      best = std::move(tree);
  }
  return best;
}

}  // namespace treewright::grow
