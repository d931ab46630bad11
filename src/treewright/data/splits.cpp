// Parts and folds, drawn with a seed or read from files.
//
// Stratified parts: each class is shuffled and cut by the method of the largest remainder. Of n_k rows of
// class k, part j gets floor(f_j n_k) rows at once; the rows left over go one each to the parts with the
// largest remainders. If every class rounded for itself, many small classes could all favor the same part,
// so remainders that were not served are carried over to the next class: each class stays within one row of
// its proportion, and over the classes the rounding cancels instead of adding up. Rows in no part (fractions
// below 1) are a last, hidden part. Without stratification all rows are one class.
//
// Stratified folds: the shuffled rows are dealt out like cards, class after class without starting again,
// which makes test parts differ by at most one row, in each class and in all.

#include "treewright/data/splits.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numeric>

#include "treewright/base/file.h"
#include "treewright/base/random.h"
#include "treewright/data/read/column_plan.h"
#include "treewright/data/read/csv_scanner.h"
#include "treewright/error.h"

namespace treewright {

namespace {

/// The rows of each class (or all rows), each list shuffled.
std::vector<RowNumbers> shuffled_groups(const Dataset& data, const SplitOptions& options) {
  const bool by_class = options.stratified && !data.response;
  if (by_class && !data.labeled()) {
    throw Error("split", "the rows have no labels to stratify by", "name the target, or split without stratification");
  }
  std::vector<RowNumbers> groups(by_class ? data.classes() : 1);
  for (std::size_t row = 0; row < data.rows(); ++row) {
    groups[by_class ? data.labels[row] : 0].push_back(static_cast<std::int32_t>(row));
  }
  Random random(options.seed);
  for (RowNumbers& group : groups) random.shuffle(group);
  return groups;
}

/// Sizes of the parts of a group of n rows; `owed` are the remainders carried from group to group.
std::vector<std::size_t> largest_remainder(std::size_t n, const std::vector<double>& fractions, std::vector<double>& owed) {
  // Products such as 0.07 * 100 = 7.000000000000001 must not leave a remainder.
  constexpr double kTolerance = 1e-9;
  std::vector<std::size_t> sizes(fractions.size());
  std::vector<std::size_t> wanting;
  std::size_t given = 0;
  for (std::size_t j = 0; j < fractions.size(); ++j) {
    const double quota = fractions[j] * static_cast<double>(n);
    sizes[j] = static_cast<std::size_t>(quota + kTolerance);
    given += sizes[j];
    const double remainder = quota - static_cast<double>(sizes[j]);
    owed[j] += remainder;
    if (remainder > kTolerance) wanting.push_back(j);
  }
  std::stable_sort(wanting.begin(), wanting.end(), [&](std::size_t a, std::size_t b) { return owed[a] > owed[b]; });
  for (std::size_t i = 0; given < n; ++i, ++given) {
    ++sizes[wanting[i]];
    owed[wanting[i]] -= 1;
  }
  return sizes;
}

}  // namespace

std::vector<RowNumbers> split_rows(const Dataset& data, std::span<const double> fractions, const SplitOptions& options) {
  std::vector<double> shares(fractions.begin(), fractions.end());
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  constexpr double kTolerance = 1e-9;
  if (shares.empty() || !std::all_of(shares.begin(), shares.end(), [](double f) { return f > 0 && f <= 1; }) || sum > 1 + kTolerance) {
    throw Error("split", fmt::format("the fractions {} are not shares of the rows", fmt::join(shares, ", ")),
                "give numbers > 0 whose sum is at most 1");
  }
  if (sum < 1 - kTolerance) {
    shares.push_back(1 - sum);
  } else {
    for (double& share : shares) share /= sum;
  }
  std::vector<RowNumbers> parts(shares.size());
  std::vector<double> owed(shares.size(), 0.0);
  for (const RowNumbers& group : shuffled_groups(data, options)) {
    const std::vector<std::size_t> sizes = largest_remainder(group.size(), shares, owed);
    auto from = group.begin();
    for (std::size_t j = 0; j < parts.size(); ++j) {
      const auto to = from + static_cast<std::ptrdiff_t>(sizes[j]);
      parts[j].insert(parts[j].end(), from, to);
      from = to;
    }
  }
  parts.resize(fractions.size());
  for (std::size_t j = 0; j < parts.size(); ++j) {
    if (parts[j].empty()) {
      throw Error("split", fmt::format("part {} of {} would be empty ({} rows)", j + 1, parts.size(), data.rows()),
                  "give more rows or a larger fraction");
    }
    std::sort(parts[j].begin(), parts[j].end());
  }
  return parts;
}

std::vector<Fold> k_folds(const Dataset& data, int k, const SplitOptions& options) {
  if (k < 2 || static_cast<std::size_t>(k) > data.rows()) {
    throw Error("folds", fmt::format("{} folds cannot be made of {} rows", k, data.rows()), "choose between 2 and the number of rows");
  }
  std::vector<int> fold_of(data.rows());
  int next = 0;
  for (const RowNumbers& group : shuffled_groups(data, options)) {
    for (const std::int32_t row : group) {
      fold_of[row] = next;
      next = (next + 1) % k;
    }
  }
  std::vector<Fold> folds(k);
  for (int f = 0; f < k; ++f) {
    for (std::size_t row = 0; row < data.rows(); ++row) {
      (fold_of[row] == f ? folds[f].test : folds[f].train).push_back(static_cast<std::int32_t>(row));
    }
  }
  return folds;
}

std::vector<Fold> repeated_k_folds(const Dataset& data, int k, int repeats, SplitOptions options) {
  if (repeats < 1) throw Error("folds", fmt::format("they cannot be drawn {} times", repeats), "repeat them once or more often");
  std::vector<Fold> folds;
  for (int r = 0; r < repeats; ++r, ++options.seed) {
    for (Fold& fold : k_folds(data, k, options)) folds.push_back(std::move(fold));
  }
  return folds;
}

namespace {

std::int32_t parse_row_number(std::string_view text, std::size_t rows, const std::string& place) {
  std::int32_t row = -1;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), row);
  if (code != std::errc() || end != text.data() + text.size() || row < 0 || static_cast<std::size_t>(row) >= rows) {
    throw Error(place, fmt::format("'{}' is not a row number", text.substr(0, 40)),
                fmt::format("use whole numbers in 0..{}: rows are counted from 0", static_cast<std::int64_t>(rows) - 1));
  }
  return row;
}

