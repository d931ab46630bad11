// Reader for ARFF, the format of Weka. The header has lines `@attribute name type` and ends with `@data`. Rows follow: dense rows `1,?,'a
// b'`, or sparse rows `{0 1, 2 'a b'}` of pairs index and value. Indices start at 0. A sparse row leaves out zeros, or the first declared
// value of a nominal attribute. Keywords may be in any case, `%` starts a comment, and names and values may be in single or double quotes,
// with \ before a quote inside.
//
// The types numeric, real and integer give numeric columns. {a, b} gives a categorical column with all declared values (levels), whether
// they occur or not. The type string gives a categorical column with the values that occur. Levels are sorted as in CSV files, so the same
// data give the same Dataset in both formats. The type date gives dates, if they are written as the reader knows them; of the declared
// format only the order of day and month counts. Relations (nested tables) are refused unless they are dropped.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <deque>

#include "treewright/data.h"
#include "treewright/data/read/column_builder.h"
#include "treewright/data/read/column_plan.h"
#include "treewright/data/read/target_numbers.h"
#include "treewright/error.h"

namespace treewright {

namespace {

struct Attribute {
  std::string type;  // in lower case; "{" when nominal
  std::vector<std::string> levels;
  std::string date_format;  // of dates: "yyyy-MM-dd HH:mm:ss", or nothing
  std::int64_t line = 0;
};

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

class Reader {
 public:
  Reader(std::string_view text, const std::string& origin, const ReadOptions& options) : rest_(text), origin_(origin), options_(options) {
    if (rest_.substr(0, 3) == "\xEF\xBB\xBF") rest_.remove_prefix(3);
  }

  Dataset read() {
    read_header();
    make_builders();
    std::int64_t rows = 0;
    for (; next_line(); ++rows) read_row();
    if (rows == 0) throw Error(origin_, "there is no row of data after @data", "give at least one row");
    Dataset data;
    data.reading = reading_of(names_, plans_, options_);
    for (ColumnBuilder& builder : builders_) builder.finish(data);
    return data;
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& fix) const {
    throw Error(fmt::format("{}, line {}", origin_, number_), what, fix);
  }

  /// Moves to the next line that holds something besides a comment.
  bool next_line() {
    while (!rest_.empty()) {
      const std::size_t end = std::min(rest_.find('\n'), rest_.size());
      line_ = rest_.substr(0, end);
      rest_.remove_prefix(std::min(end + 1, rest_.size()));
      ++number_;
      skip_blanks();
      if (!line_.empty()) return true;
    }
    return false;
  }

  void skip_blanks() {
    while (!line_.empty() && is_blank(line_.front())) line_.remove_prefix(1);
    if (!line_.empty() && line_.front() == '%') line_ = {};
  }

  bool skip(char c) {
    skip_blanks();
    if (line_.empty() || line_.front() != c) return false;
    line_.remove_prefix(1);
    return true;
  }

  /// The next word or quoted text of the line; unquoted words end at a blank, a comma, a brace or a comment.
  Cell take_token() {
    skip_blanks();
    if (!line_.empty() && (line_.front() == '\'' || line_.front() == '"')) return take_quoted();
    std::size_t end = 0;
    while (end < line_.size() && !is_blank(line_[end]) && std::string_view(",{}%").find(line_[end]) == std::string_view::npos) ++end;
    const std::string_view word = line_.substr(0, end);
    line_.remove_prefix(end);
    return {word, false};
  }

  Cell take_quoted() {
    const char quote = line_.front();
    std::size_t end = 1;
    bool escaped = false;
    while (end < line_.size() && line_[end] != quote) {
      const bool escape = line_[end] == '\\' && end + 1 < line_.size();
      escaped |= escape;
      end += escape ? 2 : 1;
    }
    if (end >= line_.size()) fail("a quote is never closed", "close it on the same line");
    std::string_view text = line_.substr(1, end - 1);
    line_.remove_prefix(end + 1);
    if (escaped) {
      std::string& copy = unescaped_.emplace_back();
      for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\\' && i + 1 < text.size()) ++i;
        copy += text[i];
      }
      text = copy;
    }
    return {text, true};
  }

  void read_header() {
    while (next_line()) {
      const std::string keyword = lower(take_token().text);
      if (keyword == "@data") {
        if (names_.empty()) fail("@data comes before any @attribute", "declare the attributes first");
        return;
      }
      if (keyword == "@attribute") {
        read_attribute();
      } else if (keyword != "@relation") {
        fail(fmt::format("'{}' is not a header line", keyword.substr(0, 40)), "expected @relation, @attribute, @data or a % comment");
      }
    }
    throw Error(origin_, "there is no @data line", "put @data before the rows");
  }

