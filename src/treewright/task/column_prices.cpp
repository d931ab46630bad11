#include "treewright/task/column_prices.h"

#include <algorithm>

#include "treewright/base/named_numbers.h"
#include "treewright/task/asked_columns.h"

namespace treewright {

ColumnPrices ColumnPrices::from(std::string_view text, const Dataset& data) {
  std::vector<double> prices(data.features(), 0.0);
  const NamedNumbers option{"column_costs", "column", "columns", "price", "age=0.5,blood=3"};
  for (const auto& [column, price] : option.read(text, names_of_columns(data))) prices[column] = price;
  return std::ranges::any_of(prices, [](double price) { return price > 0; }) ? ColumnPrices(std::move(prices)) : ColumnPrices();
}

double ColumnPrices::of(const Tree& tree) const {
  double sum = 0;
  if (any()) {
    for (const FeatureId column : tree.features_used()) sum += of(column);
  }
  return sum;
}

}  // namespace treewright
