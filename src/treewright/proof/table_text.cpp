// The canonical table: the one text of the rows that a proof speaks of. What people write in many ways (missing values, dates, decimal
// commas, quotes, line ends) has been read before, by the reader that training uses; the table holds what it has read, in one spelling. So
// nothing that checks a proof has to guess, and two tables are equal if their bytes are.

#include "treewright/proof/table_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <limits>

#include "treewright/base/hash.h"
#include "treewright/base/stop_point.h"
#include "treewright/data/losses.h"
#include "treewright/error.h"

namespace treewright::proof {

namespace {

std::string quoted(std::string_view text) {
  return fmt::format("\"{}\"", spelled(text));
}

// Of what the columns call `name`.
std::string number(double value, const std::string& name) {
  if (!(std::abs(value) <= std::numeric_limits<double>::max() / 2))
    throw Error(fmt::format("column '{}'", name), fmt::format("holds {}, and a proof has no room for it", value), "scale its numbers");
  return spelled(value);
}

// The cells of a feature in all rows.
class Cells {
 public:
  explicit Cells(const Column& column) : column_(column) {
    for (const std::string& level : column.levels) levels_.push_back(quoted(level));
  }

  std::string of(std::size_t row) const {
    if (column_.missing(row)) return "-";
    return column_.kind == ColumnKind::numeric ? number(column_.values[row], column_.name)
                                               : levels_[static_cast<std::size_t>(column_.codes[row])];
  }

 private:
  const Column& column_;
  std::vector<std::string> levels_;
};

std::string_view target_word(const Dataset& data) {
  if (!data.response) return "class";
  return data.response->loss == Loss::squared ? "target" : name_of(data.response->loss);
}

void write_head(const Dataset& data, const Labels& labels, const std::function<void(std::string_view)>& take) {
  std::string head = "treewright table 1";
  if (!data.response) head += "\nlabels";
  for (const std::string& name : labels.names) head += fmt::format(" \"{}\"", name);
  if (!data.costs.empty()) {
    std::vector<std::size_t> classes(labels.names.size());
    for (std::size_t k = 0; k < labels.place.size(); ++k) classes[static_cast<std::size_t>(labels.place[k])] = k;
    for (const std::size_t y : classes) {
      head += "\ncosts";
      for (const std::size_t a : classes) head.append(" ").append(number(data.costs[y * data.classes() + a], data.target_name));
    }
  }
  for (const Column& column : data.columns)
    head += fmt::format("\n{} {}", column.kind == ColumnKind::numeric ? "number" : "level", quoted(column.name));
  if (!data.weights.empty()) head += fmt::format("\nweight {}", quoted(weights_in_words(data)));
  if (data.row_costs.empty()) head += fmt::format("\n{} {}", target_word(data), quoted(data.target_name));
  for (std::size_t a = 0; a < labels.names.size() && !data.row_costs.empty(); ++a) head += fmt::format("\ncost \"{}\"", labels.names[a]);
  take(head + fmt::format("\nrows {}\n", data.rows()));
}

}  // namespace

std::string spelled(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte <= 0x7e && c != '"' && c != '\\') {
      out += c;
    } else {
      out += fmt::format("\\x{:02x}", byte);
    }
  }
  return out;
}

std::string spelled(double number) {
  assert(std::isfinite(number));
  if (number == 0) return "0";
  // d.ddde+dd, and the digits are the fewest ones.
  char text[32];
  const auto [end, code] = std::to_chars(text, text + sizeof text, std::abs(number), std::chars_format::scientific);
  const std::string_view written(text, static_cast<std::size_t>(end - text));
  const std::size_t e = written.find('e');
  std::string digits(written.substr(0, e));
  std::erase(digits, '.');
  const bool below_one = written[e + 1] == '-';
  int exponent = 0;
  std::from_chars(text + e + 2, end, exponent);
  if (below_one) exponent = -exponent;
  constexpr int kLeast = -4, kMost = 15;  // powers of ten that are written out
  const auto count = static_cast<int>(digits.size());
  if (exponent < kLeast || exponent > kMost) {
    if (count > 1) digits.insert(1, 1, '.');
    digits += fmt::format("e{}", exponent);
  } else if (exponent < 0) {
    digits = "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  } else if (count <= exponent + 1) {
    digits += std::string(static_cast<std::size_t>(exponent + 1 - count), '0');
  } else {
    digits.insert(static_cast<std::size_t>(exponent) + 1, 1, '.');
  }
  return number < 0 ? "-" + digits : digits;
}

Labels labels_of(const Dataset& data) {
  Labels labels;
  std::vector<std::string> spelling;
  for (const std::string& name : data.class_names) spelling.push_back(spelled(name));
  // A class without rows is a label only where something is said of what it costs.
  std::vector<bool> occurs(data.classes(), data.has_costs());
  for (const std::int32_t label : data.labels) occurs[static_cast<std::size_t>(label)] = true;
  std::vector<std::size_t> order;
  for (std::size_t k = 0; k < occurs.size(); ++k) {
    if (occurs[k]) order.push_back(k);
  }
  if (data.row_costs.empty())
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return spelling[a] < spelling[b]; });
  labels.place.assign(data.classes(), -1);
  for (const std::size_t k : order) {
    labels.place[k] = static_cast<std::int32_t>(labels.names.size());
    labels.names.push_back(spelling[k]);
  }
  return labels;
}

std::string weights_in_words(const Dataset& data) {
  if (data.weights.empty()) return "";
  const std::string& name = data.reading.weights;
  if (data.reading.class_weights.empty()) return name.empty() ? "row weights" : name;
  return name.empty() ? "class weights" : name + " times class weights";
}

void write_table(const Dataset& data, const std::function<void(std::string_view)>& take) {
  const Labels labels = labels_of(data);
  write_head(data, labels, take);
  const std::vector<Cells> cells(data.columns.begin(), data.columns.end());
  const std::string weights = weights_in_words(data);
  std::string line;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    stop_point();
    line.clear();
    for (const Cells& column : cells) line += column.of(row) + " ";
    if (!data.weights.empty()) line += number(data.weights[row], weights) + " ";
    if (data.response) {
      if (data.response->loss != Loss::squared) line += number(data.response->at_risk(row), "exposure") + " ";
      line += number(data.response->values[row], data.target_name);
    } else if (data.row_costs.empty()) {
      line += fmt::format("\"{}\"", labels.names[static_cast<std::size_t>(labels.place[static_cast<std::size_t>(data.labels[row])])]);
    } else {
      for (std::size_t a = 0; a < data.classes(); ++a)
        line.append(a > 0 ? " " : "").append(number(data.row_costs[row * data.classes() + a], data.class_names[a]));
    }
    take(line += "\n");
  }
}

std::string table_text(const Dataset& data) {
  std::string text;
  write_table(data, [&](std::string_view line) { text += line; });
  return text;
}

std::string fingerprint(const Dataset& data) {
  std::uint64_t sum = kHashOfNothing;
  write_table(data, [&](std::string_view line) { sum = hash(line, sum); });
  return hash_text(sum);
}

}  // namespace treewright::proof
