#include "treewright/explain/column_worth.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "treewright/base/bound_text.h"
#include "treewright/explain/markup.h"

namespace treewright::explain {

namespace {

std::string interval(double low, double high) {
  const std::string least = bound_text(low, 6);
  return std::isfinite(high) ? fmt::format("{} to {}", least, plain(high)) : fmt::format("at least {}", least);
}

}  // namespace

std::string least_cost(const LeastCost& least, const std::string& none) {
  if (least.status == Status::infeasible) return none;
  return least.status == Status::optimal ? plain(least.cost) : interval(least.bound, least.cost);
}

std::string least_cost(const LeastCost& least, const ColumnWorths& worths, const std::string& none) {
  return least.beyond ? "more than " + plain(worths.best.cost + worths.most_more) : least_cost(least, none);
}

std::string worth(const ColumnWorth& column, const ColumnWorths& worths) {
  const LeastCost &never = column.never, &best = worths.best;
  if (!column.used && best.status == Status::optimal) return "0";
  if (never.beyond) return "more than " + plain(worths.most_more);
  const double low = least_loss(worths, column);
  if (never.status == Status::optimal && best.status == Status::optimal) return plain(std::max(0.0, more_than_best(worths, never.cost)));
  return interval(low, std::max(0.0, never.cost - best.bound));
}

}  // namespace treewright::explain
