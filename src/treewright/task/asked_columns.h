#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "treewright/data.h"
#include "treewright/options.h"
#include "treewright/result.h"
#include "treewright/task/tree_top.h"
#include "treewright/tree.h"

namespace treewright {

/// The column that the root of a tree asks about, or all splits that it begins with, the columns that no split asks about, and how many
/// different ones all splits may ask about: the options first_column, top, never_columns and max_columns.
class AskedColumns {
 public:
  AskedColumns() = default;
  /// Throws Error on a name that is none of these columns, and on a column that is both asked and never to be asked.
  AskedColumns(const Options& options, const std::vector<Feature>& columns);
  /// As the options of the result say, among the columns of its tree.
  static AskedColumns of(const Result& result);

  const std::optional<FeatureId>& first() const { return first_; }
  /// Null = a tree begins with any split.
  const TreeTop* top() const { return top_ ? &*top_ : nullptr; }
  const std::vector<FeatureId>& never() const { return never_; }
  /// -1 = any number.
  std::int64_t most() const { return most_; }
  /// The same without a limit on their number.
  AskedColumns of_any_number() const;
  /// The same in one place below the splits that a tree begins with; `first` is asked there, if anything is.
  AskedColumns below_top(std::optional<FeatureId> first, const std::string& its_name) const;
  /// Whether the tree keeps to them.
  bool hold(const Tree& tree) const;
  /// "asks 'age' first and never asks 'income'", "asks at most 3 columns"; "" = any tree does.
  std::string in_words() const;

 private:
  std::optional<FeatureId> first_;
  std::optional<TreeTop> top_;
  std::vector<FeatureId> never_;
  std::int64_t most_ = -1;
  std::vector<std::string> first_name_, never_names_;  // the first has one at most
};

/// Whether the tree has a root that splits by this column and no other.
bool asks_first(const Tree& tree, FeatureId column);

/// The names of the data's columns.
std::vector<std::string> names_of_columns(const Dataset& data);

/// Makes these columns constant: no split on them parts any rows, so that training on `data` is training without them, with the same
/// numbers for all columns. A split on them leaves a side without rows, so a start tree that has one is taken for one without it.
void hide_columns(Dataset& data, const std::vector<FeatureId>& columns);

}  // namespace treewright
