#pragma once

#include <optional>

#include "treewright/column_worth.h"
#include "treewright/data/costs/costs.h"
#include "treewright/data/costs/whole_weights.h"

namespace treewright::select {

/// Of the time, for the best of all trees that are compared.
inline constexpr double kShareOfBest = 0.5;

/// What the optima of several problems on the same rows cost, in errors by weight or in what labels cost, plus the price of the splits.
class LeastCosts {
 public:
  LeastCosts(const Dataset& data, const Options& options);

  /// Costs are whole numbers of errors.
  bool whole() const { return is_whole_; }
  /// Costs differ by whole multiples of it; 0 = of none that is known.
  double unit() const { return unit_; }
  /// Where labels have costs: the rows that a search sees.
  const std::optional<GainsTable>& table() const { return table_; }

  LeastCost of(Result result) const;

 private:
  std::optional<GainsTable> table_;
  WholeWeights whole_weights_;  // where labels have no costs
  bool is_whole_ = false;
  double unit_ = 0;
};

/// Throws Error where the options or the data do not serve `column_worth` and `column_splits`.
void check_asks_columns(const Dataset& data, const Options& options);

}  // namespace treewright::select
