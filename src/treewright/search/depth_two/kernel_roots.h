#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "treewright/base/stop_point.h"
#include "treewright/search/bounds/intervals.h"
#include "treewright/search/depth_two/class_bounds.h"
#include "treewright/search/depth_two/depth_two_roots.h"
#include "treewright/search/depth_two/single_split.h"
#include "treewright/search/depth_two/stump_kernel.h"

namespace treewright::search {

/// An evaluated cut, as a leaf and as a stump on either side.
struct EvaluatedCut {
  std::int64_t cut;
  double reach_left, left_leaf, right_leaf;
  ChildBounds stumps;  ///< or leaves, where these cost less

  ChildBounds of(Share share) const {
    return {share == Share::right_stump ? Bound::of_all_trees(left_leaf) : stumps.left,
            share == Share::left_stump ? Bound::of_all_trees(right_leaf) : stumps.right};
  }
};

/// Two neighboring evaluated cuts, and the cuts between them that may still win.
struct Gap {
  EvaluatedCut a, b;
  CutRange open;
};

/// Memory of KernelRoots, kept from one subproblem to the next.
template <class Columns>
struct KernelScratch {
  Columns columns;
  std::vector<typename Columns::Number> class_weights;
  typename Columns::Floors class_bounds;  // of the ordering that is searched
  std::vector<Gap> gaps, open_gaps;
};

/// Evaluates roots of depth-two trees by the kernel of stump_kernel.h, and passes over those that the interval bounds exclude.
///
/// The kernel evaluates kCuts cuts of one ordering at a time. The interval bounds (intervals.h) then leave in every gap between evaluated
/// cuts a range of cuts that can still beat the best tree. kCuts of those, spread evenly, are evaluated next, until none is left.
///
/// With more than two classes most cuts leave so many of them on both sides that two leaves a side cannot tell them apart. Each cut has a
/// bound of that kind (class_bounds.h), and of both bounds the larger one counts.
///
/// With two splits only one child may be a stump. Then every gap has two pairs of child bounds, one for each Share.
///
/// `Columns`: KernelColumns, or SumColumns where the target is a number.
template <class Columns>
class KernelRoots {
  using T = typename Columns::Number;

 public:
  /// `both`: both children may be stumps (three splits); otherwise only one of them (two splits). `scratch.columns` holds the items of
  /// `range`.
  KernelRoots(KernelScratch<Columns>& scratch, const ItemRange& range, const SearchLimits& limits, bool both)
      : scratch_(scratch),
        columns_(scratch.columns),
        range_(range),
        rules_(limits.rules),
        price_(limits.split_price),
        both_(both),
        shares_(shares(both)),
        count_rows_(columns_.counts_rows()) {
    scratch.class_bounds.start();
  }

  double leaf_errors() const { return columns_.leaf_cost(); }
  double weight() const { return columns_.total_weight(); }
  double reach() const { return columns_.total_reach(); }
  double rows() const { return count_rows_ && columns_.orderings() > 0 ? columns_.rows_before(0, columns_.size()) : 0; }

  SingleSplit best_single(std::size_t g, bool want_place = false) const {
    stop_point();
    return best_split(columns_, g, want_place, scratch_.class_weights);
  }
  std::uint32_t single_rank(std::size_t g, const SingleSplit&) const { return rank(g, best_single(g, true).place); }
  std::uint32_t rank(std::size_t f, std::size_t place) const { return range_.rank_at(f, place, columns_.has_table()); }
  /// Orderings, those of the best single split first; the kernel takes second orderings in the same sequence.
  const std::vector<std::size_t>& sequence(const std::vector<double>& single_errors, std::size_t) const {
    return columns_.sort_sequence([&](std::size_t f, std::size_t g) { return single_errors[f] < single_errors[g]; });
  }

