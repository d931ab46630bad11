// A result for people and other programs: exports and the report.

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "treewright/api/handles.h"
#include "treewright/explain.h"
#include "treewright/explain/facts.h"
#include "treewright/export.h"
#include "treewright/report.h"
#include "treewright/tree.h"

using namespace treewright;
using treewright::api::answered;
using treewright::api::guarded;
using treewright::api::need;
using treewright::api::need_index;

namespace {

// The rows in the tree's columns; nothing for NULL.
std::optional<Dataset> rows_for(const Tree& tree, const tw_dataset* dataset) {
  if (dataset == nullptr) return std::nullopt;
  return align(dataset->data, tree);
}

std::string to_json(const Tree& tree, const std::optional<Counterfactual>& found) {
  if (!found) return "null";
  nlohmann::json changes = nlohmann::json::array();
  for (const Change& change : found->changes) {
    const nlohmann::json below = change.below ? nlohmann::json(*change.below) : nlohmann::json();
    changes.push_back({{"feature", +change.feature}, {"from", change.from}, {"to", change.to}, {"below", below}});
  }
  const Node& leaf = tree.node(found->leaf);
  nlohmann::json json = {{"distance", found->distance}, {"changes", changes}};
  tree.loss ? json["value"] = leaf.estimate.value : json["label"] = leaf.label;
  return json.dump();
}

}  // namespace

int32_t tw_format_count(void) {
  return static_cast<int32_t>(export_table().size());
}

tw_status tw_format_at(int32_t index, tw_format_info* info) {
  return guarded([&] {
    const ExportFormat& format = export_table()[need_index(index, export_table().size(), "index")];
    api::write_struct(info, "info", {sizeof(tw_format_info), format.name.data(), format.extension.data(), format.description.data()});
  });
}

tw_status tw_result_write(const tw_result* result, const char* format, const tw_export* options, const tw_dataset* rows, char** text,
                          int64_t* length) {
  return guarded([&] {
    ExportOptions how;
    const char* names = nullptr;
    if (options != nullptr) {
      const tw_export given = api::read_struct(options, "options");
      if (given.name != nullptr) how.name = given.name;
      how.backquotes = given.backquotes != 0;
      names = given.names;
    }
    const Result& stored = need(result, "result").result;
    std::optional<Result> named;
    if (names != nullptr) {
      named = stored;
      name_columns(named->tree, names, "names");
    }
    const Result& from = named ? *named : stored;
    const std::optional<Dataset> data = rows_for(from.tree, rows);
    const std::string written = export_tree(from, &need(format, "format"), data ? &*data : nullptr, how);
    char*& to = need(text, "text");
    to = api::new_text(written);
    if (length != nullptr) *length = static_cast<int64_t>(written.size());
  });
}

tw_status tw_result_facts(const tw_result* result, const tw_dataset* rows, char** text) {
  return guarded([&] {
    const Result& from = need(result, "result").result;
    const std::optional<Dataset> train = rows_for(from.tree, rows);
    char*& to = need(text, "text");
    to = api::new_text(explain::facts(from, train ? &*train : nullptr) + explain::fact_notes(from));
  });
}

tw_status tw_result_explain(const tw_result* result, const tw_dataset* dataset, int64_t row, const tw_dataset* train, char** text) {
  return answered(text, "text", [&] {
    const Tree& tree = need(result, "result").result.tree;
    const Dataset data = align(need(dataset, "dataset").data, tree);
    const std::size_t chosen = need_index(row, data.rows(), "row");
    const std::optional<Dataset> given = rows_for(tree, train);
    return api::new_text(explain_row(tree, data, chosen, given ? &*given : nullptr));
  });
}

namespace {

tw_status nearest(const tw_result* result, const tw_dataset* dataset, int64_t row, const tw_dataset* train, const WantedNumber& wanted,
                  char** json) {
  return guarded([&] {
    const Tree& tree = need(result, "result").result.tree;
    const Dataset data = align(need(dataset, "dataset").data, tree);
    const std::size_t chosen = need_index(row, data.rows(), "row");
    char*& to = need(json, "json");
    std::vector<double> scale(tree.features.size(), 1);
    const std::optional<Dataset> rows = rows_for(tree, train);
    if (rows) std::transform(rows->columns.begin(), rows->columns.end(), scale.begin(), column_scale);
    to = api::new_text(to_json(tree, nearest_change(tree, data, chosen, scale, rows ? &*rows : nullptr, wanted)));
  });
}

}  // namespace

tw_status tw_result_counterfactual(const tw_result* result, const tw_dataset* dataset, int64_t row, const tw_dataset* train, char** json) {
  return nearest(result, dataset, row, train, {}, json);
}

tw_status tw_result_change_to(const tw_result* result, const tw_dataset* dataset, int64_t row, const tw_dataset* train, double below,
                              double above, char** json) {
  const auto given = [](double number) { return std::isfinite(number) ? std::optional(number) : std::nullopt; };
  return nearest(result, dataset, row, train, {given(below), given(above)}, json);
}

tw_status tw_shapley_values(const tw_result* result, const tw_dataset* dataset, double* values, double* average) {
  return guarded([&] {
    const Tree& tree = need(result, "result").result.tree;
    const Dataset data = align(need(dataset, "dataset").data, tree);
    if (data.rows() == 0) throw Error("dataset", "there are no rows", "give one row at least");
    double *to = &need(values, "values"), *mean = &need(average, "average");
    for (std::size_t row = 0; row < data.rows(); ++row) {
      const ShapleyValues found = shapley_values(tree, data, row);
      for (const std::vector<double>& of_feature : found.values) to = std::copy(of_feature.begin(), of_feature.end(), to);
      std::copy(found.average.begin(), found.average.end(), mean);
    }
  });
}

tw_status tw_result_report(const tw_result* result, const tw_report* options, char** html) {
  return answered(html, "html", [&] {
    Result from = need(result, "result").result;
    const tw_report given = api::read_struct(options, "options");
    if (given.names != nullptr) name_columns(from.tree, given.names, "names");
    const std::optional<Dataset> train = rows_for(from.tree, given.train), test = rows_for(from.tree, given.test);
    ReportParts parts;
    parts.result = &from;
    parts.believed = result->of_file;
    if (train) parts.train = &*train;
    if (test) parts.test = &*test;
    if (given.beside != nullptr) parts.beside = &given.beside->result;
    if (given.path != nullptr) {
      for (const PathPoint& point : given.path->path.points) {
        parts.path.push_back(corner_of(point, parts.test));
      }
    }
    if (given.title != nullptr) parts.title = given.title;
    if (given.data_name != nullptr) parts.data_name = given.data_name;
    parts.with_rows = given.with_rows != 0;
    if (given.author != nullptr) parts.author = given.author;
    if (given.date != nullptr) parts.date = given.date;
    return api::new_text(given.notebook != 0 ? to_notebook_html(parts) : to_html(parts));
  });
}
