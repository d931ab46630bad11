#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "treewright/data/read/column_builder.h"

namespace treewright {

/// Cuts CSV text into rows of cells: quotes (with separators and line ends inside, and quotes that are doubled or behind a backslash), LF,
/// CRLF or CR line ends, a UTF-8 byte order mark. Lines without any character but blanks are skipped. Cells are
/// views into the text or into the scanner (where quotes had to be undone) and live as long as both.
class CsvScanner {
 public:
  /// `separator` ' ' means runs of blanks.
  CsvScanner(std::string_view text, char separator, const std::string& origin);

  /// Reads the next row into `cells`; false at the end of the text.
  /// Throws Error on a quote that is never closed, or closed before the cell's end.
  bool next(std::vector<Cell>& cells);

  /// From here on an empty line is a row of one empty cell, but for those at the end of the text; else it is no row.
  void keep_empty_lines() { keeps_empty_ = true; }

  /// Line on which the latest row began, from 1.
  std::int64_t line() const { return row_line_; }

  struct Mark {
    const char* at;
    std::int64_t line;
  };
  Mark mark() const { return {at_, line_}; }
  void rewind(Mark mark) { at_ = mark.at, line_ = mark.line; }

  /// Whether some quoted cell has quotes inside that are written \".
  bool has_backslash_quotes() const { return backslash_quotes_; }

 private:
  bool is_blank(char c) const { return (c == ' ' || c == '\t') && (c != separator_ || separator_ == ' '); }
  bool at_line_end() const { return at_ == end_ || *at_ == '\n' || *at_ == '\r'; }
  void skip_blanks() {
    while (at_ != end_ && is_blank(*at_)) ++at_;
  }
  void end_line();
  bool is_row_of_nothing() const;
  Cell plain();
  Cell quoted();
  // Whether the quoted cell that begins here ends as it should, with quotes inside written as `escape` and a quote.
  bool end_quoted(std::string_view& text, char escape);

  const char* at_;
  const char* end_;
  char separator_;
  const std::string& origin_;
  std::int64_t line_ = 1, row_line_ = 1;
  bool backslash_quotes_ = false, keeps_empty_ = false;
  std::deque<std::string> unquoted_;
};

/// Where the line after that at `begin` begins.
std::size_t next_line(std::string_view text, std::size_t begin);

/// The separator of a CSV text among tab, semicolon, comma and blanks: the first of them that cuts each of
/// the first rows into the same number (at least 2) of cells; blanks only when each row but the first has a
/// number in it, and none has quotes.
/// Otherwise the most frequent one of the first row, or a comma.
char find_separator(std::string_view text);

/// That of a first line such as "sep=;", which spreadsheets write and read; '\0' = there is no such line.
char named_separator(std::string_view text);

/// Bytes of that line and of those at the top that begin with '#', if they are remarks; the last of them is the header where it has as many
/// cells as the line below. `separator` '\0' finds it out from the lines below.
std::size_t remarks_on_top(std::string_view text, char separator, const std::string& origin);

/// `given`, if that is not '\0', or the one that the text names, or the one that is found in the lines behind the `skipped` bytes.
char separator_of(std::string_view text, char given, std::size_t skipped);

}  // namespace treewright
