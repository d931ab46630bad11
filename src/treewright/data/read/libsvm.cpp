// LIBSVM text: one row per line, `label index:value index:value ...`, indices ascending from 1, what is left
// out is 0, `#` starts a comment. Features are called x1, x2, ... after their indices; labels are class names
// as written, but for numbers that are equal (+1 and 1): these are called as the first of them is written.
//
// The trees work on dense columns, so the entries are spread out: memory is rows x largest index. A file that
// would need more than kMostCells is refused (one stray index could otherwise ask for all the memory there
// is).

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include "treewright/data.h"
#include "treewright/data/read/column_builder.h"
#include "treewright/data/read/column_plan.h"
#include "treewright/data/read/target_numbers.h"
#include "treewright/error.h"

namespace treewright {

namespace {

constexpr double kMostCells = 2.5e8;

struct Entry {
  std::int32_t row, feature;
  double value;
};

/// The next word of the line, or nothing at its end.
std::string_view next_word(std::string_view& line) {
  const std::size_t begin = std::min(line.find_first_not_of(" \t\r"), line.size());
  const std::size_t end = std::min(line.find_first_of(" \t\r", begin), line.size());
  const std::string_view word = line.substr(begin, end - begin);
  line.remove_prefix(end);
  return word;
}

class Reader {
 public:
  Reader(const std::string& origin, const ReadOptions& options)
      : origin_(origin), options_(options), labels_("class", ColumnRole::target, ColumnBuilder::Content::text, options, origin) {}

  void add_line(std::string_view line, std::int64_t number) {
    std::string_view rest = line.substr(0, line.find('#'));
    std::string_view word = next_word(rest);
    if (word.empty()) {
      empty_lines_ += rest.data() == line.data() + line.size();  // without a comment
      return;
    }
    if (word.find(':') == std::string_view::npos) {
      if (options_.target) labels_.add({first_spelling(word)}, number);
      word = next_word(rest);
    } else if (options_.target) {
      fail(number, fmt::format("the row starts with '{}' instead of a label", word),
           "put the label in front, or read the file without a target");
    }
    std::int32_t previous = 0;
    for (; !word.empty(); word = next_word(rest)) {
      const Entry entry = parse_entry(word, number);
      if (entry.feature <= previous) {
        fail(number, fmt::format("index {} comes after index {}", entry.feature, previous),
             "write the indices of a row in ascending order");
      }
      previous = entry.feature;
      entries_.push_back(entry);
    }
    features_ = std::max(features_, previous);
    ++rows_;
  }

  Dataset finish() {
    if (rows_ == 0) throw Error(origin_, "there is no row of data", "give a file with data");
    features_ = std::max(features_, options_.libsvm_features);
    if (static_cast<double>(rows_) * features_ > kMostCells) {
      throw Error(origin_, fmt::format("{} rows with features up to index {} do not fit into memory", rows_, features_),
                  "leave out features, or look for a typing error in an index", ErrorKind::limit);
    }
    std::vector<std::string> names;
    for (std::int32_t j = 1; j <= features_; ++j) names.push_back(fmt::format("x{}", j));
    ReadOptions without_target = options_;
    without_target.target.reset();
    const std::vector<ColumnPlan> plans = plan_columns(names, without_target, origin_);
    std::vector<std::vector<double>> values(names.size());
    for (std::size_t j = 0; j < names.size(); ++j) {
      if (plans[j].role != ColumnRole::dropped) values[j].assign(rows_, 0.0);
    }
    for (const Entry& entry : entries_) {
      if (!values[entry.feature - 1].empty()) values[entry.feature - 1][entry.row] = entry.value;
    }
    Dataset data;
    data.reading = reading_of(names, plans, without_target);
    for (std::size_t j = 0; j < names.size(); ++j) place_column(std::move(names[j]), plans[j], std::move(values[j]), data);
    if (options_.target) labels_.finish(data);
    // A row of zeros without a label looks like this.
    if (!options_.target && empty_lines_ > 0)
      data.reading.remarks.push_back(fmt::format("lines that are empty, and no rows: {}; a row of zeros is written as 1:0", empty_lines_));
    return data;
  }

