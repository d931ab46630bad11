#include "treewright/report/policy.h"

#include <fmt/format.h>

#include <cmath>

#include "treewright/data/costs/costs.h"
#include "treewright/explain/markup.h"
#include "treewright/explain/rules.h"
#include "treewright/report/figure.h"
#include "treewright/task/cost_objective.h"
#include "treewright/task/policy_costs.h"

namespace treewright::report {

namespace {

// "-1.15"; costs are told for each row, or unit of weight, so that parts of different size can be compared.
std::string each(double cost, const Dataset& data) {
  const double total = data.total_weight();
  return total > 0 ? fmt::format("{:.4g}", cost / total) : "–";
}

}  // namespace

bool is_policy(const Result& result) {
  const CostObjective* const costs = as_costs(*result.objective_function);
  return costs != nullptr && costs->by_row();
}

std::string policy_figures(const ReportParts& parts) {
  std::string out;
  const auto what = [](double cost) { return cost < 0 ? "gained" : "cost"; };
  const auto add = [&](const Dataset* data, const char* rows) {
    if (data == nullptr) return;
    const double cost = cost_of(parts.result->tree.predict(*data), *data, {});
    out += figure(each(std::abs(cost), *data),
                  fmt::format("{} by each {} {}", what(cost), data->weights.empty() ? "" : "unit of weight of the", rows));
  };
  add(parts.test, "test row");
  add(parts.train, "training row");
  const double all = *parts.result->cost;
  return "<div class=\"figures\">" + out + figure(explain::plain(std::abs(all)), fmt::format("{} by all training rows", what(all))) +
         "</div>";
}

std::string label_costs(const Tree& tree, const Node& node) {
  std::string out = "<table class=\"list\"><tr><th>label</th><th class=\"n\">mean cost</th></tr>";
  for (std::size_t k = 0; k < node.label_cost.size(); ++k) {
    out += fmt::format("<tr{}><td>{}</td><td class=\"n\">{:.3g}</td></tr>",
                       static_cast<std::int32_t>(k) == node.label ? " class=\"here\"" : "", explain::escaped(tree.class_names[k]),
                       explain::mean_cost(node, k));
  }
  return out + "</table>";
}

std::string policy_table(const std::string& rows, const Tree& tree, const Dataset& data) {
  const PolicyCosts costs = policy_costs(tree.predict(data), data);
  std::string out = fmt::format(
      "<p>On the {}: {} of {} get their cheapest label. Negative costs are gains.</p><table class=\"list\"><tr><th></th><th "
      "class=\"n\">cost</th><th "
      "class=\"n\">for each {}</th><th class=\"n\">rows to which the tree gives it</th></tr>",
      rows, costs.agreement.part_rows, costs.agreement.whole_rows, data.weights.empty() ? "row" : "unit of weight");
  const auto line = [&](const std::string& name, double cost, const std::string& count) {
    out += fmt::format("<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>", name,
                       explain::plain(cost), each(cost, data), count);
  };
  line("this tree", costs.cost, "");
  line("the cheapest label of each row, which no tree knows", costs.cheapest, "");
  for (std::size_t k = 0; k < tree.class_names.size(); ++k)
    line(fmt::format("all rows “{}”", explain::escaped(tree.class_names[k])), costs.of_all[k], std::to_string(costs.rows[k]));
  return out + "</table>";
}

}  // namespace treewright::report
