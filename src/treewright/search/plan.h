#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "treewright/search/problem.h"
#include "treewright/search/rules.h"

namespace treewright {

/// What the search minimises and under which limits: weight of errors + split_price * splits, both in units of the problem.
struct SearchLimits {
  double split_price = 0;                     ///< on a grid on which every cost of the search is exact: see price_on_grid in exact.cpp
  std::int64_t min_rows = 1;                  ///< rows every leaf must hold
  std::size_t memory = std::size_t{1} << 30;  ///< bytes of profiles that the root keeps
  Rules rules;
};

/// Splits of a complete tree of that depth.
constexpr std::int64_t full_splits(int depth) {
  return depth >= 60 ? (std::int64_t{1} << 60) : (std::int64_t{1} << depth) - 1;
}

/// A tree as the search writes it down: its nodes from the root on, left before right. A leaf has no ordering.
struct Plan {
  struct Step {
    std::int32_t ordering = -1;
    std::uint32_t low = 0, high = 0;  ///< ranks on either side of the cut
  };
  std::vector<Step> steps;

  static Plan leaf() { return {{Step{}}}; }
  static Plan split(Step root, const Plan& left, const Plan& right);

  /// In raw units and tallied; splits that do not pay are taken back.
  Tree to_tree(const Problem& problem, const Dataset& data, double split_price) const;
};

/// What solving one sub-problem showed.
struct Answer {
  double lower = 0;                                       ///< no tree within the limits costs less
  double relaxed = 0;                                     ///< no tree costs less even without min_rows: what bounds other subsets
  double cost = std::numeric_limits<double>::infinity();  ///< of `plan`
  Plan plan;  ///< the best tree found that costs less than asked; empty when there is none or only its root is known
  struct Root {
    std::size_t ordering = 0;
    std::uint32_t rank = 0;  ///< items of a lower rank go left
    int splits = 0;          ///< of the tree below and with this root; 0 = no such tree
  };
  Root root;  ///< of a better tree than `plan`, not yet written down: see DepthTwo::finish
  /// For each ordering f: no tree whose root asks f costs less on these rows, whether f parts these rows or all of them go the same way. So
  /// the bound holds for any rows that contain these (without min_rows). May be empty. Shape (orderings).
  std::vector<double> lower_by_ordering;

  /// Extends bounds on roots that part the rows to roots that do not: `unparted` is what such a tree costs at least.
  void cover_unparted(double unparted) {
    for (double& bound : lower_by_ordering) bound = std::min(bound, unparted);
  }

  bool found() const { return cost < std::numeric_limits<double>::infinity(); }
};

}  // namespace treewright
