#pragma once

#include <algorithm>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

#include "support/all_assignments.h"
#include "support/compared_fit.h"

namespace treewright::testing {

/// "1,2", or one number for all levels.
inline std::vector<double> numbers_by_level(const std::string& text, int levels) {
  std::vector<double> numbers;
  std::istringstream stream(text);
  for (std::string number; std::getline(stream, number, ',');) numbers.push_back(std::stod(number));
  if (numbers.size() == 1) numbers.resize(static_cast<std::size_t>(levels), numbers[0]);
  return numbers;
}

/// The data as MARGOT sees them, for numbers without missing values and two classes: varying columns scaled to [0, 1].
inline margot::MargotProblem margot_problem(const Case& c) {
  const Dataset data = weighted(c);
  margot::MargotProblem problem;
  std::vector<Column> varying;
  for (Column column : data.columns) {
    const auto [low, high] = std::minmax_element(column.values.begin(), column.values.end());
    const double from = *low, range = *high - *low;
    for (double& v : column.values) v = (v - from) / range;
    if (range > 0) varying.push_back(std::move(column));
  }
  problem.points.axes = varying.size();
  const std::int32_t last = *std::max_element(data.labels.begin(), data.labels.end());
  for (std::size_t row = 0; row < data.rows(); ++row) {
    for (const Column& column : varying) problem.points.x.push_back(column.values[row]);
    problem.target.push_back(data.labels[row] == last ? 1 : -1);
    problem.weight.push_back(data.weight(row));
  }
  problem.depth = static_cast<int>(c.options.max_depth);
  problem.level_cost = numbers_by_level(c.options.level_costs, problem.depth);
  if (c.options.feature_selection != "none") {
    const double price = c.options.feature_selection == "hard" ? std::numeric_limits<double>::infinity() : c.options.ccp_alpha;
    for (const double budget : numbers_by_level(c.options.feature_budgets, problem.depth))
      problem.level_price.push_back({static_cast<std::size_t>(budget), price});
  }
  return problem;
}

inline bool by_margins(const Options& options) {
  return options.method == "margot" && options.solver == "search";
}

/// MARGOT with the trees and bounds of neighbors in a grid of costs finds the optimum that it finds alone.
inline std::string compare_earlier(const Case& c, const Result& base) {
  if (!by_margins(c.options) || base.status != Status::optimal) return "";
  const std::string& cost = c.options.level_costs;
  std::string lower_root = "0.01", lower_leaf = cost;
  for (std::int64_t level = 1; level < c.options.max_depth; ++level) lower_root += "," + cost, lower_leaf += ",0.01";
  std::vector<Result> results;
  FitHooks hooks;
  for (const std::string& costs : {lower_root, lower_leaf, "1" + cost, cost}) {
    Case other = c;
    other.options.level_costs = costs;
    results.push_back(counted_fit(other));
  }
  for (const Result& result : results) hooks.earlier.push_back(&result);
  const Result shared = counted_fit(c, hooks);
  if (shared.status != Status::optimal) return "earlier results: no proof";
  return against_optimum(shared, base.objective, (1e-6 + c.options.gap_tolerance) * std::max(1.0, base.objective), "earlier results");
}

/// MARGOT against every way to send the rows down and every set of features.
inline std::string compare_enumeration(const Case& c, const Result& base) {
  if (!by_margins(c.options)) return "";
  const std::size_t most_rows[] = {0, 7, 7, 5};
  if (c.options.max_depth > 3 || c.data.rows() > most_rows[c.options.max_depth] || c.data.features() > 4) return "";
  const margot::MargotProblem problem = margot_problem(c);
  if (problem.points.axes == 0) return "";
  ++counts.brute;
  const double least = AllAssignments(problem).best();
  return against_optimum(base, least, (2e-5 + c.options.gap_tolerance) * std::max(1.0, least), "enumeration");
}

}  // namespace treewright::testing
