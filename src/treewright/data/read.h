#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "treewright/data/dataset.h"

namespace treewright {

enum class FileFormat { automatic, csv, libsvm, arff };
enum class Header { automatic, yes, no };

/// How to read a file. Wherever a column is asked for, give its name or, when no column has that name, its
/// index in the file as text: 0-based, negative from the end ("-1" is the last column).
struct ReadOptions {
  /// `automatic` goes by the extension (.csv .tsv .txt .data, .libsvm .svm, .arff, each also with .gz;
  /// standard input is CSV).
  FileFormat format = FileFormat::automatic;
  /// CSV: whether the first row holds names. `automatic` follows the rule told in csv.cpp. Without a header
  /// columns are called x0, x1, ... by position and the target "class".
  Header header = Header::automatic;
  /// CSV: '\0' finds out among comma, semicolon, tab and blanks; ' ' means runs of blanks.
  char separator = '\0';
  /// The column with the class names; nothing = unlabeled rows to predict on. LIBSVM: the label in front, or
  /// nothing to skip it.
  std::optional<std::string> target = "-1";
  /// Columns that are left out.
  std::vector<std::string> drop;
  /// Column with row weights (numbers >= 0).
  std::optional<std::string> weights;
  /// Kinds of columns, instead of what the file suggests. Column -> kind.
  std::map<std::string, ColumnKind> kinds;
  /// Cells that stand for a missing value. In a text column a marker in quotes is an ordinary level; an empty
  /// cell in quotes is missing in any column.
  std::vector<std::string> missing = {"", "?", "NA", "NaN", "nan", "null", "N/A"};
  /// LIBSVM: the least number of feature columns. The format leaves out zeros, so a file may not show its
  /// last features.
  int libsvm_features = 0;
  /// Also check what training needs (`Dataset::validate_for_training`), naming the file in the message.
  bool training = false;
};

/// Reads a file, packed by gzip or not; `-` is standard input. Levels of text columns and class names are
/// sorted: by value when all of them are numbers, else by their bytes. The result satisfies
/// `Dataset::validate`. Throws Error naming file, line and column for whatever does not fit.
Dataset read_dataset(const std::string& path, const ReadOptions& options = {});

/// The same for text in memory; `origin` is what messages call it. `options.format` is not looked at.
Dataset parse_csv(std::string_view text, const std::string& origin, const ReadOptions& options = {});
Dataset parse_libsvm(std::string_view text, const std::string& origin, const ReadOptions& options = {});
Dataset parse_arff(std::string_view text, const std::string& origin, const ReadOptions& options = {});

}  // namespace treewright
