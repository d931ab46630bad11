// Exact trees of depth two: the bottom of every search, where nearly all time is spent.
//
// For each ordering f as the root: the kernel (stump_lanes) evaluates kLanes cuts of f at a time, over all second orderings; the
// interval bounds (intervals.h) then leave a stretch of cuts in every gap that can still beat the best tree; kLanes of
// those, spread evenly, are evaluated next, until none is left. Orderings whose best single split is best go first: they tend
// to hold the optimum.
//
// With two splits only one part may be a stump. Then every gap has two pairs of sides, (stump, leaf) and (leaf, stump), each
// with bounds of the same form.
//
// The kernel returns values only. The winning pair of stumps is found again when somebody wants the tree, by a plain scan of the two
// parts.

#include "treewright/search/depth_two.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "treewright/search/intervals.h"
#include "treewright/search/pack.h"
#include "treewright/search/stump_lanes.h"

namespace treewright {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// A solved cut. With three splits both parts may be stumps, and `second` repeats `first`; with two splits `first` has the
// stump on the left and a leaf on the right, `second` the other way round.
struct Point {
  std::int64_t cut;
  double weight_left;
  Sides first, second;
};

struct Gap {
  Point a, b;
  Stretch open;
};

// The best single split of one ordering: errors with min_rows on both sides, and without.
struct Single {
  double errors = kInfinity, relaxed = kInfinity;
  std::size_t place = 0;
};

// Two classes: N0 - max s or N1 + min s over the places where the rank changes (see stump_lanes.cpp).
template <class T>
Single best_single_of_two(const Lines<T>& lines, std::size_t g, bool want_place) {
  const T* prefix = lines.prefix.data() + g * lines.size;
  const double sum = static_cast<double>(prefix[lines.size - 1]);
  const double class0 = (lines.total_weight + sum) / 2, class1 = (lines.total_weight - sum) / 2;
  const std::span<const std::uint32_t> ends = lines.ends_of(g);
  Single single;
  const auto range_of = [&](std::size_t from, std::size_t to) {
    T high = std::numeric_limits<T>::lowest(), low = std::numeric_limits<T>::max();
    if (ends.size() == lines.size) {
      for (std::size_t c = from; c < to; ++c) {
        high = std::max(high, prefix[c]);
        low = std::min(low, prefix[c]);
      }
    } else {
      for (std::size_t c = from; c < to; ++c) {
        const T s = prefix[ends[c] - 1];
        high = std::max(high, s);
        low = std::min(low, s);
      }
    }
    return from < to ? std::min(class0 - static_cast<double>(high), class1 + static_cast<double>(low)) : kInfinity;
  };
  std::size_t first = 0, last = ends.size() - 1;
  single.relaxed = range_of(first, last);
  if (lines.min_rows > 0) {
    const double least = static_cast<double>(lines.min_rows), all = lines.rows_before(g, lines.size);
    while (first < last && lines.rows_before(g, ends[first]) < least) ++first;
    while (first < last && all - lines.rows_before(g, ends[last - 1]) < least) --last;
  }
  single.errors = lines.min_rows > 0 ? range_of(first, last) : single.relaxed;
  for (std::size_t c = first; want_place && c < last; ++c) {
    const double s = static_cast<double>(prefix[ends[c] - 1]);
    if (std::min(class0 - s, class1 + s) == single.errors) {
      single.place = ends[c];
      break;
    }
  }
  return single;
}

template <class T>
Single best_single_of_many(const Lines<T>& lines, std::size_t g, std::vector<T>& scratch) {
  const std::size_t n = lines.size, classes = static_cast<std::size_t>(lines.classes);
  const T* weight = lines.weight.data() + g * n;
  const std::uint16_t* label = lines.label.data() + g * n;
  const std::span<const std::uint32_t> ends = lines.ends_of(g);
  scratch.assign(classes + ends.size(), T{0});
  T* seen = scratch.data();
  T* heaviest_before = seen + classes;
  T heaviest = 0;
  std::size_t at = 0;
  for (std::size_t c = 0; c < ends.size(); ++c) {
    for (; at < ends[c]; ++at) heaviest = std::max(heaviest, seen[label[at]] = static_cast<T>(seen[label[at]] + weight[at]));
    heaviest_before[c] = heaviest;
  }
  std::fill_n(seen, classes, T{0});
  heaviest = 0;
  Single single;
  const double all = lines.min_rows > 0 ? lines.rows_before(g, n) : 0, least = static_cast<double>(lines.min_rows);
  for (std::size_t c = ends.size() - 1; c-- > 0;) {
    while (at > ends[c]) {
      --at;
      heaviest = std::max(heaviest, seen[label[at]] = static_cast<T>(seen[label[at]] + weight[at]));
    }
    const double errors = lines.total_weight - static_cast<double>(heaviest_before[c]) - static_cast<double>(heaviest);
    single.relaxed = std::min(single.relaxed, errors);
    if (lines.min_rows > 0 && (lines.rows_before(g, at) < least || all - lines.rows_before(g, at) < least)) continue;
    if (errors <= single.errors) {
      single.errors = errors;
      single.place = at;
    }
  }
  return single;
}

}  // namespace

