#include "treewright/data/read/csv_scanner.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "treewright/error.h"

namespace treewright {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

CsvScanner::CsvScanner(std::string_view text, char separator, const std::string& origin)
    : at_(text.data()), end_(text.data() + text.size()), separator_(separator), origin_(origin) {
  if (text.substr(0, 3) == kByteOrderMark) at_ += 3;
}

void CsvScanner::end_line() {
  if (at_ == end_) return;
  const bool carriage_return = *at_++ == '\r';
  if (carriage_return && at_ != end_ && *at_ == '\n') ++at_;
  ++line_;
}

// Of an empty line.
bool CsvScanner::is_row_of_nothing() const {
  constexpr std::string_view kBlanks = " \t\r\n";
  return keeps_empty_ && std::find_if(at_, end_, [&](char c) { return kBlanks.find(c) == std::string_view::npos; }) != end_;
}

bool CsvScanner::next(std::vector<Cell>& cells) {
  cells.clear();
  while (true) {
    const char* const begin = at_;
    skip_blanks();
    if (at_ == end_) return false;
    if (!at_line_end()) {
      if (separator_ != ' ') at_ = begin;
      break;
    }
    if (is_row_of_nothing()) break;
    end_line();
  }
  row_line_ = line_;
  while (true) {
    cells.push_back(plain());
    if (at_line_end()) break;
    ++at_;  // the separator
    if (separator_ == ' ') {
      skip_blanks();
      if (at_line_end()) break;
    }
  }
  end_line();
  return true;
}

Cell CsvScanner::plain() {
  skip_blanks();
  if (at_ != end_ && *at_ == '"') return quoted();
  const char* const begin = at_;
  if (separator_ == ' ') {
    while (!at_line_end() && !is_blank(*at_)) ++at_;
    return {{begin, static_cast<std::size_t>(at_ - begin)}, false};
  }
  while (at_ != end_ && *at_ != separator_ && *at_ != '\n' && *at_ != '\r') ++at_;
  const char* last = at_;
  while (last != begin && is_blank(last[-1])) --last;
  return {{begin, static_cast<std::size_t>(last - begin)}, false};
}

Cell CsvScanner::quoted() {
  const Mark opened = mark();
  Cell cell{{}, true};
  if (end_quoted(cell.text, '"')) return cell;
  const std::int64_t failed = at_ == end_ ? opened.line : line_;
  const bool closed = at_ != end_;
  rewind(opened);
  // MySQL and others write a quote inside a quoted cell as \".
  if (end_quoted(cell.text, '\\')) {
    backslash_quotes_ = true;
    return cell;
  }
  throw closed ? Error(fmt::format("{}, line {}", origin_, failed), "a quoted cell continues after its closing quote",
                       "write quotes inside a quoted cell twice, and put a separator after it")
               : Error(fmt::format("{}, line {}", origin_, failed), "the quote that opens a cell is never closed",
                       "close it; a quote inside a quoted cell is written twice");
}

bool CsvScanner::end_quoted(std::string_view& text, char escape) {
  const char* const begin = ++at_;
  bool escaped = false;
  for (;; ++at_) {
    if (at_ == end_) return false;
    if (*at_ == escape && at_ + 1 != end_ && (at_[1] == '"' || (escape == '\\' && at_[1] == escape))) {
      escaped = true;
      ++at_;
    } else if (*at_ == '"') {
      break;
    } else if (*at_ == '\n' || (*at_ == '\r' && (at_ + 1 == end_ || at_[1] != '\n'))) {
      ++line_;
    }
  }
  text = {begin, static_cast<std::size_t>(at_ - begin)};
  ++at_;
  const bool closed_early = !at_line_end() && *at_ != separator_ && !is_blank(*at_);
  if (separator_ != ' ') skip_blanks();
  if (closed_early || (separator_ != ' ' && !at_line_end() && *at_ != separator_)) return false;
  if (!escaped) return true;
  std::string& copy = unquoted_.emplace_back();
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool first_of_two = text[i] == escape && i + 1 < text.size() && (text[i + 1] == '"' || text[i + 1] == escape);
    copy += text[first_of_two ? ++i : i];
  }
  text = copy;
  return true;
}

std::size_t next_line(std::string_view text, std::size_t begin) {
  const std::size_t end = text.find_first_of("\r\n", begin);
  if (end == std::string_view::npos) return text.size();
  return end + (text.substr(end, 2) == "\r\n" ? 2 : 1);
}

namespace {

std::size_t cells_of_line(std::string_view text, std::size_t begin, char separator, const std::string& origin) {
  CsvScanner scanner(text.substr(begin, next_line(text, begin) - begin), separator, origin);
  std::vector<Cell> cells;
  return scanner.next(cells) ? cells.size() : 0;
}

}  // namespace