  RootsOfOrdering search(std::size_t f, const ShallowOptima& all, double best) {
    const std::span<const std::uint32_t> boundaries = columns_.boundaries_of(f);
    start(all, static_cast<std::int64_t>(boundaries.size()) - 1);
    const CutRange fitting = cuts_that_fit(f, boundaries);
    if (rules_.class_bound) scratch_.class_bounds.assign(columns_, f, both_, best - price_);
    RootsOfOrdering found;
    assert(all.one_split.is_sane() && all.one_split.strict <= all.leaf);
    while (const std::int64_t open = keep_open_gaps(f, boundaries, fitting, best, found)) {
      stop_point();
      evaluate(f, boundaries, std::min<std::int64_t>(open, Columns::kCuts), open, best, found);
    }
    return found;
  }

 private:
  // One gap between the cuts that leave one child empty. The other child is everything, whose best stump is known.
  void start(const ShallowOptima& all, std::int64_t cuts) {
    const EvaluatedCut nothing{-1, 0, 0, all.leaf, {{}, all.one_split}},
        everything{cuts, columns_.total_reach(), all.leaf, 0, {all.one_split, {}}};
    scratch_.gaps.assign(1, {nothing, everything, {}});
  }

  // The cuts with enough rows on both sides.
  CutRange cuts_that_fit(std::size_t f, std::span<const std::uint32_t> boundaries) const {
    CutRange fit{0, static_cast<std::int64_t>(boundaries.size()) - 1};
    if (!count_rows_) return fit;
    const double least = static_cast<double>(columns_.min_rows()), all = columns_.rows_before(f, columns_.size());
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
      const EvaluatedCut &a = gap.a, &b = gap.b;
      const CutRange inside{a.cut + 1, b.cut}, fitting{std::max(a.cut + 1, fit.first), std::min(b.cut, fit.last)};
      const auto between = [&](Share share) { return CutGap(rules_, a.of(share), b.of(share), a.reach_left, b.reach_left, reach); };
      const auto floors = [&](Share share) { return [&, share](std::int64_t t) { return scratch_.class_bounds[t].floor(share); }; };
      gap.open = {};
      for (const Share share : shares_) gap.open = hull(gap.open, between(share).open(fitting, need));
      const bool by_class = gap.open.size() > 0 && !scratch_.class_bounds.empty();
      if (by_class) {
        const CutRange by_neighbors = std::exchange(gap.open, {});
        for (const Share share : shares_) gap.open = hull(gap.open, between(share).narrow(by_neighbors, need, floors(share)));
      }
      if (gap.open.size() > 0) {
        open += gap.open.size();
        scratch_.open_gaps.push_back(gap);
        continue;
      }
      for (const Share share : shares_) {
        const double least = by_class ? between(share).least(fitting, floors(share)) : between(share).least(fitting);
        found.lower.strict = std::min(found.lower.strict, price_ + least);
        if (count_rows_) found.lower.relaxed = std::min(found.lower.relaxed, price_ + between(share).least_relaxed(inside));
      }
    }
    return open;
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
    assert(std::is_sorted(chosen, chosen + count));
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
        Bound value = Bound::of_nothing();
        for (const Share share : shares_) value = min(value, price_ + cut.of(share).sum());
        found.lower = min(found.lower, value);
        if (value.strict < best) {
          found.cost = best = value.strict;
          found.place = place;
        }
        scratch_.gaps.push_back({a, cut, {}});
        a = cut;
      }
      scratch_.gaps.push_back({a, end, {}});
    }
  }

  EvaluatedCut evaluated(std::int64_t cut, double reach_left, const CutErrors& errors, std::int64_t lane) const {
    const auto stump = [&](double leaf, double strict, double relaxed) {
      return min(Bound::of_all_trees(leaf), price_ + Bound{strict, relaxed});
    };
    return {cut,
            reach_left,
            errors.left_leaf[lane],
            errors.right_leaf[lane],
            {stump(errors.left_leaf[lane], errors.left[lane], errors.left_relaxed[lane]),
             stump(errors.right_leaf[lane], errors.right[lane], errors.right_relaxed[lane])}};
  }

  KernelScratch<Columns>& scratch_;
  Columns& columns_;
  const ItemRange& range_;
  const Rules& rules_;
  const double price_;
  const bool both_;
  const std::span<const Share> shares_;
  const bool count_rows_;
};

}  // namespace treewright::search
