#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "support/draw_case.h"
#include "support/text_case.h"
#include "treewright/data.h"
#include "treewright/data/losses.h"
#include "treewright/data/write_csv.h"

namespace treewright::testing {

/// The case in the format of tests/cases, with its rows in it. `note` becomes comment lines on top.
inline std::string to_case_text(const Case& c, const std::vector<std::string>& comparisons, const std::string& note) {
  std::ostringstream out;
  std::istringstream lines(note), rows(write_csv(c.data));
  for (std::string line; std::getline(lines, line);) out << "# " << line << "\n";
  out << "data inline\n";
  std::string categories;
  for (const Column& column : c.data.columns) {
    if (column.kind == ColumnKind::categorical) categories += (categories.empty() ? "" : ",") + column.name;
  }
  if (!categories.empty()) out << "categorical " << categories << "\n";
  if (!c.data.weights.empty()) out << "weights " << weight_column_name(c.data) << "\n";
  out.precision(17);
  const auto list = [&](const char* key, const std::vector<double>& numbers) {
    for (std::size_t i = 0; i < numbers.size(); ++i) out << (i == 0 ? std::string(key) + " " : ",") << numbers[i];
    if (!numbers.empty()) out << "\n";
  };
  list("costs", c.data.costs);
  list("row_costs", c.data.row_costs);
  if (c.data.response) {
    out << "loss " << name_of(c.data.response->loss) << "\n";
    list("numbers", c.data.response->values);
    list("exposures", c.data.response->loss == Loss::survival ? c.data.response->times : c.data.response->exposure);
  }
  for (std::string row; std::getline(rows, row);) out << "row " << row << "\n";
  for (const OptionInfo& info : option_table()) {
    const std::string value = get_option(c.options, info.name);
    if (value != get_option(Options(), info.name)) out << info.name << " " << value << "\n";
  }
  for (const std::string& name : comparisons) out << "compare " << name << "\n";
  return out.str();
}

/// The rows of a case with "data inline": CSV lines, the first of them the header.
inline Dataset inline_rows(const TextCase& c) {
  std::string csv;
  std::vector<std::string> names;
  for (const auto& [key, value] : c.lines) {
    if (key != "row") continue;
    if (names.empty()) names = words_of(value, ',');
    csv += value + "\n";
  }
  ReadOptions read;
  read.header = Header::yes;
  read.separator = ',';
  read.missing = {""};
  if (const std::string weights = c.value("weights"); !weights.empty()) read.weights = weights;
  const std::string loss = c.value("loss");
  if (loss.empty()) {
    names.pop_back();
  } else {
    read.target = {};
  }
  std::erase(names, c.value("weights"));
  for (const std::string& name : names) read.kinds[name] = ColumnKind::numeric;
  for (const std::string& name : words_of(c.value("categorical"), ',')) read.kinds[name] = ColumnKind::categorical;
  Dataset data = parse_csv(csv, "rows", read);
  for (const std::string& cost : words_of(c.value("costs"), ',')) data.costs.push_back(std::stod(cost));
  for (const std::string& cost : words_of(c.value("row_costs"), ',')) data.row_costs.push_back(std::stod(cost));
  if (loss.empty()) return data;
  Response& response = data.response.emplace();
  response.loss = loss_named(loss).value();
  for (const std::string& number : words_of(c.value("numbers"), ',')) response.values.push_back(std::stod(number));
  for (const std::string& number : words_of(c.value("exposures"), ',')) response.exposure.push_back(std::stod(number));
  if (response.loss == Loss::survival) {
    response.times = std::move(response.exposure);
    set_hazards(data);
  }
  return data;
}

}  // namespace treewright::testing
