// Methods oct and oct-h by the models of BD17 and a solver.

#include <fmt/format.h>

#include "treewright/formulate/oct.h"
#include "treewright/formulate/solve_model.h"
#include "treewright/methods/oct_mip/method.h"
#include "treewright/methods/oct_mip/oct_h.h"
#include "treewright/methods/oct_mip/some_rows.h"
#include "treewright/task/objective.h"
#include "treewright/tree/scaled_plane.h"

namespace treewright::oct_mip {

namespace {

Result train_axis(const Task& task) {
  return formulate::solve_model(task, [&](Deadline& deadline) {
    const auto losses = task.options.mip_model == "p" ? formulate::OctFormulation::Losses::p : formulate::OctFormulation::Losses::oct;
    return formulate::TreeModel{
        std::make_unique<formulate::OctFormulation>(task.data, formulate::formulation_options(task), losses, deadline),
        formulate::axis_claim(task.data), [&](Deadline& left) { return formulate::searched_start(task, left); }};
  });
}

// A tree of the method may also ask thresholds and sets of levels. A hyperplane of the model is as good as a threshold. It is as good as a
// set if terms cost nothing, or if one level tells the sides apart, as with up to three levels; a larger set costs one term, and a
// hyperplane one for each level. And it takes the mean for a missing value, where a threshold sends the row to either side.
std::string trees_without_model(const Task& task) {
  const bool priced = task.objective_as<ErrorObjective>().split_price() > 0;
  for (const Column& column : task.data.columns) {
    if (column.has_missing())
      return fmt::format("a split of '{}' alone may send missing values to either side, not with their mean", column.name);
    if (priced && column.levels.size() > 3)
      return fmt::format("a set of levels of '{}' costs less than a hyperplane over them", column.name);
  }
  return "";
}

Result train_hyperplanes(const Task& task) {
  const Options& options = task.options;
  return formulate::solve_model(task, [&](Deadline&) {
    formulate::TreeModel model{
        std::make_unique<OctHFormulation>(task.data, formulate::formulation_options(task), options.margin),
        fmt::format("no tree of hyperplanes within the limits that leave {} between their sides (features scaled to [0, 1], absolute "
                    "weights that sum to 1) has an objective below the bound",
                    options.margin)};
    model.greedy = [&](Deadline& deadline) {
      return greedy_oct_h(task.data, formulate::formulation_options(task), options.margin, mip::MipOptions::from(options), deadline);
    };
    model.trees_without = trees_without_model(task);
    if (formulate::formulation_options(task).rules.some_rows) {
      model.known = [&](const Tree& start, Deadline& deadline) { return bound_of_some_rows(task, start, deadline); };
    }
    return model;
  });
}

}  // namespace

std::vector<Method> methods() {
  const std::vector<std::string_view> both =
      joined({reads::kTree, reads::kLeaves, reads::kErrors, reads::kRun, reads::kModel, {"solver", "disable"}});
  Method axis{
      "oct",     "mip", "BD17 (24) with V23's corrections, or (P) of AHL24", true, joined({both, {"mip_model"}}), &ErrorObjective::kKind,
      train_axis};
  Method planes{
      "oct-h",          "hyperplane", "BD17 (28), started from a greedy tree", true, joined({both, {"margin"}}), &ErrorObjective::kKind,
      train_hyperplanes};
  planes.most_terms = [](const Dataset& data) { return scaled_axes(data, Scaling::unit).size(); };
  for (Method* method : {&axis, &planes}) {
    method->path = AlphaPath::optima;
    method->when = {{"solver", "mip"}};
  }
  return {axis, planes};
}

}  // namespace treewright::oct_mip
