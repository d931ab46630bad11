#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "treewright/search/items/subset.h"

namespace treewright::search {

/// Moves the items of an ordering from right to left, and calls `at_cut(cuts, cut, left, right)` at each cut that leaves at least
/// `min_rows` rows on both sides, with the class weights of the sides; `moved(item)` before, for each item. `of_class`: of all items.
template <class Moved, class AtCut>
void sweep_cuts(const Subset& items, std::size_t ordering, std::vector<double> of_class, std::int64_t min_rows, const Moved& moved,
                const AtCut& at_cut) {
  assert(!items.is_packed());
  Cuts cuts;
  cuts.assign(items, ordering);
  std::vector<double> left(of_class.size(), 0.0), right = std::move(of_class);
  std::uint32_t place = 0;
  for (std::size_t cut = 0; cut < static_cast<std::size_t>(cuts.size()); ++cut) {
    for (; place < cuts.place(cut); ++place) {
      const std::uint32_t item = items.order_of(ordering)[place];
      const auto label = static_cast<std::size_t>(items.label[item]);
      left[label] += items.weight[item];
      right[label] -= items.weight[item];
      moved(item);
    }
    if (std::min(cuts.rows_left(cut), items.rows - cuts.rows_left(cut)) >= min_rows) at_cut(cuts, cut, left, right);
  }
}

}  // namespace treewright::search
