// What is in the data, before any tree is grown.
//
// Two rows with equal features reach the same leaf of every tree. In each group of such rows a tree classifies at
// best the class of the largest weight correctly. The sum of those weights over all groups is an accuracy that no tree can
// exceed. (A tree that reaches it cannot be improved. A tree of lower accuracy is limited by its
// size, its kind of splits or its training, not by equal rows.) Groups are
// found by sorting the rows by the ranks of their values.

#include "treewright/data/describe.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "treewright/base/text_table.h"
#include "treewright/data/read/written_dates.h"

namespace treewright {

namespace {

/// Rank of each row's value among the distinct ones (-1 = missing), and how many there are.
struct Ranks {
  std::vector<std::int32_t> of_row;
  std::size_t distinct = 0, missing = 0;
};

Ranks rank(const Column& column) {
  Ranks ranks;
  ranks.of_row.reserve(column.size());
  if (column.kind == ColumnKind::categorical) {
    std::vector<bool> occurs(column.levels.size(), false);
    for (const std::int32_t code : column.codes) {
      ranks.of_row.push_back(code);
      if (code >= 0) occurs[code] = true;
    }
    ranks.distinct = static_cast<std::size_t>(std::count(occurs.begin(), occurs.end(), true));
  } else {
    std::vector<double> values;
    for (const double value : column.values) {
      if (!std::isnan(value)) values.push_back(value);
    }
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    ranks.distinct = values.size();
    for (const double value : column.values) {
      const auto place = std::lower_bound(values.begin(), values.end(), value) - values.begin();
      ranks.of_row.push_back(std::isnan(value) ? -1 : static_cast<std::int32_t>(place));
    }
  }
  ranks.missing = static_cast<std::size_t>(std::count(ranks.of_row.begin(), ranks.of_row.end(), -1));
  return ranks;
}

Repeats find_repeats(const Dataset& data, const std::vector<Ranks>& columns) {
  const auto label_of = [&](std::int32_t row) { return data.labeled() ? data.labels[row] : 0; };
  const auto compare = [&](std::int32_t a, std::int32_t b) {
    for (const Ranks& column : columns) {
      if (column.of_row[a] != column.of_row[b]) return column.of_row[a] < column.of_row[b] ? -1 : 1;
    }
    return 0;
  };
  std::vector<std::int32_t> order(data.rows());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    const int order_of_features = compare(a, b);
    return order_of_features != 0 ? order_of_features < 0 : label_of(a) < label_of(b);
  });
  Repeats repeats;
  double total = 0, right = 0;
  for (std::size_t begin = 0; begin < order.size();) {
    // One group of equal features: runs of equal labels within it.
    std::size_t end = begin, labels = 0;
    double heaviest = 0;
    while (end < order.size() && compare(order[begin], order[end]) == 0) {
      double weight = 0;
      const std::size_t run = end;
      while (end < order.size() && label_of(order[end]) == label_of(order[run]) && compare(order[begin], order[end]) == 0) {
        weight += data.weight(order[end++]);
      }
      repeats.duplicates += static_cast<std::int64_t>(end - run) - 1;
      heaviest = std::max(heaviest, weight);
      total += weight;
      ++labels;
    }
    if (labels > 1) repeats.conflicts += static_cast<std::int64_t>(end - begin);
    right += heaviest;
    begin = end;
  }
  repeats.accuracy_ceiling = repeats.conflicts == 0 || total == 0 ? 1 : right / total;
  return repeats;
}

std::vector<Ranks> rank_all(const Dataset& data) {
  std::vector<Ranks> columns;
  for (const Column& column : data.columns) columns.push_back(rank(column));
  return columns;
}

/// Safe to print, and at most `longest` characters.
std::string shown(const std::string& name, std::size_t longest = 28) {
  std::string text;
  std::size_t characters = 0;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool starts_character = (byte & 0xC0) != 0x80;
    if (starts_character && ++characters > longest) return text + "...";
    text += c == '\t' ? std::string("\\t") : std::string(1, byte < 0x20 || byte == 0x7F ? '?' : c);
  }
  return text;
}

std::string number(double value) {
  return fmt::format("{:.6g}", value);
}

// BD17 sec. 7 says by n and p, and by the accuracy of CART, where an optimal tree gains; docs/choosing.md has what was measured of it.
std::string where_trees_gain(double rows_per_column, std::size_t columns) {
  if (columns <= 10) return "with at most 10 columns hyperplanes gain most over CART";
  if (rows_per_column >= 10) return "from 10 on an optimal tree is seldom worse than CART on new rows";
  return "below 10 an optimal tree is sometimes worse than CART on new rows";
}

