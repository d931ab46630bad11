#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "treewright/search/bounds/bound.h"
#include "treewright/search/bounds/rules.h"
#include "treewright/search/items/rank_tree.h"

namespace treewright::search {

/// What the search minimizes and under which limits: weight of errors + split_price * splits, both in units of the problem.
struct SearchLimits {
  double split_price = 0;     ///< on a grid on which every cost of the search is exact: see data/costs/price_grid.h
  std::int64_t min_rows = 1;  ///< rows every leaf must hold
  Rules rules;
};

/// Splits of a complete tree of that depth.
constexpr std::int64_t full_splits(int depth) {
  return depth >= 60 ? (std::int64_t{1} << 60) : (std::int64_t{1} << depth) - 1;
}

/// A cut of an ordering, and bounds on its two children.
struct BoundedCut {
  std::int64_t cut = 0;
  double left = 0, right = 0;
};

/// What the bound of a node rests on.
struct Evidence {
  int depth = 0;                                ///< of the trees that were bounded
  std::vector<std::vector<BoundedCut>> solved;  ///< cuts, ascending. Shape (orderings); empty for an ordering that was excluded otherwise.
};

/// The trees that a bound speaks of: those with at least `least_depth` and at most `most_depth` levels of splits, and at most `most_splits`
/// of them.
struct TreeRange {
  int least_depth = 0, most_depth = 0;
  std::int64_t most_splits = 0;

  static TreeRange up_to(int depth, std::int64_t splits) { return {0, depth, std::min(splits, full_splits(depth))}; }
  static TreeRange all() { return {0, std::numeric_limits<int>::max(), std::numeric_limits<std::int64_t>::max()}; }

  bool holds(const TreeRange& other) const {
    const std::int64_t splits = std::min(other.most_splits, full_splits(other.most_depth));
    return least_depth <= other.least_depth && other.most_depth <= most_depth && splits <= most_splits;
  }
};

/// A lower bound on the cost of some trees. It is true of these trees only: what is wanted of others must be asked for by `of`.
class TreeBound {
 public:
  TreeBound(double value, const TreeRange& trees) : value_(value), trees_(trees) {}

  /// The value, for trees that are among those it was proved for.
  double of([[maybe_unused]] const TreeRange& trees) const {
    assert(trees_.holds(trees));
    return value_;
  }

  /// The bound on the trees of both, where `deeper` begins at the next level, if not before. The limits on splits are the narrower ones,
  /// which shallow trees always keep.
  friend TreeBound joined(const TreeBound& shallower, const TreeBound& deeper) {
    const TreeRange &low = shallower.trees_, &high = deeper.trees_;
    assert(high.least_depth - 1 <= low.most_depth);
    const bool all_splits = low.most_splits >= full_splits(low.most_depth);
    const std::int64_t splits = all_splits ? high.most_splits : std::min(low.most_splits, high.most_splits);
    return {std::min(shallower.value_, deeper.value_), {low.least_depth, std::max(low.most_depth, high.most_depth), splits}};
  }

 private:
  double value_;
  TreeRange trees_;
};

/// What solving one subproblem showed. A subproblem is a set of items with a limit on depth, on splits and on cost.
struct SubproblemResult {
  TreeRange trees = TreeRange::all();                     ///< those that the bounds speak of
  Bound lower;                                            ///< no tree costs less
  double cost = std::numeric_limits<double>::infinity();  ///< of `tree`
  RankTree tree;  ///< the best tree found that costs less than asked; empty when there is none or only its root is known
  struct Root {
    std::size_t ordering = 0;
    std::uint32_t rank = 0;  ///< items of a lower rank go left
    int splits = 0;          ///< of the tree below and with this root; 0 = no such tree
  };
  Root root;  ///< of a better tree than `tree` that is not written down yet: see DepthTwo::finish
  /// For each ordering f: no tree on these items whose root splits by f costs less, be f constant on these items or not. So the bound holds
  /// for every set of items that contains these (without min_rows). May be empty. Shape (orderings).
  std::vector<double> lower_by_ordering;
  std::shared_ptr<const Evidence> evidence;  ///< of the bound, if the worker was asked for it; may be null

  /// Before this call `lower_by_ordering` bounds trees whose root sends items to both sides. Extends it to roots that send all items the
  /// same way; `constant` is the least cost of a tree with such a root.
  void include_constant_orderings(double constant) {
    for (double& bound : lower_by_ordering) bound = std::min(bound, constant);
  }

  /// What holds of every result: no bound lies above the tree that was found, and an ordering that divides nothing has trees as well.
  bool is_sane() const {
    const auto of_no_tree = [](double bound) { return bound == std::numeric_limits<double>::infinity(); };
    return lower.is_sane() && lower.strict <= cost && std::none_of(lower_by_ordering.begin(), lower_by_ordering.end(), of_no_tree);
  }

  /// Before this call the bounds speak of trees with one level less. Extends them to those with one more, which cost at least `deepest`.
  void include_deeper(const Bound& deepest) {
    lower = min(lower, deepest);
    for (double& bound : lower_by_ordering) bound = std::min(bound, deepest.strict);
  }

  /// Forgets the tree. The bounds stay.
  void drop_tree() {
    cost = std::numeric_limits<double>::infinity();
    tree = {};
    root = {};
  }

  /// Forgets the bounds, which say nothing of other trees than those of its own limits. The tree stays.
  void drop_bounds() {
    trees = TreeRange::all();
    lower = {};
    lower_by_ordering.clear();
    evidence.reset();
  }

  TreeBound bound() const { return {lower.strict, trees}; }
  bool found() const { return cost < std::numeric_limits<double>::infinity(); }
};

}  // namespace treewright::search
