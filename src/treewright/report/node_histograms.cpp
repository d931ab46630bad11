#include "treewright/report/node_histograms.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "treewright/report/ticks.h"
#include "treewright/tree/levels.h"

namespace treewright::report {

namespace {

constexpr int kBins = 28;
constexpr double kNoNumber = std::numeric_limits<double>::quiet_NaN();
constexpr double kFarthest = std::numeric_limits<double>::max() / 8;  // a histogram reaches

double value_of(const SplitRule& rule, const Dataset& data, std::size_t row) {
  const auto of_axis = [&](const AxisSplit& axis) { return data.columns[+axis.feature].values[row]; };
  const auto of_plane = [&](const HyperplaneSplit& plane) {
    double sum = 0;
    for (const auto& term : plane.terms) sum += term.weight * term_value(term, data, row);
    return sum;
  };
  return match(rule, of_axis, of_plane, [](const CategorySplit&) { return kNoNumber; });
}

// Of a split that compares numbers.
double threshold_of(const SplitRule& rule) {
  return match(
      rule, [](const AxisSplit& axis) { return axis.threshold; }, [](const HyperplaneSplit& plane) { return plane.threshold; },
      [](const CategorySplit&) { return kNoNumber; });
}

// Bins of equal width, one edge at the threshold so that no bin mixes the two sides. A few far values must not squeeze all others
// into one bin: beyond the central ones they are counted in the outermost bins.
void number_bins(Histogram& histogram, const Split& split, const Dataset& data, const std::vector<std::size_t>& rows) {
  histogram.threshold = threshold_of(split.rule);
  std::vector<double> values;
  for (const std::size_t row : rows) values.push_back(value_of(split.rule, data, row));
  std::vector<double> known;
  for (const double value : values) {
    if (std::isnan(value)) continue;
    known.push_back(value);
    if (value < histogram.threshold) {
      histogram.last_left = std::max(value, histogram.last_left.value_or(value));
    } else {
      histogram.first_right = std::min(value, histogram.first_right.value_or(value));
    }
  }
  std::sort(known.begin(), known.end());
  const bool inside = histogram.last_left && histogram.first_right;
  double low = 0, high = 1;
  if (!known.empty()) {
    std::tie(low, high) = central_range(known);
    if (inside) {
      low = std::min(low, *histogram.last_left);
      high = std::max(high, *histogram.first_right);
    }
  }
  // A range that overflows would have bins without edges: what lies beyond is counted in the outermost ones.
  low = std::clamp(low, -kFarthest, kFarthest);
  high = std::clamp(high, -kFarthest, kFarthest);
  if (!((high - low) / kBins > 0)) high = low + std::max(1.0, 1e-6 * std::abs(low));
  const double width = (high - low) / kBins;
  const double origin = inside ? std::clamp(histogram.threshold, low, high) : low;
  const double below = std::ceil((origin - low) / width), above = std::ceil((high - origin) / width + 1e-9);
  const int bins = static_cast<int>(below + above);
  histogram.low = origin - below * width;
  histogram.high = origin + above * width;
  for (auto& of_class : histogram.weight) of_class.assign(bins, 0.0);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (std::isnan(values[i])) continue;
    double bin = std::floor((values[i] - origin) / width);
    // Rounding must not carry a value over the threshold.
    if (inside) bin = values[i] < histogram.threshold ? std::min(bin, -1.0) : std::max(bin, 0.0);
    const int at = static_cast<int>(std::clamp(bin + below, 0.0, static_cast<double>(bins - 1)));
    histogram.weight[data.labels[rows[i]]][at] += data.weight(rows[i]);
  }
}

}  // namespace

std::vector<std::vector<double>> weights_at(const Tree& tree, const Dataset& data) {
  Tree counted = tree;
  counted.tally(data);
  std::vector<std::vector<double>> weights;
  for (const Node& node : counted.nodes()) weights.push_back(node.class_weight);
  return weights;
}

std::vector<std::optional<Histogram>> histograms(const Tree& tree, const Dataset& data) {
  std::vector<std::vector<std::size_t>> rows(tree.nodes().size());
  for (std::size_t row = 0; row < data.rows(); ++row) rows[0].push_back(row);
  std::vector<std::optional<Histogram>> all(tree.nodes().size());
  for (std::size_t i = 0; i < tree.nodes().size(); ++i) {
    const Node& node = tree.nodes()[i];
    if (node.is_leaf()) continue;
    const Split& split = *node.split;
    Histogram& histogram = all[i].emplace();
    histogram.weight.resize(tree.class_names.size());
    histogram.missing.assign(tree.class_names.size(), 0.0);
    for (const std::size_t row : rows[i]) {
      if (lacks_value(split, data, row)) histogram.missing[data.labels[row]] += data.weight(row);
      rows[goes_left(split, data, row) ? +node.left : +node.right].push_back(row);
    }
    if (const auto set = level_split(split.rule, tree)) {
      for (auto& of_class : histogram.weight) of_class.assign(set->left.size(), 0.0);
      for (const std::size_t row : rows[i]) {
        const std::int32_t code = data.columns[+set->feature].code(row);
        if (code >= 0) histogram.weight[data.labels[row]][code] += data.weight(row);
      }
    } else {
      number_bins(histogram, split, data, rows[i]);
      histogram.plane = plane_cells(split, data, rows[i]);
    }
    rows[i].clear();
    rows[i].shrink_to_fit();
  }
  return all;
}

}  // namespace treewright::report
