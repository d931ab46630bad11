// How many decimals of a threshold a person needs to see. A threshold lies between the largest value to its left and the smallest to its
// right, so every number between them sends the training rows to the same sides. The fewest decimals that come near the threshold, measured
// by the distance of these two values, are shown: 2.45 between 1.9 and 3, 1700000000.5 between neighboring seconds.
//
// Training ends with thresholds rounded to these decimals, so that the number shown is the number that decides. The middle of two values
// written with d decimals has d + 1 decimals at most; as a double it is often a neighbor of that, such as 17.615000000000002. Of dates the
// later day, second or microsecond is shown, where no training row lies between.

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "treewright/data/read/written_dates.h"
#include "treewright/tree/decimals.h"
#include "treewright/tree/routing.h"

namespace treewright {

namespace {

constexpr double kExact = 9007199254740992;  // 2^53: all whole numbers up to it are doubles
constexpr double kNear = 0.01;               // share of the distance between the two values
constexpr int kDecimalsOfSeconds = 5;        // of a date

struct Neighbors {
  double below = -std::numeric_limits<double>::infinity(), above = std::numeric_limits<double>::infinity();
};

// The training values next to the threshold of each axis split. Shape (nodes).
std::vector<Neighbors> neighbors_of(const Tree& tree, const Dataset& data) {
  std::vector<Neighbors> neighbors(tree.nodes().size());
  visit_nodes(tree, data, [&](NodeId id, std::span<const std::uint32_t> rows) {
    const Node& node = tree.node(id);
    const AxisSplit* axis = node.axis();
    if (axis == nullptr) return;
    Neighbors& here = neighbors[+id];
    for (const std::uint32_t row : rows) {
      const double value = data.columns[+axis->feature].values[row];
      if (value < axis->threshold) here.below = std::max(here.below, value);
      if (value >= axis->threshold) here.above = std::min(here.above, value);
    }
  });
  return neighbors;
}

// The value above is no good threshold for rows that another program rounds, unless it is the threshold already.
int decimals_of(double threshold, const Neighbors& neighbors) {
  const double tolerance = kNear * (neighbors.above - neighbors.below);
  for (int decimals = 0; decimals < kMostDecimals; ++decimals) {
    const double scale = std::pow(10.0, decimals), shown = std::round(threshold * scale) / scale;
    if (!std::isfinite(shown)) break;
    const bool parts = neighbors.below < shown && shown < neighbors.above && std::abs(shown - threshold) <= tolerance;
    if (parts || shown == threshold) return decimals;
  }
  return kMostDecimals;
}

// The threshold with the fewest decimals of those near it. From there another one with fewer may be near, so that these would be shown:
// each round has fewer decimals than the one before, and moves the threshold by a hundredth of the distance at most.
double rounded(double threshold, const Neighbors& neighbors) {
  while (true) {
    const int decimals = decimals_of(threshold, neighbors);
    const double scale = std::pow(10.0, decimals), shown = std::round(threshold * scale) / scale;
    // Beyond 2^53 a quotient is not the double of the decimal.
    if (decimals == kMostDecimals || shown == threshold || std::abs(threshold * scale) > kExact) return threshold;
    threshold = shown;
  }
}

// The coarsest unit in which the date of the threshold, rounded up, sends the rows to the same sides.
std::optional<DateUnit> unit_of_date(double threshold, const Neighbors& neighbors) {
  for (const DateUnit unit : {DateUnit::day, DateUnit::second, DateUnit::microsecond}) {
    const double date = date_rounded_up(threshold, unit);
    if (neighbors.below < date && date <= neighbors.above) return unit;
  }
  return std::nullopt;
}

double later_date(double threshold, const Neighbors& neighbors) {
  const std::optional<DateUnit> unit = unit_of_date(threshold, neighbors);
  return unit ? date_rounded_up(threshold, *unit) : threshold;
}

int decimals_of_date(double threshold, const Neighbors& neighbors) {
  const std::optional<DateUnit> unit = unit_of_date(threshold, neighbors);
  return unit == DateUnit::day ? 0 : unit == DateUnit::second ? kDecimalsOfSeconds : kMostDecimals;
}

}  // namespace

void round_thresholds(Tree& tree, const Dataset& data) {
  const std::vector<Neighbors> neighbors = neighbors_of(tree, data);
  std::vector<Node> nodes = tree.nodes();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    AxisSplit* axis = nodes[i].is_leaf() ? nullptr : nodes[i].split->axis();
    if (axis == nullptr || !std::isfinite(neighbors[i].above - neighbors[i].below)) continue;
    const Notation notation = tree.features[+axis->feature].notation;
    axis->threshold = notation == Notation::date      ? later_date(axis->threshold, neighbors[i])
                      : notation == Notation::ordered ? std::ceil(axis->threshold) - 0.5  // half a place behind the last level on the left
                                                      : rounded(axis->threshold, neighbors[i]);
  }
  tree = tree.with_nodes(std::move(nodes));
}

void set_decimals(Tree& tree, const Dataset& data) {
  for (Feature& feature : tree.features) feature.decimals = -1;
  if (std::none_of(tree.nodes().begin(), tree.nodes().end(), [](const Node& node) { return node.axis() != nullptr; })) return;
  const std::vector<Neighbors> neighbors = neighbors_of(tree, data);
  for (std::size_t i = 0; i < neighbors.size(); ++i) {
    const AxisSplit* axis = tree.nodes()[i].axis();
    // A split that only asks whether there is a value has no neighbors.
    if (axis == nullptr || !std::isfinite(neighbors[i].above - neighbors[i].below)) continue;
    Feature& feature = tree.features[+axis->feature];
    const auto decimals = feature.notation == Notation::date ? decimals_of_date : decimals_of;
    feature.decimals = std::max(feature.decimals, decimals(axis->threshold, neighbors[i]));
  }
}

}  // namespace treewright
