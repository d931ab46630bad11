#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "treewright/data.h"
#include "treewright/proof/level_means.h"
#include "treewright/proof/proof.h"
#include "treewright/proof/row_costs.h"
#include "treewright/proof/row_sums.h"
#include "treewright/proof/table_text.h"

namespace treewright::proof {

/// Categories of more levels than this (missing counted as one) are wide. They are split one level against the rest, or by the share of a
/// class in each level, or by its mean.
inline constexpr std::int32_t kMaxSubsetLevels = 12;

/// A feature of the rows as a proof sees it.
struct TableColumn {
  std::string name;  ///< as the table spells it
  bool category = false;
  std::vector<std::int32_t> codes;  ///< the place among the distinct values, ascending; -1 = missing. Shape (rows).
  std::vector<std::string> levels;  ///< of a category: those that occur as the table spells them, ascending
  std::int32_t distinct = 0;        ///< values that occur, but for missing ones
  bool has_missing = false;
  std::optional<LevelMeans> means;  ///< of a wide category where the target is a number

  std::int32_t values() const { return distinct + (has_missing ? 1 : 0); }
  bool is_wide() const { return category && values() > kMaxSubsetLevels; }
};

/// The rows of a data set as a proof sees them: docs/proof-format.md.
struct Table {
  std::vector<TableColumn> columns;
  Labels labels;
  std::size_t rows = 0;
  RowCosts costs;
  RowSums sums;  ///< instead of labels and costs, where the target is a number

  /// Shape (labels).
  std::span<const std::int64_t> costs_of(std::size_t row) const { return {&costs.cost[row * labels.names.size()], labels.names.size()}; }
};

/// In the proof's unit, or on its grids. Throws Error if sums would not be exact, or if no proof speaks of such rows. `origin` names the
/// proof.
Table make_table(const Dataset& data, const Proof& proof, const std::string& origin);

}  // namespace treewright::proof
