// A bound without a search, for runs that end before theirs has one.
//
// Two theorems, for any kind of split. A tree of j leaves errs on all classes but j (trivial_bound). And rows of equal features reach the
// same leaf, which errs on all of them but one class; a missing value is equal to a missing value. So the larger of the two is a bound.
//
// Rows are sorted by column after column, until no two are left together: O(columns * rows * log rows), and where a column of numbers comes
// early, O(rows * log rows).

#include "treewright/proof/certain_bound.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "treewright/proof/proof.h"

namespace treewright::proof {

namespace {

// Equal for equal cells alone.
std::uint64_t key(const Column& column, std::size_t row) {
  if (column.missing(row)) return ~std::uint64_t{0};  // the bits of a NaN, and no code
  if (column.kind == ColumnKind::categorical) return static_cast<std::uint64_t>(column.codes[row]);
  return std::bit_cast<std::uint64_t>(column.values[row] == 0 ? 0.0 : column.values[row]);  // -0 is 0
}

double errors_of_equal_rows(const Dataset& data) {
  struct Row {
    std::uint32_t group;
    std::uint64_t key;
    std::uint32_t row;
  };
  std::vector<Row> rows(data.rows());
  for (std::uint32_t i = 0; i < rows.size(); ++i) rows[i] = {0, 0, i};
  for (const Column& column : data.columns) {
    for (Row& row : rows) row.key = key(column, row.row);
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return std::pair(a.group, a.key) < std::pair(b.group, b.key); });
    std::uint32_t groups = 0;
    for (std::size_t i = 0, before = 0; i < rows.size(); ++i) {
      const bool same = i > 0 && rows[i].group == before && rows[i].key == rows[i - 1].key;
      before = rows[i].group;
      rows[i].group = same ? groups - 1 : groups++;
    }
    if (groups == rows.size()) return 0;
  }
  double errors = 0;
  std::vector<double> weight(data.classes());
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    std::fill(weight.begin(), weight.end(), 0.0);
    for (; end < rows.size() && rows[end].group == rows[begin].group; ++end)
      weight[static_cast<std::size_t>(data.labels[rows[end].row])] += data.weight(rows[end].row);
    errors += std::accumulate(weight.begin(), weight.end(), 0.0) - *std::max_element(weight.begin(), weight.end());
  }
  return errors;
}

}  // namespace

double certain_bound(const Dataset& data, int depth, double price) {
  const std::int64_t leaves = full_splits(std::min(depth, 60)) + 1;
  const double least = std::max(trivial_bound(data.total_weight(), data.class_totals(), leaves, price), errors_of_equal_rows(data));
  return std::max(0.0, least - data.weight_tolerance());
}

}  // namespace treewright::proof
