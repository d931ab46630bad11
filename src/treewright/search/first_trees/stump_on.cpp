// The best single split of one column: where a search begins whose trees must ask it first. One pass over each ordering of the column. Of
// numbers it is the best one to tell those above the mean from the others.

#include "treewright/search/first_trees/stump_on.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "treewright/search/items/cut_sweep.h"
#include "treewright/search/items/problem.h"
#include "treewright/search/items/subset.h"

namespace treewright::search {

namespace {

struct Stump {
  std::size_t ordering = 0;
  std::uint32_t low = 0, high = 0;
  double right_weight = -1;  // of the items that its leaves label correctly
};

// Takes the classes of rows, or makes two of numbers.
void take_classes(const Dataset& data, Dataset& alone) {
  alone.class_names = data.class_names;
  alone.labels = data.labels;
  if (!data.response) return;
  const Response& response = *data.response;
  double amount = 0, at_risk = 0;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    amount += data.weight(row) * response.values[row];
    at_risk += data.weight(row) * response.at_risk(row);
  }
  alone.class_names = {"low", "high"};
  alone.labels.clear();
  for (std::size_t row = 0; row < data.rows(); ++row)
    alone.labels.push_back(response.values[row] * at_risk > amount * response.at_risk(row) ? 1 : 0);
}

}  // namespace

std::optional<Tree> stump_on(const Dataset& data, FeatureId column, std::int64_t min_rows) {
  Dataset alone;
  alone.columns = {data.columns[static_cast<std::size_t>(+column)]};
  take_classes(data, alone);
  alone.weights = data.weights;
  alone.counts = data.counts;
  const Problem problem = make_problem(alone, true);
  const Subset all = Subset::all(problem);
  const std::vector<double> of_class = all.class_weights(problem.classes);
  Stump best;
  for (std::size_t f = 0; f < problem.orderings.size(); ++f) {
    const auto offer = [&](const Cuts& cuts, std::size_t cut, const std::vector<double>& left, const std::vector<double>& right) {
      const double weight = *std::ranges::max_element(left) + *std::ranges::max_element(right);
      if (weight > best.right_weight) best = {f, cuts.low(cut), cuts.high(cut), weight};
    };
    sweep_cuts(
        all, f, of_class, min_rows, [](std::uint32_t) {}, offer);
  }
  if (best.right_weight < 0) return std::nullopt;
  Split split = problem.orderings[best.ordering].cut(best.low, best.high, alone);
  std::visit(
      [column](auto& rule) {
        if constexpr (requires { rule.feature; }) rule.feature = column;
      },
      split.rule);
  Tree tree(data);
  tree.split(Tree::root(), std::move(split));
  tree.tally(data);
  tree.direct_unseen_missing(data);
  return tree;
}

}  // namespace treewright::search
