// The inverse of the CSV reader.

#include "treewright/data/write_csv.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "treewright/data.h"

namespace treewright {

namespace {

void append_number(std::string& out, double value) {
  if (std::isnan(value)) return;
  char digits[32];
  const auto [end, code] = std::to_chars(digits, digits + sizeof digits, value);
  out.append(digits, end);
}

void append_text(std::string& out, const std::string& text, bool single_cell) {
  static const std::vector<std::string> markers = ReadOptions().missing;
  // Other separators are quoted as well, so that the reader cannot mistake one of them for the comma.
  const bool quote = text.find_first_of(single_cell ? ",;\t\"\r\n " : ",;\t\"\r\n") != std::string::npos || text.empty() ||
                     text.front() == ' ' || text.back() == ' ' || std::find(markers.begin(), markers.end(), text) != markers.end();
  out += quote ? csv_quoted(text) : text;
}

}  // namespace

std::string csv_quoted(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string weight_column_name(const Dataset& data) {
  std::string name = "weight";
  const auto taken = [&](const Column& column) { return column.name == name; };
  while (name == data.target_name || std::any_of(data.columns.begin(), data.columns.end(), taken)) name += '_';
  return name;
}

std::string write_csv(const Dataset& data) {
  std::string out;
  bool first = true;
  const bool single_cell = data.columns.size() + !data.weights.empty() + data.labeled() == 1;
  const auto begin_cell = [&] {
    if (!first) out += ',';
    first = false;
  };
  const auto end_row = [&] {
    out += '\n';
    first = true;
  };
  for (const Column& column : data.columns) {
    begin_cell();
    append_text(out, column.name, single_cell);
  }
  if (!data.weights.empty()) {
    begin_cell();
    append_text(out, weight_column_name(data), single_cell);
  }
  if (data.labeled()) {
    begin_cell();
    append_text(out, data.target_name, single_cell);
  }
  end_row();
  for (std::size_t row = 0; row < data.rows(); ++row) {
    for (const Column& column : data.columns) {
      begin_cell();
      if (column.missing(row)) {
        if (single_cell) out += "\"\"";  // an empty line would be skipped
      } else if (column.has_levels()) {
        append_text(out, column.levels[column.code(row)], single_cell);
      } else {
        append_number(out, column.values[row]);
      }
    }
    if (!data.weights.empty()) {
      begin_cell();
      append_number(out, data.weights[row]);
    }
    if (data.labeled()) {
      begin_cell();
      append_text(out, data.class_names[data.labels[row]], single_cell);
    }
    end_row();
  }
  return out;
}

}  // namespace treewright
