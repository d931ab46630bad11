#include "treewright/tree/objective.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace treewright {

Objective Objective::from(const Options& options, const Dataset& data) {
  const std::vector<double> totals = data.class_totals();
  const double total = std::accumulate(totals.begin(), totals.end(), 0.0);
  const double majority = *std::max_element(totals.begin(), totals.end());
  Objective objective;
  objective.alpha = options.ccp_alpha;
  if (options.alpha_scale == "majority-errors") objective.error_scale = total - majority;
  if (options.alpha_scale == "baseline-correct") objective.error_scale = majority;
  if (options.alpha_scale == "rows") objective.error_scale = total;
  return objective;
}

std::int64_t min_leaf_rows(double min_samples_leaf, std::size_t rows) {
  if (min_samples_leaf >= 1) return static_cast<std::int64_t>(std::ceil(min_samples_leaf));
  // 0.07 * 100 rounds to just above 7: a share must not ask for one row more than it says.
  const double wanted = min_samples_leaf * static_cast<double>(rows);
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(wanted - 1e-9 * wanted)));
}

double count_errors(const Tree& tree, const Dataset& data) {
  double errors = 0;
  for (std::size_t row = 0; row < data.labels.size(); ++row) {
    if (tree.node(tree.route(data, row)).label != data.labels[row]) errors += data.weight(row);
  }
  return errors;
}

}  // namespace treewright
