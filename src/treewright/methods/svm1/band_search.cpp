// Exact line search for the node problems of SVM1-ODT (Zhu et al. 2020).
//
// The node's hyperplane is h . u = g, with row i at the distance d_i = h . u_i - g. The rest of the tree is fixed. Then row i costs L_i if
// it goes left and R_i if it goes right. If it is nearer to the hyperplane than the margin eps, it also has a slack, which costs alpha1 *
// (eps - |d_i|). The weights cost alpha2 * |h|_1, the sum of their absolute values.
//
// When the hyperplane moves along a line in (h, g), every d_i moves at its own speed. The cost of a row is piecewise linear in the step:
// flat, then rising to a peak at d_i = 0, where it jumps from L_i to R_i, then falling and flat again. The sum has three kinks for each row
// and one more for |h|_1. It is linear between kinks, so its minimum lies at a kink or next to a jump. One sort of the kinks and one pass
// over them find it. Neither peaks nor jumps are convex. So a linear program for the node, in which the sides of rows are fixed, cannot do
// this.

#include "treewright/methods/svm1/band_search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace treewright::svm1 {

namespace {

struct Kink {
  double at, slope, jump;
};

}  // namespace

double band_cost(const BandRows& rows) {
  double cost = 0;
  for (std::size_t i = 0; i < rows.place.size(); ++i) {
    const double d = rows.place[i];
    cost += (d < 0 ? rows.left[i] : rows.right[i]) + rows.slack[i] * std::max(0.0, rows.eps - std::abs(d));
  }
  return cost;
}

namespace {

// The cost along the line: its value and slope at `low`, and its kinks in (low, high).
struct Course {
  double value = 0, slope = 0;
  std::vector<Kink> kinks;
};

void follow(const BandRows& rows, const LengthPrice& price, double low, double high, Course& course) {
  constexpr double kStill = 1e-12;  // a row of smaller speed counts as not moving
  double &value = course.value = 0, &slope = course.slope = 0;
  std::vector<Kink>& kinks = course.kinks;
  kinks.clear();
  // The effect of kinks at or before `low`.
  const auto add = [&](double at, double bend, double jump) {
    if (at > low) {
      if (at < high) kinks.push_back({at, bend, jump});
      return;
    }
    value += jump + bend * (low - at);
    slope += bend;
  };
  for (std::size_t i = 0; i < rows.place.size(); ++i) {
    const double d = rows.place[i], v = rows.speed[i], hat = rows.slack[i];
    if (std::abs(v) < kStill) {
      value += (d < 0 ? rows.left[i] : rows.right[i]) + hat * std::max(0.0, rows.eps - std::abs(d));
      continue;
    }
    const double before = v > 0 ? rows.left[i] : rows.right[i], after = v > 0 ? rows.right[i] : rows.left[i];
    const double bend = hat * std::abs(v), zero = -d / v, half = rows.eps / std::abs(v);
    value += before;
    if (bend > 0) {
      add(zero - half, bend, 0);
      add(zero + half, bend, 0);
    }
    if (bend > 0 || before != after) add(zero, -2 * bend, after - before);
  }
  if (price.rate > 0 && price.slope != 0) {
    const double steep = price.rate * std::abs(price.slope), zero = -price.at_zero / price.slope;
    value += steep * std::abs(low - zero);
    slope += low < zero ? -steep : steep;
    if (low < zero && zero < high) kinks.push_back({zero, 2 * steep, 0});
  }
  std::sort(kinks.begin(), kinks.end(), [](const Kink& a, const Kink& b) { return a.at < b.at; });
}

// The cheapest place; of equally cheap ones that of the widest range.
struct BestPlace {
  double cost = std::numeric_limits<double>::infinity(), at = 0, width = 0;

  void offer(double place, double its_cost, double its_width) {
    const double tie = 1e-12 * std::max(1.0, std::abs(cost));
    if (!(its_cost < cost - tie || (its_cost <= cost + tie && its_width > width))) return;
    cost = its_cost;
    at = place;
    width = its_width;
  }
};

}  // namespace

double best_step(const BandRows& rows, const LengthPrice& price, double low, double high) {
  static thread_local Course course;
  follow(rows, price, low, high, course);
  auto [value, slope] = std::pair(course.value, course.slope);
  const std::vector<Kink>& kinks = course.kinks;
  BestPlace best;
  double from = low;
  bool jumped = false;
  for (std::size_t k = 0; k <= kinks.size();) {
    const double to = k < kinks.size() ? kinks[k].at : high, width = to - from;
    double bend = 0, jump = 0;
    for (; k < kinks.size() && kinks[k].at == to; ++k) {
      bend += kinks[k].slope;
      jump += kinks[k].jump;
    }
    if (width > 0) {
      const double end = value + slope * width;
      if (std::abs(slope) * width <= 1e-12 * std::max(1.0, std::abs(value))) {
        best.offer(from + width / 2, value, width);
      } else if (slope < 0) {
        best.offer(jump != 0 ? to - 1e-6 * width : to, jump != 0 ? end - 1e-6 * width * slope : end, width);
      } else {
        best.offer(jumped ? from + 1e-6 * width : from, jumped ? value + 1e-6 * width * slope : value, width);
      }
      value = end;
    }
    value += jump;
    slope += bend;
    jumped = width > 0 ? jump != 0 : jumped || jump != 0;
    from = to;
    if (to >= high) break;
  }
  return best.at;
}

}  // namespace treewright::svm1
