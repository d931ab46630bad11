// Methods oct-h, tao, local, logistic-h and cart-h: what each reads, and a result without a claim.

#include <algorithm>

#include "treewright/grow/logistic_tree.h"
#include "treewright/methods/hyperplanes/best_tree.h"
#include "treewright/methods/hyperplanes/choose_cost.h"
#include "treewright/methods/hyperplanes/method.h"
#include "treewright/tree/scaled_plane.h"

namespace treewright::hyperplanes {

namespace {

template <Descent kDescent>
Result train(const Task& task) {
  Result result;
  result.tree = best_tree(task, kDescent);
  result.status = task.deadline.stopped() ? task.deadline.reason() : Status::heuristic;
  result.proved = "nothing: the method is a heuristic";
  return result;
}

}  // namespace

std::vector<Method> methods() {
  using Names = std::vector<std::string_view>;
  const Names greedy = joined({reads::kTree, reads::kLeaves, reads::kErrors, {"criterion", "max_terms"}});
  const Names runs = joined({greedy, reads::kRun, {"random_state", "restarts"}});
  const auto method = [](std::string_view name, std::string_view description, Names read, Result (*by)(const Task&)) {
    Method made{name, "hyperplane", description, false, std::move(read), &ErrorObjective::kKind, by};
    made.takes_costs = true;
    made.usual_depth = [](std::size_t classes) { return depth_for(classes); };
    return made;
  };
  const auto choosing = [](Method made) {
    made.choose = choose_cost;
    made.chosen_option = "svm_cost";
    made.unchosen = "1";
    return made;
  };
  Method logistic = choosing(
      method("logistic-h", "a logistic regression as a tree of hyperplanes, which compare two classes each; of two classes a single split",
             joined({reads::kTree, reads::kLeaves, reads::kErrors, {"max_terms", "svm_cost", "time_limit", "random_state"}}),
             train<Descent::logistic>));
  logistic.usual_depth = [](std::size_t classes) { return std::max(depth_for(classes), grow::comparison_levels(classes)); };
  Method oct_h = choosing(method("oct-h",
                                 "hyperplane tree for errors + alpha * features (OCT-H, BD17 (28)), by alternating optimization and local "
                                 "search, or by a mixed-integer program that proves a bound",
                                 joined({runs, {"svm_cost", "penalty", "solver"}}), train<Descent::both>));
  oct_h.path = AlphaPath::optima;
  oct_h.most_terms = [](const Dataset& data) { return scaled_axes(data, Scaling::standard).size(); };
  return {
      oct_h,
      choosing(method(
          "tao",
          "hyperplane tree by tree alternating optimization (Carreira-Perpinan & Tavallali 2018), a support vector machine in each node",
          joined({runs, {"svm_cost", "penalty"}}), train<Descent::alternating>)),
      method("local", "hyperplane or axis tree by local search on thresholds, coefficients and subtrees (Dunn 2018), from several starts",
             joined({runs, {"split_kind"}}), train<Descent::local>),
      logistic,
      method("cart-h", "greedy hyperplane tree (top-down OCT-H of BD17 Table 6): CART with a support vector machine in each node",
             joined({greedy, {"svm_cost", "time_limit"}}), train<Descent::greedy>),
  };
}

}  // namespace treewright::hyperplanes
