#include "treewright/formulate/split_bounds.h"

#include <algorithm>
#include <limits>

#include "treewright/search/exact.h"
#include "treewright/tree/measures.h"

namespace treewright::formulate {

namespace {

// Rows times cuts that are tried at most: a second or two.
constexpr double kMostWork = 2e6;

double optimum(const Cells& cells, const std::vector<std::int32_t>& rows, const FormulationOptions& options, Deadline& deadline) {
  const Dataset part = cells.data->subset(rows);
  Tree leaf(part);
  leaf.tally(part);
  const double errors = count_errors(leaf, part);
  if (errors == 0 || options.max_depth <= 1) return errors;
  search::ExactSearchOptions how;
  how.max_depth = options.max_depth - 1;
  how.min_rows = options.min_rows;
  how.split_price = options.price;
  how.family = &cells.family;
  return std::min(errors, search::search_exact(part, how, leaf, deadline).lower);
}

}  // namespace

std::vector<double> split_bounds(const Cells& cells, const FormulationOptions& options, Deadline& deadline) {
  double cuts = 0;
  for (const search::Ordering& ordering : cells.orderings()) cuts += ordering.ranks - 1;
  const std::size_t n = cells.data->rows();
  if (options.max_depth < 1 || options.max_depth > 3 || cuts * static_cast<double>(n) > kMostWork) return {};

  std::vector<double> bounds;
  for (const search::Ordering& ordering : cells.orderings()) {
    double best = mip::MipModel::kInfinity;
    for (std::uint32_t low = 0; low + 1 < ordering.ranks; ++low) {
      std::vector<std::int32_t> left, right;
      for (std::size_t row = 0; row < n; ++row) (ordering.rank[row] <= low ? left : right).push_back(static_cast<std::int32_t>(row));
      if (static_cast<std::int64_t>(std::min(left.size(), right.size())) < options.min_rows) continue;
      Deadline search = deadline.task(std::numeric_limits<std::int64_t>::max());
      const double one_side = optimum(cells, left, options, search);
      if (deadline.poll()) return {};
      if (one_side >= best) continue;
      best = std::min(best, one_side + optimum(cells, right, options, search));
      if (deadline.poll()) return {};
    }
    bounds.push_back(best + options.price);
  }
  return bounds;
}

}  // namespace treewright::formulate
