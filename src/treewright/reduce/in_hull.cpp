// Z20's linear program (7) for one row, without a solver: Wolfe's nearest point in a polytope (Wolfe 1976), stopped early.
//
// Idea. x lies within eps of the hull of E in the max norm iff 0 lies in the polytope P = hull(E) - x + [-eps, eps]^d. Wolfe's method finds
// the point w of P nearest to 0. It only needs the vertex of P that is furthest against a given direction: a row of E plus the corner of
// the box with the opposite signs, O(|E| d). It keeps affinely independent vertices (the corral) with positive weights whose combination is
// w. Each step adds the vertex furthest against w, moves to the nearest point of the corral's affine hull, and drops vertices that get no
// weight. It ends after finitely many steps, in practice about d.
//
// Early stops. The nearest point itself is not needed. If w = 0, x is inside; the weights of the corral, summed over the corners of the
// box, are the lambda of (7). If all of P lies on one side of 0, seen in direction w, x is outside and w separates it. The corral has at
// most d + 1 vertices, as Caratheodory's theorem and Z20's J_N require.
//
// The nearest point of the affine hull of vertices V: solve (V V' + 1 1') y = 1 and scale y to sum 1 (Wolfe's own trick), by Cholesky,
// O(k^3) for k <= d + 1 vertices.

#include "treewright/reduce/in_hull.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "treewright/base/cholesky.h"
#include "treewright/base/dot.h"
#include "treewright/base/stop_point.h"

namespace treewright::reduce {

namespace {

constexpr double kZero = 1e-9;   // as near as this is inside; coordinates are of the order of 1
constexpr double kStuck = 1e-7;  // the same where rounding ends the search

struct Vertex {
  std::uint32_t member;
  std::vector<double> at;
};

class Corral {
 public:
  std::vector<Vertex> vertices;
  std::vector<double> weight;

  std::vector<double> point(std::size_t axes) const {
    std::vector<double> w(axes, 0.0);
    for (std::size_t k = 0; k < vertices.size(); ++k) {
      for (std::size_t j = 0; j < axes; ++j) w[j] += weight[k] * vertices[k].at[j];
    }
    return w;
  }

  // Adds a vertex and moves to the nearest point of the hull of what is then kept; false where rounding forbids it.
  bool add(Vertex vertex) {
    assert(vertices.size() == weight.size());
    vertices.push_back(std::move(vertex));
    weight.push_back(0);
    while (true) {
      const std::vector<double> wanted = affine_weights();
      if (wanted.empty()) return false;
      double step = 1;
      for (std::size_t k = 0; k < wanted.size(); ++k) {
        if (wanted[k] <= kNothing) step = std::min(step, weight[k] / std::max(weight[k] - wanted[k], kNothing));
      }
      bool dropped = false;
      for (std::size_t k = 0; k < wanted.size(); ++k) weight[k] += step * (wanted[k] - weight[k]);
      if (step < 1 || *std::min_element(wanted.begin(), wanted.end()) <= kNothing) {
        for (std::size_t k = weight.size(); k-- > 0;) {
          if (weight[k] > kNothing) continue;
          weight.erase(weight.begin() + static_cast<std::ptrdiff_t>(k));
          vertices.erase(vertices.begin() + static_cast<std::ptrdiff_t>(k));
          dropped = true;
        }
      }
      if (!dropped) return true;
    }
  }

 private:
  static constexpr double kNothing = 1e-12;

