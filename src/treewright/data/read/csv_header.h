#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "treewright/data.h"
#include "treewright/data/read/csv_scanner.h"

namespace treewright {

using Row = std::vector<Cell>;

inline constexpr std::size_t kSampleRows = 101;  // of a file, that show whether it has a header

/// What stands above the names and is no row.
struct TopLines {
  std::size_t bytes = 0;
  std::string remark;  ///< a sentence; "" = nothing is to be said
};

/// Remarks, a named separator, a title, or the lines that `options.skip` leaves out.
TopLines lines_on_top(std::string_view text, const ReadOptions& options, const std::string& origin);

std::int64_t lines_in(std::string_view text);

/// The rule told in csv_header.cpp. `rows`: the first row and those after it.
bool first_row_is_header(const std::vector<Row>& rows, const ReadOptions& options);

/// Whether the first row may hold names all the same.
bool may_hold_names(const std::vector<Row>& rows, const ReadOptions& options);

/// Of rows for a tree whose columns `options` lists: true if the first row holds the names of all these, false if it holds none of them and
/// they are those of a file without names; otherwise nothing.
std::optional<bool> names_of_tree(const Row& first, const ReadOptions& options);

/// Whether the row below the names holds units.
bool second_row_holds_units(const std::vector<Row>& rows, const ReadOptions& options);

/// How many columns at the end have neither a name nor a cell, as spreadsheets write them.
std::size_t empty_columns_behind(const std::vector<Row>& rows);

/// Of a header, which is behind the scanner then, or invented. Names that occur twice are told apart.
std::vector<std::string> names_of(bool header, CsvScanner& scanner, const Row& first, const std::string& origin,
                                  std::vector<std::string>& remarks);

}  // namespace treewright
