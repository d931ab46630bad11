#pragma once

#include <sstream>

#include "support/random_subset.h"
#include "treewright/formulate/formulation.h"
#include "treewright/search/exact.h"

namespace treewright::testing {

/// A small data set with limits, as the models of trees are tested on.
struct MipCase {
  Dataset data;
  formulate::FormulationOptions options;
  Weights weights = Weights::none;
};

/// n <= 40, p <= 4, K <= 4, D <= 2; most have n <= 11. Categories, missing values, weights, prices, limits on splits and rows.
inline MipCase random_mip_case(Random& random, bool numeric_only = false) {
  MipCase c;
  const bool large = random.below(14) == 0;
  c.data = random_data(
      random, {large ? 40 : 11, 4, 4, !numeric_only && random.below(3) == 0, !numeric_only && random.below(3) == 0, large ? 3 : 6});
  c.weights = static_cast<Weights>(random.below(3));
  give_weights(random, c.weights, c.data);
  c.options.max_depth = 1 + static_cast<int>(random.below(2));
  if (random.below(3) == 0) c.options.max_splits = static_cast<std::int64_t>(random.below(4));
  if (random.below(2) == 0) c.options.min_rows = 1 + static_cast<std::int64_t>(random.below(c.data.rows() / 2));
  const double prices[] = {0, 0, 0.25, 0.7, 1, 2.5};
  c.options.price = prices[random.below(6)];
  return c;
}

/// The optimum by exact search: its tree and errors + price * splits.
inline std::pair<Tree, double> exact_optimum(const MipCase& c) {
  Tree leaf(c.data);
  leaf.tally(c.data);
  search::ExactSearchOptions how;
  how.max_depth = c.options.max_depth;
  how.max_splits = c.options.max_splits;
  how.min_rows = c.options.min_rows;
  how.split_price = c.options.price;
  Deadline none;
  search::ExactSearchResult found = search::search_exact(c.data, how, leaf, none);
  return {std::move(found.tree), found.lower};
}

inline std::string to_string(const MipCase& c) {
  std::ostringstream out;
  out << "depth " << c.options.max_depth << ", splits " << c.options.max_splits << ", min_rows " << c.options.min_rows << ", price "
      << c.options.price << "\n"
      << to_string(c.data);
  return out.str();
}

}  // namespace treewright::testing
