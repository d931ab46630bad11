#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "treewright/data.h"
#include "treewright/data/read/file_writing.h"

namespace treewright {

/// Column::unit of times of day.
inline constexpr const char* kHours = "hours";

/// A cell in a message: long ones are cut, without halving a character of several bytes.
std::string shown_cell(std::string_view text);

/// A whole number of so many digits that it may be above 2^53.
bool is_large_whole(std::string_view text);

/// The texts of a column, and how to read them.
struct ColumnTexts {
  const std::vector<std::string>& levels;  ///< the distinct texts, in order of appearance
  const std::vector<std::int32_t>& codes;  ///< of each row; -1 = missing
  std::string where;                       ///< the column, in messages
  char decimal = '\0';                     ///< ReadOptions::decimal
  DecimalMark mark = {};
  char date_order = '\0';         ///< ReadOptions::date_order
  bool large_as_numbers = false;  ///< also whole numbers that doubles do not tell apart
  bool doubts_are_faults = true;  ///< dates that fit two orders are an Error; otherwise they stay text
};

/// Makes numbers of texts that are numbers, dates or times as people write them, and remarks on what was done. False, and nothing done,
/// where they are none. Throws Error on dates that fit two orders.
bool read_amounts(Column& column, const ColumnTexts& texts, std::vector<std::string>& remarks);

/// The first text that cannot be read like those before it; the number of texts if all can.
std::size_t first_misfit(const std::vector<std::string>& levels, char decimal);

}  // namespace treewright
