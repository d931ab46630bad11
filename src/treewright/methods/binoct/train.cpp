// Method binoct: the complete tree of least errors, by a solver.

#include "treewright/formulate/solve_model.h"
#include "treewright/methods/binoct/method.h"
#include "treewright/methods/binoct/model.h"

namespace treewright {

namespace {

Result train(const Task& task) {
  return solve_model(task, [&](Deadline&) {
    return TreeModel{std::make_unique<BinoctFormulation>(task.data, formulation_options(task)), axis_claim(task.data)};
  });
}

}  // namespace

std::vector<Method> binoct_methods() {
  return {{"binoct", "axis",
           "complete axis tree with the fewest errors, by a mixed-integer program with binary thresholds (Verwer & Zhang 2019)", true,
           joined({reads::kTree, reads::kRun, reads::kModel, {"alpha_scale", "disable"}}), &ErrorObjective::kKind, train}};
}

}  // namespace treewright
