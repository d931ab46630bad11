// Exact trees of depth two: the bottom of every search, where nearly all time is spent.
//
// For each ordering f as the root: the kernel (stump_lanes) evaluates kLanes cuts of f at a time, over all second features; the
// interval bounds (intervals.h) then decide which cuts can still beat the best tree; kLanes of those, spread evenly, are evaluated
// next, until none is left. Orderings whose best single split is best go first: they tend to hold the optimum.
//
// The kernel returns values only. The winning pair of stumps is found again at the end, by a plain scan of the two parts.

#include "treewright/search/depth_two.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "treewright/search/intervals.h"
#include "treewright/search/stump_lanes.h"

namespace treewright {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Interval {
  Point a, b;
  std::size_t survivors_end;  // its last survivor's place in the list of all, plus one
};

}  // namespace

struct DepthTwo::Scratch {
  std::tuple<Lines<std::int16_t>, Lines<std::int32_t>, Lines<double>> lines;
  Cuts cuts;
  Subset left, right;
  std::vector<Interval> open, kept;
  std::vector<std::int64_t> survivors;  // cuts that may still win, interval by interval
};

DepthTwo::DepthTwo(const Problem& problem, const SearchLimits& limits, Deadline& deadline)
    : problem_(problem), limits_(limits), deadline_(deadline), scratch_(std::make_unique<Scratch>()) {}
DepthTwo::~DepthTwo() = default;

Stump DepthTwo::best_stump(const Subset& subset, std::vector<double>* errors_by_ordering) {
  Stump best;
  Cuts& cuts = scratch_->cuts;
  for (std::size_t f = 0; f < problem_.orderings.size(); ++f) {
    cuts.assign(subset, f, problem_.classes);
    double least = kInfinity;
    for (std::size_t c = 0; c < cuts.size(); ++c) {
      const double errors = cuts.left_errors[c] + cuts.right_errors[c];
      best.relaxed_errors = std::min(best.relaxed_errors, errors);
      if (cuts.rows_left[c] < limits_.min_rows || subset.rows - cuts.rows_left[c] < limits_.min_rows) continue;
      least = std::min(least, errors);
      if (errors < best.errors - limits_.tolerance) {
        best.errors = errors;
        const auto rank = subset.ranks_of(f);
        best.step = {static_cast<std::int32_t>(f), rank[cuts.place[c] - 1], rank[cuts.place[c]]};
      }
    }
    if (errors_by_ordering != nullptr) errors_by_ordering->push_back(least);
  }
  return best;
}

Answer DepthTwo::solve_one(const Subset& subset, double upper) {
  Answer answer;
  const double leaf = subset.leaf_errors(problem_.classes);
  answer.lower = answer.relaxed = leaf;
  if (leaf < upper - limits_.tolerance) {
    answer.cost = leaf;
    answer.plan = Plan::leaf();
  }
  if ((limits_.rules.leaf_price && leaf <= limits_.split_price + limits_.tolerance) || subset.size < 2) return answer;
  const Stump stump = best_stump(subset, nullptr);
  const double cost = stump.errors + limits_.split_price;
  answer.lower = std::min(leaf, cost);
  answer.relaxed = std::min(leaf, stump.relaxed_errors + limits_.split_price);
  if (cost < std::min(upper, leaf) - limits_.tolerance) {
    answer.cost = cost;
    answer.plan = Plan::split(stump.step, Plan::leaf(), Plan::leaf());
  }
  return answer;
}

Answer DepthTwo::solve_two(const Subset& subset, std::int64_t splits, double upper, std::span<const double> known) {
  const double largest = std::max({subset.total_weight, static_cast<double>(subset.size),
                                   limits_.min_rows > 1 ? static_cast<double>(subset.rows) : 0.0});
  if (problem_.integral && largest <= std::numeric_limits<std::int16_t>::max()) {
    return solve_in_lanes<std::int16_t>(subset, splits, upper, known);
  }
  if (problem_.integral && largest <= std::numeric_limits<std::int32_t>::max()) {
    return solve_in_lanes<std::int32_t>(subset, splits, upper, known);
  }
  return solve_in_lanes<double>(subset, splits, upper, known);
}

