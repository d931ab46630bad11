#include "treewright/formulate/cells.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "treewright/base/stop_point.h"

namespace treewright::formulate {

std::vector<std::size_t> Cells::all() const {
  std::vector<std::size_t> numbers(size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  return numbers;
}

Cells Cells::from(const Dataset& data, bool merge) {
  Cells result(data);
  // Not merged and with rows of no weight kept, the problem's items are the rows.
  result.problem = search::make_problem(data, true, false, false, &result.family);
  for (const search::Ordering& ordering : result.problem.orderings) {
    std::vector<double>& values = result.values.emplace_back();
    if (!ordering.levels.empty() || ordering.missing_first || ordering.missing_last) continue;
    values.resize(ordering.ranks);
    for (std::size_t row = 0; row < data.rows(); ++row) values[ordering.rank[row]] = data.columns[+ordering.feature].values[row];
  }
  const std::size_t classes = data.classes();
  std::map<std::vector<std::uint32_t>, std::size_t> seen;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    stop_point();
    std::vector<std::uint32_t> rank;
    for (const search::Ordering& ordering : result.problem.orderings) rank.push_back(ordering.rank[row]);
    std::size_t at = result.cells.size();
    if (merge) at = seen.try_emplace(rank, at).first->second;
    if (at == result.cells.size())
      result.cells.push_back({std::move(rank), std::vector<double>(classes, 0.0), 0, 0, static_cast<std::uint32_t>(row)});
    result.cells[at].class_weight[data.labels[row]] += data.weight(row);
    result.cells[at].weight += data.weight(row);
    ++result.cells[at].rows;
  }
  result.totals.assign(classes, 0.0);
  for (RowCell& cell : result.cells) {
    const double lightest = *std::min_element(cell.class_weight.begin(), cell.class_weight.end());
    result.base_errors += lightest * static_cast<double>(classes - 1);
    for (std::size_t k = 0; k < classes; ++k) result.totals[k] += cell.class_weight[k] -= lightest;
  }
  for (std::size_t k = 0; k < classes; ++k) {
    if (result.totals[k] > 0) result.classes.push_back(static_cast<std::int32_t>(k));
  }
  return result;
}

}  // namespace treewright::formulate
