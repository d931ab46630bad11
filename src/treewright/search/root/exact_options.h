#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "treewright/search/bounds/subproblem.h"
#include "treewright/search/elsewhere/remote_ledger.h"
#include "treewright/task/relaxation.h"

namespace treewright::search {

struct ExactSearchOptions {
  int max_depth = 3;
  std::int64_t max_splits = -1;  ///< -1 = no limit
  std::int64_t min_rows = 1;     ///< rows every leaf must hold
  double split_price = 0;        ///< in units of errors
  int threads = 1;               ///< 0 = all cores
  const SplitFamily* family =
      nullptr;  ///< null: that of the data; of all rows where the data are some of them, so that the bound holds for all
  Rules rules;
  Ledger* ledger = nullptr;              ///< of this very search: facts from an earlier run, and where those of this run go; may be null
  const Elsewhere* elsewhere = nullptr;  ///< has long tasks solved by other machines; may be null or empty
  Sending sending;                       ///< and which tasks
  std::optional<FeatureId> first = {};   ///< the root of every tree asks this column, which parts the rows; empty = any
  /// An optimum among all these trees and others, as is known from elsewhere.
  std::optional<Relaxation> wider = {};
};

struct ExactSearchResult {
  Tree tree;         ///< the best tree found, tallied
  double lower = 0;  ///< no tree within the limits has a smaller errors + split_price * splits
  /// The same, exact: what `prove` shows. In units of row weight.
  struct {
    double items = 0;                          ///< bound on errors + price * splits, without `lost`
    double lost = 0;                           ///< errors of every tree, among rows of equal features: a whole number
    double price = 0;                          ///< of a split, rounded to a grid
    std::shared_ptr<const Evidence> evidence;  ///< what the bound rests on; may be null
  } exact;
  bool complete = false;  ///< the search was neither stopped nor cut off: `tree` is optimal, within `rounding`
  double rounding = 0;    ///< `lower` was lowered by this because weights have no common unit; mostly 0 (data/costs/whole_weights.h)
};

}  // namespace treewright::search
