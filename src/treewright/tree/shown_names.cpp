#include <fmt/format.h>

#include <algorithm>

#include "treewright/data/read/csv_scanner.h"
#include "treewright/error.h"
#include "treewright/tree.h"

namespace treewright {

std::vector<std::string> name_columns(Tree& tree, std::string_view csv, const std::string& origin) {
  constexpr const char* kLayout = "write a line for each column, such as: bp,blood pressure,mmHg";
  CsvScanner scanner(csv, ',', origin);
  std::vector<std::string> unknown, seen;
  for (std::vector<Cell> cells; scanner.next(cells);) {
    const std::string column(cells[0].text), where = fmt::format("{}, line {}", origin, scanner.line());
    if (cells.size() < 2 || cells.size() > 3)
      throw Error(where, fmt::format("has {} cell{} instead of column,name,unit", cells.size(), cells.size() == 1 ? "" : "s"), kLayout,
                  ErrorKind::file);
    if (seen.empty() && column == "column" && cells[1].text == "name") continue;
    if (std::ranges::find(seen, column) != seen.end())
      throw Error(where, fmt::format("column '{}' is named twice", column), "name it once", ErrorKind::file);
    seen.push_back(column);
    const auto feature = std::ranges::find(tree.features, column, &Feature::name);
    if (feature == tree.features.end()) {
      if (column != tree.target_name) unknown.push_back(column);
      continue;
    }
    feature->shown_name = cells[1].text;
    feature->shown_unit = cells.size() == 3 ? std::string(cells[2].text) : "";
  }
  return unknown;
}

Tree called_as(Tree tree, const Tree& other) {
  for (Feature& feature : tree.features) {
    const auto same = std::ranges::find(other.features, feature.name, &Feature::name);
    if (same == other.features.end()) continue;
    feature.shown_name = same->shown_name;
    feature.shown_unit = same->shown_unit;
  }
  return tree;
}

}  // namespace treewright
