#pragma once

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "treewright/data.h"
#include "treewright/data/column_plan.h"
#include "treewright/data/parse_number.h"

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
  /// What the column holds: `guess` = numbers until the first text; `nominal` = the declared levels only.
  enum class Content { guess, number, text, nominal };

  /// `origin` and `options` must outlive the builder.
  ColumnBuilder(std::string name, ColumnRole role, Content content, const ReadOptions& options, const std::string& origin);
  void declare_levels(const std::vector<std::string>& levels);
  void reserve(std::size_t rows);

  ColumnRole role() const { return role_; }
  /// False when a guess met text: the column is text from now on and its rows must be given again, after
  /// `restart`.
  bool add(const Cell& cell, std::int64_t line) {
    if (content_ == Content::text || content_ == Content::nominal) return add_text(cell, line);
    double value;
    if (!numeric_markers_ && parse_number(cell.text, value) == NumberText::number && role_ == ColumnRole::feature) {
      values_.push_back(value);
      if (guessed_ && padded_.empty() && is_padded(cell.text)) padded_ = cell.text;
      return true;
    }
    return add_unusual_number(cell, line);
  }
  void restart();

  /// What the cells show of the decimal point and of the order of day and month, once all are read: enters it into `options` where that
  /// does not say yet how to read doubtful columns.
  void show_writing(ReadOptions& options) const;
  /// Puts the finished column where its role says. Throws Error when it turned out to hold what its kind
  /// cannot.
  void finish(Dataset& data);

 private:
  bool add_text(const Cell& cell, std::int64_t line);
  bool add_unusual_number(const Cell& cell, std::int64_t line);
  bool is_marker(std::string_view text) const;
  // 00501: a code, such as a postal one. 01 may be a month.
  static bool is_padded(std::string_view text) {
    return text.size() > 3 && text[0] == '0' && text.find_first_not_of("0123456789") == std::string_view::npos;
  }
  std::string place(std::int64_t line) const;
  std::vector<std::string> take_sorted_levels();
  bool understand_texts(Column& column) const;

  std::string name_;
  ColumnRole role_;
  Content content_;
  const ReadOptions& options_;
  const std::string& origin_;
  bool guessed_ = false;          // nobody declared the kind
  bool guessed_text_ = false;     // and it turned out to be text
  bool numeric_markers_ = false;  // a missing marker looks like a number, so numbers must be compared with it
  std::int64_t infinite_line_ = 0;
  std::string padded_;  // the first such cell
  std::vector<double> values_;
  std::vector<std::int32_t> codes_;
  std::unordered_map<std::string_view, std::int32_t> code_of_;
  std::vector<std::string> levels_;
};

}  // namespace treewright
