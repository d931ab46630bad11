// Balanced selection of rows: Algorithm 2 of Zhu et al. 2020 (Z20, supplement B.1).
//
// Source. a_i = 1 if row i is selected, b_j = 1 if row j lies in the hull of selected rows. The model selects a row only if that pays:
//
//   (6)  max  sum_j (b_j - a_j)
//        b_j x_j = sum_i lambda_ji x_i,  sum_i lambda_ji = b_j,  0 <= lambda_ji <= a_i  (i != j),  a_j + b_j <= 1,  a, b in {0, 1}
//
// (9) is its linear relaxation. Rows with b = 0 or b = 1 in (9) keep that value, and (6) decides the others. A row far from all others may
// be neither selected nor inside. That is intended: a few rows on a wide circle around a dense cluster do not count.
//
// Difference from the paper. There are |N|^2 variables. So a cluster of more than kMost rows is halved at the median of its widest column
// until the parts are small, and each part is a cluster of its own. A row in the hull of the selected rows of its part is also in the hull
// of all selected rows. So the result is feasible for (6) on the whole cluster, but perhaps not optimal. A selected row that lies in the
// hull of the others, which are of other parts, is dropped at the end: the hull stays as it is, and the objective rises by 2.

#include "treewright/reduce/balanced.h"

#include <fmt/format.h>

#include <algorithm>

#include "treewright/mip/solve.h"
#include "treewright/reduce/hull.h"

namespace treewright::reduce {

namespace {

constexpr std::size_t kMost = 40;

void balance(const PointMatrix& table, std::vector<std::uint32_t> rows, const mip::MipOptions& how, Deadline& deadline,
             std::vector<std::uint32_t>& selected) {
  if (rows.size() <= 2 || deadline.poll()) {
    // Of two rows neither is in a hull of others, unless they are equal.
    if (rows.size() == 2 && std::ranges::equal(table.row(rows[0]), table.row(rows[1]))) rows.pop_back();
    selected.insert(selected.end(), rows.begin(), rows.end());
    return;
  }
  if (rows.size() > kMost) {
    std::size_t widest = 0;
    double width = -1;
    for (std::size_t j = 0; j < table.axes; ++j) {
      const auto less = [&](std::uint32_t a, std::uint32_t b) { return table.row(a)[j] < table.row(b)[j]; };
      const auto [low, high] = std::minmax_element(rows.begin(), rows.end(), less);
      const double here = table.row(*high)[j] - table.row(*low)[j];
      if (here > width) width = here, widest = j;
    }
    std::stable_sort(rows.begin(), rows.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return table.row(a)[widest] < table.row(b)[widest]; });
    const auto middle = rows.begin() + static_cast<std::ptrdiff_t>(rows.size() / 2);
    balance(table, {rows.begin(), middle}, how, deadline, selected);
    balance(table, {middle, rows.end()}, how, deadline, selected);
    return;
  }
  const std::size_t n = rows.size();
  const mip::MipSolution relaxed = mip::solve(balanced_model(table, rows, false), {}, how, deadline);
  mip::MipModel model = balanced_model(table, rows, true);
  for (std::size_t j = 0; j < n && !relaxed.values.empty(); ++j) {
    const double b = relaxed.values[n + j];
    if (b < 1e-6 || b > 1 - 1e-6) model.variables[n + j].lower = model.variables[n + j].upper = b < 0.5 ? 0 : 1;
  }
  mip::MipSolution found = mip::solve(model, {}, how, deadline);
  // Rows that are fixed inside may leave nothing to lean on.
  if (found.infeasible) found = mip::solve(balanced_model(table, rows, true), {}, how, deadline);
  const std::size_t had = selected.size();
  for (std::size_t i = 0; i < n; ++i) {
    if (found.values.empty() || found.values[i] > 0.5) selected.push_back(rows[i]);
  }
  if (selected.size() == had) selected.push_back(rows.front());
}

}  // namespace

mip::MipModel balanced_model(const PointMatrix& table, std::span<const std::uint32_t> rows, bool whole) {
  mip::MipModel model;
  model.name = "balanced";
  model.step = 1;
  const std::size_t n = rows.size();
  for (std::size_t i = 0; i < n; ++i) model.add(fmt::format("a_{}", i), 0, 1, 1, whole);
  for (std::size_t j = 0; j < n; ++j) model.add(fmt::format("b_{}", j), 0, 1, -1, whole);
  for (std::size_t j = 0; j < n; ++j) {
    const int b = static_cast<int>(n + j);
    std::vector<std::vector<mip::MipModel::Term>> place(table.axes);
    std::vector<mip::MipModel::Term> sum{{b, -1}};
    for (std::size_t k = 0; k < table.axes; ++k) place[k].push_back({b, table.row(rows[j])[k]});
    for (std::size_t i = 0; i < n; ++i) {
      if (i == j) continue;
      const int lambda = model.add(fmt::format("lambda_{}_{}", j, i), 0, 1);
      for (std::size_t k = 0; k < table.axes; ++k) place[k].push_back({lambda, -table.row(rows[i])[k]});
      sum.push_back({lambda, 1});
      model.at_most(fmt::format("selected_{}_{}", j, i), {{lambda, 1}, {static_cast<int>(i), -1}}, 0);
    }
    for (std::size_t k = 0; k < table.axes; ++k) model.equal(fmt::format("place_{}_{}", j, k), std::move(place[k]), 0);
    model.equal(fmt::format("sum_{}", j), std::move(sum), 0);
    model.at_most(fmt::format("either_{}", j), {{static_cast<int>(j), 1}, {b, 1}}, 1);
  }
  return model;
}

std::vector<std::uint32_t> balanced_rows(const PointMatrix& table, std::span<const std::uint32_t> rows, const std::string& solver,
                                         ThreadPool& pool, Deadline& deadline) {
  mip::MipOptions how;
  how.solver = solver;
  std::vector<std::uint32_t> selected;
  balance(table, {rows.begin(), rows.end()}, how, deadline, selected);
  if (rows.size() > kMost) {
    HullRows hull = divide_by_hull(table, selected, 0, pool, deadline);
    selected = std::move(hull.extreme);
    selected.insert(selected.end(), hull.untested.begin(), hull.untested.end());
  }
  std::sort(selected.begin(), selected.end());
  return selected;
}

}  // namespace treewright::reduce
