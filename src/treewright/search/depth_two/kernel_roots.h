#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "treewright/base/stop_point.h"
#include "treewright/search/bounds/intervals.h"
#include "treewright/search/depth_two/class_bounds.h"
#include "treewright/search/depth_two/depth_two_roots.h"
#include "treewright/search/depth_two/stump_kernel.h"
#include "treewright/search/loss/costs.h"

namespace treewright::search {

/// An evaluated cut. With three splits both children may be stumps, and `second` repeats `first`. With two splits `first` has the stump on
/// the left and a leaf on the right, `second` the other way round.
struct EvaluatedCut {
  std::int64_t cut;
  double reach_left;
  ChildBounds first, second;
};

/// Two neighboring evaluated cuts, and the cuts between them that may still win.
struct Gap {
  EvaluatedCut a, b;
  CutRange open;
};

/// Memory of KernelRoots, kept from one subproblem to the next.
template <class T>
struct KernelScratch {
  KernelColumns<T> columns;
  std::vector<T> class_weights;
  ClassBounds<T> class_bounds;  // of the ordering that is searched
  std::vector<Gap> gaps, open_gaps;
};

/// Evaluates roots of depth-two trees by the kernel of stump_kernel.h, and passes over those that the interval bounds exclude.
///
/// The kernel evaluates kLanes cuts of one ordering at a time. The interval bounds (intervals.h) then leave in every gap between evaluated
/// cuts a range of cuts that can still beat the best tree. kLanes of those, spread evenly, are evaluated next, until none is left.
///
/// With more than two classes most cuts leave so many of them on both sides that two leaves a side cannot tell them apart. Each cut has a
/// bound of that kind (class_bounds.h), and of both bounds the larger one counts.
///
/// With two splits only one child may be a stump. Then every gap has two pairs of child bounds, (stump, leaf) and (leaf, stump), each with
/// interval bounds of the same form.
template <class T>
class KernelRoots {
 public:
  /// `both`: both children may be stumps (three splits); otherwise only one of them (two splits). `scratch.columns` holds the items of
  /// `range`.
  KernelRoots(KernelScratch<T>& scratch, const ItemRange& range, const SearchLimits& limits, bool both)
      : scratch_(scratch),
        columns_(scratch.columns),
        range_(range),
        rules_(limits.rules),
        bounds_(limits.rules),
        price_(limits.split_price),
        both_(both),
        count_rows_(columns_.min_rows > 0) {
    scratch.class_bounds.start();
  }

  double leaf_errors() const { return leaf_cost(columns_.total_reach, columns_.class_weight); }
  double weight() const { return std::accumulate(columns_.class_weight.begin(), columns_.class_weight.end(), 0.0); }
  double reach() const { return columns_.total_reach; }
  double rows() const { return count_rows_ && columns_.orderings > 0 ? columns_.rows_before(0, columns_.size) : 0; }

  SingleSplit best_single(std::size_t g, bool want_place = false) const {
    stop_point();
    if (columns_.classes == 2) return best_split_of_two_classes(columns_, g, want_place);
    return columns_.table_width > 0 ? best_split_of_lines(columns_, g, scratch_.class_weights)
                                    : best_split_of_many_classes(columns_, g, scratch_.class_weights);
  }
  std::uint32_t single_rank(std::size_t g, const SingleSplit&) const { return rank(g, best_single(g, true).place); }
  std::uint32_t rank(std::size_t f, std::size_t place) const { return range_.rank_at(f, place, columns_.table_width > 0); }
  /// Orderings, those of the best single split first; the kernel takes second orderings in the same sequence.
  const std::vector<std::size_t>& sequence(const std::vector<double>& single_errors, std::size_t) const {
    std::stable_sort(columns_.sequence.begin(), columns_.sequence.end(),
                     [&](std::size_t f, std::size_t g) { return single_errors[f] < single_errors[g]; });
    return columns_.sequence;
  }

  RootsOfOrdering search(std::size_t f, const ShallowOptima& all, double best) {
    const std::span<const std::uint32_t> boundaries = columns_.boundaries_of(f);
    start(all, static_cast<std::int64_t>(boundaries.size()) - 1);
    const CutRange fitting = cuts_that_fit(f, boundaries);
    if (rules_.class_bound) scratch_.class_bounds.assign(columns_, f, both_, best - price_);
    RootsOfOrdering found;
    while (const std::int64_t open = keep_open_gaps(f, boundaries, fitting, best, found)) {
      stop_point();
      evaluate(f, boundaries, std::min<std::int64_t>(open, kLanes), open, best, found);
    }
    return found;
  }

