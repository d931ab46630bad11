#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "support/random_data.h"
#include "treewright/proof/proof.h"
#include "treewright/search/exact.h"
#include "treewright/search/prove/prove.h"

namespace treewright::testing {

/// A search for a tree that predicts a number, and the proof of its bound.
struct Proved {
  Dataset data;
  search::ExactSearchOptions options;
  search::ExactSearchResult found;
  std::optional<proof::Proof> proof;

  void search() {
    Tree leaf(data);
    leaf.tally(data);
    Deadline deadline;
    found = search::search_exact(data, options, leaf, deadline);
  }
  /// Throws Error where there can be no proof.
  void prove() {
    Deadline deadline;
    proof = search::prove(data, data, options, found, deadline);
  }
};

/// Limits, prices beside such a loss, and rules. `rows`: of the data.
inline search::ExactSearchOptions random_limits(Random& random, std::size_t rows, double loss) {
  search::ExactSearchOptions options;
  options.max_depth = static_cast<int>(random.below(5));
  if (random.below(3) == 0) options.max_splits = static_cast<std::int64_t>(random.below(7));
  if (random.below(3) == 0)
    options.min_rows = std::min<std::int64_t>(1 + static_cast<std::int64_t>(random.below(4)), static_cast<std::int64_t>(rows));
  if (random.below(3) == 0) options.split_price = loss * std::pow(10, -static_cast<double>(random.below(6))) * random.uniform();
  options.rules.merge_rows = random.below(5) > 0;
  options.rules.monotone = random.below(5) > 0;
  options.threads = 1 + static_cast<int>(random.below(2));
  return options;
}

/// None of the kinds 0 and 1, few whole ones of kind 2, else any of several magnitudes.
inline void draw_weights(Random& random, std::uint64_t kind, std::size_t rows, Dataset& data) {
  for (std::size_t row = 0; row < rows && kind > 1; ++row)
    data.weights.push_back(kind == 2 ? static_cast<double>(random.below(4)) : random.uniform() * std::pow(10, random.below(4)));
}

}  // namespace treewright::testing
