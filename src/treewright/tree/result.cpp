#include "treewright/tree/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace treewright {

double Result::gap() const {
  return std::max(0.0, objective - bound) / std::max(std::abs(objective), 1e-10);
}

void record(std::vector<Progress>& history, const Progress& progress) {
  if (history.empty()) {
    history.push_back(progress);
    return;
  }
  // A part of the search may report the best tree of its own: the history tells the best of all.
  const Progress last = history.back();
  const bool better = progress.incumbent < last.incumbent;
  const Progress now{progress.seconds, std::min(last.incumbent, progress.incumbent), std::max(last.bound, progress.bound),
                     better ? progress.source : ' '};
  if (better || now.bound - last.bound >= 0.01 * std::abs(now.incumbent)) history.push_back(now);
}

std::vector<std::string> check_claims(const Result& result, const Dataset& data) {
  std::vector<std::string> broken;
  const auto claim = [&](bool holds, std::string sentence) {
    if (!holds) broken.push_back(std::move(sentence));
  };
  // Sums of real weights may be added in another order: one relative tolerance for all of them.
  const double tolerance = 1e-9 * std::max(1.0, result.total_weight);
  double total = 0;
  for (std::size_t row = 0; row < data.rows(); ++row) total += data.weight(row);
  claim(static_cast<std::int64_t>(data.rows()) == result.rows,
        fmt::format("the data have {} rows, the tree was trained on {}", data.rows(), result.rows));
  claim(std::abs(total - result.total_weight) <= tolerance,
        fmt::format("the rows weigh {}, the training rows weighed {}", total, result.total_weight));

  const double errors = count_errors(result.tree, data);
  claim(std::abs(errors - result.errors) <= tolerance,
        fmt::format("the tree errs on {} by recount, {} are claimed", errors, result.errors));
  const double objective = result.objective_function->of(result.tree, data);
  claim(std::abs(objective - result.objective) <= 1e-9 * std::max(1.0, std::abs(objective)),
        fmt::format("the objective is {} by recount, {} is claimed", objective, result.objective));
  claim(result.bound <= result.objective + 1e-9 * std::max(1.0, std::abs(objective)),
        fmt::format("the bound {} lies above the objective {}", result.bound, result.objective));
  claim(result.status != Status::optimal || result.gap() <= std::max(1e-9, result.objective_function->gap_tolerance()),
        fmt::format("optimal is claimed with a gap of {}", result.gap()));

  claim(result.tree.depth() <= result.max_depth,
        fmt::format("the tree has depth {}, allowed are {}", result.tree.depth(), result.max_depth));
  claim(result.max_splits < 0 || static_cast<std::int64_t>(result.tree.splits()) <= result.max_splits,
        fmt::format("the tree has {} splits, allowed are {}", result.tree.splits(), result.max_splits));
  Tree recounted = result.tree;
  recounted.tally(data);
  for (std::size_t i = 0; i < recounted.nodes().size(); ++i) {
    const Node& stored = result.tree.nodes()[i];
    const Node& counted = recounted.nodes()[i];
    claim(!counted.is_leaf() || counted.rows >= result.min_leaf_rows || recounted.nodes().size() == 1,
          fmt::format("leaf {} holds {} rows, {} are required", i, counted.rows, result.min_leaf_rows));
    double weight = 0;
    for (const double w : counted.class_weight) weight += w;
    claim(!counted.is_leaf() || weight >= result.min_leaf_weight - tolerance || recounted.nodes().size() == 1,
          fmt::format("leaf {} weighs {}, {} are required", i, weight, result.min_leaf_weight));
    claim(stored.rows == counted.rows, fmt::format("node {} holds {} rows by recount, {} are stored", i, counted.rows, stored.rows));
    bool same = true;
    for (std::size_t k = 0; k < counted.class_weight.size(); ++k) {
      same = same && std::abs(stored.class_weight[k] - counted.class_weight[k]) <= tolerance;
    }
    claim(same, fmt::format("node {} has class weights {} by recount, {} are stored", i, fmt::join(counted.class_weight, " "),
                            fmt::join(stored.class_weight, " ")));
  }
  return broken;
}

}  // namespace treewright