char named_separator(std::string_view text) {
  if (text.substr(0, 3) == kByteOrderMark) text.remove_prefix(3);
  const bool named = text.size() > 5 && text.substr(0, 4) == "sep=" && (text[5] == '\n' || text[5] == '\r');
  return named ? text[4] : '\0';
}

std::size_t remarks_on_top(std::string_view text, char separator, const std::string& origin) {
  const std::size_t mark = text.substr(0, 3) == kByteOrderMark ? 3 : 0;
  const char named = named_separator(text);
  const std::size_t first = named == '\0' ? mark : next_line(text, mark), none = named == '\0' ? 0 : first;
  if (separator == '\0') separator = named;
  std::vector<std::size_t> marked;  // lines that begin with '#'
  std::size_t end = first;
  while (end < text.size() && (text[end] == '#' || (end > first && (text[end] == '\n' || text[end] == '\r')))) {
    if (text[end] == '#') marked.push_back(end);
    end = next_line(text, end);
  }
  if (end == first || end == text.size()) return none;
  if (separator == '\0') separator = find_separator(text.substr(end));
  const std::size_t cells = cells_of_line(text, end, separator, origin);
  const auto is_row = [&](std::size_t line) {
    const std::string_view row = text.substr(line, next_line(text, line) - line);
    // A blank after the sign is how remarks are written; they may hold separators, and odd quotes.
    const bool remark = row.size() > 1 && (row[1] == ' ' || row[1] == '\t');
    return !remark && row.find('"') == std::string_view::npos && cells > 1 && cells_of_line(text, line, separator, origin) == cells;
  };
  // Rows whose first cells begin with '#' are no remarks.
  if (std::all_of(marked.begin(), marked.end(), is_row)) return none;
  return is_row(marked.back()) ? marked.back() : end;
}

char separator_of(std::string_view text, char given, std::size_t skipped) {
  if (given == '\0') given = named_separator(text);
  return given != '\0' ? given : find_separator(text.substr(skipped));
}

char find_separator(std::string_view text) {
  if (text.substr(0, 3) == kByteOrderMark) text.remove_prefix(3);
  constexpr std::array kCandidates = {'\t', ';', '|', ','};
  constexpr int kRows = 20;
  std::array<std::vector<int>, kCandidates.size()> counts;  // per candidate and row
  std::vector<int> words;                                   // cells between blanks; -1 without a number or with quotes
  bool in_quotes = false;
  std::size_t begin = 0;
  std::array<int, kCandidates.size()> count{};
  for (std::size_t i = 0; i <= text.size() && static_cast<int>(words.size()) < kRows; ++i) {
    const char c = i < text.size() ? text[i] : '\n';
    if (c == '"') in_quotes = !in_quotes;
    if (i < text.size() && in_quotes) continue;
    for (std::size_t k = 0; k < kCandidates.size(); ++k) count[k] += c == kCandidates[k];
    if (c != '\n' && c != '\r') continue;
    const std::string_view row = text.substr(begin, i - begin);
    begin = i + 1;
    if (row.find_first_not_of(" \t") != std::string_view::npos) {
      for (std::size_t k = 0; k < kCandidates.size(); ++k) counts[k].push_back(count[k]);
      int cells = 0;
      bool number = words.empty();  // the first row may hold names
      for (std::size_t at = row.find_first_not_of(" \t"); at < row.size(); at = row.find_first_not_of(" \t", at)) {
        const std::size_t end = std::min(row.find_first_of(" \t", at), row.size());
        double value;
        number |= parse_number(row.substr(at, end - at), value) == NumberText::number;
        ++cells;
        at = end;
      }
      words.push_back(number && row.find('"') == std::string_view::npos ? cells : -1);
    }
    count.fill(0);
  }
  const auto constant = [](const std::vector<int>& of_row, int least) {
    return !of_row.empty() && of_row.front() >= least &&
           std::all_of(of_row.begin(), of_row.end(), [&](int n) { return n == of_row.front(); });
  };
  for (std::size_t k = 0; k < kCandidates.size(); ++k) {
    if (constant(counts[k], 1)) return kCandidates[k];
  }
  char best = ',';
  int most = 0;
  for (std::size_t k = 0; k < kCandidates.size(); ++k) {
    if (!counts[k].empty() && counts[k].front() > most) best = kCandidates[k], most = counts[k].front();
  }
  if (most == 0 && words.size() >= 2 && constant(words, 2)) return ' ';
  return best;
}

}  // namespace treewright
