#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "treewright/search/bounds/class_floors.h"
#include "treewright/search/bounds/intervals.h"

namespace treewright::search {

/// SubproblemResult::lower_by_ordering of a solved child; may be null. Shape (orderings).
using RootBounds = std::shared_ptr<const std::vector<double>>;

/// A solved cut of one ordering, and the cuts between it and the next solved one.
struct SolvedCut {
  std::int64_t cut = 0;
  double reach_left = 0;
  ChildBounds bounds;
  RootBounds left_known, right_known;
  CutRange open;          ///< cuts before the next solved one that may still win
  double lower = 0;       ///< bound on every tree whose root is a cut before the next solved one
  double open_reach = 0;  ///< of the items between the first and the last open cut

  /// Whether a cut before the next solved one may belong to a tree that costs less than `best`.
  bool is_open(double best) const { return open.size() > 0 && lower < best; }
};

/// The search over the cuts of one ordering as the root, with a fixed number of splits for either child.
struct OrderingSearch {
  std::size_t ordering = 0;
  std::int64_t left_splits = 0, right_splits = 0;
  /// Ascending. The first one sends all items right and the last one all items left. Empty until the search is opened.
  std::vector<SolvedCut> solved;
  /// Whether cuts are closed by interval bounds alone.
  bool only_intervals = false;
  std::vector<ClassFloor> floors = {};  ///< of all cuts, or empty; from when it was opened

  /// Bound on every tree whose root is one of these cuts.
  double lower(double price) const;
};

}  // namespace treewright::search
