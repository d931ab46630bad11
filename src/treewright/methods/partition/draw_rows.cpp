// The optimum of all rows from few of them: the bound that closes the exact algorithms of Ales, Hure & Lambert 2024 (AHL24, sec. 4.2) without
// a MIP solver.
//
// AHL24's relaxation (DP') counts a cluster of n rows as n errors where all its rows are lost and as none otherwise. That is no sum over
// leaves: rows of one cluster in several leaves must know of each other, and an exact search, which solves the two sides of a split apart,
// cannot. What an exact search can take are weights of rows, and a weighted sum of lost rows is below the errors of every tree just when no row
// weighs more than it does in the data. So the relaxations open to it are: count some of the rows, S, and leave out the others.
//
//   best <- a good tree (from the heuristic rounds);  S <- the rows it loses, and those given
//   repeat: T <- the optimal tree for the rows of S, with `best` as the tree to beat
//           what T costs on S bounds every tree on all rows
//           T costs no more on all rows: T is optimal. Otherwise S grows by the rows that T loses outside S, with their clusters
//
// Since S holds all rows that `best` loses, `best` costs the same on S as on all rows: a search that finds nothing better on S has proved it
// optimal. A row outside S that T loses exists as long as T's cost on S is below its cost on all rows, so S grows in every round, and the
// method ends at the latest with all rows. Clusters make it grow fast: where one row is lost, the rows beside it mostly are.
//
// N_min counts all rows, drawn or not: rows outside S keep their place and weigh nothing.
//
// Cost: some searches on few rows. On data of few errors they are much smaller than one search on all rows; on data of many errors the last
// ones are nearly as large. docs/partition.md has figures.

#include "treewright/methods/partition/draw_rows.h"

#include <algorithm>

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

  const double tolerance = data.weight_tolerance();
  DrawnRows best{incumbent, 0, false};
  double least = cost(incumbent);
  draw_lost(incumbent);
  // A search wants two classes: any tree that says one loses the rows of another.
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
    // Only limits that the search does not know (the weight of leaves) keep the two apart.
    if (std::count(drawn.begin(), drawn.end(), true) == before) break;
  }
  return best;
}

}  // namespace treewright::partition