  std::vector<double> affine_weights() const {
    const std::size_t n = vertices.size();
    Cholesky gram(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) gram.row(i)[j] = 1 + dot(vertices[i].at, vertices[j].at);
    }
    if (!(gram.factorize() > 1e-13)) return {};
    std::vector<double> y(n, 1.0);
    gram.solve(y);
    const double total = std::accumulate(y.begin(), y.end(), 0.0);
    for (double& value : y) value /= total;
    return y;
  }
};

// The member nearest to the point, up to the first that is within eps of it in every coordinate, and its greatest difference.
std::pair<std::uint32_t, double> nearest_member(const PointMatrix& table, std::span<const std::uint32_t> members,
                                                std::span<const double> point, double eps) {
  assert(!members.empty() && point.size() == table.axes);
  std::uint32_t nearest = members.front();
  double least = 0;
  for (std::size_t m = 0; m < members.size(); ++m) {
    const std::span<const double> x = table.row(members[m]);
    double far = 0;
    for (std::size_t j = 0; j < point.size(); ++j) far = std::max(far, std::abs(x[j] - point[j]));
    if (m > 0 && far >= least) continue;
    least = far;
    nearest = members[m];
    if (least <= eps) break;
  }
  return {nearest, least};
}

// The member that lies lowest in that direction, and its height.
std::pair<std::uint32_t, double> lowest_member(const PointMatrix& table, std::span<const std::uint32_t> members,
                                               std::span<const double> direction) {
  std::uint32_t lowest = members.front();
  double height = dot(direction, table.row(lowest));
  for (const std::uint32_t member : members) {
    if (const double at = dot(direction, table.row(member)); at < height) {
      height = at;
      lowest = member;
    }
  }
  return {lowest, height};
}

// A member may be the vertex of several directions.
std::vector<std::pair<std::uint32_t, double>> combination_of(const Corral& corral) {
  std::vector<std::pair<std::uint32_t, double>> combination;
  for (std::size_t k = 0; k < corral.vertices.size(); ++k) {
    const auto same = [&](const auto& entry) { return entry.first == corral.vertices[k].member; };
    const auto at = std::find_if(combination.begin(), combination.end(), same);
    if (at == combination.end()) {
      combination.emplace_back(corral.vertices[k].member, corral.weight[k]);
    } else {
      at->second += corral.weight[k];
    }
  }
  return combination;
}

}  // namespace

InHull in_hull(const PointMatrix& table, std::span<const std::uint32_t> members, std::span<const double> point, double eps) {
  InHull result;
  const std::size_t d = point.size();
  if (members.empty()) {
    result.direction.assign(d, 0.0);
    return result;
  }
  // The member nearest to the point may be near enough.
  const auto [nearest, least] = nearest_member(table, members, point, eps);
  if (least <= eps) {
    result.inside = true;
    result.combination = {{nearest, 1.0}};
    return result;
  }
  const auto vertex = [&](std::uint32_t member, std::span<const double> against) {
    Vertex v{member, std::vector<double>(d)};
    for (std::size_t j = 0; j < d; ++j) v.at[j] = table.row(member)[j] - point[j] - std::copysign(eps, against[j]);
    return v;
  };
  Corral corral;
  std::vector<double> w(d);
  for (std::size_t j = 0; j < d; ++j) w[j] = table.row(nearest)[j] - point[j];
  corral.vertices.push_back(vertex(nearest, w));
  corral.weight.push_back(1);
  for (std::size_t round = 0; round < 50 * (d + 2); ++round) {
    stop_point();
    w = corral.point(d);
    const double length = std::sqrt(dot(w, w));
    if (length <= kZero) {
      result.inside = true;
      break;
    }
    double height = 0;
    for (std::size_t j = 0; j < d; ++j) height += w[j] * point[j] + eps * std::abs(w[j]);
    const auto [furthest, lowest] = lowest_member(table, members, w);
    if (lowest - height > kZero * length) {
      result.direction = std::move(w);
      return result;
    }
    if (!corral.add(vertex(furthest, w))) break;
  }
  if (!result.inside) {
    w = corral.point(d);
    double far = 0;
    for (const double value : w) far = std::max(far, std::abs(value));
    result.inside = far <= kStuck;
    if (!result.inside) {
      result.direction = std::move(w);
      return result;
    }
  }
  result.combination = combination_of(corral);
  return result;
}

}  // namespace treewright::reduce
