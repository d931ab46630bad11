// Method binoct: the complete tree with the fewest errors, by a solver.

#include "treewright/formulate/solve_model.h"
#include "treewright/methods/binoct/method.h"
#include "treewright/methods/binoct/model.h"

namespace treewright::binoct {

namespace {

Result train(const Task& task) {
  return formulate::solve_model(task, [&](Deadline&) {
    return formulate::TreeModel{std::make_unique<BinoctFormulation>(task.data, formulate::formulation_options(task)),
                                formulate::axis_claim(task.data),
                                [&](Deadline& deadline) { return formulate::searched_start(task, deadline); }};
  });
}

}  // namespace

std::vector<Method> methods() {
  return {{"binoct", "mip",
           "complete axis tree with the fewest errors, by a mixed-integer program with binary thresholds (Verwer & Zhang 2019)", true,
           joined({reads::kTree, reads::kRun, reads::kModel, {"alpha_scale", "disable"}}), &ErrorObjective::kKind, train}};
}

}  // namespace treewright::binoct
