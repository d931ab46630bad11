// The optimum among the trees whose root asks one given column.
//
// Idea. Such a tree is a cut of one of the column's orderings with any two trees of one level less on its sides. So the search is that of
// a level with the searches of all other orderings left out, and nothing below the root changes.
//
// Why every bound still holds. The trees of the restricted level are some of those of the whole level.
//   - A bound on the two children of a cut speaks of all trees on their items, and so do the intervals between solved cuts (intervals.h)
//     and the facts of a ledger, which are results of children. None of them knows of the root.
//   - At both ends of an ordering one child holds all items. It is any tree of one level less, so the unrestricted optimum one level
//     shallower bounds it, as in a whole level. This includes trees that do not ask the column.
//   - What is known of every tree of the level with a split (its price, unavoidable errors, Root::floor) holds for some of them.
//   - The level's bound is the least of its searches. It lacks the searches of other orderings, and the single leaf. None of these is a
//     tree of the level. This is where the optimum rises.
//
// Why every tree is one of the level. Trees enter by Rounds::solve_round alone, as a cut of a search that was not left out. The other
// sources of a whole level are closed: the single leaf (Root::level), the tree one level shallower (dropped here), trials, and the bound
// by core items, whose trees are of a problem of their own. The caller's start tree is its own matter (search_exact).
//
// Rows. A tree on all rows may part some that weigh nothing, or that cancel with rows of equal features. Below the root such a split only
// wastes a level. At the root it is a split like any other, so the problem must have an item for every row (make_problem's count_rows).
//
// Orderings. Equal orderings of two columns are merged. Those of the first column come first (make_problem), so they are the ones kept:
// others may lose their names, but this column keeps all its cuts, up to equal ones of its own.

#include "treewright/search/root/first_column.h"

#include <algorithm>
#include <utility>

namespace treewright::search {

namespace {

// The optimum of all items one level shallower where that costs less than `upper`, and else a bound.
SubproblemResult shallower(Root& root, int depth, std::int64_t splits, double upper) {
  std::unique_ptr<Worker> worker = root.borrow(root.deadline, depth);
  SubproblemResult result = root.nodes.solve(*worker, ItemRange::all(root.all), depth, std::min(splits, full_splits(depth)), upper, {});
  root.give_back(std::move(worker));
  result.drop_tree();  // which may ask any column
  return result;
}

}  // namespace

SubproblemResult solve_first_column(Root& root, const Rounds& rounds, FeatureId column, int depth, std::int64_t splits, double upper,
                                    const Report& report) {
  root.cuts.resize(root.problem.orderings.size());
  for (std::size_t f = 0; f < root.cuts.size(); ++f) {
    if (root.problem.orderings[f].feature == column) root.cuts[f].assign(root.all, f);
  }
  Level& level = root.levels.emplace_back(root.level(depth, splits, upper, column));
  if (level.best > level.trivial_bound) {
    const SubproblemResult below = shallower(root, depth - 1, splits - 1, upper - root.limits.split_price);
    rounds.solve(
        level, below, [] {}, report);
  }
  level.result.lower.strict = root.bound(level);
  return std::move(level.result);
}

}  // namespace treewright::search
