// Splits by two columns at once, where no split by one column shows the way.
//
// Idea. A change of one coefficient finds a hyperplane of two columns only if it gains at once. In the plane of two columns all directions
// can be looked at instead: for each of kNormals the rows are sorted along the normal, and the cut with the fewest errors is taken. The
// columns are the kColumns with the best thresholds of their own, each by its best axis. The caller then changes the coefficients one by
// one, each to its exact best value, so that the angle is right to more than the step of the sweep.
//
// Few rows tell the direction: of more than kRows every k-th is looked at. An exact sweep, which exchanges neighbors in the order of the
// rows as the normal turns, takes O(rows^2) exchanges for each pair.
//
// Cost: O(axes * rows log rows), and kColumns^2 / 2 * kNormals sorts of kRows rows.

#include "treewright/grow/pair_sweep.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "treewright/base/stop_point.h"
#include "treewright/data/midpoint.h"

namespace treewright::grow {

namespace {

constexpr std::size_t kColumns = 4, kRows = 400;
// Normals about 25 degrees apart, but for the axes. Sines and cosines would differ from machine to machine.
constexpr std::pair<double, double> kNormals[] = {{2, 1}, {1, 1}, {1, 2}, {-1, 2}, {-1, 1}, {-2, 1}};

}  // namespace

std::optional<PairLine> sweep_pairs(const Dataset& data, const ScaledPoints& points, const SubtreeRerouting& rerouting) {
  const std::size_t step = (rerouting.rows.size() + kRows - 1) / kRows;
  SubtreeRerouting some = rerouting;
  RowList rows;
  some.if_left.clear();
  some.if_right.clear();
  for (std::size_t i = 0; i < rerouting.rows.size(); i += step) {
    rows.push_back(rerouting.rows[i]);
    some.if_left.push_back(rerouting.if_left[i]);
    some.if_right.push_back(rerouting.if_right[i]);
  }
  some.rows = rows;
  LeafCounts counts(data, rerouting.leaves, 0);
  std::vector<double> key(rows.size());
  const auto cut_at = [&](std::size_t a, double x, std::size_t b, double y) {
    stop_point();
    for (std::size_t i = 0; i < rows.size(); ++i) key[i] = x * points.row(rows[i])[a] + y * points.row(rows[i])[b];
    return best_threshold(some, key, counts, std::numeric_limits<double>::max(), false, 0);
  };

  struct Ranked {
    std::size_t axis;
    double errors;
  };
  std::vector<Ranked> best;  // one of each column
  for (std::size_t a = 0; a < points.axes.size(); ++a) {
    const BestCut cut = cut_at(a, 1, a, 0);
    if (!cut.found) continue;
    const bool is_new = best.empty() || points.axes[best.back().axis].feature != points.axes[a].feature;
    if (is_new) best.push_back({a, cut.errors});
    if (cut.errors < best.back().errors) best.back() = {a, cut.errors};
  }
  std::stable_sort(best.begin(), best.end(), [](const Ranked& p, const Ranked& q) { return p.errors < q.errors; });
  if (best.size() > kColumns) best.resize(kColumns);

  std::optional<PairLine> line;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < best.size(); ++i) {
    for (std::size_t j = i + 1; j < best.size(); ++j) {
      for (const auto& [x, y] : kNormals) {
        const BestCut cut = cut_at(best[i].axis, x, best[j].axis, y);
        if (!cut.found || cut.errors >= least) continue;
        least = cut.errors;
        line = PairLine{std::vector<double>(points.axes.size(), 0.0), midpoint(cut.below, cut.above)};
        line->weights[best[i].axis] = x;
        line->weights[best[j].axis] = y;
      }
    }
  }
  return line;
}

}  // namespace treewright::grow
