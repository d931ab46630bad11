// The rows as a proof sees them, taken from the data alone: codes, whole costs, and the kinds of the columns.

#include "treewright/proof/table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>

#include "treewright/base/hash.h"
#include "treewright/base/stop_point.h"
#include "treewright/error.h"
#include "treewright/proof/file.h"

namespace treewright::proof {

namespace {

// The missing markers of a reader that nobody has told any.
const std::vector<std::string> kUsualMissing = {"?", "N/A", "N/a", "NA", "NULL", "NaN", "n/A", "n/a", "nan", "null"};

// Names in another encoding lose the bytes that JSON cannot hold, here and in what they are compared with.
std::string as_written(const std::string& name) {
  const std::string json = nlohmann::ordered_json(name).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  return nlohmann::ordered_json::parse(json).get<std::string>();
}

// The names that occur, ascending, and the codes as places among them; -1 stays.
std::vector<std::string> in_order(const std::vector<std::string>& names, const std::vector<std::int32_t>& codes,
                                  std::vector<std::int32_t>& places) {
  std::map<std::string, std::int32_t> place;
  std::vector<std::string> text(names.size());
  for (const std::int32_t code : codes) {
    const auto c = static_cast<std::size_t>(code);
    if (code < 0 || !text[c].empty()) continue;
    text[c] = as_written(names[c]);
    place.emplace(text[c], 0);
  }
  std::vector<std::string> present;
  for (auto& [name, at] : place) {
    at = static_cast<std::int32_t>(present.size());
    present.push_back(name);
  }
  std::vector<std::int32_t> renamed(names.size(), -1);
  for (std::size_t c = 0; c < names.size(); ++c) {
    if (const auto found = place.find(text[c]); found != place.end()) renamed[c] = found->second;
  }
  for (const std::int32_t code : codes) places.push_back(code < 0 ? -1 : renamed[static_cast<std::size_t>(code)]);
  return present;
}

TableColumn column_of(const Column& column) {
  TableColumn result;
  result.name = as_written(column.name);
  result.category = column.kind == ColumnKind::categorical;
  if (result.category) {
    result.levels = in_order(column.levels, column.codes, result.codes);
    result.distinct = static_cast<std::int32_t>(result.levels.size());
  } else {
    std::vector<double> distinct;
    std::copy_if(column.values.begin(), column.values.end(), std::back_inserter(distinct), [](double value) { return !std::isnan(value); });
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    for (const double value : column.values) {
      const auto at = std::lower_bound(distinct.begin(), distinct.end(), value);
      result.codes.push_back(std::isnan(value) ? -1 : static_cast<std::int32_t>(at - distinct.begin()));
    }
    result.distinct = static_cast<std::int32_t>(distinct.size());
  }
  result.has_missing = std::find(result.codes.begin(), result.codes.end(), -1) != result.codes.end();
  return result;
}

// The reading of a column of numbers that are not plain ones; "" of any other column.
std::string reading_of(const Column& column) {
  if (column.kind == ColumnKind::categorical || !(column.written || column.date)) return "";
  if (column.date) return column.date_order == 'd' ? "day first" : column.date_order == 'm' ? "month first" : "date";
  return column.point == ',' ? "comma" : "point";
}

bool is_number_as_category(const TableColumn& column) {
  return column.category && std::all_of(column.levels.begin(), column.levels.end(), looks_like_number);
}

bool names_are(const std::vector<std::pair<std::string, Binary>>& weights, const std::vector<std::string>& classes) {
  return std::equal(weights.begin(), weights.end(), classes.begin(), classes.end(),
                    [](const auto& weight, const std::string& name) { return weight.first == name; });
}

// The classes of the data in the order of the labels.
std::vector<std::size_t> classes_by_label(const Table& table) {
  std::vector<std::size_t> classes(table.labels.size());
  for (std::size_t k = 0; k < table.place.size(); ++k) {
    if (table.place[k] >= 0) classes[static_cast<std::size_t>(table.place[k])] = k;
  }
  return classes;
}

std::string in_words(const std::vector<std::vector<Binary>>& matrix, const std::vector<std::string>& labels) {
  std::string words;
  for (std::size_t y = 0; y < matrix.size(); ++y) {
    words += fmt::format("{} '{}'", y == 0 ? "" : ",", labels[y]);
    for (const Binary& cost : matrix[y]) words += fmt::format(" {:.12g}", cost.value());
  }
  return words;
}

std::string quoted(const std::vector<std::string>& names) {
  return fmt::format("'{}'", fmt::join(names, "', '"));
}

}  // namespace

Table make_table(const Dataset& data, const Binary& unit, const std::string& origin) {
  Table table;
  table.rows = data.rows();
  for (const Column& column : data.columns) {
    stop_point();
    table.columns.push_back(column_of(column));
  }
  std::vector<std::int32_t> classes(data.classes());
  std::iota(classes.begin(), classes.end(), 0);
  table.place.assign(data.classes(), -1);
  if (data.row_costs.empty()) {
    // A class without rows is a label only where something is said of what it costs.
    const std::vector<std::int32_t>& those = data.costs.empty() ? data.labels : classes;
    std::vector<std::int32_t> place;
    table.labels = in_order(data.class_names, those, place);
    for (std::size_t i = 0; i < those.size(); ++i) table.place[static_cast<std::size_t>(those[i])] = place[i];
  } else {
    for (const std::string& name : data.class_names) table.labels.push_back(as_written(name));
    table.place = classes;
  }
  table.costs = row_costs(data, table.place, table.labels.size(), unit, origin);
  return table;
}

std::string fingerprint(const Table& table) {
  std::uint64_t sum = kHashOfNothing;
  std::string line;
  for (std::size_t row = 0; row < table.rows; ++row) {
    line.clear();
    for (const TableColumn& column : table.columns) {
      if (column.codes[row] < 0) {
        line += "- ";
      } else {
        fmt::format_to(std::back_inserter(line), "{} ", column.codes[row]);
      }
    }
    fmt::format_to(std::back_inserter(line), "{}\n", fmt::join(table.costs_of(row), " "));
    sum = hash(line, sum);
  }
  return hash_text(sum);
}

bool looks_like_number(std::string_view text) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t at = !text.empty() && (text[0] == '-' || text[0] == '+') ? 1 : 0;
  std::string word(text.substr(at));
  std::transform(word.begin(), word.end(), word.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (word == "inf" || word == "infinity" || word == "nan") return true;
  const auto digits = [&] {
    const std::size_t begin = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at - begin;
  };
  std::size_t mantissa = digits();
  if (at < text.size() && text[at] == '.') {
    ++at;
    mantissa += digits();
  }
  if (mantissa == 0) return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '-' || text[at] == '+')) ++at;
    if (digits() == 0) return false;
  }
  return at == text.size();
}

