// Probabilities within the leaves of a tree with hyperplanes: a logistic regression on the leaf and on the distances to the hyperplanes of
// its path (tree/probabilities.cpp has the formula). The splits stay as they are, and so do labels, counts and claims.
//
// Idea. A soft split asks the same of a row: how far it is from the border. Here the tree is given, and a regression says how much each
// distance is worth: much where rows beside the plane are mixed, nothing where the plane separates them wherever they lie. The columns of
// the regression are a 0/1 column for each leaf and, for each hyperplane, the distance of the rows that come to it, 0 for all others. A
// distance counts in units of its root mean square over these rows, up to one unit: beyond that a row is no surer, as with the clipped loss
// of a support vector.
//
// Where costs make another class than the majority the label of some leaf, the label is not the most probable class, as the formula
// promises: there leaves keep their own probabilities.
//
// The tree has seen the rows too, and its leaves are purer on them than on new rows. So the penalty is strong where nothing chooses it:
// a cost of 0.3 was best, or nearly so, on sets of 100 to 1,300 rows; folds of these rows alone would choose none. `auto` has folds for
// which trees were trained without their rows, and chooses it there.
//
// Cost: O(rows * depth * classes) for a step of the regression, on so many rows that this is a million at most.

#include "treewright/grow/probability_model.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "treewright/base/stop_point.h"
#include "treewright/svm/logistic.h"
#include "treewright/tree/distances.h"
#include "treewright/tree/routing.h"

namespace treewright::grow {

namespace {

constexpr std::size_t kMostWork = 1'000'000;

// The rows that count, or every so many of them.
RowNumbers rows_to_use(const Dataset& data, std::size_t most) {
  RowNumbers counted, used;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    if (data.weight(row) > 0) counted.push_back(static_cast<std::int32_t>(row));
  }
  const std::size_t step = counted.size() / std::max<std::size_t>(most, 1) + 1;
  for (std::size_t i = 0; i < counted.size(); i += step) used.push_back(counted[i]);
  return used;
}

double root_mean_square(const HyperplaneSplit& plane, const Dataset& data, std::span<const std::uint32_t> rows) {
  double sum = 0, weight = 0;
  const std::vector<double> sums = plane_sums(plane, data, rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (std::isnan(sums[i])) continue;
    sum += data.weight(rows[i]) * (sums[i] - plane.threshold) * (sums[i] - plane.threshold);
    weight += data.weight(rows[i]);
  }
  return weight > 0 ? std::sqrt(sum / weight) : 0;
}

// Weights below 1 on average are no counts of rows; larger ones may be.
std::vector<double> weights_of(const Dataset& data) {
  const double unit = std::min(1.0, data.total_weight() / static_cast<double>(data.rows()));
  std::vector<double> weights;
  for (std::size_t row = 0; row < data.rows(); ++row) weights.push_back(data.weight(row) / unit);
  return weights;
}

bool predicts_majority(const Node& node) {
  return !node.is_leaf() ||
         node.class_weight[static_cast<std::size_t>(node.label)] == *std::max_element(node.class_weight.begin(), node.class_weight.end());
}

bool is_finite(double logit) {
  return std::isfinite(logit);
}

}  // namespace

std::optional<ProbabilityModel> fit_probability_model(const Tree& tree, const Dataset& data, double cost) {
  return fit_probability_models(tree, data, std::span(&cost, 1)).front();
}

std::vector<std::optional<ProbabilityModel>> fit_probability_models(const Tree& tree, const Dataset& data, std::span<const double> costs) {
  std::vector<std::optional<ProbabilityModel>> models(costs.size());
  const std::size_t k = tree.class_names.size(), n = tree.nodes().size();
  const auto has_plane = [](const Node& node) { return node.plane() != nullptr; };
  if (k < 2 || !data.row_costs.empty() || std::none_of(tree.nodes().begin(), tree.nodes().end(), has_plane)) return models;
  if (!std::all_of(tree.nodes().begin(), tree.nodes().end(), predicts_majority)) return models;
  const RowNumbers used = rows_to_use(data, kMostWork / (static_cast<std::size_t>(tree.depth() + 1) * k));
  if (used.empty()) return models;
  const Dataset rows = data.subset(used);

  ProbabilityModel model{std::vector<double>(n * k, 0.0), std::vector<double>(n, 0.0)};
  std::vector<std::vector<std::pair<std::uint32_t, double>>> of_row(rows.rows());  // coordinates of the row, by node
  const std::vector<RowNumbers> rows_of = rows_of_nodes(tree, rows);
  for (std::size_t i = 0; i < n; ++i) {
    const std::vector<std::uint32_t> here(rows_of[i].begin(), rows_of[i].end());
    std::vector<double> values(here.size(), 1.0);
    if (!tree.nodes()[i].is_leaf()) {
      const HyperplaneSplit* plane = tree.nodes()[i].plane();
      const double reach = plane != nullptr ? root_mean_square(*plane, rows, here) : 0;
      if (!(reach > 0 && std::isfinite(reach))) continue;
      model.reach[i] = reach;
      values = distances(*plane, reach, rows, here);
    }
    for (std::size_t at = 0; at < values.size(); ++at) of_row[here[at]].emplace_back(static_cast<std::uint32_t>(i), values[at]);
  }
  svm::SparsePoints points;
  points.axes = n;
  for (const auto& row : of_row) {
    for (const auto& [node, value] : row) {
      points.axis.push_back(node);
      points.x.push_back(value);
    }
    points.first.push_back(points.axis.size());
  }
  const std::vector<std::uint32_t> target(rows.labels.begin(), rows.labels.end());
  const std::vector<double> weights = weights_of(rows);
  try {
    for (std::size_t at = 0; at < costs.size(); ++at) {
      assert(costs[at] > 0);
      const std::vector<Hyperplane> of_classes = svm::fit_logistic(points, k, target, weights, costs[at]);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t c = 0; c < k; ++c)
          model.logits[i * k + c] = of_classes[c].weights[i] + (tree.nodes()[i].is_leaf() ? of_classes[c].offset : 0);
      }
      if (std::all_of(model.logits.begin(), model.logits.end(), is_finite)) models[at] = model;
    }
  } catch (const Stopped&) {  // the others stay without one
  }
  return models;
}

}  // namespace treewright::grow