// Numbers, or dates as dates: with seconds where any of them has a time of day.
std::vector<std::string> numeric_row(const Column& column, const Ranks& ranks) {
  std::vector<double> values;
  for (const double value : column.values) {
    if (!std::isnan(value)) values.push_back(value);
  }
  const bool is_date = column.notation == Notation::date;
  std::vector<std::string> row = {shown(column.name), is_date ? "date" : "numeric", std::to_string(ranks.distinct),
                                  std::to_string(ranks.missing)};
  if (values.empty()) {
    row.emplace_back("no value");
    return row;
  }
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  // Halved first, so that large values cannot overflow.
  const double median = values.size() % 2 == 1 ? values[middle] : values[middle - 1] / 2 + values[middle] / 2;
  DateUnit unit = DateUnit::day;
  for (const double value : values) unit = is_date ? std::max(unit, finest_unit(value)) : unit;
  // The middle of two neighboring days is no day of the data: the earlier one is.
  const double middle_day = unit != DateUnit::day ? median : std::floor(median);
  const auto text = [&](double value) { return is_date ? date_text(value, unit) : number(value); };
  row.push_back(fmt::format("{} .. {} .. {}", text(values.front()), text(is_date ? middle_day : median), text(values.back())));
  return row;
}

std::vector<std::int64_t> rows_of_levels(const Column& column) {
  std::vector<std::int64_t> counts(column.levels.size(), 0);
  for (std::size_t row = 0; row < column.size(); ++row) {
    if (!column.missing(row)) ++counts[column.code(row)];
  }
  return counts;
}

// The most frequent levels first; ordered ones in their order.
std::vector<std::size_t> listed_levels(const Column& column, const std::vector<std::int64_t>& counts) {
  std::vector<std::size_t> order(counts.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (column.notation != Notation::ordered)
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return counts[a] > counts[b]; });
  return order;
}

constexpr std::size_t kBars = 12;

std::vector<std::int64_t> histogram_of_levels(const Column& column) {
  const std::vector<std::int64_t> counts = rows_of_levels(column);
  std::vector<std::int64_t> bars;
  for (const std::size_t level : listed_levels(column, counts)) {
    if (bars.size() < kBars && counts[level] > 0) bars.push_back(counts[level]);
  }
  return bars;
}

std::vector<std::string> all_levels(const Column& column) {
  constexpr std::size_t kMost = 100;
  std::vector<std::string> levels;
  if (!column.has_levels() || column.levels.size() > kMost) return levels;
  for (const std::size_t level : listed_levels(column, rows_of_levels(column))) levels.push_back(column.levels[level]);
  return levels;
}

// Halved before they are subtracted, so that large values cannot overflow.
std::vector<std::int64_t> histogram_of_numbers(const Column& column) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const double value : column.values) {
    if (!std::isnan(value)) low = std::min(low, value), high = std::max(high, value);
  }
  if (low > high) return {};
  const double width = high / 2 - low / 2;
  std::vector<std::int64_t> bars(kBars, 0);
  for (const double value : column.values) {
    if (std::isnan(value)) continue;
    const double share = width > 0 ? (value / 2 - low / 2) / width : 0.5;
    ++bars[std::min(kBars - 1, static_cast<std::size_t>(share * static_cast<double>(kBars)))];
  }
  return bars;
}

std::vector<std::string> level_row(const Column& column, const Ranks& ranks) {
  constexpr std::size_t kListed = 6;
  const std::vector<std::int64_t> counts = rows_of_levels(column);
  const std::vector<std::size_t> order = listed_levels(column, counts);
  std::string list;
  for (std::size_t i = 0; i < std::min(kListed, order.size()); ++i) {
    list += fmt::format("{}{} ({})", i == 0 ? "" : ", ", shown(column.levels[order[i]]), counts[order[i]]);
  }
  if (order.size() > kListed) list += fmt::format(", ... and {} more", order.size() - kListed);
  const char* kind = column.notation == Notation::ordered ? "ordered" : "categorical";
  return {shown(column.name), kind, std::to_string(ranks.distinct), std::to_string(ranks.missing), list};
}

