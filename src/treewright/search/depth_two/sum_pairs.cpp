// Exact trees of depth two where the target is a number and the orderings have few cuts, as columns of 0 and 1 do.
//
// Idea. The two sums of the items on the smaller sides of two cuts at once, for every pair of cuts, are all that a tree of depth two asks:
// what lies on the other sides follows from these, from the sums of single cuts and from those of all items. An item is added to the pairs
// of those cuts that have it on their smaller side; of 0/1 columns that are mostly 0 these are few. Then each root takes the best second
// cut on both sides. The sets of items are those of solved_sets.cpp, so nothing is laid out by ordering.
//
// Sums are exact in every order and so are their differences (data/costs/response_grid.h). Gains are those of TwoSums, and what is said
// there of rounding holds here. A cut with D^2 / (A1 A2) below the best gain needs no division, nor a logarithm where events are counted.
//
// Cost: an addition for each item and pair of cuts that have it on their smaller sides, and twice the square of the number of cuts.

#include "treewright/search/depth_two/sum_pairs.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

#include "treewright/base/stop_point.h"
#include "treewright/search/depth_two/sum_columns.h"

namespace treewright::search {

namespace {

std::size_t bits_of(const BitColumns& cuts, std::size_t cut) {
  const BitColumns::Word* words = cuts.column(cut);
  return std::accumulate(words, words + cuts.words(), std::size_t{0},
                         [](std::size_t sum, BitColumns::Word word) { return sum + static_cast<std::size_t>(std::popcount(word)); });
}

}  // namespace

SumPairs::SumPairs(const Subset& ranked, const TwoSums& loss, const BitColumns& cuts) : loss_(loss), cuts_(cuts) {
  assert(cuts.cuts() <= kMostCuts && ranked.exposure.size() == ranked.size);
  for (std::uint32_t i = 0; i < ranked.size; ++i) items_.push_back({0, ranked.exposure[i], ranked.amount[i], ranked.weight[i]});
  for (std::size_t cut = 0; cut < cuts.cuts(); ++cut) {
    const bool smaller_is_left = 2 * bits_of(cuts, cut) <= ranked.size;
    for (std::uint32_t i = 0; i < ranked.size; ++i) {
      const bool left = cuts.column(cut)[i / 64] >> (i % 64) & 1;
      items_[i].cuts |= std::uint64_t{left == smaller_is_left} << cut;
    }
  }
}

bool SumPairs::pays(const Subset& ranked, const BitColumns& cuts) {
  constexpr double kPair = 1.5, kItem = 3, kCuts = SumColumns::kCuts;
  if (cuts.cuts() > kMostCuts) return false;
  const std::size_t orderings = cuts.first_cut.size() - 1;
  double smaller_sides = 0, calls = 0;  // of an item on average; of the kernel
  for (std::size_t cut = 0; cut < cuts.cuts(); ++cut) {
    const auto left = static_cast<double>(bits_of(cuts, cut)), all = static_cast<double>(ranked.size);
    smaller_sides += std::min(left, all - left) / all;
  }
  for (std::size_t f = 0; f < orderings; ++f) calls += std::ceil(static_cast<double>(cuts.first_cut[f + 1] - cuts.first_cut[f]) / kCuts);
  return kPair * smaller_sides * (smaller_sides + 1) / 2 < kItem * static_cast<double>(orderings) * calls;
}

SumPairRoots::SumPairRoots(const SumPairs& of, const ItemSet& set, SumPairScratch& scratch, double price, bool both)
    : of_(of), scratch_(scratch), price_(price), both_(both) {
  const std::size_t cuts = of.cuts_.cuts();
  scratch.pairs.assign(cuts * cuts, {});
  scratch.sides.assign(cuts, {});
  scratch.all = {};
  std::uint32_t on[SumPairs::kMostCuts];
  stop_point();
  for (std::size_t w = 0; w < set.words.size(); ++w) {
    for (BitColumns::Word left = set.words[w]; left != 0; left &= left - 1) {
      const SumPairs::Item& item = of.items_[64 * w + static_cast<std::size_t>(std::countr_zero(left))];
      const auto add = [&](SumPairs::Sums& to) {
        to.exposure += item.exposure;
        to.amount += item.amount;
      };
      const auto enter = [&](SumPairs::Side& side) {
        side.loss += item.loss;
        ++side.items;
      };
      add(scratch.all.sums);
      enter(scratch.all);
      std::size_t count = 0;
      for (std::uint64_t bits = item.cuts; bits != 0; bits &= bits - 1) on[count++] = static_cast<std::uint32_t>(std::countr_zero(bits));
      for (std::size_t i = 0; i < count; ++i) {
        enter(scratch.sides[on[i]]);
        SumPairs::Sums* row = &scratch.pairs[on[i] * cuts];
        for (std::size_t j = i; j < count; ++j) add(row[on[j]]);
      }
    }
  }
  for (std::size_t a = 0; a < cuts; ++a) {
    scratch.sides[a].sums = scratch.pairs[a * cuts + a];
    for (std::size_t b = a + 1; b < cuts; ++b) scratch.pairs[b * cuts + a] = scratch.pairs[a * cuts + b];
  }
}

const std::vector<std::size_t>& SumPairRoots::sequence(const std::vector<double>& single_errors, std::size_t best) const {
  scratch_.sequence.resize(single_errors.size());
  std::iota(scratch_.sequence.begin(), scratch_.sequence.end(), std::size_t{0});
  if (best < scratch_.sequence.size()) std::swap(scratch_.sequence.front(), scratch_.sequence[best]);
  return scratch_.sequence;
}

double SumPairRoots::leaf_of(const SumPairs::Side& side) const {
  return of_.loss_.of_leaves(side.loss, of_.loss_.gain(side.sums.exposure, side.sums.amount));
}

SumPairs::Side SumPairRoots::other_side(std::size_t cut) const {
  const SumPairs::Side &all = scratch_.all, &side = scratch_.sides[cut];
  return {{all.sums.exposure - side.sums.exposure, all.sums.amount - side.sums.amount}, all.loss - side.loss, all.items - side.items};
}

SingleSplit SumPairRoots::best_single(std::size_t g) const {
  const auto& [exposure, amount] = scratch_.all.sums;
  SingleSplit single;
  for (std::size_t cut = of_.cuts_.first_cut[g]; cut < of_.cuts_.first_cut[g + 1]; ++cut) {
    if (!divides(cut)) continue;
    const SumPairs::Sums& side = scratch_.sides[cut].sums;
    const double gain = of_.loss_.gain(exposure, amount) +
                        of_.loss_.stump(exposure, amount, side.exposure, side.amount) * of_.loss_.stump_unit(exposure, amount);
    const double errors = of_.loss_.of_leaves(scratch_.all.loss, gain);
    if (errors >= single.errors.strict) continue;
    single.errors = Bound::of_all_trees(errors);
    single.place = cut;
  }
  return single;
}

// What the best stump on one side of a cut loses.
double SumPairRoots::best_stump(const SumPairs::Side& side, std::size_t cut, bool smaller) const {
  const double exposure = side.sums.exposure, amount = side.sums.amount, mean = exposure > 0 ? amount / exposure : 0;
  const double least = of_.loss_.least_square(amount);
  const SumPairs::Sums* both = &scratch_.pairs[cut * scratch_.sides.size()];
  double best = 0;
  for (std::size_t second = 0; second < scratch_.sides.size(); ++second) {
    const SumPairs::Sums& of_second = scratch_.sides[second].sums;
    const double a = smaller ? both[second].exposure : of_second.exposure - both[second].exposure;
    const double b = smaller ? both[second].amount : of_second.amount - both[second].amount;
    const double difference = b - mean * a;
    if (difference * difference > best * (a * (exposure - a)) + least) best = std::max(best, of_.loss_.stump(exposure, amount, a, b));
  }
  return of_.loss_.of_leaves(side.loss, of_.loss_.gain(exposure, amount) + best * of_.loss_.stump_unit(exposure, amount));
}

RootsOfOrdering SumPairRoots::search(std::size_t f, const ShallowOptima&, double best) const {
  RootsOfOrdering found;
  for (std::size_t cut = of_.cuts_.first_cut[f]; cut < of_.cuts_.first_cut[f + 1]; ++cut) {
    if (!divides(cut)) continue;
    const SumPairs::Side &smaller = scratch_.sides[cut], larger = other_side(cut);
    const double small_leaf = leaf_of(smaller), large_leaf = leaf_of(larger);
    const double small = std::min(small_leaf, price_ + best_stump(smaller, cut, true));
    const double large = std::min(large_leaf, price_ + best_stump(larger, cut, false));
    const double value = price_ + (both_ ? small + large : std::min(small + large_leaf, small_leaf + large));
    found.lower = min(found.lower, Bound::of_all_trees(value));
    if (value >= best) continue;
    found.cost = best = value;
    found.place = cut;
  }
  return found;
}

}  // namespace treewright::search
