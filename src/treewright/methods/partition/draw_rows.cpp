// The optimum for all rows from few of them: completes the exact algorithms of Ales, Hure & Lambert 2024 (AHL24, sec. 4.2) without a MIP
// solver.
//
// AHL24's relaxation (DP') counts a cluster of n rows as n errors if all its rows are misclassified, and as none otherwise. This is not a
// sum over leaves: rows of one cluster in several leaves depend on each other. An exact search solves the two sides of a split separately,
// so it cannot use (DP'). It can use other weights of rows. A weighted sum of misclassified rows is at most the errors for every tree
// exactly if no row weighs more than in the data. So the available relaxations are: count errors on a subset S of the rows, and not on the
// others.
//
//   best <- a good tree (from the heuristic rounds);  S <- the rows that it misclassifies, and one row of each cluster
//   repeat: T <- the optimal tree for the rows of S, with `best` as the tree to improve on
//           the cost of T on S is a bound for every tree on all rows
//           if T costs no more on all rows, T is optimal; else add to S the rows outside S that T misclassifies, with their clusters
//
// S holds all rows that `best` misclassifies, so `best` costs the same on S as on all rows. A search that finds nothing better on S proves
// `best` optimal. As long as T costs less on S than on all rows, it misclassifies a row outside S. So S grows in every round, and the
// method ends at the latest with all rows. Clusters make S grow fast: if a row is misclassified, its neighbors usually are too.
//
// The smallest number of rows in a leaf (N_min) counts all rows: rows outside S stay in the data with weight 0.
//
// Cost: some searches on few rows. If errors are few, they are much smaller than one search on all rows. If errors are many, the last ones
// are nearly as large. docs/partition.md has figures.

#include "treewright/methods/partition/draw_rows.h"

#include <algorithm>

#include "treewright/data/costs/whole_weights.h"
#include "treewright/tree/measures.h"

namespace treewright::partition {

DrawnRows draw_rows(const Dataset& data, const search::ExactSearchOptions& options, const Tree& incumbent, std::vector<bool> drawn,
                    const std::vector<std::vector<std::int32_t>>& clusters, const std::function<Tree(Tree)>& settle, Deadline& deadline,
                    const DrawingListener& listener) {
  std::vector<std::size_t> cluster(data.rows());
  for (std::size_t g = 0; g < clusters.size(); ++g) {
    for (const std::int32_t row : clusters[g]) cluster[row] = g;
  }
  const auto cost = [&](const Tree& tree) { return count_errors(tree, data) + options.split_price * static_cast<double>(tree.splits()); };
  const auto draw_lost = [&](const Tree& tree) {
    const std::vector<std::int32_t> label = tree.predict(data);
    for (std::size_t row = 0; row < data.rows(); ++row) {
      if (label[row] == data.labels[row] || drawn[row]) continue;
      for (const std::int32_t other : clusters[cluster[row]]) drawn[other] = true;
    }
  };

  const double tolerance = sum_tolerance(data, whole_weights(data));
  DrawnRows best{incumbent, 0, false};
  double least = cost(incumbent);
  draw_lost(incumbent);
  // The search needs two classes: add misclassified rows of another class.
  Tree leaf(data);
  leaf.tally(data);
  draw_lost(leaf);
  while (!deadline.poll()) {
    Dataset some = data;
    some.weights.resize(data.rows());
    for (std::size_t row = 0; row < data.rows(); ++row) some.weights[row] = drawn[row] ? data.weight(row) : 0;
    Tree start = best.tree;
    start.tally(some);
    const search::ExactSearchResult found = search::search_exact(some, options, start, deadline);
    best.lower = std::max(best.lower, found.lower);
    if (!found.complete) break;
    const Tree settled = settle(found.tree);
    if (cost(settled) < least - tolerance) best.tree = settled, least = cost(settled);
    if (listener) listener(static_cast<std::size_t>(std::count(drawn.begin(), drawn.end(), true)), found.tree, best.lower);
    if (least <= best.lower + found.rounding + tolerance) {
      best.complete = true;
      break;
    }
    const auto before = std::count(drawn.begin(), drawn.end(), true);
    draw_lost(found.tree);
    draw_lost(best.tree);
    // Only limits that the search does not know (weight of leaves) can cause this gap.
    if (std::count(drawn.begin(), drawn.end(), true) == before) break;
  }
  return best;
}

}  // namespace treewright::partition