 private:
  // One gap between the cuts that leave one child empty. The other child is everything, whose best stump is known.
  void start(const ShallowOptima& all, std::int64_t cuts) {
    const double one = all.one_split, relaxed = all.one_split_relaxed;
    EvaluatedCut nothing{-1, 0, {0, one, 0, relaxed}, {0, one, 0, relaxed}};
    EvaluatedCut everything{cuts, columns_.total_reach, {one, 0, relaxed, 0}, {one, 0, relaxed, 0}};
    if (!both_) {
      nothing.first.right = nothing.first.right_relaxed = all.leaf;
      everything.second.left = everything.second.left_relaxed = all.leaf;
    }
    scratch_.gaps.assign(1, {nothing, everything, {}});
  }

  // The cuts with enough rows on both sides.
  CutRange cuts_that_fit(std::size_t f, std::span<const std::uint32_t> boundaries) const {
    CutRange fit{0, static_cast<std::int64_t>(boundaries.size()) - 1};
    if (!count_rows_) return fit;
    const double least = static_cast<double>(columns_.min_rows), all = columns_.rows_before(f, columns_.size);
    while (fit.size() > 0 && columns_.rows_before(f, boundaries[fit.first]) < least) ++fit.first;
    while (fit.size() > 0 && all - columns_.rows_before(f, boundaries[fit.last - 1]) < least) --fit.last;
    return fit;
  }

  // Keeps the gaps with cuts that may still win, and enters the bounds of the others. Returns the number of cuts that may win.
  std::int64_t keep_open_gaps(std::size_t f, std::span<const std::uint32_t> boundaries, CutRange fit, double best, RootsOfOrdering& found) {
    const auto reach = [&](std::int64_t t) { return columns_.reach_before(f, boundaries[t]); };
    const double need = best - price_;
    scratch_.open_gaps.clear();
    std::int64_t open = 0;
    for (Gap& gap : scratch_.gaps) {
      const auto& [a, b, unused] = gap;
      const CutRange inside{a.cut + 1, b.cut}, fitting{std::max(a.cut + 1, fit.first), std::min(b.cut, fit.last)};
      gap.open = open_by_neighbors(a, b, fitting, need, reach);
      const bool by_class = gap.open.size() > 0 && !scratch_.class_bounds.empty();
      if (by_class) {
        while (gap.open.size() > 0 && by_either(a, b, gap.open.first, reach) >= need) ++gap.open.first;
        while (gap.open.size() > 0 && by_either(a, b, gap.open.last - 1, reach) >= need) --gap.open.last;
      }
      if (gap.open.size() > 0) {
        open += gap.open.size();
        scratch_.open_gaps.push_back(gap);
        continue;
      }
      found.lower = std::min(found.lower, price_ + (by_class ? least_by_either(a, b, fitting, reach) : least(a, b, fitting, reach)));
      if (!count_rows_) continue;
      found.relaxed = std::min(found.relaxed, price_ + bounds_.least_relaxed(a.first, b.first, a.reach_left, b.reach_left, inside, reach));
      if (!both_)
        found.relaxed =
            std::min(found.relaxed, price_ + bounds_.least_relaxed(a.second, b.second, a.reach_left, b.reach_left, inside, reach));
    }
    return open;
  }

  // Of the pairs of child bounds either may leave a cut open.
  template <class Reach>
  CutRange open_by_neighbors(const EvaluatedCut& a, const EvaluatedCut& b, CutRange cuts, double need, const Reach& reach) const {
    const CutRange first = bounds_.open(a.first, b.first, a.reach_left, b.reach_left, cuts, need, reach);
    if (both_) return first;
    const CutRange second = bounds_.open(a.second, b.second, a.reach_left, b.reach_left, cuts, need, reach);
    if (first.size() == 0) return second;
    if (second.size() == 0) return first;
    return {std::min(first.first, second.first), std::max(first.last, second.last)};
  }
  template <class Reach>
  double least(const EvaluatedCut& a, const EvaluatedCut& b, CutRange cuts, const Reach& reach) const {
    const double first = bounds_.least(a.first, b.first, a.reach_left, b.reach_left, cuts, reach);
    return both_ ? first : std::min(first, bounds_.least(a.second, b.second, a.reach_left, b.reach_left, cuts, reach));
  }