enum class BitWidth { none, narrow, wide };

struct DepthTwo::Scratch {
  std::tuple<Lines<std::int16_t>, Lines<std::int32_t>, Lines<double>> lines;
  std::tuple<std::vector<std::int16_t>, std::vector<std::int32_t>, std::vector<double>> stacks;
  std::vector<Gap> gaps, kept;
  std::vector<double> single_errors;
  std::vector<std::size_t> sequence;
  // Of the subset with that stamp.
  std::uint64_t stamp = 0;
  BitWidth width = BitWidth::none;
  BitColumns columns;  // where the subset is not packed itself
  BitStumps<std::int16_t> narrow_bits;
  BitStumps<std::int32_t> wide_bits;
};

DepthTwo::DepthTwo(const Problem& problem, const SearchLimits& limits)
    : problem_(problem), limits_(limits), scratch_(std::make_unique<Scratch>()) {}
DepthTwo::~DepthTwo() = default;

// Lays out the whole's bit sets, if it has any or they pay; whether it did.
bool DepthTwo::lay_out_bits(const Subset& whole) {
  Scratch& scratch = *scratch_;
  if (scratch.stamp == whole.stamp) return scratch.width != BitWidth::none;
  scratch.stamp = whole.stamp;
  scratch.width = BitWidth::none;
  if (!whole.is_packed()) {
    if (!worth_packing(whole, problem_.classes, limits_.min_rows)) return false;
    pack(whole, problem_.classes, limits_.min_rows, scratch.columns);
  }
  const BitColumns& columns = whole.is_packed() ? whole.bits : scratch.columns;
  scratch.width = is_narrow(columns) ? BitWidth::narrow : BitWidth::wide;
  scratch.width == BitWidth::narrow ? scratch.narrow_bits.assign(columns, limits_.min_rows)
                                    : scratch.wide_bits.assign(columns, limits_.min_rows);
  return true;
}

Answer DepthTwo::solve(const Part& part, int depth, std::int64_t splits, double upper, std::span<const double> known, Deadline& deadline) {
  const Task task{part, depth, splits, upper, known, deadline};
  const Subset& whole = part.whole;
  // A stump alone does not pay for packing, least of all where that replaces the layout of a subset still in use.
  const bool pays = limits_.rules.bit_sets && (scratch_->stamp == whole.stamp || (depth > 1 && splits > 1));
  if ((whole.is_packed() || pays) && lay_out_bits(whole)) {
    return scratch_->width == BitWidth::narrow ? solve_in_bits(task, scratch_->narrow_bits) : solve_in_bits(task, scratch_->wide_bits);
  }
  // The whole's totals: a part never needs a larger type.
  const double largest = std::max({whole.total_weight, static_cast<double>(whole.size),
                                   limits_.min_rows > 1 ? static_cast<double>(std::max(whole.rows, limits_.min_rows)) : 0.0});
  if (largest <= std::numeric_limits<std::int16_t>::max()) return solve_in_lanes<std::int16_t>(task);
  if (largest <= std::numeric_limits<std::int32_t>::max()) return solve_in_lanes<std::int32_t>(task);
  return solve_in_lanes<double>(task);
}

