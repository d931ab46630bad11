#pragma once

#include <optional>
#include <string>
#include <vector>

#include "support/asked_brute_force.h"
#include "support/draw_case.h"

namespace treewright::testing {

/// A case whose tree must ask a column first, may never ask one, or may ask few, which may have prices: one of these, picked by its size.
struct AskedCase {
  Case what;
  double least = 0;  ///< errors, price of splits and of columns of the best such tree, by trying every tree; infinite = there is none
};

/// `data`: of the case, with class weights in its row weights. `price`: of a split, in errors. Nothing where enumerating would take long,
/// or the trees are of another family.
inline std::optional<AskedCase> asked_case(const Case& c, const Dataset& data, std::int64_t min_rows, int splits, double price) {
  constexpr double kMaxWork = 4e5;
  const int depth = static_cast<int>(c.options.max_depth);
  const std::size_t features = data.features(), pick = data.rows() + features;
  if (features < 2 || features > 5 || c.options.min_weight_fraction_leaf > 0 || c.data.has_costs()) return {};
  if (data.rows() > BruteForce::kMaxRows || depth < 1 || depth > 4 || splits < 1) return {};
  if (BruteForce(data, min_rows).work(depth) > kMaxWork) return {};
  const std::size_t column = pick % features;
  const AskedBruteForce trees(data, min_rows);
  AskedCase asked{c};
  Options& options = asked.what.options;
  switch (pick % 4) {
    case 0:
      options.never_columns = data.columns[column].name;
      asked.least = trees.never(column, depth, splits, price);
      break;
    case 1:
      options.first_column = data.columns[column].name;
      asked.least = trees.first(column, depth, splits, price);
      break;
    default: {
      std::vector<double> prices(features, 0.0);
      if (pick % 4 == 3) {
        for (std::size_t f = 0; f < features; ++f) {
          prices[f] = 0.25 * static_cast<double>((pick + f) % 6);
          options.column_costs += (f == 0 ? "" : ",") + data.columns[f].name + "=" + std::to_string(prices[f]);
        }
      }
      options.max_columns = static_cast<std::int64_t>(1 + pick / 4 % features);
      asked.least = trees.of_few(static_cast<std::size_t>(options.max_columns), prices, depth, splits, price);
    }
  }
  return asked;
}

}  // namespace treewright::testing
