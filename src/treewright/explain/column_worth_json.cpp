#include "treewright/explain/column_worth_json.h"

#include <cmath>

#include "treewright/explain.h"
#include "treewright/explain/markup.h"
#include "treewright/explain/text.h"
#include "treewright/result.h"
#include "treewright/task/tree_top.h"
#include "treewright/tree/tree_json.h"

namespace treewright::explain {

nlohmann::ordered_json interval_json(const LeastCost& least) {
  const auto number = [](double value) { return std::isfinite(value) ? nlohmann::ordered_json(value) : "inf"; };
  return {{"bound", number(least.bound)}, {"cost", number(least.cost)}, {"status", to_string(least.status)}};
}

nlohmann::ordered_json least_json(const LeastCost& least) {
  nlohmann::ordered_json json = interval_json(least);
  if (least.result) json["tree"] = nlohmann::ordered_json::parse(summary_json(*least.result));
  return json;
}

std::string asked_text(const ColumnSplit& column) {
  if (!column.split) return shortened(clean(column.name), 40);
  std::string asked = question(*column.split, column.least.result->tree);
  asked.pop_back();  // the question mark
  return shortened(clean(asked), 60);
}

nlohmann::ordered_json split_json(const ColumnSplit& column) {
  nlohmann::ordered_json json = {{"name", name_json(column.name)}};
  if (column.split) {
    json["text"] = asked_text(column);
    json["split"] = top_split(*column.split, column.least.result->tree);
  }
  json.update(interval_json(column.least));
  return json;
}

nlohmann::ordered_json splits_json(const ColumnSplits& found) {
  nlohmann::ordered_json json;
  json["status"] = to_string(found.status);
  json["unit"] = found.whole ? "errors" : "cost";
  json["best"] = least_json(found.best);
  json["leaf"] = interval_json(found.leaf);
  json["solves"] = found.solves;
  json["columns"] = nlohmann::ordered_json::array();
  for (const ColumnSplit& column : found.columns) json["columns"].push_back(split_json(column));
  json["left_out"] = names_json(found.left_out);
  return json;
}

}  // namespace treewright::explain
