#include "treewright/result.h"

#include <algorithm>
#include <stdexcept>

#include "treewright/fit/registry.h"
#include "treewright/tree/cost_objective.h"
#include "treewright/tree/json.h"
#include "treewright/tree/objective.h"

// Tree files of all methods: how each method's objective is read.

namespace treewright {

namespace {

const ObjectiveKind& kind_named(std::string_view name) {
  if (name == CostObjective::kKind.name) return CostObjective::kKind;
  for (const Method& method : methods()) {
    if (method.objective != nullptr && method.objective->name == name) return *method.objective;
  }
  throw std::out_of_range("unknown objective '" + std::string(name) + "'");
}

// Schema version 1 stores alpha and the scale of errors; the rest of an objective stands among the options.
ObjectivePtr of_version_1(const Result& result, const Parameters& parameters) {
  const auto method = std::find_if(methods().begin(), methods().end(), [&](const Method& m) { return m.name == result.method; });
  const bool errors = method == methods().end() || method->objective == nullptr || method->objective->name == ErrorObjective::kKind.name;
  if (errors) return ErrorObjective::kKind.from_parameters(parameters);
  Options options;
  for (const auto& [name, value] : result.options) {
    const auto& table = option_table();
    if (std::any_of(table.begin(), table.end(), [&, key = name](const OptionInfo& info) { return info.name == key; }))
      set_option(options, name, value);
  }
  options.method = result.method;
  options.max_depth = result.max_depth;
  return method->objective->from_options(options, {});
}

}  // namespace

Result from_json(std::string_view text, const std::string& origin) {
  return from_json(text, origin, [](const Result& result, std::string_view kind, const Parameters& parameters) {
    return kind.empty() ? of_version_1(result, parameters) : kind_named(kind).from_parameters(parameters);
  });
}

}  // namespace treewright
