#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "support/make_data.h"
#include "support/random_data.h"
#include "treewright/base/random.h"
#include "treewright/search/exact.h"

namespace treewright::testing {

/// What must be the same of two exact searches that differ only in who solved their tasks.
struct SearchOutcome {
  Tree tree;
  double lower = 0;
  bool complete = false;
  std::int64_t work = 0;
  bool operator==(const SearchOutcome&) const = default;
};

/// Of a search that starts from a leaf, with at most so much work.
inline SearchOutcome search_outcome(const Dataset& data, const search::ExactSearchOptions& options,
                                    std::int64_t work = std::numeric_limits<std::int64_t>::max()) {
  Tree start(data);
  start.tally(data);
  Deadline deadline(Deadline::kNoLimit, work);
  const search::ExactSearchResult found = search::search_exact(data, options, start, deadline);
  return {found.tree, found.lower, found.complete, deadline.work()};
}

/// Coarse features, so that a search to depth five or six is short.
inline Dataset coarse_data(int rows, int features, int values) {
  Random random(23);
  std::vector<Column> columns(static_cast<std::size_t>(features));
  std::vector<std::int32_t> labels;
  for (Column& column : columns) column.name = "x" + std::to_string(&column - columns.data());
  for (int row = 0; row < rows; ++row) {
    for (Column& column : columns) column.values.push_back(static_cast<double>(random.below(static_cast<std::uint64_t>(values))));
    labels.push_back(static_cast<std::int32_t>(random.below(2)));
  }
  return make_data(columns, labels);
}

struct SearchCase {
  Dataset data;
  search::ExactSearchOptions options;
};

/// A search with all kinds of tasks.
inline SearchCase long_search(Random& random) {
  SearchCase run{random_data(random, {120, 4, 2, false, false, 40}), {}};
  run.options.max_depth = 4;
  return run;
}

/// Its tasks include cuts of nodes below the root, on two levels.
inline SearchCase deep_search() {
  SearchCase run{coarse_data(90, 3, 7), {}};
  run.options.max_depth = 6;
  run.options.split_price = 0.6;
  return run;
}

/// A short search; data and options vary with the round.
inline SearchCase short_search(Random& random, int round) {
  SearchCase run{random_data(random, {60, 4, 3, round % 2 == 0, round % 2 == 0, 12}), {}};
  run.options.max_depth = 1 + static_cast<int>(random.below(4));
  run.options.min_rows = round % 3 == 0 ? 3 : 1;
  run.options.split_price = round % 4 == 1 ? 0.7 : 0;
  if (round % 4 == 3) run.options.max_splits = 5;
  return run;
}

}  // namespace treewright::testing
