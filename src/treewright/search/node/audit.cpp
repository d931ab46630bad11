// What the search claims of a few items, recomputed.
//
// A wrong bound rarely shows: the tree is mostly found all the same. So builds for tests can check each claim where it arises: what a
// solved node returns (its bound, with and without min_rows, its tree's cost, its bounds by ordering), what it was told (known bounds),
// what its cuts say of their children and of the cuts between them, and the bound at the root. The depth and the splits that a claim is
// checked for are those that the caller relies on.
//
// The optimum is found by trying every cut of every set of items, with none of the search's rules. It shares with the search only the cuts
// of the node (Cuts), which tests compare with the raw rows elsewhere.
//
// Cost: 2^items sets times cuts for each depth and number of splits.

#include "treewright/search/node/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "treewright/base/infinity.h"

namespace treewright::search {

namespace {

// More bits are not looked at.
constexpr std::uint32_t kFewBits = 256;

using Set = std::uint32_t;  // of items

struct Item {
  std::vector<double> weight;  // by class
  double reach = 0, rows = 0;
  long double exposure = 0, amount = 0;  // where the target is a number
};

class FewItems {
 public:
  // Nothing where there are too many.
  static std::optional<FewItems> of(const Problem& problem, const SearchLimits& limits, const Subset& subset) {
    FewItems items(problem, limits);
    if (!(subset.is_packed() ? items.add_packed(subset) : items.add_ranked(subset))) return std::nullopt;
    for (const std::vector<Set>& cuts : items.left_) items.every_left_.insert(cuts.begin(), cuts.end());
    return items;
  }

  Set all() const { return (Set{1} << items_.size()) - 1; }
  // The items that the cuts of an ordering send left, from left to right.
  const std::vector<Set>& cuts(std::size_t ordering) const { return left_[ordering]; }

  double rows(Set set) const {
    double rows = 0;
    for (std::size_t i = 0; i < items_.size(); ++i) rows += set >> i & 1 ? items_[i].rows : 0;
    return rows;
  }

  // The least cost of a tree on the set; `strict`: whose leaves hold the least number of rows.
  double optimum(Set set, int depth, std::int64_t splits, bool strict) {
    splits = std::min(splits, full_splits(depth));
    const auto key = std::make_tuple(set, depth, splits, strict);
    if (const auto known = optimum_.find(key); known != optimum_.end()) return known->second;
    double least = leaf(set);
    if (splits > 0) {
      for (const Set cut : every_left_) least = std::min(least, with_cut(set, cut, depth, splits, strict));
    }
    optimum_.emplace(key, least);
    return least;
  }

  // The least cost of a tree on the set with this cut at its root; infinite where the cut sends all items the same way.
  double with_cut(Set set, Set cut, int depth, std::int64_t splits, bool strict) {
    const Set left = set & cut, right = set & ~cut;
    if (left == 0 || right == 0) return kInfinity;
    const auto least_rows = static_cast<double>(limits_.min_rows);
    if (strict && limits_.min_rows > 1 && std::min(rows(left), rows(right)) < least_rows) return kInfinity;
    double least = kInfinity;
    const std::int64_t most = full_splits(depth - 1), below = std::min(splits - 1, 2 * most);
    for (std::int64_t of_left = std::max<std::int64_t>(0, below - most); of_left <= std::min(most, below); ++of_left)
      least = std::min(least, optimum(left, depth - 1, of_left, strict) + optimum(right, depth - 1, below - of_left, strict));
    return limits_.split_price + least;
  }

 private:
  FewItems(const Problem& problem, const SearchLimits& limits) : problem_(problem), limits_(limits), left_(problem.orderings.size()) {}

  double leaf(Set set) const {
    if (problem_.sums) return leaf_by_sums(set);
    std::vector<double> weight(static_cast<std::size_t>(problem_.classes), 0.0);
    double reach = 0;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      reach += set >> i & 1 ? items_[i].reach : 0;
      for (std::size_t k = 0; set >> i & 1 && k < weight.size(); ++k) weight[k] += items_[i].weight[k];
    }
    return reach - *std::max_element(weight.begin(), weight.end());
  }

