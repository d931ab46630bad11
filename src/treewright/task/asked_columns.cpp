#include "treewright/task/asked_columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "treewright/base/did_you_mean.h"
#include "treewright/base/error.h"
#include "treewright/base/named_numbers.h"
#include "treewright/tree/aligned.h"

namespace treewright {

namespace {

constexpr const char* kFirst = "first_column";
constexpr const char* kNever = "never_columns";
constexpr const char* kMost = "max_columns";
constexpr const char* kTop = "top";

FeatureId column_named(std::string_view name, const std::vector<std::string>& columns, const char* option) {
  const auto found = std::find(columns.begin(), columns.end(), name);
  if (found != columns.end()) return FeatureId{static_cast<std::int32_t>(found - columns.begin())};
  throw option_error(option, fmt::format("there is no column '{}' to ask{}", name, did_you_mean(std::string(name), columns)),
                     fmt::format("name one of {}", fmt::join(columns, ", ")));
}

// Names may have commas: each is the longest one that is a column's.
std::vector<FeatureId> columns_named(std::string_view text, const std::vector<std::string>& columns, const char* option) {
  std::vector<FeatureId> named;
  while (!text.empty()) {
    std::size_t end = longest_name(text, columns, ',', true);
    if (end == 0) end = std::min(text.find(','), text.size());
    named.push_back(column_named(text.substr(0, end), columns, option));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  std::sort(named.begin(), named.end());
  named.erase(std::unique(named.begin(), named.end()), named.end());
  return named;
}

}  // namespace

AskedColumns::AskedColumns(const Options& options, const std::vector<Feature>& features)
    : never_(columns_named(options.never_columns, names_of_columns(features), kNever)), most_(options.max_columns) {
  const std::vector<std::string> columns = names_of_columns(features);
  const std::string& first = options.first_column;
  if (!first.empty()) {
    first_ = column_named(first, columns, kFirst);
    first_name_.emplace_back(first);
  }
  for (const FeatureId column : never_) never_names_.push_back(columns[static_cast<std::size_t>(+column)]);
  if (first_ && std::find(never_.begin(), never_.end(), *first_) != never_.end()) {
    throw option_error(kFirst, fmt::format("'{}' is to be asked first, and never", first), "take it out of one of the two");
  }
  if (!options.top.empty()) {
    top_.emplace(options.top, features);
    for (const FeatureId column : top_->columns()) {
      if (std::find(never_.begin(), never_.end(), column) != never_.end())
        throw option_error(kTop, fmt::format("'{}' is never to be asked, and a split asks it", columns[static_cast<std::size_t>(+column)]),
                           "take it out of one of the two");
    }
  }
  if (first_ && most_ == 0) throw option_error(kMost, "is 0, and a column is to be asked first", "allow one column");
}

AskedColumns AskedColumns::of(const Result& result) {
  Options options;
  for (const auto& [name, value] : result.options) {
    if (name == kFirst || name == kNever || name == kMost || name == kTop) set_option(options, name, value);
  }
  return {options, result.tree.features};
}

AskedColumns AskedColumns::of_any_number() const {
  AskedColumns other = *this;
  other.most_ = -1;
  return other;
}

AskedColumns AskedColumns::below_top(std::optional<FeatureId> first, const std::string& its_name) const {
  AskedColumns other = *this;
  other.top_.reset();
  other.first_ = first;
  other.first_name_ = {its_name};
  return other;
}

bool AskedColumns::hold(const Tree& tree) const {
  const std::vector<FeatureId> used = tree.features_used();
  for (const FeatureId column : used) {
    if (std::find(never_.begin(), never_.end(), column) != never_.end()) return false;
  }
  if (most_ >= 0 && static_cast<std::int64_t>(used.size()) > most_) return false;
  if (top_ && !top_->begins(tree)) return false;
  return !first_ || asks_first(tree, *first_);
}

std::string AskedColumns::in_words() const {
  std::vector<std::string> words;
  if (first_) words.push_back(fmt::format("asks '{}' first", first_name_.front()));
  if (top_ && !top_->asked().empty() && !top_->has_splits()) {
    words.emplace_back("begins with the given column");
  } else if (top_) {
    words.emplace_back(top_->asked().empty() ? "begins with the given splits" : "begins with the given splits and columns");
  }
  if (!never_.empty()) words.push_back(fmt::format("never asks '{}'", fmt::join(never_names_, "', '")));
  if (most_ >= 0) words.push_back(fmt::format("asks at most {} column{}", most_, most_ == 1 ? "" : "s"));
  return fmt::format("{}", fmt::join(words, " and "));
}

bool asks_first(const Tree& tree, FeatureId column) {
  const Node& root = tree.node(Tree::root());
  return !root.is_leaf() && root.split->feature() == column;
}

std::vector<std::string> names_of_columns(const Dataset& data) {
  std::vector<std::string> names;
  for (const Column& column : data.columns) names.push_back(column.name);
  return names;
}

void hide_columns(Dataset& data, const std::vector<FeatureId>& columns) {
  for (const FeatureId hidden : columns) {
    Column& column = data.columns[static_cast<std::size_t>(+hidden)];
    if (!column.values.empty()) std::fill(column.values.begin(), column.values.end(), column.values.front());
    if (!column.codes.empty()) std::fill(column.codes.begin(), column.codes.end(), column.codes.front());
  }
}

}  // namespace treewright
