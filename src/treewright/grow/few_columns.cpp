// Which columns a hyperplane should ask about if it may ask about few.
//
// Idea. A search for the best set of columns for a support vector machine (SVM) takes a fit for each set. Least squares on the targets -1
// and +1 are a cheap stand-in: a set with one column more takes a step of a Cholesky factorization, and no look at the rows. A beam search
// over sets of columns begins with each column alone and adds one at a time; of each size the kBeam best sets go on. So all pairs with one
// of the kBeam best columns are tried. SVMs are then fitted to the best few sets of the largest size, and to the set that backward
// elimination leaves (recursive feature elimination, Guyon et al. 2002: fit, drop the half of least weight, fit again). The set whose SVM
// has the least objective wins. Of more than kBeamColumns columns the beam search would cost more than the SVMs: there elimination decides
// alone.
//
// A category is one column: its levels come and go together. Its weight is the length of the weights of its levels.
//
// Source. Best subset regression (Furnival & Wilson 1974) finds the best set of least squares, by branch and bound; here the best set is of
// another loss anyway.
//
// Cost: O(rows * axes) for each column in a set of the beam, kBeam * columns factorization steps for each size, and as many SVMs as
// backward elimination takes and kTried more, on few columns.

#include "treewright/grow/few_columns.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "treewright/base/dot.h"
#include "treewright/base/stop_point.h"

namespace treewright::grow {

namespace {

constexpr std::size_t kBeam = 12, kTried = 3, kBeamColumns = 5;
constexpr double kRidge = 1e-6, kCollinear = 1e-4;  // shares of an axis's own square

// Numbers of axes of the points, column by column.
using Groups = std::vector<std::vector<std::size_t>>;

class BeamSearch {
 public:
  BeamSearch(const svm::TwoClassPoints& points, const Groups& groups) : points_(points), groups_(groups) {
    const std::size_t q = points.points.axes;
    mean_.assign(q, 0.0);
    double all = 0, target = 0;
    for (std::size_t i = 0; i < points.rows(); ++i) {
      const double w = points.weight[i];
      all += w;
      target += w * points.target[i];
      for (std::size_t a = 0; a < q; ++a) mean_[a] += w * points.row(i)[a];
    }
    for (double& m : mean_) m /= all;
    target /= all;
    with_target_.assign(q, 0.0);
    square_.assign(q, 0.0);
    for (std::size_t i = 0; i < points.rows(); ++i) {
      const double w = points.weight[i], y = points.target[i] - target;
      for (std::size_t a = 0; a < q; ++a) {
        const double x = points.row(i)[a] - mean_[a];
        with_target_[a] += w * x * y;
        square_[a] += w * x * x;
      }
    }
  }

  // The best sets of so many columns, best first.
  std::vector<std::vector<std::size_t>> best(std::size_t columns) {
    std::vector<Set> beam(1);
    for (std::size_t size = 0; size < columns; ++size) {
      std::vector<Set> next;
      std::set<std::vector<std::size_t>> seen;
      for (const Set& set : beam) {
        stop_point();
        for (std::size_t g = 0; g < groups_.size(); ++g) {
          if (std::ranges::find(set.groups, g) != set.groups.end()) continue;
          std::vector<std::size_t> with = set.groups;
          with.insert(std::upper_bound(with.begin(), with.end(), g), g);
          if (seen.insert(with).second) next.push_back(extended(set, g, std::move(with)));
        }
      }
      std::stable_sort(next.begin(), next.end(), [](const Set& a, const Set& b) { return a.gain > b.gain; });
      if (next.size() > kBeam) next.resize(kBeam);
      beam = std::move(next);
    }
    std::vector<std::vector<std::size_t>> sets;
    for (Set& set : beam) sets.push_back(std::move(set.groups));
    return sets;
  }

 private:
  // The Cholesky factor of the set's Gram matrix, row by row, and the target in its coordinates.
  struct Set {
    std::vector<std::size_t> groups, axes;
    std::vector<std::vector<double>> factor;
    std::vector<double> target;
    double gain = 0;
  };

  Set extended(const Set& set, std::size_t group, std::vector<std::size_t> with) {
    Set more = set;
    more.groups = std::move(with);
    for (const std::size_t a : groups_[group]) {
      std::vector<double> row;
      double rest = square_[a] * (1 + kRidge), target = with_target_[a];
      for (std::size_t k = 0; k < more.axes.size(); ++k) {
        double sum = gram(more.axes[k])[a];
        for (std::size_t j = 0; j < k; ++j) sum -= row[j] * more.factor[k][j];
        row.push_back(sum / more.factor[k][k]);
        rest -= row.back() * row.back();
        target -= row.back() * more.target[k];
      }
      if (!(rest > kCollinear * square_[a])) continue;
      row.push_back(std::sqrt(rest));
      more.target.push_back(target / row.back());
      more.gain += more.target.back() * more.target.back();
      more.factor.push_back(std::move(row));
      more.axes.push_back(a);
    }
    return more;
  }

