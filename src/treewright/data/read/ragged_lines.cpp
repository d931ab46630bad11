// Lines that do not fit the others, in a text that is to be described and not trained on.
//
// Most lines have the right number of cells; of two numbers that are equally frequent the first one is right, which is that of the names. A
// quote that is never closed swallows all lines below it. So where the scanner gives up, the line on which the row began is left out alone,
// and the scanner goes on below it.

#include "treewright/data/read/ragged_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "treewright/data/read/csv_header.h"
#include "treewright/data/read/csv_scanner.h"
#include "treewright/error.h"

namespace treewright {

namespace {

struct Line {
  std::size_t begin, end;  ///< in the text
  std::int64_t number;
  std::size_t cells;  ///< 0 = its quotes do not cut it into cells
};

// The line that begins at or below `begin`, blank ones passed over.
Line first_line(std::string_view text, CsvScanner::Mark mark) {
  auto begin = static_cast<std::size_t>(mark.at - text.data());
  std::int64_t number = mark.line;
  while (true) {
    const std::size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
    const bool blank = text.substr(begin, end - begin).find_first_not_of(" \t") == std::string_view::npos;
    if (!blank || end == text.size()) return {begin, end, number, 0};
    begin = end + (text.substr(end, 2) == "\r\n" ? 2 : 1);
    ++number;
  }
}

std::vector<Line> lines_of(std::string_view text, char separator, std::size_t skipped, const std::string& origin) {
  std::vector<Line> lines;
  CsvScanner scanner(text, separator, origin);
  const std::string_view top = text.substr(0, skipped);
  if (skipped > 0) scanner.rewind({text.data() + skipped, 1 + std::count(top.begin(), top.end(), '\n')});
  std::vector<Cell> cells;
  while (true) {
    const CsvScanner::Mark mark = scanner.mark();
    const auto begin = static_cast<std::size_t>(mark.at - text.data());
    try {
      if (!scanner.next(cells)) return lines;
      lines.push_back({begin, static_cast<std::size_t>(scanner.mark().at - text.data()), scanner.line(), cells.size()});
    } catch (const Error&) {
      const Line line = first_line(text, mark);
      lines.push_back(line);
      scanner.rewind({text.data() + line.end, line.number});
    }
  }
}

std::size_t most_frequent_cells(const std::vector<Line>& lines) {
  std::map<std::size_t, std::size_t> count;
  for (const Line& line : lines) count[line.cells] += line.cells > 0;
  std::size_t most = lines.front().cells;
  for (const Line& line : lines) {
    if (count[line.cells] > count[most]) most = line.cells;
  }
  return most;
}

// "lines 3, 7, 9 and 12 others"
std::string numbers(const std::vector<const Line*>& lines) {
  constexpr std::size_t kShown = 5;
  std::string out = lines.size() == 1 ? "line" : "lines";
  for (std::size_t i = 0; i < std::min(kShown, lines.size()); ++i) out += fmt::format("{} {}", i == 0 ? "" : ",", lines[i]->number);
  const std::size_t others = lines.size() - std::min(kShown, lines.size());
  return out + (others == 0 ? "" : fmt::format(" and {} other{}", others, others == 1 ? "" : "s"));
}

}  // namespace

std::vector<std::string> blank_ragged_lines(std::string& text, const ReadOptions& options, const std::string& origin) {
  check_is_text(text, origin);
  const std::size_t skipped = lines_on_top(text, options, origin).bytes;
  const char separator = separator_of(text, options.separator, skipped);
  const std::vector<Line> lines = lines_of(text, separator, skipped, origin);
  if (lines.empty()) return {};
  const std::size_t cells = most_frequent_cells(lines);
  std::vector<const Line*> ragged, quoted;
  for (const Line& line : lines) {
    if (line.cells == cells) continue;
    (line.cells == 0 ? quoted : ragged).push_back(&line);
    for (std::size_t i = line.begin; i < line.end; ++i) {
      if (text[i] != '\r' && text[i] != '\n') text[i] = ' ';
    }
  }
  std::vector<std::string> faults;
  if (!ragged.empty()) {
    faults.push_back(
        fmt::format("{}, {}: {}{} cells, but most lines have {}; left out here (give every row as many cells; put cells that hold the "
                    "separator in quotes)",
                    origin, numbers(ragged), ragged.front()->cells, ragged.size() == 1 ? "" : " or other numbers of", cells));
  }
  if (!quoted.empty()) {
    faults.push_back(
        fmt::format("{}, {}: a quoted cell has no end, or goes on behind it; left out here (close each quote; write quotes inside a quoted "
                    "cell twice)",
                    origin, numbers(quoted)));
  }
  return faults;
}

}  // namespace treewright
