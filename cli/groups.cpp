// How a tree treats groups of rows: whether it is right as often for each, and predicts each class as often. Rates are shares of weight.

#include "groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "treewright/base/did_you_mean.h"
#include "treewright/base/text_table.h"
#include "treewright/error.h"
#include "treewright/explain/markup.h"
#include "treewright/explain/text.h"

namespace treewright::cli {

namespace {

constexpr std::size_t kMostGroups = 50;
constexpr std::size_t kClassesShown = 5;
constexpr const char* kMissing = "(missing)";

// Weights of the rows of one group.
struct Rates {
  double total = 0, right = 0;
  std::vector<double> predicted, truth;  // of each class
};

std::vector<Rates> rates_of(const Tree& tree, const std::vector<std::int32_t>& predicted, const Dataset& data, const Groups& groups) {
  const std::size_t classes = tree.class_names.size();
  std::vector<Rates> rates(groups.names.size(), Rates{0, 0, std::vector<double>(classes, 0), std::vector<double>(classes, 0)});
  for (std::size_t row = 0; row < predicted.size(); ++row) {
    Rates& group = rates[static_cast<std::size_t>(groups.of_row[row])];
    const double weight = data.weight(row);
    group.total += weight;
    group.right += predicted[row] == data.labels[row] ? weight : 0;
    group.predicted[static_cast<std::size_t>(predicted[row])] += weight;
    group.truth[static_cast<std::size_t>(data.labels[row])] += weight;
  }
  return rates;
}

std::string share(double part, double whole) {
  return whole > 0 ? fmt::format("{:.4f}", part / whole) : "-";
}

std::string name_of(const std::string& text) {
  constexpr std::size_t kLongest = 24;
  return explain::shortened(explain::clean(text), kLongest);
}

// The class whose share of predictions differs most between two groups.
std::string largest_difference(const Tree& tree, const Groups& groups, const std::vector<Rates>& rates) {
  double most = -1;
  std::string text;
  for (std::size_t k = 0; k < tree.class_names.size(); ++k) {
    std::size_t least = 0, largest = 0;
    double low = 2, high = -1;
    for (std::size_t g = 0; g < rates.size(); ++g) {
      if (rates[g].total <= 0) continue;
      const double rate = rates[g].predicted[k] / rates[g].total;
      if (rate < low) low = rate, least = g;
      if (rate > high) high = rate, largest = g;
    }
    if (high - low <= most) continue;
    most = high - low;
    text = fmt::format("the largest difference: '{}' is predicted for {:.4f} of '{}' and {:.4f} of '{}'\n", name_of(tree.class_names[k]),
                       high, name_of(groups.names[largest]), low, name_of(groups.names[least]));
  }
  if (rates.size() < 2) return "";
  return most > 0 ? text : "no difference: each label is predicted for the same share of every group\n";
}

}  // namespace

Groups Groups::subset(std::span<const std::int32_t> rows) const {
  Groups part{column, names, {}};
  if (of_row.empty()) return part;
  for (const std::int32_t row : rows) part.of_row.push_back(of_row[static_cast<std::size_t>(row)]);
  return part;
}

Groups groups_of(const Dataset& data, const std::string& column, const std::string& origin) {
  std::vector<std::string> names;
  for (const Column& one : data.columns) names.push_back(one.name);
  const auto found = std::find(names.begin(), names.end(), column);
  if (found == names.end()) {
    throw Error(fmt::format("{}, groups (--by)", origin), fmt::format("there is no column '{}'{}", column, did_you_mean(column, names)),
                "name a column of the file that is not the target");
  }
  const Column& values = data.columns[static_cast<std::size_t>(found - names.begin())];
  const Feature feature{values.name, values.kind, {}, false, values.notation};
  Groups groups{column, {}, {}};
  std::map<double, std::int32_t> group_of;  // ordered as the values are, missing ones last
  const auto key = [&](std::size_t row) {
    if (values.missing(row)) return HUGE_VAL;
    return values.has_levels() ? static_cast<double>(values.code(row)) : values.values[row];
  };
  for (std::size_t row = 0; row < data.rows(); ++row) group_of.emplace(key(row), 0);
  if (group_of.size() > kMostGroups) {
    throw Error(fmt::format("{}, column '{}'", origin, column), fmt::format("has {} different values: too many groups", group_of.size()),
                "name a column of few values");
  }
  for (auto& [value, group] : group_of) {
    group = static_cast<std::int32_t>(groups.names.size());
    groups.names.push_back(std::isinf(value)     ? kMissing
                           : values.has_levels() ? values.levels[static_cast<std::size_t>(value)]
                                                 : explain::number_text(value, feature));
  }
  for (std::size_t row = 0; row < data.rows(); ++row) groups.of_row.push_back(group_of.at(key(row)));
  return groups;
}

std::string groups_text(const Tree& tree, const std::vector<std::int32_t>& predicted, const Dataset& data, const Groups& groups) {
  const std::vector<Rates> rates = rates_of(tree, predicted, data, groups);
  const std::size_t shown = std::min(kClassesShown, tree.class_names.size());
  std::vector<std::vector<std::string>> rows = {{name_of(groups.column), data.weights.empty() ? "rows" : "weight", "accuracy"}};
  for (std::size_t k = 0; k < shown; ++k) {
    rows.front().push_back("predicted " + name_of(tree.class_names[k]));
    rows.front().push_back("true " + name_of(tree.class_names[k]));
  }
  for (std::size_t g = 0; g < rates.size(); ++g) {
    std::vector<std::string>& row = rows.emplace_back();
    row = {name_of(groups.names[g]), explain::plain(rates[g].total), share(rates[g].right, rates[g].total)};
    for (std::size_t k = 0; k < shown; ++k) {
      row.push_back(share(rates[g].predicted[k], rates[g].total));
      row.push_back(share(rates[g].truth[k], rates[g].total));
    }
  }
  return fmt::format(
      "groups of '{}': how often each class is predicted and true\n{}{}{}", name_of(groups.column), text_table(rows, CellAlignment::right),
      shown < tree.class_names.size() ? fmt::format("... and {} more classes (--json lists all)\n", tree.class_names.size() - shown) : "",
      largest_difference(tree, groups, rates));
}

nlohmann::ordered_json groups_json(const Tree& tree, const std::vector<std::int32_t>& predicted, const Dataset& data,
                                   const Groups& groups) {
  const auto ratio = [](double part, double whole) { return whole > 0 ? nlohmann::ordered_json(part / whole) : nlohmann::ordered_json(); };
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  const std::vector<Rates> rates = rates_of(tree, predicted, data, groups);
  for (std::size_t g = 0; g < rates.size(); ++g) {
    nlohmann::ordered_json classes = nlohmann::ordered_json::array();
    for (std::size_t k = 0; k < tree.class_names.size(); ++k) {
      classes.push_back({{"name", explain::utf8(tree.class_names[k])},
                         {"predicted", ratio(rates[g].predicted[k], rates[g].total)},
                         {"true", ratio(rates[g].truth[k], rates[g].total)}});
    }
    list.push_back({{"name", explain::utf8(groups.names[g])},
                    {"weight", rates[g].total},
                    {"accuracy", ratio(rates[g].right, rates[g].total)},
                    {"classes", classes}});
  }
  return {{"column", explain::utf8(groups.column)}, {"groups", list}};
}

}  // namespace treewright::cli
