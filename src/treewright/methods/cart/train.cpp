// Method cart: the greedy tree (grow/cart.h) within the task's limits. As in scikit-learn, alpha is a price in units of impurity; where the
// target is a number, in shares of the loss of the tree without splits.

#include "treewright/grow/cart.h"

#include "treewright/methods/cart/method.h"

namespace treewright::cart {

namespace {

Result train(const Task& task) {
  grow::CartOptions how;
  how.criterion = grow::criterion_named(task.options.criterion);
  how.min_leaf_rows = task.min_rows;
  how.min_split_rows = task.options.min_samples_split;
  how.min_impurity_decrease = task.options.min_impurity_decrease;
  how.max_depth = static_cast<int>(task.options.max_depth);
  how.ccp_alpha = task.options.ccp_alpha;
  how.max_splits = task.options.max_splits;
  Result result;
  result.tree = grow::grow_cart(task.data, how);
  task.leaf_weight.repair(result.tree);
  result.status = task.deadline.poll() ? task.deadline.reason() : Status::heuristic;
  result.proved = "nothing: the method is greedy";
  task.report({task.deadline.elapsed(), task.objective->of(result.tree, task.data), 0, 'C'});
  return result;
}

}  // namespace

std::vector<Method> methods() {
  Method method{
      "cart",
      "greedy",
      "greedy axis tree (Breiman et al. 1984) with cost-complexity pruning, cut back to the limits on depth and splits",
      false,
      joined({reads::kTree, reads::kLeaves, reads::kErrors, {"min_samples_split", "min_impurity_decrease", "criterion", "time_limit"}}),
      &ErrorObjective::kKind,
      train};
  method.takes_costs = true;
  method.path = AlphaPath::pruned;
  method.losses = {Loss::squared, Loss::poisson, Loss::survival};
  method.train_numbers = train;
  method.reads_of_numbers =
      joined({reads::kLeaves, {"max_depth", "ccp_alpha", "max_splits", "min_samples_split", "min_impurity_decrease", "time_limit"}});
  method.usual_depth = [](std::size_t classes) { return depth_for(classes); };
  return {method};
}

}  // namespace treewright::cart
