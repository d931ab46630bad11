#include "treewright/tree/aligned.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "treewright/data/losses.h"
#include "treewright/error.h"

namespace treewright {

namespace {

// The columns, but not their codes.
void need_columns(const Tree& tree, const Dataset& data, const std::vector<FeatureId>& used) {
  const char* const fix = "call align(data, tree) first, which finds columns and levels by their names";
  for (const FeatureId id : used) {
    const auto at = static_cast<std::size_t>(+id);
    if (+id < 0 || at >= tree.features.size())
      throw Error("tree", fmt::format("asks column {} of {}", +id, tree.features.size()), "split by columns that the tree has");
    const Feature& feature = tree.features[at];
    const std::string where = fmt::format("column '{}'", feature.name);
    if (at >= data.columns.size() || data.columns[at].name != feature.name) throw Error(where, "is not where the tree asks for it", fix);
    const Column& column = data.columns[at];
    if (column.kind != feature.kind || column.notation != feature.notation) throw Error(where, "is of another kind than in the tree", fix);
    if (column.levels != feature.levels) throw Error(where, "has other levels than in the tree, or in another order", fix);
    if (column.size() != data.rows()) {
      throw Error(where, fmt::format("has {} rows, but the data have {}", column.size(), data.rows()),
                  "give every column the same number of rows");
    }
  }
}

// From the first to before the last of these rows.
void need_codes(const Dataset& data, const std::vector<FeatureId>& used, std::size_t first, std::size_t last) {
  for (const FeatureId id : used) {
    const Column& column = data.columns[static_cast<std::size_t>(+id)];
    if (column.kind == ColumnKind::numeric) continue;
    const auto levels = static_cast<std::int32_t>(column.levels.size());
    std::int32_t largest = -1;
    for (std::size_t row = first; row < last; ++row) largest = std::max(largest, column.codes[row]);
    if (largest >= levels) {
      throw Error(fmt::format("column '{}'", column.name), fmt::format("code {} is outside 0..{}", largest, levels - 1),
                  "use codes of the column's levels, or -1 for a missing value");
    }
  }
}

}  // namespace

std::vector<std::string> names_of_columns(const std::vector<Feature>& features) {
  std::vector<std::string> names;
  for (const Feature& feature : features) names.push_back(feature.name);
  return names;
}

void need_classes(const Tree& tree) {
  if (tree.loss) throw Error("tree", "predicts numbers, and this is about classes", "give a tree that predicts classes");
  if (tree.class_names.empty()) throw Error("tree", "has no classes", "give a tree that was trained or read");
}

void need_classes(const Dataset& data) {
  if (!data.response) return;
  throw Error(fmt::format("target '{}'", data.target_name), "is a number, and this is about classes", "take its numbers as classes");
}

void need_numbers(const Tree& tree) {
  if (!tree.loss) throw Error("tree", "predicts classes, and this is about numbers", "give a tree that predicts numbers");
}

void need_trained(const Tree& tree) {
  if (!tree.loss) need_classes(tree);
}

void need_aligned(const Tree& tree, const Dataset& data) {
  if (data.rows() == 0) return;
  const std::vector<FeatureId> used = tree.features_used();
  need_columns(tree, data, used);
  need_codes(data, used, 0, data.rows());
}

void need_all_aligned(const Tree& tree, const Dataset& data) {
  std::vector<FeatureId> all;
  for (std::size_t f = 0; f < tree.features.size(); ++f) all.push_back(FeatureId{static_cast<std::int32_t>(f)});
  need_columns(tree, data, all);
  need_codes(data, all, 0, data.rows());
}

void need_aligned(const Tree& tree, const Dataset& data, std::size_t row) {
  if (row >= data.rows()) {
    throw Error(fmt::format("row {}", row), fmt::format("is none of the {} rows", data.rows()), "number the rows from 0", ErrorKind::usage);
  }
  need_trained(tree);
  const std::vector<FeatureId> used = tree.features_used();
  need_columns(tree, data, used);
  need_codes(data, used, row, row + 1);
}

void need_labels(const Dataset& data) {
  if (data.rows() > 0 && !data.labeled()) throw Error("data", "the rows have no labels", "name the target column");
  for (const std::int32_t label : data.labels) {
    if (label >= 0 && static_cast<std::size_t>(label) < data.classes()) continue;
    throw Error(fmt::format("target '{}'", data.target_name), fmt::format("label {} is not a class", label), "use labels 0..classes-1");
  }
  if (!data.weights.empty() && data.weights.size() != data.rows()) {
    throw Error("weights", fmt::format("{} weights for {} rows", data.weights.size(), data.rows()), "give one weight per row");
  }
}

void need_labels(const Tree& tree, const Dataset& data) {
  need_labels(data);
  if (!data.labeled() || data.class_names == tree.class_names) return;
  throw Error(fmt::format("target '{}'", data.target_name), "has other classes than the tree, or in another order",
              "call align(data, tree) first, which finds them by name");
}

void need_response(const Tree& tree, const Dataset& data) {
  need_numbers(tree);
  const std::string where = fmt::format("target '{}'", data.target_name);
  if (!data.response) throw Error(where, "the rows have no numbers", "name the target column");
  if (data.response->loss != *tree.loss) {
    throw Error(where, fmt::format("its loss is {}, and the tree's is {}", name_of(data.response->loss), name_of(*tree.loss)),
                "give rows of the kind that the tree was trained on");
  }
  data.validate();
}

void need_target(const Tree& tree, const Dataset& data) {
  if (tree.loss) {
    need_response(tree, data);
  } else {
    need_labels(tree, data);
  }
}

}  // namespace treewright
