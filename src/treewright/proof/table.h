#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "treewright/data.h"
#include "treewright/proof/proof.h"
#include "treewright/proof/row_costs.h"

namespace treewright::proof {

/// A feature of the rows as a proof sees it.
struct TableColumn {
  std::string name;
  bool category = false;
  std::vector<std::int32_t> codes;  ///< the place among the distinct values, ascending; -1 = missing. Shape (rows).
  std::vector<std::string> levels;  ///< of a category: those that occur, ascending by their bytes
  std::int32_t distinct = 0;        ///< values that occur, but for missing ones
  bool has_missing = false;

  std::int32_t values() const { return distinct + (has_missing ? 1 : 0); }
};

/// The rows of a data set as a proof sees them: docs/proof-format.md.
struct Table {
  std::vector<TableColumn> columns;
  /// The classes, ascending by their bytes, without those of which nothing is said; or those of costs by row, in their order.
  std::vector<std::string> labels;
  std::vector<std::int32_t> place;  ///< of each class of the data among the labels; -1 = it does not occur
  std::size_t rows = 0;
  RowCosts costs;

  /// Shape (labels).
  std::span<const std::int64_t> costs_of(std::size_t row) const { return {&costs.cost[row * labels.size()], labels.size()}; }
};

/// Throws Error if the whole costs would be too large for exact sums. `origin` names the proof.
Table make_table(const Dataset& data, const Binary& unit, const std::string& origin);

/// A hash of codes and whole costs: against mistakes, not against malice.
std::string fingerprint(const Table& table);

/// How the data set was read, and what its labels cost, in the words of a proof.
Reader reader_of(const Dataset& data, const Table& table);

/// Whether the text of a cell looks like a number, `inf` and `nan` included.
bool looks_like_number(std::string_view text);

/// Throws Error unless the proof speaks of this data set: its rows, its target, and the kinds of its columns.
void check_reader(const Proof& proof, const Dataset& data, const Table& table, const std::string& origin);

/// What the reader's options demand, in words that follow the claim: each begins with "; ".
std::string notes(const Reader& reader, const Table& table);

}  // namespace treewright::proof