/// The index of the column that names the parts.
std::size_t part_column(const std::vector<std::string>& names, std::size_t row_column, const std::string& wanted, const std::string& path) {
  if (!wanted.empty()) return find_column(names, wanted, "parts", path);
  if (names.size() != 2) {
    throw Error(path, fmt::format("{} columns could hold the parts", names.size() - 1),
                fmt::format("choose one of the columns {}", fmt::join(names, ", ")));
  }
  return 1 - row_column;
}

}  // namespace

std::map<std::string, RowNumbers> read_parts(const std::string& path, const std::string& column, std::size_t rows) {
  const std::string text = read_file(path);
  check_is_text(text, path);
  CsvScanner scanner(text, find_separator(text), path);
  std::vector<Cell> cells;
  scanner.next(cells);
  std::vector<std::string> names;
  for (const Cell& cell : cells) names.emplace_back(cell.text);
  const auto found = std::find(names.begin(), names.end(), "row");
  if (found == names.end()) throw Error(path, "there is no column 'row'", "give a table with the header row and a column of parts");
  const auto row_column = static_cast<std::size_t>(found - names.begin());
  const std::size_t name_column = part_column(names, row_column, column, path);

  std::map<std::string, RowNumbers> parts;
  std::vector<bool> seen(rows, false);
  while (scanner.next(cells)) {
    const std::string place = fmt::format("{}, line {}", path, scanner.line());
    if (cells.size() != names.size()) {
      throw Error(place, fmt::format("{} cells, but the header has {}", cells.size(), names.size()), "give every row as many cells");
    }
    const std::int32_t row = parse_row_number(cells[row_column].text, rows, place + ", column 'row'");
    if (seen[row]) throw Error(place + ", column 'row'", fmt::format("row {} occurs twice", row), "name each row once");
    seen[row] = true;
    if (!cells[name_column].text.empty()) parts[std::string(cells[name_column].text)].push_back(row);
  }
  for (auto& [name, part] : parts) std::sort(part.begin(), part.end());
  return parts;
}

}  // namespace treewright
