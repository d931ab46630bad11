#pragma once

#include <algorithm>
#include <numeric>
#include <vector>

#include "treewright/search/items/subset.h"

namespace treewright::testing {

struct StumpErrors {
  double leaf = 0, strict = 0, relaxed = 0;
};

// The best stump (or leaf) of some items, by looking at every cut of every ordering.
inline StumpErrors plain_stumps(const search::Subset& subset, std::size_t orderings, std::int32_t classes, const std::vector<bool>& inside,
                                std::int64_t min_rows) {
  const auto errors = [](const std::vector<double>& w) {
    return std::accumulate(w.begin(), w.end(), 0.0) - *std::max_element(w.begin(), w.end());
  };
  std::vector<double> total(classes, 0.0);
  std::int64_t rows = 0;
  for (std::uint32_t i = 0; i < subset.size; ++i) {
    if (!inside[i]) continue;
    total[subset.label[i]] += subset.weight[i];
    rows += subset.count[i];
  }
  StumpErrors best;
  best.leaf = best.strict = best.relaxed = errors(total);
  for (std::size_t g = 0; g < orderings; ++g) {
    std::vector<double> seen(classes, 0.0);
    std::int64_t rows_seen = 0;
    for (std::uint32_t at = 0; at < subset.size; ++at) {
      if (at > 0 && subset.ranks_of(g)[at] != subset.ranks_of(g)[at - 1]) {
        std::vector<double> rest = total;
        for (std::int32_t k = 0; k < classes; ++k) rest[k] -= seen[k];
        const double both = errors(seen) + errors(rest);
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