  // Bound on the cut, splits aside: of each side the larger one of those by its neighbors and by its classes.
  template <class Reach>
  double by_either(const EvaluatedCut& a, const EvaluatedCut& b, std::int64_t t, const Reach& reach) const {
    const SideCosts& classes = scratch_.class_bounds[t];
    const double r_a = reach(t) - a.reach_left, r_b = b.reach_left - reach(t);
    const auto sum = [&](const ChildBounds& x, const ChildBounds& y, double left, double right) {
      return std::max(bounds_.left(x, y, r_b), left) + std::max(bounds_.right(x, y, r_a), right);
    };
    const double first = sum(a.first, b.first, classes.left_two, both_ ? classes.right_two : classes.right_one);
    return both_ ? first : std::min(first, sum(a.second, b.second, classes.left_one, classes.right_two));
  }
  template <class Reach>
  double least_by_either(const EvaluatedCut& a, const EvaluatedCut& b, CutRange cuts, const Reach& reach) const {
    double least = std::numeric_limits<double>::infinity();
    for (std::int64_t t = cuts.first; t < cuts.last; ++t) least = std::min(least, by_either(a, b, t, reach));
    return least;
  }

  // Evaluates `count` of the open cuts, spread evenly over all of them. Each divides its gap.
  void evaluate(std::size_t f, std::span<const std::uint32_t> boundaries, std::int64_t count, std::int64_t open, double& best,
                RootsOfOrdering& found) {
    std::int64_t chosen[kLanes];
    std::int64_t before = 0;  // open cuts in the gaps before this one
    std::size_t gap = 0;
    for (std::int64_t lane = 0; lane < count; ++lane) {
      const std::int64_t pick = (2 * lane + 1) * open / (2 * count);
      while (pick >= before + scratch_.open_gaps[gap].open.size()) before += scratch_.open_gaps[gap++].open.size();
      chosen[lane] = scratch_.open_gaps[gap].open.first + pick - before;
    }
    T places[kLanes];
    for (std::int64_t lane = 0; lane < static_cast<std::int64_t>(kLanes); ++lane) {
      places[lane] = static_cast<T>(boundaries[chosen[std::min(lane, count - 1)]]);
    }
    CutErrors errors;
    best_stumps(columns_, f, places, errors);

    scratch_.gaps.clear();
    std::int64_t lane = 0;
    for (const auto& [begin, end, unused] : scratch_.open_gaps) {
      EvaluatedCut a = begin;
      for (; lane < count && chosen[lane] < end.cut; ++lane) {
        const std::uint32_t place = boundaries[chosen[lane]];
        const EvaluatedCut cut = evaluated(chosen[lane], columns_.reach_before(f, place), errors, lane);
        const double value = price_ + std::min(cut.first.left + cut.first.right, cut.second.left + cut.second.right);
        found.lower = std::min(found.lower, value);
        found.relaxed = std::min(found.relaxed, price_ + std::min(cut.first.left_relaxed + cut.first.right_relaxed,
                                                                  cut.second.left_relaxed + cut.second.right_relaxed));
        if (value < best) {
          found.cost = best = value;
          found.place = place;
        }
        scratch_.gaps.push_back({a, cut, {}});
        a = cut;
      }
      scratch_.gaps.push_back({a, end, {}});
    }
  }

  EvaluatedCut evaluated(std::int64_t cut, double reach_left, const CutErrors& errors, std::int64_t lane) const {
    const ChildBounds stumps{std::min(errors.left_leaf[lane], errors.left[lane] + price_),
                             std::min(errors.right_leaf[lane], errors.right[lane] + price_),
                             std::min(errors.left_leaf[lane], errors.left_relaxed[lane] + price_),
                             std::min(errors.right_leaf[lane], errors.right_relaxed[lane] + price_)};
    EvaluatedCut result{cut, reach_left, stumps, stumps};
    if (!both_) {
      result.first.right = result.first.right_relaxed = errors.right_leaf[lane];
      result.second.left = result.second.left_relaxed = errors.left_leaf[lane];
    }
    return result;
  }

  KernelScratch<T>& scratch_;
  KernelColumns<T>& columns_;
  const ItemRange& range_;
  const Rules& rules_;
  const IntervalBounds bounds_;
  const double price_;
  const bool both_, count_rows_;
};

}  // namespace treewright::search