template <class T>
Answer DepthTwo::solve_in_lanes(const Subset& subset, std::int64_t splits, double upper, std::span<const double> known) {
  const double price = limits_.split_price, tolerance = limits_.tolerance;
  const std::size_t orderings = problem_.orderings.size();
  Answer answer;
  const double leaf = subset.leaf_errors(problem_.classes);
  answer.lower = answer.relaxed = leaf;
  double best = upper;
  if (leaf < best - tolerance) {
    answer.cost = best = leaf;
    answer.plan = Plan::leaf();
  }
  // Every split costs its price, so a leaf that errs less than that is optimal.
  if ((limits_.rules.leaf_price && leaf <= price + tolerance) || subset.size < 2) return answer;

  std::vector<double> stump_errors;
  const Stump stump = best_stump(subset, &stump_errors);
  const double one_split = stump.errors + price;
  const double one = std::min(leaf, one_split), one_relaxed = std::min(leaf, stump.relaxed_errors + price);
  answer.lower = one;
  answer.relaxed = one_relaxed;
  if (one_split < best - tolerance) {
    answer.cost = best = one_split;
    answer.plan = Plan::split(stump.step, Plan::leaf(), Plan::leaf());
  }
  answer.lower_by_ordering.assign(orderings, kInfinity);

  Scratch& scratch = *scratch_;
  Lines<T>& lines = std::get<Lines<T>>(scratch.lines);
  lines.assign(subset, problem_.classes, limits_.min_rows);
  const Cuts& cuts = scratch.cuts;
  const IntervalBounds bounds(cuts, subset.total_weight, limits_.rules);
  const bool count_rows = limits_.min_rows > 1;

  std::vector<std::size_t> sequence(orderings);
  std::iota(sequence.begin(), sequence.end(), std::size_t{0});
  std::stable_sort(sequence.begin(), sequence.end(), [&](std::size_t a, std::size_t b) { return stump_errors[a] < stump_errors[b]; });

  std::int32_t best_ordering = -1;
  std::uint32_t best_place = 0;
  for (const std::size_t f : sequence) {
    double& lower = answer.lower_by_ordering[f];
    if (!known.empty() && known[f] >= best - tolerance) {
      lower = known[f];
      answer.relaxed = std::min(answer.relaxed, known[f]);
      continue;
    }
    if (deadline_.poll(1)) {
      // What was not looked at is bounded by nothing but the price of its root.
      lower = answer.relaxed = price;
      continue;
    }
    scratch.cuts.assign(subset, f, problem_.classes);
    const auto ends = static_cast<std::int64_t>(cuts.size());
    const auto fits = [&](std::int64_t t) {
      return cuts.rows_left[t] >= limits_.min_rows && subset.rows - cuts.rows_left[t] >= limits_.min_rows;
    };
    // The cost of root and parts when the parts cost at least `left` and `right`.
    const auto total = [&](std::int64_t t, double left, double right) {
      if (splits >= 3) return price + left + right;
      return price + std::min(left + cuts.right_errors[t], cuts.left_errors[t] + right);
    };
    scratch.open.assign(1, {{-1, 0, one, 0, one_relaxed}, {ends, one, 0, one_relaxed, 0}, 0});
    while (true) {
      // Keep the intervals that hold a cut that may still win; what the others hold is settled.
      scratch.survivors.clear();
      scratch.kept.clear();
      for (const auto& [a, b, unused] : scratch.open) {
        const std::size_t before = scratch.survivors.size();
        double least = kInfinity;
        for (std::int64_t t = a.cut + 1; t < b.cut; ++t) {
          if (count_rows && !fits(t)) continue;
          const double value = total(t, bounds.left(a, b, t), bounds.right(a, b, t));
          if (value >= best - tolerance) {
            least = std::min(least, value);
          } else {
            scratch.survivors.push_back(t);
          }
        }
        if (scratch.survivors.size() > before) {
          scratch.kept.push_back({a, b, scratch.survivors.size()});
          continue;
        }
        lower = std::min(lower, least);
        for (std::int64_t t = a.cut + 1; count_rows && t < b.cut; ++t) {
          answer.relaxed = std::min(answer.relaxed, total(t, bounds.left_relaxed(a, b, t), bounds.right_relaxed(a, b, t)));
        }
      }
      if (scratch.survivors.empty()) break;

      // Evaluate kLanes of the survivors, spread evenly.
      const std::size_t count = std::min(scratch.survivors.size(), kLanes);
      const auto pick = [&](std::size_t lane) { return (2 * lane + 1) * scratch.survivors.size() / (2 * count); };
      T places[kLanes];
      double weight_left[kLanes];
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        const std::int64_t t = scratch.survivors[pick(std::min(lane, count - 1))];
        places[lane] = static_cast<T>(cuts.place[t]);
        weight_left[lane] = cuts.weight_left[t];
      }
      StumpLanes right_of;
      best_stumps(lines, f, places, weight_left, subset.total_weight, right_of);

      // Each evaluated cut divides its interval.
      scratch.open.clear();
      std::size_t lane = 0;
      for (const auto& [begin, end, survivors_end] : scratch.kept) {
        Point a = begin;
        for (; lane < count && pick(lane) < survivors_end; ++lane) {
          const std::int64_t t = scratch.survivors[pick(lane)];
          const double weight_right = subset.total_weight - weight_left[lane];
          const Point point{t, std::min(cuts.left_errors[t], weight_left[lane] - right_of.left[lane] + price),
                            std::min(cuts.right_errors[t], weight_right - right_of.right[lane] + price),
                            std::min(cuts.left_errors[t], weight_left[lane] - right_of.left_relaxed[lane] + price),
                            std::min(cuts.right_errors[t], weight_right - right_of.right_relaxed[lane] + price)};
          const double value = total(t, point.left, point.right);
          lower = std::min(lower, value);
          answer.relaxed = std::min(answer.relaxed, total(t, point.left_relaxed, point.right_relaxed));
          if (value < best - tolerance) {
            best = value;
            best_ordering = static_cast<std::int32_t>(f);
            best_place = cuts.place[t];
          }
          scratch.open.push_back({a, point, 0});
          a = point;
        }
        scratch.open.push_back({a, end, 0});
      }
    }
    answer.lower = std::min(answer.lower, lower);
    if (!count_rows) answer.relaxed = answer.lower;
  }

  if (best_ordering >= 0) {
    answer.cost = best;
    const auto f = static_cast<std::size_t>(best_ordering);
    const auto rank = subset.ranks_of(f);
    const Plan::Step root{best_ordering, rank[best_place - 1], rank[best_place]};
    subset.split(f, best_place, scratch.left, scratch.right);
    const Answer left_leaf = solve_one(scratch.left, kInfinity), right_leaf = solve_one(scratch.right, kInfinity);
    if (splits >= 3) {
      answer.plan = Plan::split(root, left_leaf.plan, right_leaf.plan);
    } else {
      // One more split: where it gains more.
      const double left_errors = scratch.left.leaf_errors(problem_.classes), right_errors = scratch.right.leaf_errors(problem_.classes);
      const bool left_gets_it = left_leaf.cost + right_errors <= left_errors + right_leaf.cost;
      answer.plan = left_gets_it ? Plan::split(root, left_leaf.plan, Plan::leaf()) : Plan::split(root, Plan::leaf(), right_leaf.plan);
    }
  }
  // The optimum is known when something was found: all the rest is bounded by it.
  answer.lower = std::min(answer.lower, answer.cost);
  return answer;
}

}  // namespace treewright
