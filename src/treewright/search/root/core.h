#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <utility>

#include "treewright/search/bounds/core_items.h"
#include "treewright/search/root/root.h"

namespace treewright::search {

/// Raises the bound of the last level by searches of a few items. See core.cpp.
class Core {
 public:
  /// Searches some items for a tree of the last level's depth that costs less than `budget`.
  using Search =
      std::function<SubproblemResult(Subset items, const SearchLimits& limits, Deadline& deadline, double budget, const Report& report)>;

  Core(Root& root, Search search) : root_(root), search_(std::move(search)) {}

  /// To be called when the levels are there.
  void plan();
  /// Searches the core once, unless cores have had their share of the work; whether there was anything to do.
  bool raise_bound(const Report& report);
  /// Done so far.
  double work() const { return work_; }

 private:
  double work_left() const;
  void grow(std::size_t size);

  Root& root_;
  const Search search_;
  std::optional<CoreItems> items_;
  RankTree tree_ = RankTree::leaf();  // optimum of the core items when they were solved last
  bool is_solved_ = true;             // whether it still is; at first there are no items
  double budget_ = 0;                 // what a tree of core items must cost less than in the next search
  double work_ = 0, next_work_ = 0;   // so far, and at least for the next search
};

}  // namespace treewright::search