Reader reader_of(const Dataset& data, const Table& table) {
  Reader reader;
  if (data.row_costs.empty()) {
    reader.target = as_written(data.target_name);
  } else {
    reader.cost_columns = table.labels;
  }
  if (!data.reading.against_rest.empty()) reader.against_rest = as_written(data.reading.against_rest);
  if (!data.reading.weights.empty()) reader.weights = as_written(data.reading.weights);
  const std::vector<std::size_t> classes = classes_by_label(table);
  if (!data.costs.empty()) {
    for (const std::size_t y : classes) {
      std::vector<Binary>& line = reader.cost_matrix.emplace_back();
      for (const std::size_t a : classes) line.push_back(Binary::of(data.costs[y * data.classes() + a]));
    }
  }
  if (!data.reading.class_weights.empty()) {
    auto& weights = reader.class_weights.emplace();
    for (std::size_t k = 0; k < classes.size(); ++k)
      weights.emplace_back(table.labels[k], Binary::of(data.reading.class_weights[classes[k]]));
  }
  std::set<std::string> missing(kUsualMissing.begin(), kUsualMissing.end());
  if (data.reading.of_file) {
    missing.clear();
    for (const std::string& marker : data.reading.missing) missing.insert(as_written(marker));
    missing.erase("");
  } else {
    // Whoever writes the table down must not lose these.
    for (const TableColumn& column : table.columns) {
      for (const std::string& level : column.levels) missing.erase(level);
    }
    for (const std::string& name : table.labels) missing.erase(name);
  }
  reader.missing.assign(missing.begin(), missing.end());
  for (std::size_t c = 0; c < data.features(); ++c) {
    if (is_number_as_category(table.columns[c])) reader.categories.push_back(table.columns[c].name);
    if (const std::string reading = reading_of(data.columns[c]); !reading.empty())
      reader.written.emplace_back(table.columns[c].name, reading);
  }
  for (const std::string& name : data.reading.left_out) reader.left_out.push_back(as_written(name));
  return reader;
}

namespace {

// Whatever else was left out of a file, or read as missing, makes the table another one than a reader of the proof takes it for.
void check_all_is_named(const Reader& own, const Reader& stated, const std::string& origin) {
  const auto first_unnamed = [](const std::vector<std::string>& names, const std::vector<std::string>& of) {
    return std::find_if(names.begin(), names.end(),
                        [&](const std::string& name) { return std::find(of.begin(), of.end(), name) == of.end(); });
  };
  if (const auto name = first_unnamed(own.left_out, stated.left_out); name != own.left_out.end())
    refuse(origin, fmt::format("counts column '{}' as a feature, and the tree leaves it out", *name));
  if (const auto text = first_unnamed(own.missing, stated.missing); text != own.missing.end())
    refuse(origin, fmt::format("does not read '{}' as missing, and the tree's file does", *text));
}

}  // namespace

