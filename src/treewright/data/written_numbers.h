#pragma once

#include <optional>
#include <string>
#include <vector>

namespace treewright {

/// What the texts of a column mean as numbers. Shape of `values`: that of the texts.
struct WrittenNumbers {
  std::vector<double> values;
  char point = '\0';      ///< the decimal point, '.' or ','; '\0' = the texts show none
  bool doubtful = false;  ///< they may also be read with the other decimal point, as other numbers (1,234)
};

/// Numbers as people and spreadsheets write them: with decimal commas (1,5), with separated thousands (1,234.5 or 1.234,5 or 1 234), as
/// percentages (45 %). All texts must be written in one way; nothing otherwise. `decimal`: '.' or ',' where the user has said which, else
/// '\0'. `doubtful_decimal`: which to take where both fit.
std::optional<WrittenNumbers> read_written_numbers(const std::vector<std::string>& texts, char decimal, char doubtful_decimal = '.');

}  // namespace treewright
