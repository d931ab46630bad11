// Weights that people can read: flavanoids + 0.5 * hue < 2.3.
//
// Idea. Rows tell a hyperplane only up to a gap: all planes between the rows of the two sides are equally right on them. A plane is divided
// by its first weight, which moves the rows most. The other weights are rounded to one digit, or else to two, and so on, until all rows
// that reach the node stay on their sides. The threshold keeps its place in the gap between the sides, but for a sixth of the gap, with the
// fewest digits. If the first weight is negative, the children change places.
//
// What it costs. New rows may fall elsewhere. So a rounding changes no weight by more than kChange of it, and leaves at least kGap of the
// gap, in units of the first column. Where many rows crowd around a plane, its gap is small and little is rounded.
//
// Cost: O(rows * terms) for each number of digits that is tried, kDigits at most.

#include "treewright/grow/short_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>

#include "treewright/base/stop_point.h"
#include "treewright/data/midpoint.h"

namespace treewright::grow {

namespace {

constexpr int kDigits = 5;
constexpr double kGap = 0.5, kChange = 0.05;

double to_digits(double number, int digits) {
  const std::string text = fmt::format("{:.{}e}", number, digits - 1);
  double rounded = number;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return rounded;
}

// The sums of the rows on the two sides.
struct Gap {
  double below = -std::numeric_limits<double>::infinity(), above = std::numeric_limits<double>::infinity();
  double width() const { return above - below; }
};

// Of the rows that go left and right; of no width where a plane mixes them, or a sum is missing.
Gap gap_of(const HyperplaneSplit& plane, const Dataset& data, std::span<const std::uint32_t> rows, std::span<const std::uint8_t> left) {
  const std::vector<double> sums = plane_sums(plane, data, rows);
  Gap gap;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (std::isnan(sums[i])) return {0, 0};
    if (left[i] != 0) {
      gap.below = std::max(gap.below, sums[i]);
    } else {
      gap.above = std::min(gap.above, sums[i]);
    }
  }
  return std::isfinite(gap.width()) ? gap : Gap{0, 0};
}

// At this share of the gap, with the fewest digits that come near it.
double threshold_in(const Gap& gap, double share) {
  const double wanted = gap.below + share * gap.width();
  for (int digits = 1; digits <= 15; ++digits) {
    const double shown = to_digits(wanted, digits);
    if (gap.below < shown && shown < gap.above && std::abs(shown - wanted) <= gap.width() / 6) return shown;
  }
  return wanted;
}

void shorten(EditableTree& node, const Dataset& data, std::span<const std::uint32_t> rows) {
  const HyperplaneSplit* const plane = node.split->plane();
  if (plane == nullptr || plane->terms.empty()) return;
  const double first = plane->terms.front().weight;
  HyperplaneSplit divided = *plane;
  for (auto& term : divided.terms) term.weight /= first;
  divided.terms.front().weight = 1;
  divided.threshold /= first;
  std::vector<std::uint8_t> left = sides(*node.split, data, rows);
  if (first < 0) {
    for (std::uint8_t& side : left) side = side == 0;
  }
  const Gap whole = gap_of(divided, data, rows, left);
  if (!(whole.width() > 0)) return;
  for (int digits = 1; digits <= kDigits; ++digits) {
    stop_point();
    HyperplaneSplit candidate = divided;
    bool near = true;
    for (auto& term : candidate.terms) {
      const double exact = term.weight;
      term.weight = to_digits(exact, digits);
      near = near && std::abs(term.weight - exact) <= kChange * std::abs(exact);
    }
    if (!near) continue;
    const Gap gap = gap_of(candidate, data, rows, left);
    if (!(gap.width() >= kGap * whole.width())) continue;
    candidate.threshold = threshold_in(gap, (divided.threshold - whole.below) / whole.width());
    const Split split{std::move(candidate), node.split->missing_left != (first < 0)};
    if (sides(split, data, rows) != left) continue;
    node.split = split;
    if (first < 0) node.left.swap(node.right);
    return;
  }
}

void shorten_all(EditableTree& node, const Dataset& data, std::span<const std::uint32_t> rows) {
  if (node.is_leaf()) return;
  shorten(node, data, rows);
  const auto [left, right] = divide(*node.split, data, rows);
  shorten_all(*node.left, data, left);
  shorten_all(*node.right, data, right);
}

}  // namespace

void short_weights(EditableTree& draft, const Dataset& data) {
  shorten_all(draft, data, weighty_rows(data));
}

}  // namespace treewright::grow
