#include "treewright/search/plan.h"

namespace treewright {

Plan Plan::split(Step root, const Plan& left, const Plan& right) {
  Plan plan{{root}};
  plan.steps.insert(plan.steps.end(), left.steps.begin(), left.steps.end());
  plan.steps.insert(plan.steps.end(), right.steps.begin(), right.steps.end());
  return plan;
}

Tree Plan::to_tree(const Problem& problem, const Dataset& data, double split_price) const {
  Tree tree(data);
  std::size_t next = 0;
  const auto build = [&](auto&& self, NodeId id) -> void {
    const Step& step = steps[next++];
    if (step.ordering < 0) return;
    const auto [left, right] = tree.split(id, problem.orderings[step.ordering].cut(step.low, step.high, data));
    self(self, left);
    self(self, right);
  };
  build(build, Tree::root());
  tree.tally(data);
  tree.simplify(split_price);
  tree.direct_unseen_missing(data);
  return tree;
}

}  // namespace treewright