  double leaf_by_sums(Set set) const {
    long double lost = 0, exposure = 0, amount = 0;
    for (std::size_t i = 0; i < items_.size(); ++i) {
      if ((set >> i & 1) == 0) continue;
      lost += items_[i].weight.front();
      exposure += items_[i].exposure;
      amount += items_[i].amount;
    }
    return static_cast<double>(lost - problem_.sums->gain(exposure, amount));
  }

  bool add_ranked(const Subset& subset) {
    if (subset.size > kAuditedItems) return false;
    for (std::uint32_t i = 0; i < subset.size; ++i) {
      Item& item = items_.emplace_back();
      item.weight.resize(static_cast<std::size_t>(std::max(problem_.classes, 1)));  // of numbers: of no class
      item.weight[static_cast<std::size_t>(subset.label[i])] = subset.weight[i];
      item.reach = subset.reach_or_weight()[i];
      item.rows = subset.count[i];
      if (!problem_.sums) continue;
      item.exposure = subset.exposure[i];
      item.amount = subset.amount[i];
    }
    for (std::size_t f = 0; f < left_.size(); ++f) {
      const std::span<const std::uint32_t> order = subset.order_of(f), ranks = subset.ranks_of(f);
      Set left = 0;
      for (std::uint32_t place = 1; place < subset.size; ++place) {
        left |= Set{1} << order[place - 1];
        if (ranks[place] != ranks[place - 1]) left_[f].push_back(left);
      }
    }
    return true;
  }

  // Bits that no cut tells apart are one item.
  bool add_packed(const Subset& subset) {
    const BitColumns& bits = subset.bits;
    if (bits.size() > kFewBits) return false;
    std::map<std::vector<bool>, Item> items;
    for (std::size_t k = 0; k < bits.groups; ++k) {
      for (std::uint32_t i = 0; i < bits.bits[k]; ++i) {
        std::vector<bool> is_left(bits.cuts());
        for (std::size_t cut = 0; cut < bits.cuts(); ++cut) is_left[cut] = bits.column(cut)[bits.group_begin[k] + i / 64] >> (i % 64) & 1;
        Item& item = items[is_left];
        item.weight.resize(static_cast<std::size_t>(problem_.classes));
        const double weight = bits.unit * static_cast<double>(bits.scale[k]);
        if (k < bits.classes) {
          item.weight[k] += weight;
          item.reach += weight;
        } else if (k >= bits.lost_group()) {
          item.reach -= weight;
        } else {
          item.rows += bits.rows_unit;
        }
      }
    }
    if (items.size() > kAuditedItems) return false;
    for (std::size_t f = 0; f < left_.size(); ++f) left_[f].assign(bits.first_cut[f + 1] - bits.first_cut[f], 0);
    for (const auto& [is_left, item] : items) {
      const Set me = Set{1} << items_.size();
      items_.push_back(item);
      for (std::size_t f = 0; f < left_.size(); ++f) {
        for (std::size_t c = 0; c < left_[f].size(); ++c) left_[f][c] |= is_left[bits.first_cut[f] + c] ? me : 0;
      }
    }
    return true;
  }

  const Problem& problem_;
  const SearchLimits& limits_;
  std::vector<Item> items_;
  std::vector<std::vector<Set>> left_;  // by ordering
  std::set<Set> every_left_;
  std::map<std::tuple<Set, int, std::int64_t, bool>, double> optimum_;
};

// By how much the search may take trees of so few items for cheaper than they are: nothing, but where it rounds losses down.
double cheaper(const Problem& problem) {
  return problem.sums ? kAuditedItems * problem.sums->most_off() : 0;
}

void claim(bool holds, const std::string& what, double claimed, double truth, int depth, std::int64_t splits) {
  if (holds) return;
  throw std::logic_error(fmt::format("false claim: {} is {}, but {} is right (depth {}, {} splits)", what, claimed, truth, depth, splits));
}

}  // namespace

