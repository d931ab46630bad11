#include "treewright/result.h"

#include <stdexcept>

#include "treewright/data/losses.h"
#include "treewright/fit/registry.h"
#include "treewright/task/cost_objective.h"
#include "treewright/task/json.h"
#include "treewright/task/loss_objective.h"
#include "treewright/task/objective.h"

// Tree files of all methods: how each method's objective is read.

namespace treewright {

namespace {

const ObjectiveKind& kind_named(std::string_view name) {
  if (name == CostObjective::kKind.name) return CostObjective::kKind;
  for (const Loss loss : kLosses) {
    if (LossObjective::kind_of(loss).name == name) return LossObjective::kind_of(loss);
  }
  for (const Method& method : methods()) {
    if (method.objective != nullptr && method.objective->name == name) return *method.objective;
  }
  throw std::out_of_range("unknown objective '" + std::string(name) + "'");
}

}  // namespace

Result from_json(std::string_view text, const std::string& origin) {
  return from_json(text, origin,
                   [](std::string_view kind, const Parameters& parameters) { return kind_named(kind).from_parameters(parameters); });
}

}  // namespace treewright
