#include "treewright/report/page_data.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "treewright/explain.h"
#include "treewright/explain/markup.h"
#include "treewright/result.h"

namespace treewright::report {

namespace {

// Of a column of whole numbers: each threshold with the last value below it and the first one from it on, which a reader can be told.
nlohmann::json steps_at(const Tree& tree, FeatureId column, const std::vector<double>& sorted) {
  nlohmann::json steps = nlohmann::json::array();
  for (const Node& node : tree.nodes()) {
    const AxisSplit* axis = node.axis();
    if (axis == nullptr || axis->feature != column) continue;
    const auto right = std::lower_bound(sorted.begin(), sorted.end(), axis->threshold);
    if (right != sorted.begin() && right != sorted.end()) steps.push_back({axis->threshold, *std::prev(right), *right});
  }
  return steps;
}

// The levels that no row has.
nlohmann::json unseen_levels(const Column& column) {
  std::vector<bool> seen(column.levels.size(), false);
  for (std::size_t row = 0; row < column.size(); ++row) {
    if (!column.missing(row)) seen[column.code(row)] = true;
  }
  nlohmann::json unseen = nlohmann::json::array();
  for (std::size_t level = 0; level < seen.size(); ++level) {
    if (!seen[level]) unseen.push_back(level);
  }
  return unseen;
}

// What a row has shown, behind "is".
std::string seen_of(const Response& response, std::size_t row) {
  if (response.loss != Loss::survival) return explain::plain(response.values[row]);
  return "observed until " + explain::plain(response.times[row]) +
         (response.values[row] > 0 ? ", when the event was seen" : ", without the event");
}

}  // namespace

std::string page_data(const ReportParts& parts, const std::vector<std::int32_t>& contradicted) {
  const Tree& tree = parts.result->tree;
  nlohmann::json features = nlohmann::json::array(), rows = nlohmann::json::array();
  for (const FeatureId id : tree.features_used()) {
    nlohmann::json one = {{"feature", +id}};
    if (!tree.features[+id].shown_name.empty()) one["name"] = explain::utf8(tree.features[+id].shown_name);
    if (!tree.features[+id].shown_unit.empty()) one["unit"] = explain::utf8(tree.features[+id].shown_unit);
    if (parts.train != nullptr && tree.features[+id].has_levels()) {
      if (nlohmann::json unseen = unseen_levels(parts.train->columns[+id]); !unseen.empty()) one["unseen"] = std::move(unseen);
    } else if (parts.train != nullptr) {
      std::vector<double> values;
      for (const double v : parts.train->columns[+id].values) {
        if (!std::isnan(v)) values.push_back(v);
      }
      if (!values.empty()) {
        std::sort(values.begin(), values.end());
        one["low"] = values.front();
        one["high"] = values.back();
        one["middle"] = values[values.size() / 2];
        one["scale"] = column_scale(parts.train->columns[+id]);
        if (std::ranges::all_of(values, [](double v) { return v == std::floor(v); })) one["steps"] = steps_at(tree, id, values);
      }
    }
    features.push_back(one);
  }
  if (parts.with_rows && parts.train != nullptr) {
    for (std::size_t row = 0; row < parts.train->rows(); ++row) {
      nlohmann::json one = nlohmann::json::array();
      for (const FeatureId id : tree.features_used()) {
        const Column& column = parts.train->columns[+id];
        one.push_back(column.missing(row)   ? nlohmann::json(nullptr)
                      : column.has_levels() ? nlohmann::json(column.code(row))
                                            : nlohmann::json(column.values[row]));
      }
      one.push_back(tree.loss ? nlohmann::json(seen_of(*parts.train->response, row)) : nlohmann::json(parts.train->labels[row]));
      rows.push_back(one);
    }
  }
  const auto island = [](const std::string& id, const std::string& json) {
    return "<script type=\"application/json\" id=\"" + id + "\">" + explain::inside_script(json) + "</script>\n";
  };
  return island("tree-file", to_json(*parts.result)) +
         island("values", nlohmann::json({{"features", features}, {"rows", rows}, {"contradicted", contradicted}}).dump());
}

}  // namespace treewright::report
