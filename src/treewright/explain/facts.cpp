#include "treewright/explain/facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <optional>
#include <vector>

#include "treewright/base/bound_text.h"
#include "treewright/explain/claims.h"
#include "treewright/explain/markup.h"
#include "treewright/task/asked_columns.h"
#include "treewright/task/cost_objective.h"
#include "treewright/task/objective.h"
#include "treewright/tree/measures.h"

namespace treewright::explain {

namespace {

// Of weighted rows: how many are wrong, besides what they weigh.
std::string rows_wrong(const Result& result, const Dataset* train) {
  if (!result.weighted() || train == nullptr) return "";
  const Share right = right_rows(result.tree.predict(*train), *train);
  return fmt::format("; {} of {} rows", right.whole_rows - right.part_rows, right.whole_rows);
}

// "errors    3 of 150 (accuracy ...)\n"; where labels have costs by row there is no truth, but a cheapest label.
std::string errors_line(const Result& result, const Dataset* train) {
  if (result.loss) return loss_line(result);
  const CostObjective* const costs = as_costs(*result.objective_function);
  if (costs == nullptr || !costs->by_row())
    return fmt::format("errors    {}{} on the training rows\n", errors_of(result), rows_wrong(result, train));
  if (train == nullptr) return "";
  const Share right = right_rows(result.tree.predict(*train), *train);
  return fmt::format("cheapest  {} of {} training rows get their cheapest label\n", right.part_rows, right.whole_rows);
}

// The columns that the tree asks, where their number is limited or they have a price.
std::string columns_line(const Result& result) {
  const Parameters parameters = result.objective_function->parameters();
  const ColumnPrices prices = column_prices_of(parameters);
  if (AskedColumns::of(result).most() < 0 && !prices.any()) return "";
  std::vector<std::string> names;
  for (const FeatureId column : result.tree.features_used()) {
    const std::string name = clean(result.tree.features[static_cast<std::size_t>(+column)].name);
    names.push_back(prices.any() ? fmt::format("{} ({:.9g})", name, prices.of(column)) : name);
  }
  const std::string total = prices.any() ? fmt::format("; they cost {:.9g}", prices.of(result.tree)) : "";
  return fmt::format("columns   {} asked{}{}{}\n", names.size(), names.empty() ? "" : ": ", fmt::join(names, ", "), total);
}

// Of errors or costs alone, that another tree may be better is all that their own line does not say.
std::string bound_lines(const Result& result) {
  const bool counts = counts_alone(*result.objective_function), closed = result.status == Status::optimal;
  std::string out = counts ? "" : fmt::format("objective {:.9g}\n", result.objective);
  if (!bounded(result) || (counts && closed)) return out;
  if (!counts) out += fmt::format("bound     {}\n", bound_text(result.bound));
  const std::optional<double> saved = closed ? std::nullopt : errors_to_save(result);
  const std::string left = !saved ? ""
                           : is_useless(*saved, result.errors)
                               ? " (no useful bound yet)"
                               : fmt::format(" (at most {:.0f} error{} can be saved)", *saved, *saved == 1 ? "" : "s");
  return out + fmt::format("gap       {}{}\n", gap_text(result), left);
}

}  // namespace

std::string loss_line(const Result& result) {
  const double mean = result.total_weight > 0 ? *result.loss / result.total_weight : 0;
  if (result.tree.loss == Loss::squared)
    return fmt::format("R2        {:.4f} on the training rows (root mean squared error {:.6g})\n", result.explained(), std::sqrt(mean));
  return fmt::format("explained {:.4f} of the deviance of the training rows (mean deviance {:.6g})\n", result.explained(), 2 * mean);
}

std::string errors_of(const Result& result) {
  return fmt::format("{:.9g} of {:.9g} (accuracy {:.4f}{})", result.errors, result.total_weight, result.accuracy(),
                     result.weighted() ? "; sums of row weights" : "");
}

std::string facts(const Result& result, const Dataset* train) {
  std::string out = fmt::format("status    {}\n", status(result)) + bound_lines(result);
  if (result.cost) out += fmt::format("cost      {:.9g} on the training rows\n", *result.cost);
  const std::string proved = proof(result);
  return out + fmt::format("{}splits    {} (depth {}, {} {})\n{}{:<9} {}\nseconds   {:.3f} ({} thread{})\n", errors_line(result, train),
                           result.tree.splits(), result.tree.depth(), result.tree.leaves(), result.tree.leaves() == 1 ? "leaf" : "leaves",
                           columns_line(result), proved.starts_with("none: ") ? "proof" : "proved", proved, result.seconds, result.threads,
                           result.threads == 1 ? "" : "s");
}

std::string fact_notes(const Result& result) {
  std::string out;
  for (const std::string& note : {never_predicted(result), leaves_of_few_rows(result.tree)})
    out += note.empty() ? "" : fmt::format("note      {}\n", note);
  return out;
}

}  // namespace treewright::explain
