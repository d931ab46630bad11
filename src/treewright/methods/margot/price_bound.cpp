// Bounds at one point of a grid of prices, from results at other points.
//
// The prices are the costs of slack at the levels and, with soft feature selection, alpha. L(C) is the smallest objective at prices C.
//
// Theorem. If 0 <= t <= 1 and t C'_k <= C_k for every price k, then L(C) >= t L(C').
//
// Proof. The objective of a tree is r + sum of C_k s_k. Here r is the sum of |w|^2 / 2, and s_k is the slack of level k or the number of
// features beyond the budgets. None of them is negative, and none depends on the prices; nor does the set of trees. So the objective at C
// is at least r + t * sum of C'_k s_k >= t (r + sum of C'_k s_k) >= t L(C').
//
// With t = 1, dearer slack never makes the optimum cheaper. So a tree that is optimal and has no slack below the root stays optimal for all
// larger costs there, without a search. That is why a grid begins with the smallest costs (select/fold_paths.cpp).

#include "treewright/methods/margot/price_bound.h"

#include <algorithm>

#include "treewright/methods/margot/objective.h"

namespace treewright::margot {

namespace {

std::vector<double> prices(const MargotObjective& objective) {
  std::vector<double> all = objective.level_costs;
  all.push_back(objective.alpha);
  return all;
}

// Whether two problems on the same rows differ in nothing but prices.
bool differ_in_prices(const Result& earlier, const Task& task) {
  const auto same = [&](const char* name) {
    const auto set = std::ranges::find_if(earlier.options, [name](const auto& option) { return option.first == name; });
    return (set == earlier.options.end() ? get_option(Options(), name) : set->second) == get_option(task.options, name);
  };
  return earlier.method == task.options.method && same("solver") && same("max_depth") && same("feature_selection") &&
         same("feature_budgets") && same("class_codes") && same("class_weight");
}

}  // namespace

double bound_from_earlier(const Task& task) {
  const std::vector<double> wanted = prices(task.objective_as<MargotObjective>());
  double bound = 0;
  for (const Result* earlier : task.earlier) {
    if (!differ_in_prices(*earlier, task)) continue;
    const std::vector<double> known = prices(dynamic_cast<const MargotObjective&>(*earlier->objective_function));
    double t = 1;
    for (std::size_t k = 0; k < known.size(); ++k) {
      if (known[k] > 0) t = std::min(t, wanted[k] / known[k]);
    }
    bound = std::max(bound, t * earlier->bound);
  }
  return bound;
}

}  // namespace treewright::margot