std::string class_table(const Dataset& data) {
  constexpr std::size_t kListed = 30;
  std::vector<std::int64_t> counts(data.classes(), 0);
  for (const std::int32_t label : data.labels) ++counts[label];
  const std::vector<double> totals = data.class_totals();
  const double total = std::accumulate(totals.begin(), totals.end(), 0.0);
  std::vector<std::vector<std::string>> rows = {{"class", "rows", data.weights.empty() ? "share" : "share of weight"}};
  for (std::size_t k = 0; k < std::min(kListed, counts.size()); ++k) {
    rows.push_back(
        {shown(data.class_names[k]), std::to_string(counts[k]), fmt::format("{:.2f} %", total > 0 ? 100 * totals[k] / total : 0)});
  }
  std::string out = text_table(rows);
  if (counts.size() > kListed) out += fmt::format("... and {} more classes\n", counts.size() - kListed);
  return out;
}

}  // namespace

Repeats find_repeats(const Dataset& data) {
  return find_repeats(data, rank_all(data));
}

std::vector<ColumnSummary> summarize_columns(const Dataset& data) {
  std::vector<ColumnSummary> summaries;
  for (const Column& column : data.columns) {
    const Ranks ranks = rank(column);
    const std::vector<std::string> row = column.has_levels() ? level_row(column, ranks) : numeric_row(column, ranks);
    summaries.push_back({column.name, row[1], ranks.distinct, ranks.missing, row[4],
                         column.has_levels() ? histogram_of_levels(column) : histogram_of_numbers(column), all_levels(column)});
  }
  return summaries;
}

std::string describe(const Dataset& data, const std::vector<std::string>& left_out) {
  constexpr std::size_t kListed = 200;
  std::vector<Ranks> ranks = rank_all(data);
  const auto count = [&](auto is) { return static_cast<std::size_t>(std::count_if(data.columns.begin(), data.columns.end(), is)); };
  const std::size_t categorical = count([](const Column& c) { return c.kind == ColumnKind::categorical; });
  const std::size_t dates = count([](const Column& c) { return c.notation == Notation::date; });
  const std::size_t ordered = count([](const Column& c) { return c.notation == Notation::ordered; });
  std::string out = text_table(
      {{"rows", std::to_string(data.rows())},
       {"features", fmt::format("{} ({} numeric, {} categorical{}{})", data.features(), data.features() - categorical - dates - ordered,
                                categorical, dates == 0 ? "" : fmt::format(", {} of dates", dates),
                                ordered == 0 ? "" : fmt::format(", {} of ordered levels", ordered))},
       {"target", data.response    ? fmt::format("{} (a number)", shown(data.target_name))
                  : data.labeled() ? fmt::format("{} ({} classes)", shown(data.target_name), data.classes())
                                   : "none"}});
  if (!data.weights.empty()) {
    const auto [least, most] = std::minmax_element(data.weights.begin(), data.weights.end());
    out += fmt::format("weights   {} in all, {} .. {}\n", number(data.total_weight()), number(*least), number(*most));
  }
  if (data.labeled()) out += '\n' + class_table(data);

  std::vector<std::vector<std::string>> rows = {{"column", "kind", "distinct", "missing", "min .. median .. max, or levels (rows)"}};
  for (std::size_t j = 0; j < std::min(kListed, data.features()); ++j) {
    const Column& column = data.columns[j];
    rows.push_back(column.has_levels() ? level_row(column, ranks[j]) : numeric_row(column, ranks[j]));
  }
  out += '\n' + text_table(rows);
  if (data.features() > kListed) out += fmt::format("... and {} more columns\n", data.features() - kListed);

  const auto is_left_out = [&](const Column& column) { return std::find(left_out.begin(), left_out.end(), column.name) != left_out.end(); };
  std::vector<Ranks> counted;
  for (std::size_t j = 0; j < ranks.size(); ++j) {
    if (!is_left_out(data.columns[j])) counted.push_back(std::move(ranks[j]));
  }
  const std::size_t columns = counted.size();
  const Repeats repeats = find_repeats(data, counted);
  out += fmt::format("\nduplicate rows    {} (equal to an earlier row{}{})\n", repeats.duplicates, data.labeled() ? ", label included" : "",
                     left_out.empty() ? "" : "; without the columns that are left out");
  if (data.labeled()) {
    out += fmt::format("conflicting rows  {} (equal features, different labels)\n", repeats.conflicts);
    out += fmt::format("accuracy ceiling  {:.2f} % (no tree has a higher accuracy on these rows)\n", 100 * repeats.accuracy_ceiling);
    if (columns > 0) {
      const double share = static_cast<double>(data.rows()) / static_cast<double>(columns);
      out += fmt::format("rows per column   {:.1f} ({}: Bertsimas & Dunn 2017)\n", share, where_trees_gain(share, columns));
    }
  }
  return out;
}

}  // namespace treewright
