// Two groups of classes for a support vector machine.
//
// An SVM separates two classes, so a node with more has to divide them into two groups. All divisions of up to five classes are candidates.
// With more classes they are each class against the rest, and every cut of the classes in the order of their means along the directions in
// which the means differ most (the principal directions of the means). After a fit, each class joins the side that holds most of it.

#include "treewright/grow/class_groups.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "treewright/base/dot.h"
#include "treewright/base/stop_point.h"
#include "treewright/grow/few_columns.h"
#include "treewright/svm/squared_hinge.h"
#include "treewright/tree/scaled_plane.h"

namespace treewright::grow {

namespace {

constexpr int kPowerIterations = 30;

// The means of the classes, from their center. Shape (classes given, axes).
std::vector<std::vector<double>> centered_means(const Dataset& data, const ScaledPoints& points, const RowList& rows,
                                                const std::vector<std::size_t>& classes) {
  const std::size_t q = points.axes.size();
  std::vector<std::size_t> index(data.classes(), classes.size());
  for (std::size_t i = 0; i < classes.size(); ++i) index[classes[i]] = i;
  std::vector<std::vector<double>> mean(classes.size(), std::vector<double>(q, 0.0));
  std::vector<double> weight(classes.size(), 0.0), center(q, 0.0);
  for (const std::uint32_t row : rows) {
    const std::size_t c = index[data.labels[row]];
    weight[c] += data.weight(row);
    for (std::size_t a = 0; a < q; ++a) mean[c][a] += data.weight(row) * points.row(row)[a];
  }
  for (std::size_t c = 0; c < mean.size(); ++c) {
    for (std::size_t a = 0; a < q; ++a) center[a] += (mean[c][a] /= weight[c]) / static_cast<double>(mean.size());
  }
  for (std::vector<double>& m : mean) {
    for (std::size_t a = 0; a < q; ++a) m[a] -= center[a];
  }
  return mean;
}

// Places of the means along the direction in which they differ most (power iteration on their scatter). That direction is taken out of
// them.
std::vector<double> take_direction(std::vector<std::vector<double>>& means, std::size_t q) {
  std::vector<double> direction(q, 1.0), along(means.size(), 0.0);
  for (int round = 0; round < kPowerIterations; ++round) {
    std::vector<double> next(q, 0.0);
    for (std::size_t c = 0; c < means.size(); ++c) {
      along[c] = dot(direction, means[c]);
      for (std::size_t a = 0; a < q; ++a) next[a] += along[c] * means[c][a];
    }
    const double length = std::sqrt(dot(next, next));
    if (!(length > 0)) break;
    for (std::size_t a = 0; a < q; ++a) direction[a] = next[a] / length;
  }
  for (std::vector<double>& m : means) {
    const double place = dot(direction, m) / dot(direction, direction);
    for (std::size_t a = 0; a < q; ++a) m[a] -= place * direction[a];
  }
  return along;
}

}  // namespace

std::vector<ClassGroup> class_groups(const Dataset& data, const ScaledPoints& points, const RowList& rows,
                                     const std::vector<std::size_t>& classes, int directions) {
  std::vector<ClassGroup> result;
  const auto add = [&](auto&& goes_right) {
    ClassGroup right(data.classes(), false);
    for (std::size_t i = 0; i < classes.size(); ++i) right[classes[i]] = goes_right(i);
    result.push_back(std::move(right));
  };
  if (classes.size() <= kAllGroups) {
    for (unsigned set = 1; set < 1u << (classes.size() - 1); ++set) add([&](std::size_t i) { return (set >> i & 1) != 0; });
    return result;
  }
  for (std::size_t one = 0; one < classes.size(); ++one) add([&](std::size_t i) { return i == one; });
  std::vector<std::vector<double>> means = centered_means(data, points, rows, classes);
  for (int d = 0; d < directions; ++d) {
    const std::vector<double> along = take_direction(means, points.axes.size());
    std::vector<std::size_t> order(classes.size()), place(classes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return along[a] < along[b]; });
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    for (std::size_t first = 2; first + 1 < classes.size(); ++first) add([&](std::size_t i) { return place[i] >= first; });
  }
  return result;
}

std::vector<double> class_balance(const Dataset& data, const RowList& rows, const std::vector<double>& sums, double threshold) {
  std::vector<double> balance(data.classes(), 0.0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    balance[data.labels[rows[i]]] += sums[i] < threshold ? -data.weight(rows[i]) : data.weight(rows[i]);
  }
  return balance;
}

void fit_groups(const Dataset& data, const ScaledPoints& points, std::span<const std::size_t> axes, const RowList& rows, ClassGroup right,
                double cost, std::size_t max_columns, int attempts,
                const std::function<bool(HyperplaneSplit plane, const std::vector<double>& sums, const ClassGroup& right)>& fitted) {
  svm::TwoClassPoints train;
  train.points.axes = axes.size();
  train.points.x.reserve(rows.size() * axes.size());
  for (const std::uint32_t row : rows) {
    stop_point();
    const std::span<const double> x = points.row(row);
    for (const std::size_t a : axes) train.points.x.push_back(x[a]);
    train.weight.push_back(data.weight(row));
  }
  for (int attempt = 0; attempt < attempts; ++attempt) {
    train.target.clear();
    for (const std::uint32_t row : rows) train.target.push_back(right[data.labels[row]] ? 1 : -1);
    const std::vector<std::size_t> few = few_columns(train, points.axes, axes, cost, max_columns);
    const Hyperplane separator =
        few.size() == axes.size() ? svm::fit_squared_hinge(train, cost) : svm::fit_squared_hinge(on_axes(train, axes, few), cost);
    std::vector<double> weights(points.axes.size(), 0.0);
    for (std::size_t i = 0; i < few.size(); ++i) weights[few[i]] = separator.weights[i];
    HyperplaneSplit plane = in_raw_units({weights, -separator.offset}, points.axes);
    if (plane.terms.empty()) return;
    const std::vector<double> sums = plane_sums(plane, data, rows), balance = class_balance(data, rows, sums, plane.threshold);
    bool changed = false, any_left = false, any_right = false;
    for (std::size_t c = 0; c < right.size(); ++c) {
      if (balance[c] == 0) continue;
      changed |= right[c] != (balance[c] > 0);
      right[c] = balance[c] > 0;
      (right[c] ? any_right : any_left) = true;
    }
    if (!fitted(std::move(plane), sums, right) || !changed || !any_left || !any_right) return;
  }
}

}  // namespace treewright::grow