void audit_result(const Problem& problem, const SearchLimits& limits, const ItemRange& range, int depth, std::int64_t splits, double upper,
                  std::span<const double> known, const SubproblemResult& result, bool complete) {
  Subset subset;
  range.copy_to(subset);
  std::optional<FewItems> items = FewItems::of(problem, limits, subset);
  if (!items) return;
  const Set all = items->all();
  const double strict = items->optimum(all, depth, splits, true), relaxed = items->optimum(all, depth, splits, false);
  claim(result.lower.strict <= strict, "a node's bound", result.lower.strict, strict, depth, splits);
  claim(result.lower.relaxed <= relaxed, "a node's bound without min_rows", result.lower.relaxed, relaxed, depth, splits);
  const double off = cheaper(problem);
  claim(result.cost >= strict - off, "the cost of a node's tree", result.cost, strict, depth, splits);
  if (complete && strict < upper) claim(result.cost <= strict, "the cost of a node's best tree", result.cost, strict, depth, splits);
  // A root that sends all items the same way leaves them to one child.
  const double constant = limits.split_price + items->optimum(all, std::max(depth - 1, 0), splits - 1, true);
  for (std::size_t f = 0; f < std::max(known.size(), result.lower_by_ordering.size()); ++f) {
    double least = kInfinity;
    for (const Set cut : items->cuts(f)) least = std::min(least, items->with_cut(all, cut, depth, splits, true));
    if (f < known.size()) claim(known[f] <= least, fmt::format("a known bound of ordering {}", f), known[f], least, depth, splits);
    if (f >= result.lower_by_ordering.size()) continue;
    least = std::min(least, constant);
    claim(result.lower_by_ordering[f] <= least, fmt::format("a bound of ordering {}", f), result.lower_by_ordering[f], least, depth,
          splits);
  }
}

void audit_cuts(const Problem& problem, const SearchLimits& limits, const Subset& subset, const OrderingSearch& search, int depth,
                double best) {
  std::optional<FewItems> items = FewItems::of(problem, limits, subset);
  if (!items) return;
  const Set all = items->all();
  const std::vector<Set>& cuts = items->cuts(search.ordering);
  const std::string place = fmt::format("at ordering {}", search.ordering);
  const auto child = [&](Set set, std::int64_t splits, bool strict) { return items->optimum(set, depth - 1, splits, strict); };
  const std::int64_t splits = search.left_splits + search.right_splits + 1;
  for (std::size_t i = 0; i + 1 < search.solved.size(); ++i) {
    const SolvedCut& here = search.solved[i];
    const Set left = here.cut < 0 ? 0 : cuts[static_cast<std::size_t>(here.cut)], right = all & ~left;
    if (left != 0) {
      const double of_left = child(left, search.left_splits, true), relaxed = child(left, search.left_splits, false);
      claim(here.bounds.left.strict <= of_left, place + ": a left child's bound", here.bounds.left.strict, of_left, depth, splits);
      claim(here.bounds.left.relaxed <= relaxed, place + ": that without min_rows", here.bounds.left.relaxed, relaxed, depth, splits);
    }
    const double of_right = child(right, search.right_splits, true), relaxed = child(right, search.right_splits, false);
    claim(here.bounds.right.strict <= of_right, place + ": a right child's bound", here.bounds.right.strict, of_right, depth, splits);
    claim(here.bounds.right.relaxed <= relaxed, place + ": that without min_rows", here.bounds.right.relaxed, relaxed, depth, splits);
    for (std::int64_t cut = here.cut + 1; cut < search.solved[i + 1].cut; ++cut) {
      const Set to_left = cuts[static_cast<std::size_t>(cut)], to_right = all & ~to_left;
      const auto least_rows = static_cast<double>(limits.min_rows);
      if (limits.min_rows > 1 && std::min(items->rows(to_left), items->rows(to_right)) < least_rows) continue;
      const double cost = limits.split_price + child(to_left, search.left_splits, true) + child(to_right, search.right_splits, true);
      claim(here.lower <= cost, place + ": a bound on the cuts up to the next solved one", here.lower, cost, depth, splits);
      const bool is_open = here.open.first <= cut && cut < here.open.last;
      claim(is_open || cost >= best, place + ": the bound on a closed cut", best, cost, depth, splits);
    }
  }
}

void audit_bound(const Problem& problem, const SearchLimits& limits, const Subset& all, int depth, std::int64_t splits, double lower) {
  std::optional<FewItems> items = FewItems::of(problem, limits, all);
  if (!items) return;
  const double truth = items->optimum(items->all(), depth, splits, true);
  claim(lower <= truth, "the bound at the root", lower, truth, depth, splits);
}

}  // namespace treewright::search
