#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "treewright/base/ascii.h"
#include "treewright/data.h"
#include "treewright/data/read/column_plan.h"
#include "treewright/data/read/file_writing.h"
#include "treewright/data/read/parse_number.h"
#include "treewright/data/read/written_column.h"
#include "treewright/data/read/written_numbers.h"

namespace treewright {

/// One cell as it stands in the file: blanks around it and its quotes removed.
struct Cell {
  std::string_view text;
  bool quoted = false;
};

/// Sorted by value when all names are finite numbers (equal ones by their bytes), else by their bytes.
void sort_naturally(std::vector<std::string>& names);

/// ASCII letters in lower case; all other bytes as they are.
std::string lower(std::string_view text);

bool valid_utf8(std::string_view text);

/// What to do with a file that only Python reads.
std::string parquet_to_csv(const std::string& path);

/// Throws Error for what no reader takes: no text at all, spreadsheets, Parquet, NUL bytes, UTF-16.
void check_is_text(std::string_view text, const std::string& origin);

/// Leaves out rows without a label (ReadOptions::drop_unlabeled). Throws Error if none is left.
void keep_labeled(Dataset& data, const std::string& origin, const ReadOptions& options);

/// Makes `row_costs` and labels of the columns that Reading::costs names. Throws Error where one is not numeric, or misses a value.
void take_cost_columns(Dataset& data, const std::string& origin);

/// Where nobody named the target: "; 'y' is the target because it is the last column, --target names another", to be put behind a remedy.
std::string guess_of_target(const std::string& name, const ReadOptions& options);

/// Runs `Dataset::validate`, or `validate_for_training`, with the file's name put in front of its messages and `guess` behind them.
/// Throws Error if neither a feature nor the target is left.
void validate(const Dataset& data, const std::string& origin, bool for_training, const std::string& guess);

/// Turns the cells of one column into numbers, levels, labels or weights. Texts given to `add` must outlive
/// the builder.
class ColumnBuilder {
 public:
  /// What the column holds: `guess` = numbers until the first text; `written` = numbers or dates, however they are written; `number` =
  /// numbers as programs write them; `nominal` = the declared levels only.
  enum class Content { guess, written, number, text, nominal };

  /// `origin` and `options` must outlive the builder.
  ColumnBuilder(std::string name, ColumnRole role, Content content, const ReadOptions& options, const std::string& origin);
  /// Of a column of text: it holds dates, which begin with 'd' = the day, 'm' = the month, or '\0' = what the options say.
  void expect_dates(char order);
  void declare_levels(const std::vector<std::string>& levels);
  void reserve(std::size_t rows);

  ColumnRole role() const { return role_; }
  /// False when a guess met text: the column is text from now on and its rows must be given again, after
  /// `restart`.
  bool add(const Cell& cell, std::int64_t line) {
    if (content_ == Content::text || content_ == Content::nominal) return add_text(cell, line);
    double value;
    if (numeric_markers_.empty() && parse_number(cell.text, value) == NumberText::number && role_ == ColumnRole::feature) {
      take_number(cell.text, value);
      return true;
    }
    return add_unusual_number(cell, line);
  }
  void restart();

  /// What the cells show of the decimal mark and of the order of day and month, once all are read.
  void show_writing(FileWriting& file) const;
  /// Whether the numbers were not what they looked like: thousands with separators, or too large to be told apart. The column is text from
  /// now on and its rows must be given again, after `restart`.
  bool was_misread(const DecimalMark& decimal);
  /// Puts the finished column where its role says, and remarks on its reading into `data.reading`. Throws Error when it turned out to hold
  /// what its kind cannot.
  void finish(Dataset& data, const DecimalMark& decimal = {});

 private:
  bool add_text(const Cell& cell, std::int64_t line);
  bool add_unusual_number(const Cell& cell, std::int64_t line);
  void take_number(std::string_view text, double value) {
    values_.push_back(value);
    if (guessed_ && padded_.empty() && is_padded(text)) padded_ = text;
    if (dots_.decimals) return;
    const bool groups = dots_.groups;
    dots_.add(text, '.');
    if (dots_.groups && !groups) group_ = text;
    large_ |= is_large_whole(text);
  }
  bool is_marker(std::string_view text) const;
  // 00501: a code, such as a postal one; 01 may be a month. 07.1990 and 08.15 are no quantities either.
  static bool is_padded(std::string_view text) {
    return text.size() > 3 && text[0] == '0' && is_digit(text[1]) && text.find_first_not_of("0123456789.") == std::string_view::npos;
  }
  std::string column_place() const;
  std::string place(std::int64_t line) const;
  std::vector<std::string> take_sorted_levels();
  [[noreturn]] void refuse_weight(std::string_view text, std::int64_t line) const;
  std::vector<double> written_weights(const DecimalMark& decimal, std::vector<std::string>& remarks) const;
  bool understand_texts(Column& column, const DecimalMark& decimal, std::vector<std::string>& remarks) const;

  std::string name_;
  ColumnRole role_;
  Content content_;
  const ReadOptions& options_;
  const std::string& origin_;
  bool guessed_ = false;                 // nobody declared the kind
  bool amounts_only_ = false;            // numbers or dates, however they are written
  bool passed_over_ = false;             // its faults are (ReadOptions::only_listed)
  bool may_be_amounts_ = false;          // text that may be numbers or dates
  std::vector<double> numeric_markers_;  // missing markers that are numbers
  std::int64_t infinite_line_ = 0;
  std::int64_t na_cells_ = 0;   // missing cells of text that may be North America or Namibia
  std::string padded_, group_;  // the first such cells: 00501, 1.234
  GroupClues dots_;             // of plain numbers
  bool large_ = false;          // some whole number may be beyond those that doubles tell apart
  std::vector<double> values_;
  std::vector<std::int32_t> codes_;
  std::unordered_map<std::string_view, std::int32_t> code_of_;
  std::vector<std::string> levels_;
  std::vector<std::int64_t> lines_;  // where the levels were met first, if `amounts_only_`
  char date_order_ = '\0';           // of this column
};

}  // namespace treewright