// Enters the leaf into the answer. Returns whether nothing can be better.
bool DepthTwo::start_with_leaf(const Task& task, double leaf, double weight, double rows, Answer& answer) const {
  const double price = limits_.split_price;
  answer.lower = answer.relaxed = leaf;
  if (leaf < task.upper) {
    answer.cost = leaf;
    answer.plan = Plan::leaf();
  }
  // Every split costs its price, so a leaf that errs less than that is optimal.
  if ((limits_.rules.leaf_price && leaf <= price) || task.part.size() < 2 || task.depth == 0 || task.splits == 0) return true;
  if (!limits_.rules.row_bound || limits_.min_rows <= 1 || problem_.orderings.empty()) return false;
  const double lost = problem_.row_bound(leaf, weight - leaf, rows, limits_.min_rows);
  if (leaf > price + lost) return false;
  answer.relaxed = std::min(leaf, price);  // without min_rows a split might pay
  return true;
}

// Whether the roots of an ordering need no look. If so, says in the answer what is known of them.
bool DepthTwo::skip(const Task& task, std::size_t f, double best, Answer& answer) const {
  double& lower = answer.lower_by_ordering[f];
  if (!task.known.empty() && task.known[f] >= best) {
    lower = task.known[f];
    answer.lower = std::min(answer.lower, lower);
    return true;
  }
  if (!task.deadline.poll(1)) return false;
  // What was not looked at is bounded by nothing but the price of its root.
  lower = limits_.split_price;
  answer.lower = std::min(answer.lower, limits_.split_price);
  answer.relaxed = std::min(answer.relaxed, limits_.split_price);
  return true;
}

template <class T>
Answer DepthTwo::solve_in_bits(const Task& task, BitStumps<T>& bits) {
  const double price = limits_.split_price;
  const std::size_t orderings = problem_.orderings.size();
  const bool count_rows = limits_.min_rows > 1;
  bits.restrict_to(task.part);
  Answer answer;
  const double leaf = bits.leaf_errors();
  if (start_with_leaf(task, leaf, bits.total_weight(), count_rows ? bits.rows() : 0, answer)) return answer;
  double best = std::min(task.upper, answer.cost);

  std::vector<double>& single_errors = scratch_->single_errors;
  single_errors.assign(orderings, kInfinity);
  double single = kInfinity, single_relaxed = kInfinity;
  std::size_t best_single = 0, best_single_ordering = 0;
  for (std::size_t g = 0; g < orderings; ++g) {
    for (std::size_t c = bits.first_cut(g); c < bits.first_cut(g + 1); ++c) {
      if (!bits.divides(c)) continue;
      single_relaxed = std::min(single_relaxed, bits.single_relaxed(c));
      if (!bits.fits(c)) continue;
      single_errors[g] = std::min(single_errors[g], bits.single(c));
      if (bits.single(c) < single) {
        single = bits.single(c);
        best_single = c;
        best_single_ordering = g;
      }
    }
  }
  const double one = std::min(leaf, single + price), one_relaxed = std::min(leaf, single_relaxed + price);
  answer.lower = one;
  answer.relaxed = one_relaxed;
  if (single + price < best) {
    answer.cost = best = single + price;
    answer.root = {best_single_ordering, bits.rank(best_single), 1};
  }
  if (task.depth == 1 || task.splits == 1) return answer;

  answer.lower_by_ordering.assign(orderings, kInfinity);
  const bool both = task.splits >= 3;
  std::vector<std::size_t>& sequence = scratch_->sequence;
  sequence.resize(orderings);
  std::iota(sequence.begin(), sequence.end(), std::size_t{0});
  std::swap(sequence[0], sequence[best_single_ordering]);
  const auto sum = [&](double left_leaf, double right_leaf, double left, double right) {
    const double left_tree = std::min(left_leaf, left + price), right_tree = std::min(right_leaf, right + price);
    return price + (both ? left_tree + right_tree : std::min(left_tree + right_leaf, left_leaf + right_tree));
  };
  for (const std::size_t f : sequence) {
    if (skip(task, f, best, answer)) continue;
    double& lower = answer.lower_by_ordering[f];
    for (std::size_t c = bits.first_cut(f); c < bits.first_cut(f + 1); ++c) {
      if (!bits.divides(c)) continue;
      const auto [left_leaf, right_leaf, left, right, left_relaxed, right_relaxed] = bits.evaluate(c);
      answer.relaxed = std::min(answer.relaxed, sum(left_leaf, right_leaf, left_relaxed, right_relaxed));
      if (!bits.fits(c)) continue;
      const double value = sum(left_leaf, right_leaf, left, right);
      lower = std::min(lower, value);
      if (value < best) {
        answer.cost = best = value;
        answer.root = {f, bits.rank(c), both ? 3 : 2};
      }
    }
    answer.lower = std::min(answer.lower, lower);
  }
  answer.cover_unparted(price + one);
  answer.lower = std::min(answer.lower, answer.cost);
  if (!count_rows) answer.relaxed = answer.lower;
  return answer;
}

