// The best single split of one column: where a search begins whose trees must ask it first. One pass over each ordering of the column.

#include "treewright/search/first_trees/stump_on.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "treewright/search/items/problem.h"
#include "treewright/search/items/subset.h"

namespace treewright::search {

namespace {

struct Stump {
  std::size_t ordering = 0;
  std::uint32_t low = 0, high = 0;
  double right_weight = -1;  // of the items that its leaves label correctly
};

// Offers each cut of the ordering that leaves enough rows on both sides.
void better_cut(const Subset& subset, std::size_t ordering, const std::vector<double>& of_class, std::int64_t min_rows, Stump& best) {
  Cuts cuts;
  cuts.assign(subset, ordering);
  std::vector<double> left(of_class.size(), 0.0), right = of_class;
  std::uint32_t place = 0;
  for (std::size_t cut = 0; cut < static_cast<std::size_t>(cuts.size()); ++cut) {
    for (; place < cuts.place(cut); ++place) {
      const std::uint32_t item = subset.order_of(ordering)[place];
      left[static_cast<std::size_t>(subset.label[item])] += subset.weight[item];
      right[static_cast<std::size_t>(subset.label[item])] -= subset.weight[item];
    }
    if (cuts.rows_left(cut) < min_rows || subset.rows - cuts.rows_left(cut) < min_rows) continue;
    const double weight = *std::ranges::max_element(left) + *std::ranges::max_element(right);
    if (weight > best.right_weight) best = {ordering, cuts.low(cut), cuts.high(cut), weight};
  }
}

}  // namespace

std::optional<Tree> stump_on(const Dataset& data, FeatureId column, std::int64_t min_rows) {
  Dataset alone;
  alone.columns = {data.columns[static_cast<std::size_t>(+column)]};
  alone.class_names = data.class_names;
  alone.labels = data.labels;
  alone.weights = data.weights;
  alone.counts = data.counts;
  const Problem problem = make_problem(alone, true);
  const Subset all = Subset::all(problem);
  const std::vector<double> of_class = all.class_weights(problem.classes);
  Stump best;
  for (std::size_t f = 0; f < problem.orderings.size(); ++f) better_cut(all, f, of_class, min_rows, best);
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