  // Of one axis with all. Shape (axes).
  const std::vector<double>& gram(std::size_t a) {
    std::vector<double>& row = gram_[a];
    if (!row.empty()) return row;
    stop_point();
    row.assign(points_.points.axes, 0.0);
    for (std::size_t i = 0; i < points_.rows(); ++i) {
      const std::span<const double> x = points_.row(i);
      const double w = points_.weight[i] * (x[a] - mean_[a]);
      for (std::size_t b = 0; b < row.size(); ++b) row[b] += w * (x[b] - mean_[b]);
    }
    return row;
  }

  const svm::TwoClassPoints& points_;
  const Groups& groups_;
  std::vector<double> mean_, with_target_, square_;
  std::map<std::size_t, std::vector<double>> gram_;
};

class Choice {
 public:
  Choice(const svm::TwoClassPoints& points, const Groups& groups, double cost) : points_(points), groups_(groups), cost_(cost) {}

  std::vector<std::size_t> best(std::size_t most) {
    std::vector<std::size_t> columns(groups_.size());
    std::iota(columns.begin(), columns.end(), std::size_t{0});
    while (columns.size() > most) {
      const std::vector<double> length = lengths(columns);
      std::vector<std::size_t> order(columns.size());
      std::iota(order.begin(), order.end(), std::size_t{0});
      std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return length[a] > length[b]; });
      order.resize(std::max(most, columns.size() / 2));
      std::sort(order.begin(), order.end());
      for (std::size_t k = 0; k < order.size(); ++k) columns[k] = columns[order[k]];
      columns.resize(order.size());
    }
    if (most > kBeamColumns) return columns;
    double least = objective(columns);
    std::vector<std::vector<std::size_t>> sets = BeamSearch(points_, groups_).best(most);
    if (sets.size() > kTried) sets.resize(kTried);
    for (const std::vector<std::size_t>& set : sets) {
      const double here = set == columns ? least : objective(set);
      if (here >= least) continue;
      least = here;
      columns = set;
    }
    return columns;
  }

  std::vector<std::size_t> axes_of(std::span<const std::size_t> columns) const {
    std::vector<std::size_t> axes;
    for (const std::size_t c : columns) axes.insert(axes.end(), groups_[c].begin(), groups_[c].end());
    return axes;
  }

 private:
  std::pair<svm::TwoClassPoints, Hyperplane> fitted(std::span<const std::size_t> columns) const {
    std::vector<std::size_t> all(points_.points.axes);
    std::iota(all.begin(), all.end(), std::size_t{0});
    std::pair<svm::TwoClassPoints, Hyperplane> made{on_axes(points_, all, axes_of(columns)), {}};
    made.second = svm::fit_squared_hinge(made.first, cost_);
    return made;
  }

  // Of the weights of each column.
  std::vector<double> lengths(std::span<const std::size_t> columns) const {
    const Hyperplane plane = fitted(columns).second;
    std::vector<double> length;
    std::size_t a = 0;
    for (const std::size_t c : columns) {
      const std::span<const double> own(plane.weights.data() + a, groups_[c].size());
      length.push_back(dot(own, own));
      a += own.size();
    }
    return length;
  }

  double objective(std::span<const std::size_t> columns) const {
    const auto [points, plane] = fitted(columns);
    double sum = dot(plane.weights, plane.weights) / 2;
    for (std::size_t i = 0; i < points.rows(); ++i) {
      const double slack = std::max(0.0, 1 - points.target[i] * plane.decision_value(points.row(i)));
      sum += cost_ * points.weight[i] * slack * slack;
    }
    return sum;
  }

  const svm::TwoClassPoints& points_;
  const Groups& groups_;
  double cost_;
};

}  // namespace

svm::TwoClassPoints on_axes(const svm::TwoClassPoints& points, std::span<const std::size_t> of, std::span<const std::size_t> some) {
  if (of.size() == some.size()) return points;
  svm::TwoClassPoints part;
  part.points.axes = some.size();
  part.target = points.target;
  part.weight = points.weight;
  part.points.x.reserve(points.rows() * some.size());
  std::vector<std::size_t> place;
  for (const std::size_t a : some) place.push_back(static_cast<std::size_t>(std::lower_bound(of.begin(), of.end(), a) - of.begin()));
  for (std::size_t i = 0; i < points.rows(); ++i) {
    for (const std::size_t k : place) part.points.x.push_back(points.row(i)[k]);
  }
  return part;
}

std::vector<std::size_t> few_columns(const svm::TwoClassPoints& points, std::span<const Axis> axes, std::span<const std::size_t> allowed,
                                     double cost, std::size_t most) {
  Groups groups;
  for (std::size_t k = 0; k < allowed.size(); ++k) {
    if (k == 0 || axes[allowed[k]].feature != axes[allowed[k - 1]].feature) groups.emplace_back();
    groups.back().push_back(k);
  }
  if (groups.size() <= most) return {allowed.begin(), allowed.end()};
  Choice choice(points, groups, cost);
  std::vector<std::size_t> chosen = choice.axes_of(choice.best(most));
  for (std::size_t& a : chosen) a = allowed[a];
  return chosen;
}

}  // namespace treewright::grow