template <class T>
Answer DepthTwo::solve_in_lanes(const Task& task) {
  const Part& part = task.part;
  const double price = limits_.split_price;
  const std::size_t orderings = problem_.orderings.size();
  Scratch& scratch = *scratch_;
  Lines<T>& lines = std::get<Lines<T>>(scratch.lines);
  lines.assign(part, problem_.classes, limits_.min_rows);
  Answer answer;
  const double leaf = lines.total_weight - *std::max_element(lines.class_weight.begin(), lines.class_weight.end());
  const double all_rows = lines.min_rows > 0 && orderings > 0 ? lines.rows_before(0, lines.size) : 0;
  if (start_with_leaf(task, leaf, lines.total_weight, all_rows, answer)) return answer;
  double best = std::min(task.upper, answer.cost);

  // --- one split -----------------------------------------------------------------------------------
  std::vector<T>& stack = std::get<std::vector<T>>(scratch.stacks);
  const auto best_single = [&](std::size_t g, bool want_place) {
    return lines.classes == 2 ? best_single_of_two(lines, g, want_place) : best_single_of_many(lines, g, stack);
  };
  std::vector<double>& single_errors = scratch.single_errors;
  single_errors.resize(orderings);
  double single = kInfinity, single_relaxed = kInfinity;
  std::size_t best_single_ordering = 0;
  for (std::size_t g = 0; g < orderings; ++g) {
    const Single of_g = best_single(g, false);
    single_errors[g] = of_g.errors;
    single_relaxed = std::min(single_relaxed, of_g.relaxed);
    if (of_g.errors < single) {
      single = of_g.errors;
      best_single_ordering = g;
    }
  }
  const double one = std::min(leaf, single + price), one_relaxed = std::min(leaf, single_relaxed + price);
  answer.lower = one;
  answer.relaxed = one_relaxed;
  if (single + price < best) {
    answer.cost = best = single + price;
    answer.root = {best_single_ordering, part.rank_at(best_single_ordering, best_single(best_single_ordering, true).place), 1};
  }
  if (task.depth == 1 || task.splits == 1) return answer;

  // --- two or three splits -------------------------------------------------------------------------
  answer.lower_by_ordering.assign(orderings, kInfinity);
  const bool both = task.splits >= 3, count_rows = lines.min_rows > 0;
  const IntervalBounds bounds(limits_.rules);
  std::vector<std::size_t>& sequence = lines.sequence;
  std::stable_sort(sequence.begin(), sequence.end(), [&](std::size_t f, std::size_t g) { return single_errors[f] < single_errors[g]; });

  std::size_t best_ordering = orderings, best_place = 0;
  for (const std::size_t f : sequence) {
    if (skip(task, f, best, answer)) continue;
    double& lower = answer.lower_by_ordering[f];
    double relaxed = kInfinity;
    const std::span<const std::uint32_t> ends = lines.ends_of(f);
    const auto cuts = static_cast<std::int64_t>(ends.size()) - 1;
    const auto weight = [&](std::int64_t t) { return lines.weight_before(f, ends[t]); };
    // Cuts with enough rows on both sides.
    Stretch fits{0, cuts};
    if (count_rows) {
      const double least = static_cast<double>(lines.min_rows), all = lines.rows_before(f, lines.size);
      while (fits.size() > 0 && lines.rows_before(f, ends[fits.first]) < least) ++fits.first;
      while (fits.size() > 0 && all - lines.rows_before(f, ends[fits.last - 1]) < least) --fits.last;
    }
    // At the ends one part is empty and the other is everything, whose best stump is known.
    Point nothing{-1, 0, {0, one, 0, one_relaxed}, {0, one, 0, one_relaxed}};
    Point everything{cuts, lines.total_weight, {one, 0, one_relaxed, 0}, {one, 0, one_relaxed, 0}};
    if (!both) {
      nothing.first.right = nothing.first.right_relaxed = leaf;
      everything.second.left = everything.second.left_relaxed = leaf;
    }
    scratch.gaps.assign(1, {nothing, everything, {}});
    while (true) {
      // Keep the gaps with cuts that may still win; what the others hold is settled.
      scratch.kept.clear();
      std::int64_t survivors = 0;
      for (Gap& gap : scratch.gaps) {
        const auto& [a, b, unused] = gap;
        const Stretch inside{a.cut + 1, b.cut}, fitting{std::max(a.cut + 1, fits.first), std::min(b.cut, fits.last)};
        const double need = best - price;
        gap.open = bounds.open(a.first, b.first, a.weight_left, b.weight_left, fitting, need, weight);
        if (!both) {
          const Stretch second = bounds.open(a.second, b.second, a.weight_left, b.weight_left, fitting, need, weight);
          if (gap.open.size() == 0) {
            gap.open = second;
          } else if (second.size() > 0) {
            gap.open = {std::min(gap.open.first, second.first), std::max(gap.open.last, second.last)};
          }
        }
        if (gap.open.size() > 0) {
          survivors += gap.open.size();
          scratch.kept.push_back(gap);
          continue;
        }
        lower = std::min(lower, price + bounds.least(a.first, b.first, a.weight_left, b.weight_left, fitting, weight));
        if (!both) lower = std::min(lower, price + bounds.least(a.second, b.second, a.weight_left, b.weight_left, fitting, weight));
        if (!count_rows) continue;
        relaxed = std::min(relaxed, price + bounds.least_relaxed(a.first, b.first, a.weight_left, b.weight_left, inside, weight));
        if (!both)
          relaxed = std::min(relaxed, price + bounds.least_relaxed(a.second, b.second, a.weight_left, b.weight_left, inside, weight));
      }
      if (survivors == 0) break;

      // Evaluate kLanes of the open cuts, spread evenly over all of them.
      const std::int64_t count = std::min<std::int64_t>(survivors, kLanes);
      std::int64_t chosen[kLanes];
      {
        std::int64_t before = 0;  // open cuts in the gaps before this one
        std::size_t gap = 0;
        for (std::int64_t lane = 0; lane < count; ++lane) {
          const std::int64_t pick = (2 * lane + 1) * survivors / (2 * count);
          while (pick >= before + scratch.kept[gap].open.size()) before += scratch.kept[gap++].open.size();
          chosen[lane] = scratch.kept[gap].open.first + pick - before;
        }
      }
      T places[kLanes];
      for (std::int64_t lane = 0; lane < static_cast<std::int64_t>(kLanes); ++lane) {
        places[lane] = static_cast<T>(ends[chosen[std::min(lane, count - 1)]]);
      }
      StumpLanes found;
      best_stumps(lines, f, places, found);

      // Each evaluated cut divides its gap.
      scratch.gaps.clear();
      std::int64_t lane = 0;
      for (const auto& [begin, end, open] : scratch.kept) {
        Point a = begin;
        for (; lane < count && chosen[lane] < end.cut; ++lane) {
          const Sides stumps{std::min(found.left_leaf[lane], found.left[lane] + price),
                             std::min(found.right_leaf[lane], found.right[lane] + price),
                             std::min(found.left_leaf[lane], found.left_relaxed[lane] + price),
                             std::min(found.right_leaf[lane], found.right_relaxed[lane] + price)};
          Point point{chosen[lane], weight(chosen[lane]), stumps, stumps};
          if (!both) {
            point.first.right = point.first.right_relaxed = found.right_leaf[lane];
            point.second.left = point.second.left_relaxed = found.left_leaf[lane];
          }
          const double value = price + std::min(point.first.left + point.first.right, point.second.left + point.second.right);
          lower = std::min(lower, value);
          relaxed = std::min(relaxed, price + std::min(point.first.left_relaxed + point.first.right_relaxed,
                                                       point.second.left_relaxed + point.second.right_relaxed));
          if (value < best) {
            best = value;
            best_ordering = f;
            best_place = ends[chosen[lane]];
          }
          scratch.gaps.push_back({a, point, {}});
          a = point;
        }
        scratch.gaps.push_back({a, end, {}});
      }
    }
    answer.lower = std::min(answer.lower, lower);
    answer.relaxed = std::min(answer.relaxed, relaxed);
  }
  answer.cover_unparted(price + one);

  if (best_ordering < orderings) {
    answer.cost = best;
    answer.root = {best_ordering, part.rank_at(best_ordering, best_place), both ? 3 : 2};
  }
  // When something was found it is the optimum: all the rest is bounded by it.
  answer.lower = std::min(answer.lower, answer.cost);
  if (!count_rows) answer.relaxed = answer.lower;
  return answer;
}

