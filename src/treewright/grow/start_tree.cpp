#include "treewright/grow/start_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

#include "treewright/base/error.h"
#include "treewright/grow/cart.h"
#include "treewright/search/first_trees/stump_on.h"
#include "treewright/search/items/split_family.h"
#include "treewright/task/objective.h"
#include "treewright/tree/measures.h"
#include "treewright/tree/routing.h"

namespace treewright::grow {

namespace {

// Of a tree that is tallied.
bool is_within(const Tree& tree, const Task& task, std::int64_t min_rows) {
  if (!task.asked.hold(tree) || tree.depth() > task.options.max_depth) return false;
  if (task.options.max_splits >= 0 && static_cast<std::int64_t>(tree.splits()) > task.options.max_splits) return false;
  return std::all_of(tree.nodes().begin(), tree.nodes().end(), [&](const Node& node) { return !node.is_leaf() || node.rows >= min_rows; });
}

}  // namespace

Tree stump_that_asks(FeatureId first, const Dataset& rows, std::int64_t min_rows, const char* option) {
  if (std::optional<Tree> stump = search::stump_on(rows, first, min_rows)) return *std::move(stump);
  const std::string sides = min_rows > 1 ? fmt::format(" with at least {} rows on either side", min_rows) : "";
  throw option_error(option, fmt::format("no split on '{}' parts the rows{}", rows.columns[static_cast<std::size_t>(+first)].name, sides),
                     "name another column, or ask for fewer rows in a leaf");
}

Tree top_alone(const Task& task) {
  const TreeTop& top = *task.asked.top();
  Tree tree = top.tree(task.data);
  const std::vector<RowNumbers> rows = rows_of_nodes(tree, task.data);
  for (const auto& [leaf, column] : top.asked())
    graft(tree, leaf, stump_that_asks(column, task.data.subset(rows[static_cast<std::size_t>(+leaf)]), task.min_rows, "top"));
  tree.tally(task.data);
  return tree;
}

std::vector<Tree> given_trees(const Task& task, std::int64_t min_rows) {
  const double price = task.objective->split_price();
  const search::SplitFamily family(task.family_rows());
  std::vector<Tree> trees;
  for (const Tree* given : task.starts) {
    Tree tree = *given;
    tree.tally(task.data);
    tree.simplify(price, task.asked.first().has_value());
    if (is_within(tree, task, min_rows) && family.holds(tree, task.data)) trees.push_back(std::move(tree));
  }
  return trees;
}

Tree start_tree(const Task& task, std::int64_t min_rows) {
  const double price = task.objective->split_price();
  const search::SplitFamily family(task.family_rows());
  CartOptions cart;
  cart.min_leaf_rows = min_rows;
  cart.max_depth = static_cast<int>(task.options.max_depth);
  const std::optional<FeatureId> first = task.asked.first();
  if (first) cart.root_feature = +*first;
  const auto grown = [&] {
    Tree tree = grow_cart(task.data, cart);
    tree.simplify(price, first.has_value());
    trim(tree, cart.max_depth, task.options.max_splits);
    tree.simplify(price, first.has_value());
    return tree;
  };
  std::vector<Tree> others;
  if (family.is_restricted()) others.push_back(grown());
  cart.family = &family;
  Tree best = grown();
  if (first) std::swap(best, others.emplace_back(stump_that_asks(*first, task.data, min_rows)));
  // The sets of levels that CART takes for numbers may be none of the family.
  if (task.data.response && !family.holds(best, task.data)) best.collapse(Tree::root());
  std::erase_if(others, [&](const Tree& tree) { return !is_within(tree, task, min_rows) || !family.holds(tree, task.data); });
  std::ranges::move(given_trees(task, min_rows), std::back_inserter(others));
  for (Tree& tree : others) {
    if (errors_and_splits(tree, task.data, price) < errors_and_splits(best, task.data, price)) best = std::move(tree);
  }
  return best;
}

}  // namespace treewright::grow