void check_reader(const Proof& proof, const Dataset& data, const Table& table, const std::string& origin) {
  const Reader &stated = proof.reader, own = reader_of(data, table);
  if (stated.target != own.target) {
    refuse(origin, fmt::format("speaks of the target '{}', and that of the data is '{}'", stated.target.value_or("(columns of costs)"),
                               own.target.value_or("(columns of costs)")));
  }
  if (stated.cost_matrix != own.cost_matrix) refuse(origin, "speaks of other costs of labels by class than the tree");
  if (stated.cost_columns != own.cost_columns) refuse(origin, "speaks of other columns of costs than the data");
  if (data.reading.of_file && stated.against_rest != own.against_rest) refuse(origin, "holds another class against the rest than the data");
  const auto is_one = [&](std::int32_t label) {
    return as_written(data.class_names[static_cast<std::size_t>(label)]) == *stated.against_rest;
  };
  if (stated.against_rest && std::none_of(data.labels.begin(), data.labels.end(), is_one))
    refuse(origin, "holds a class against the rest that no row has");
  if (proof.rows != static_cast<std::int64_t>(data.rows()))
    refuse(origin, fmt::format("speaks of {} rows, and the data have {}", proof.rows, data.rows()));
  std::vector<std::string> others = stated.left_out;
  if (stated.weights) others.push_back(*stated.weights);
  if (stated.target) others.push_back(*stated.target);
  others.insert(others.end(), stated.cost_columns.begin(), stated.cost_columns.end());
  for (const TableColumn& column : table.columns) {
    if (std::find(others.begin(), others.end(), column.name) != others.end())
      refuse(origin, fmt::format("does not count column '{}' as a feature, and the data do", column.name));
  }
  if (data.reading.of_file) check_all_is_named(own, stated, origin);
  if (stated.categories != own.categories) {
    refuse(origin, fmt::format("reads [{}] as categories that look like numbers, and the data [{}]", fmt::join(stated.categories, ", "),
                               fmt::join(own.categories, ", ")));
  }
  if (stated.written != own.written) refuse(origin, "reads other columns as dates or as numbers in an unusual writing than the data");
  const bool weighted = stated.weights || stated.class_weights;
  if (data.weights.empty() ? weighted : data.reading.of_file && stated.weights != own.weights)
    refuse(origin, "speaks of other row weights than the data");
  if ((data.reading.of_file || own.class_weights) && stated.class_weights != own.class_weights)
    refuse(origin, "speaks of other class weights than the data");
  if (stated.class_weights && !names_are(*stated.class_weights, table.labels)) refuse(origin, "has class weights of other classes");
  if (proof.table != fingerprint(table))
    refuse(origin, "speaks of another table: its values, its costs or the order of its rows differ from these");
}

std::string notes(const Reader& reader, const Table& table) {
  std::string said;
  if (reader.against_rest) said += fmt::format("; class '{}' against the rest", *reader.against_rest);
  if (!reader.cost_matrix.empty())
    said += fmt::format("; costs of the labels {} by class:{}", quoted(table.labels), in_words(reader.cost_matrix, table.labels));
  if (!reader.cost_columns.empty()) said += fmt::format("; costs of the labels in the columns {}", quoted(reader.cost_columns));
  if (reader.weights) said += fmt::format("; rows weighed by column '{}'", *reader.weights);
  if (reader.class_weights) {
    said += "; class weights";
    for (const auto& [name, weight] : *reader.class_weights) said += fmt::format(" {}={:.12g}", name, weight.value());
  }
  if (!reader.categories.empty()) said += fmt::format("; numbers read as categories: {}", quoted(reader.categories));
  for (const auto& [name, reading] : reader.written) said += fmt::format("; '{}' read as {}", name, reading);
  if (!reader.left_out.empty()) said += fmt::format("; columns left out: {}", quoted(reader.left_out));
  if (reader.missing != kUsualMissing)
    said += fmt::format("; read as missing: {}", reader.missing.empty() ? "empty cells only" : quoted(reader.missing));
  const bool wide = std::any_of(table.columns.begin(), table.columns.end(),
                                [](const TableColumn& column) { return column.category && column.values() > 12; });
  if (wide) said += "; columns of more than 12 categories are split by single frequent ones and by shares of classes";
  return said;
}

}  // namespace treewright::proof
