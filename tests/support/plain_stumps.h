#pragma once

#include <algorithm>
#include <vector>

#include "treewright/search/items/subset.h"

namespace treewright::testing {

struct StumpErrors {
  double leaf = 0, strict = 0, relaxed = 0;
};

// What the best stump (or leaf) of some items costs, by looking at every cut of every ordering.
inline StumpErrors plain_stumps(const search::Subset& subset, std::size_t orderings, std::int32_t classes, const std::vector<bool>& inside,
                                std::int64_t min_rows) {
  const auto correct = [](const std::vector<double>& w) { return *std::max_element(w.begin(), w.end()); };
  std::vector<double> total(classes, 0.0);
  double reach = 0;
  std::int64_t rows = 0;
  for (std::uint32_t i = 0; i < subset.size; ++i) {
    if (!inside[i]) continue;
    total[subset.label[i]] += subset.weight[i];
    reach += subset.reach_or_weight()[i];
    rows += subset.count[i];
  }
  StumpErrors best;
  best.leaf = best.strict = best.relaxed = reach - correct(total);
  for (std::size_t g = 0; g < orderings; ++g) {
    std::vector<double> seen(classes, 0.0);
    std::int64_t rows_seen = 0;
    for (std::uint32_t at = 0; at < subset.size; ++at) {
      if (at > 0 && subset.ranks_of(g)[at] != subset.ranks_of(g)[at - 1]) {
        std::vector<double> rest = total;
        for (std::int32_t k = 0; k < classes; ++k) rest[k] -= seen[k];
        const double both = reach - correct(seen) - correct(rest);
        best.relaxed = std::min(best.relaxed, both);
        // Rows count only where more than one is asked for: without a limit, items that fill no row are left out.
        if (min_rows <= 1 || (rows_seen >= min_rows && rows - rows_seen >= min_rows)) best.strict = std::min(best.strict, both);
      }
      const std::uint32_t i = subset.order_of(g)[at];
      if (!inside[i]) continue;
      seen[subset.label[i]] += subset.weight[i];
      rows_seen += subset.count[i];
    }
  }
  return best;
}

}  // namespace treewright::testing