  void read_attribute() {
    const Cell name = take_token();
    if (name.text.empty()) fail("the attribute has no name", "write @attribute NAME TYPE");
    if (!valid_utf8(name.text)) fail("the name is not UTF-8 text", "save the file as UTF-8");
    Attribute attribute;
    attribute.line = number_;
    if (skip('{')) {
      attribute.type = "{";
      while (!skip('}')) {
        const Cell level = take_token();
        if (level.text.empty() && !level.quoted) fail("a level is missing in the list", "write {a, b, c}");
        if (!valid_utf8(level.text)) fail("a level is not UTF-8 text", "save the file as UTF-8");
        attribute.levels.emplace_back(level.text);
        skip(',');
        skip_blanks();
        if (line_.empty()) fail("the list of levels is not closed", "close it with } on the same line");
      }
    } else {
      attribute.type = lower(take_token().text);
      if (attribute.type == "date") attribute.date_format = take_token().text;
      if (attribute.type == "real" || attribute.type == "integer") attribute.type = "numeric";
      if (attribute.type.empty()) fail(fmt::format("attribute '{}' has no type", name.text), "use numeric, string or {level, level}");
    }
    names_.emplace_back(name.text);
    attributes_.push_back(std::move(attribute));
  }

  void make_builders() {
    plans_ = plan_columns(names_, options_, origin_);
    builders_.reserve(names_.size());
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const Attribute& attribute = attributes_[i];
      ColumnBuilder::Content content = ColumnBuilder::Content::text;
      if (plans_[i].role != ColumnRole::dropped && attribute.type != "numeric" && attribute.type != "string" && attribute.type != "date" &&
          attribute.type != "{") {
        throw Error(fmt::format("{}, line {}, column '{}'", origin_, attribute.line, names_[i]),
                    fmt::format("the type '{}' is not supported", attribute.type),
                    "use numeric, real, integer, date, string or {level, level}, or drop the column");
      }
      if (plans_[i].kind ? *plans_[i].kind == ColumnKind::numeric : attribute.type == "numeric") {
        content = ColumnBuilder::Content::number;
      } else if (attribute.type == "{") {
        content = ColumnBuilder::Content::nominal;
      }
      builders_.emplace_back(names_[i], plans_[i].role, content, options_, origin_);
      if (attribute.type == "{" && plans_[i].role != ColumnRole::weight && content != ColumnBuilder::Content::number)
        builders_.back().declare_levels(attribute.levels);
      if (attribute.type == "date" && !plans_[i].kind && plans_[i].role == ColumnRole::feature)
        builders_.back().expect_dates(attribute.date_format.find('d') < attribute.date_format.find('M') ? 'd' : 'm');
    }
  }

  void read_row() {
    cells_.assign(names_.size(), Cell{});
    if (skip('{')) {
      read_sparse();
    } else {
      read_dense();
    }
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      if (builders_[i].role() != ColumnRole::dropped) builders_[i].add(cells_[i], number_);
    }
  }

  void read_dense() {
    std::size_t count = 0;
    bool comma = true;  // after a comma there must be a cell, though an empty one
    while (comma || !line_.empty()) {
      const Cell cell = take_token();
      if (count < cells_.size()) cells_[count] = cell;
      ++count;
      comma = skip(',');
      skip_blanks();
      if (!comma && !line_.empty() && (line_.front() == '{' || line_.front() == '}')) {
        fail(fmt::format("unexpected '{}'", line_.front()), "put values that hold braces in quotes");
      }
      if (!comma && !line_.empty() && cell.text.empty() && !cell.quoted) fail("the row cannot be read", "separate values by commas");
    }
    if (count != cells_.size()) {
      fail(fmt::format("{} values for {} attributes", count, cells_.size()), "give every row one value for each attribute");
    }
  }

  void read_sparse() {
    for (std::size_t i = 0; i < cells_.size(); ++i) {
      const bool nominal = attributes_[i].type == "{" && !attributes_[i].levels.empty();
      cells_[i] = nominal ? Cell{attributes_[i].levels.front(), true} : Cell{"0", false};
    }
    std::int64_t previous = -1;
    while (!skip('}')) {
      const std::string_view text = take_token().text;
      std::int64_t index = -1;
      const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), index);
      if (code != std::errc() || end != text.data() + text.size() || index < 0 || index >= static_cast<std::int64_t>(cells_.size())) {
        fail(fmt::format("'{}' is not an index in 0..{}", text.substr(0, 40), cells_.size() - 1),
             "write sparse rows as {index value, index value}");
      }
      if (index <= previous) fail(fmt::format("index {} comes after index {}", index, previous), "write the indices in ascending order");
      previous = index;
      cells_[static_cast<std::size_t>(index)] = take_token();
      skip(',');
      skip_blanks();
      if (line_.empty()) fail("the sparse row is not closed", "close it with }");
    }
    skip_blanks();
    if (!line_.empty()) fail("something follows the sparse row", "end the line after }");
  }

  std::string_view rest_, line_;
  std::int64_t number_ = 0;
  const std::string& origin_;
  const ReadOptions& options_;
  std::vector<std::string> names_;
  std::vector<Attribute> attributes_;
  std::vector<ColumnPlan> plans_;
  std::vector<ColumnBuilder> builders_;
  std::vector<Cell> cells_;
  std::deque<std::string> unescaped_;
};

}  // namespace

Dataset parse_arff(std::string_view text, const std::string& origin, const ReadOptions& given) {
  check_is_text(text, origin);
  const ReadOptions options = labels_of_costs(given, origin);
  Dataset data = Reader(text, origin, options).read();
  take_cost_columns(data, origin);
  if (options.drop_unlabeled) keep_labeled(data, origin, options);
  take_numbers(data, origin, options);
  validate(data, origin, options.training, guess_of_target(data.target_name, options));
  return data;
}

}  // namespace treewright
