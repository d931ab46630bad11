#pragma once

#include <string_view>
#include <vector>

#include "treewright/data.h"
#include "treewright/tree.h"

namespace treewright {

/// What each column costs that a tree asks about at all, once, in errors by weight: the option column_costs.
class ColumnPrices {
 public:
  ColumnPrices() = default;
  /// `of_column`: shape (features), or empty: none has a price.
  explicit ColumnPrices(std::vector<double> of_column) : of_column_(std::move(of_column)) {}
  /// `text`: "name=price,...". Throws Error on a name that is no column's, and on prices that are negative or not finite.
  static ColumnPrices from(std::string_view text, const Dataset& data);

  bool any() const { return !of_column_.empty(); }
  double of(FeatureId column) const {
    const auto place = static_cast<std::size_t>(+column);
    return place < of_column_.size() ? of_column_[place] : 0;
  }
  /// Of the columns that the tree asks about.
  double of(const Tree& tree) const;
  const std::vector<double>& of_column() const { return of_column_; }

 private:
  std::vector<double> of_column_;
};

}  // namespace treewright
