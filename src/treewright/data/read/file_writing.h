#pragma once

#include <string>

#include "treewright/data.h"

namespace treewright {

/// What the columns of a file show of how people wrote it.
struct FileWriting {
  char date_order = '\0';                             ///< 'd' or 'm', where a column of dates fits only one of them
  bool points = false, commas = false;                ///< the decimal mark of some column; a column may show it alone
  bool likely_points = false, likely_commas = false;  ///< the same of columns such as 2.500 and 80 (GroupClues::separates)
  std::string doubtful_target;                        ///< one of its cells such as 1,234, where all may be read in two ways
};

/// How to read numbers that may be written with either decimal mark: 1,234 and 1.234.
struct DecimalMark {
  char mark = '.';     ///< for all of them
  bool known = false;  ///< the file, the user or the tree says so
  /// Whether a note must say how columns were read that have only numbers such as 1,234, or only such as 1.234.
  bool note_commas = true, note_points = false;
};

/// One decision for all columns of a file, by `ReadOptions::decimal`, by what the columns show, by the tree that is to be applied
/// (`ReadOptions::doubtful_decimal`), and by the separator of cells, '\0' where there is none.
DecimalMark decide_decimal_mark(const FileWriting& file, const ReadOptions& options, char separator);

}  // namespace treewright