void DepthTwo::finish(const Part& part, Answer& answer) {
  const auto [f, rank, splits] = std::exchange(answer.root, {});
  if (splits == 0) return;
  Subset copy;
  if (!part.is_whole()) part.copy_to(copy);
  const Subset& subset = part.is_whole() ? part.whole : copy;
  Cuts cuts;
  cuts.assign(subset, f);
  const std::size_t cut = cuts.below(rank);
  const Plan::Step root{static_cast<std::int32_t>(f), cuts.low[cut], cuts.high[cut]};
  if (splits == 1) {
    answer.plan = Plan::split(root, Plan::leaf(), Plan::leaf());
    return;
  }
  const std::uint32_t place = cuts.place[cut];
  const Part left{subset, f, 0, place}, right{subset, f, place, subset.size};
  Deadline unlimited;
  const auto solved = [&](const Part& side, std::int64_t side_splits) {
    Answer side_answer = solve(side, 1, side_splits, kInfinity, {}, unlimited);
    finish(side, side_answer);
    return side_answer;
  };
  const Answer left_one = solved(left, 1), right_one = solved(right, 1);
  if (splits == 3) {
    answer.plan = Plan::split(root, left_one.plan, right_one.plan);
    return;
  }
  const Answer left_leaf = solved(left, 0), right_leaf = solved(right, 0);
  if (left_one.cost + right_leaf.cost <= left_leaf.cost + right_one.cost) {  // one more split, where it gains more
    answer.plan = Plan::split(root, left_one.plan, right_leaf.plan);
  } else {
    answer.plan = Plan::split(root, left_leaf.plan, right_one.plan);
  }
}

}  // namespace treewright
