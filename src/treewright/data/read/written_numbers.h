#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace treewright {

/// What the numbers of a column show of one sign, '.' or ',': whether it may separate thousands.
struct GroupClues {
  bool groups = false;    ///< some number is like 1.234
  bool decimals = false;  ///< in some number the sign cannot separate thousands (1.5, 0.125)

  void add(std::string_view number, char sign);
  /// All numbers with the sign are like 1.234: it may be the decimal mark or separate thousands.
  bool open() const { return groups && !decimals && !odd_; }
  /// 2.500 beside 80: no program writes a last zero in one number and none in the other, so the sign separates thousands.
  bool separates() const { return open() && zeros_ && bare_ && !long_; }

 private:
  bool zeros_ = false;  // some group ends with a zero
  bool bare_ = false;   // some number has no sign and at most three digits
  bool long_ = false;   // or more than three
  bool odd_ = false;    // or an exponent
};

/// What the texts of a column mean as numbers. Shape of `values`: that of the texts.
struct WrittenNumbers {
  std::vector<double> values;
  char point = '\0';      ///< the decimal mark, '.' or ','; '\0' = the texts show none
  bool doubtful = false;  ///< they may also be read with the other decimal mark, as other numbers (1,234)
  char likely = '\0';     ///< the mark that doubtful texts show all the same (GroupClues::separates)
  std::string unit = {};  ///< what stands beside each number: $, kg, %
  /// A text with more than a number and a percent sign: $5, 12 kg, (5) for -5, 5- for -5, 3.5k. The number of texts = there is none.
  std::size_t marked = 0;
};

/// Numbers as people and spreadsheets write them: with decimal commas (1,5), with separated thousands (1,234.5 or 1.234,5 or 1 234 or
/// 1'234 or 12,34,567), as percentages (45 %), with money or another unit, the same one in all texts, with a minus behind them or in
/// brackets, and with k, M or B for thousands, millions and billions. All texts must be written in one way; nothing otherwise. `decimal`:
/// '.' or ',' where the user has said which, else '\0'. `doubtful_decimal`: which to take where both fit.
std::optional<WrittenNumbers> read_written_numbers(const std::vector<std::string>& texts, char decimal, char doubtful_decimal = '.');

}  // namespace treewright
