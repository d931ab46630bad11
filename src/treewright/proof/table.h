#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "treewright/data.h"
#include "treewright/proof/proof.h"

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
  std::vector<std::string> classes;  ///< those that occur, ascending by their bytes
  std::vector<std::int32_t> label;   ///< places among the classes. Shape (rows).
  std::vector<std::int64_t> weight;  ///< in whole units. Shape (rows).
  std::int64_t total_weight = 0;
  double rounding = 0;  ///< what the weights differ from the whole units in all

  std::size_t rows() const { return label.size(); }
};

/// Throws Error if the whole weights would be too large for exact sums. `origin` names the proof.
Table make_table(const Dataset& data, const Binary& unit, const std::string& origin);

/// A hash of codes, labels and weights: against mistakes, not against malice.
std::string fingerprint(const Table& table);

/// How the data set was read, in the words of a proof.
Reader reader_of(const Dataset& data, const Table& table);

/// Whether the text of a cell looks like a number, `inf` and `nan` included.
bool looks_like_number(std::string_view text);

/// Throws Error unless the proof speaks of this data set: its rows, its target, and the kinds of its columns.
void check_reader(const Proof& proof, const Dataset& data, const Table& table, const std::string& origin);

/// What the reader's options demand, in words that follow the claim: each begins with "; ".
std::string notes(const Reader& reader, const Table& table);

}  // namespace treewright::proof