 private:
  std::string_view first_spelling(std::string_view label) {
    double value;
    if (parse_number(label, value) != NumberText::number || std::isnan(value)) return label;
    return spelled_.try_emplace(value, label).first->second;
  }

  [[noreturn]] void fail(std::int64_t line, const std::string& what, const std::string& fix) const {
    throw Error(fmt::format("{}, line {}", origin_, line), what, fix);
  }

  Entry parse_entry(std::string_view word, std::int64_t line) const {
    const std::size_t colon = word.find(':');
    if (colon == std::string_view::npos) fail(line, fmt::format("'{}' is not index:value", word), "write for example 3:0.5");
    const std::string_view index = word.substr(0, colon), text = word.substr(colon + 1);
    Entry entry{rows_, 0, 0};
    const auto [end, code] = std::from_chars(index.data(), index.data() + index.size(), entry.feature);
    if (code != std::errc() || end != index.data() + index.size() || entry.feature < 1) {
      fail(line, fmt::format("'{}' is not an index", index), "number the features from 1; remove entries such as qid");
    }
    switch (parse_number(text, entry.value)) {
      case NumberText::number:
        break;
      case NumberText::infinite:
        throw Error(fmt::format("{}, line {}, column 'x{}'", origin_, line, entry.feature), "the value is infinite",
                    "replace it by a large number");
      case NumberText::no_number:
        throw Error(fmt::format("{}, line {}, column 'x{}'", origin_, line, entry.feature), fmt::format("'{}' is not a number", text),
                    "correct the value, or write nan for a missing value");
    }
    return entry;
  }

  void place_column(std::string name, const ColumnPlan& plan, std::vector<double> values, Dataset& data) const {
    if (plan.role == ColumnRole::dropped) return;
    if (plan.role == ColumnRole::weight) {
      for (std::size_t row = 0; row < values.size(); ++row) {
        if (!(values[row] >= 0)) {
          throw Error(fmt::format("{}, column '{}', row {}", origin_, name, row), "the weight is negative or missing",
                      "give every row a finite number >= 0");
        }
      }
      data.weights = std::move(values);
    } else if (plan.kind == ColumnKind::categorical) {
      data.columns.push_back(categorical_column(std::move(name), values));
    } else {
      Column& column = data.columns.emplace_back();
      column.name = std::move(name);
      column.values = std::move(values);
    }
  }

  static Column categorical_column(std::string name, const std::vector<double>& values) {
    Column column{std::move(name), ColumnKind::categorical, {}, {}, {}};
    std::vector<double> distinct;
    for (const double value : values) {
      if (!std::isnan(value)) distinct.push_back(value);
    }
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    for (const double value : distinct) column.levels.push_back(fmt::format("{}", value));
    for (const double value : values) {
      const auto found = std::lower_bound(distinct.begin(), distinct.end(), value);
      column.codes.push_back(std::isnan(value) ? -1 : static_cast<std::int32_t>(found - distinct.begin()));
    }
    return column;
  }

  const std::string& origin_;
  const ReadOptions& options_;
  ColumnBuilder labels_;
  std::map<double, std::string_view> spelled_;  // labels that are numbers
  std::vector<Entry> entries_;
  std::int32_t rows_ = 0, features_ = 0;
  std::int64_t empty_lines_ = 0;
};

}  // namespace

Dataset parse_libsvm(std::string_view text, const std::string& origin, const ReadOptions& options) {
  check_is_text(text, origin);
  if (options.target && *options.target != ReadOptions().target) {
    throw Error(fmt::format("{}, target", origin), fmt::format("there is no column '{}' to take the labels from", *options.target),
                "leave the target out: in LIBSVM files the label comes first in each row");
  }
  if (!options.cost_columns.empty()) {
    throw Error(fmt::format("{}, cost columns", origin), "columns have no names here", "give the rows as CSV", ErrorKind::usage);
  }
  Reader reader(origin, options);
  for (std::int64_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.add_line(text.substr(0, end), line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  Dataset data = reader.finish();
  if (options.drop_unlabeled) keep_labeled(data, origin, options);
  take_numbers(data, origin, options);
  validate(data, origin, options.training, "");
  return data;
}

}  // namespace treewright
