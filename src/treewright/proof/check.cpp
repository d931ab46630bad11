// Checks a proof that no tree of depth D costs less than b.
//
// It knows nothing of the search. It reads the raw rows and goes through the proof part by part. A part is a set of rows, reached from the
// whole by cuts of the proof; its claim is a bound on all trees of its depth d and of so many splits on these rows. A claim follows
//   - from what the labels gain (`trivial_bound`), or
//   - from cuts, since a tree with a split begins with a cut of some ordering, and one without is a leaf. For the cuts of one ordering
//     the proof names a few, s, with claims l(s), r(s) on the two sides for trees of depth d - 1. Let cut t lie between the named neighbors
//     a and b, and w(x, y) be the reach between two cuts. The left side of t holds that of a, and that of b without w(t, b). Whatever the
//     tree, a row costs it between 0 and the row's reach; so rows that are left out save no more. So the two subtrees of t cost at least
//         max(l(a), l(b) - w(t, b)) + max(r(b), r(a) - w(a, t)),
//     and with the price of a split that must reach the claim, at t and at each named cut. Left of the first cut all rows are on the right
//     side, so "no cut" is a neighbor too: l = 0, and r the claim for all rows of the part at depth d - 1. The last cut has such a neighbor
//     likewise.
//     A limit on the rows of leaves. A part is then one of trees within the limit, "on its rows", or of all trees. For all trees all is as
//     above. A tree within the limit on some rows is within it on more of them, so l(b) - w(t, b) holds as it stands. But on fewer rows it
//     may not be: l(a) says nothing of t. So a part within the limit has claims of both kinds on the sides of its cuts, and takes those of
//     all trees, which cost no more, for the terms without w. A cut with fewer rows than the limit on a side is no split of such a tree.
//     A limit on splits is shared out between the two sides in every way that leaves none of them over, and all this holds for each share.
// Where no side has two levels and two splits, the sides are stumps or leaves. Their claims are not written down: each is recounted by
// going through the rows in every ordering.
//
// Work. Each part but the first is paid for by a number of the body, and so is each named cut, but where a number stands for all cuts of an
// ordering, and that it may do for a few cuts only. So a short file does not keep a checker busy.
//
// What labels cost the rows: row_costs.cpp, and what of it is lost in every tree: items.h. Nothing else here knows whether errors are
// counted or other costs. All sums are whole numbers of steps of the proof's grid.
//
// Trees that predict a number (BySums) are checked by the same steps. More rows never cost less there, too (row_sums.cpp). But nothing is
// said of what rows that are left out save, so the terms with w are 0; nor of labels, so the first step shows claims of 0, and those of
// leaves alone.

#include "treewright/proof/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "treewright/base/stop_point.h"
#include "treewright/error.h"
#include "treewright/proof/family.h"
#include "treewright/proof/file.h"
#include "treewright/proof/items.h"
#include "treewright/proof/sentence.h"
#include "treewright/proof/stumps.h"
#include "treewright/proof/sum_stumps.h"
#include "treewright/proof/table.h"
#include "treewright/proof/top.h"

namespace treewright::proof {

namespace {

// What trees cost that say labels.
struct ByLabels {
  using Items = LabelItems;
  using BestStumps = Stumps;

  const Items& items;
  int grid;
  std::int64_t price;

  // Of a part: what no tree of so many leaves costs less than, and the cost of a leaf.
  struct Known {
    std::int64_t least, leaf;
  };
  Known known(const Part& part, std::int64_t leaves) const {
    const std::int64_t reach = items.reach(part) << grid;
    std::vector<std::int64_t> gains = items.gains(part);
    for (std::int64_t& of_label : gains) of_label <<= grid;
    const std::int64_t leaf = reach - *std::max_element(gains.begin(), gains.end());
    return {trivial_bound(reach, std::move(gains), leaves, price), leaf};
  }
  std::int64_t reach(std::uint32_t item) const { return items.reach(item) << grid; }
  // What is claimed of some items, on fewer of them: those that are left out have so much reach.
  static std::int64_t on_fewer(std::int64_t claim, std::int64_t reach) { return claim - reach; }
};

// What trees cost that predict a number.
struct BySums {
  using Items = SumItems;
  using BestStumps = SumStumps;

  const Items& items;
  int grid;
  std::int64_t price;

  ByLabels::Known known(const Part& part, std::int64_t leaves) const {
    const std::int64_t leaf = items.leaf_cost(part);
    return {leaves == 1 ? leaf : 0, leaf};
  }
  static std::int64_t reach(std::uint32_t) { return 0; }
  static std::int64_t on_fewer(std::int64_t, std::int64_t) { return 0; }
};

template <class Costs>
class Checker {
 public:
  using Items = typename Costs::Items;

  Checker(const Proof& proof, const Items& items, const std::vector<Ranks>& ranks, const Table& table, const std::string& origin,
          Deadline* deadline)
      : proof_(proof),
        items_(items),
        ranks_(ranks),
        costs_{items, proof.grid, proof.price},
        table_(table),
        origin_(origin),
        deadline_(deadline),
        stumps_(items, {proof.price, proof.grid}, proof.min_rows) {}

  /// Throws Error unless the body proves the proof's bound for all items.
  void run() {
    if (proof_.top.empty()) {
      part(items_.all(), proof_.depth, proof_.max_splits.value_or(full_splits(proof_.depth)), proof_.bound, proof_.min_rows > 1);
    } else {
      std::size_t next = 0;
      const std::int64_t cost = below_top(next, items_.all(), proof_.depth);
      if (cost < proof_.bound)
        fail(fmt::format("what is shown below the given splits adds up to {:.12g}, less than {:.12g}", in_units(cost),
                         in_units(proof_.bound)));
    }
    if (at_ != proof_.body.size()) fail("something follows its end");
  }

  Verified counts;

 private:
  // A named cut of a part and the bounds on the trees on either side of it.
  struct Bounded {
    Cut cut;
    std::int64_t reach_left = 0, left = 0, right = 0;
    std::int64_t left_of_all = 0, right_of_all = 0;  // of all trees, whatever their leaves hold
  };
  // Those of one ordering for one share of the splits.
  struct Named {
    std::size_t ordering = 0;
    Share splits;
    std::vector<Bounded> cuts;
  };

  [[noreturn]] void fail(const std::string& problem) const {
    throw DoesNotFollow(fmt::format("{}: byte {} of the body", origin_, at_), problem, kAnotherProof, ErrorKind::file);
  }

  std::int64_t number() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 56; shift += 7) {
      if (at_ == proof_.body.size()) fail("it ends too early");
      const auto byte = static_cast<unsigned char>(proof_.body[at_++]);
      value |= static_cast<std::uint64_t>(byte & 127) << shift;
      if (byte >= 128) continue;
      if (byte == 0 && shift > 0) fail("a number is written in more bytes than it needs");
      if (value >= static_cast<std::uint64_t>(kNumbersEnd)) break;
      return static_cast<std::int64_t>(value);
    }
    fail("a number is too large");
  }

  // A cost in steps, for people.
  double in_units(std::int64_t steps) const { return std::ldexp(static_cast<double>(steps), -proof_.grid); }

  std::int64_t below_top(std::size_t& next, const Part& part, int depth);
  void part(const Part& part, int depth, std::int64_t splits, std::int64_t claim, bool limited);
  void sides(const Part& part, const Bounded& bounded, int depth, const Share& splits, bool limited);
  std::vector<Bounded> named_cuts(const Part& part, std::size_t f, bool recounted, bool limited);
  std::vector<Bounded> written_cuts(const Part& part, std::size_t f, std::int64_t count, bool recounted, bool limited);
  void recount(const Part& part, std::vector<Named>& named, std::int64_t& shallow, bool limited);
  void check_ordering(const Part& part, const Named& named, std::int64_t shallow, std::int64_t claim, bool limited) const;
  // Whether a cut leaves enough rows on both sides; `left`: rows on its left side.
  bool fits(std::int64_t left, std::int64_t of_part) const { return left >= proof_.min_rows && of_part - left >= proof_.min_rows; }

  const Proof& proof_;
  const Items& items_;
  const std::vector<Ranks>& ranks_;  // of all orderings of the header
  const Costs costs_;
  const Table& table_;
  const std::string& origin_;
  Deadline* deadline_;
  std::size_t at_ = 0;
  typename Costs::BestStumps stumps_;
};

// What no tree on these items costs less than that begins as the proof says from its place `next` on (top.cpp). No more than kNumbersEnd,
// which is above any bound: so sums do not overflow.
template <class Costs>
std::int64_t Checker<Costs>::below_top(std::size_t& next, const Part& part, int depth) {
  const TopPlace& place = proof_.top[next++];
  if (place.kind == TopPlace::Kind::leaf) return costs_.known(part, 1).leaf;
  if (place.kind == TopPlace::Kind::open) {
    const std::int64_t claim = number();
    this->part(part, depth, full_splits(depth), claim, proof_.min_rows > 1);
    return claim;
  }
  const auto side = [&](bool left) {
    const Ranks& ordering = ranks_[static_cast<std::size_t>(place.ordering)];
    return below_top(next, items_.side(part, table_, ordering, place.rank, left), depth - 1);
  };
  std::int64_t cost = proof_.price;
  for (const bool left : {true, false}) cost = std::min(kNumbersEnd, cost + side(left));
  return cost;
}

// `limited`: of trees whose leaves hold enough rows.
template <class Costs>
void Checker<Costs>::part(const Part& part, int depth, std::int64_t splits, std::int64_t claim, bool limited) {
  stop_point();
  splits = std::min(splits, full_splits(depth));
  const ByLabels::Known known = costs_.known(part, splits + 1);
  if (known.least >= claim) return;
  ++counts.claims;
  if (known.leaf < claim || splits == 0) fail(fmt::format("a leaf costs less than {:.12g}", in_units(claim)));
  const bool recounted = depth <= 2 || splits <= 2;
  std::int64_t shallow = 0;
  std::vector<Named> named;
  if (!recounted) {
    shallow = number();
    this->part(part, depth - 1, splits - 1, shallow, limited);
  }
  for (std::size_t f = 0; splits > 1 && f < items_.orderings(); ++f) {
    for (const Share& share : shares(depth, splits)) named.push_back({f, share, named_cuts(part, f, recounted, limited)});
  }
  if (recounted) recount(part, named, shallow, limited);
  if (splits == 1) {
    if (shallow < claim) fail(fmt::format("a single split costs {:.12g}, less than {:.12g}", in_units(shallow), in_units(claim)));
    return;
  }
  for (const Named& of : named) check_ordering(part, of, shallow, claim, limited);
  if (recounted) return;
  for (const Named& of : named) {
    for (const Bounded& bounded : of.cuts) sides(part, bounded, depth - 1, of.splits, limited);
  }
}

// What is claimed of all trees holds for those within the limit. So the same claim is not shown twice.
template <class Costs>
void Checker<Costs>::sides(const Part& part, const Bounded& bounded, int depth, const Share& splits, bool limited) {
  const auto side = [&](bool left, std::int64_t of_splits, std::int64_t claim, std::int64_t of_all) {
    const Part items = items_.side(part, bounded.cut, left);
    if (limited && claim > of_all) this->part(items, depth, of_splits, claim, true);
    this->part(items, depth, of_splits, of_all, false);
  };
  side(true, splits.left, bounded.left, bounded.left_of_all);
  side(false, splits.right, bounded.right, bounded.right_of_all);
}

// In order, each at the rank of an item of the part, with items on both sides.
template <class Costs>
auto Checker<Costs>::named_cuts(const Part& part, std::size_t f, bool recounted, bool limited) -> std::vector<Bounded> {
  const std::span<const std::uint32_t> order = part.order(f);
  if (items_.rank(f, order.front()) == items_.rank(f, order.back())) return {};
  std::vector<Bounded> named;
  const std::int64_t count = number(), of_part = limited ? items_.rows(part) : 0;
  if (count > 0) {
    named = written_cuts(part, f, count - 1, recounted, limited);
  } else {  // all of them
    if (!recounted) fail("all cuts are named at once where their bounds must be written");
    std::int64_t rows = items_.rows(order[0]);
    for (std::size_t i = 1; i < part.size(); rows += items_.rows(order[i++])) {
      if (items_.rank(f, order[i]) != items_.rank(f, order[i - 1]) && (!limited || fits(rows, of_part)))
        named.push_back({{f, items_.rank(f, order[i])}});
    }
    if (std::ssize(named) > kFewCuts) fail(fmt::format("more than {} cuts are named at once", kFewCuts));
  }
  std::size_t at = 0;
  std::int64_t left = 0, rows_left = 0;
  for (Bounded& cut : named) {
    for (; items_.rank(f, order[at]) < cut.cut.rank; ++at) left += costs_.reach(order[at]), rows_left += items_.rows(order[at]);
    if (items_.rank(f, order[at]) != cut.cut.rank) fail("a cut is named at a rank that no item of its part has");
    if (limited && !fits(rows_left, of_part)) fail("a cut is named that leaves fewer rows on a side than a leaf must hold");
    cut.reach_left = left;
  }
  return named;
}

template <class Costs>
auto Checker<Costs>::written_cuts(const Part& part, std::size_t f, std::int64_t count, bool recounted, bool limited)
    -> std::vector<Bounded> {
  std::vector<Bounded> named;
  std::int64_t rank = items_.rank(f, part.order(f).front());
  const std::int64_t last = items_.rank(f, part.order(f).back());
  for (std::int64_t i = 0; i < count; ++i) {
    const std::int64_t step = number();
    if (step == 0) fail(i == 0 ? "a cut leaves no item on its left side" : "a cut is named twice");
    if (step > last - rank) fail("a cut leaves no item on its right side");
    rank += step;
    Bounded& cut = named.emplace_back(Bounded{{f, static_cast<std::uint32_t>(rank)}});
    if (recounted) continue;
    cut.left = cut.left_of_all = number();
    cut.right = cut.right_of_all = number();
    if (!limited) continue;
    cut.left_of_all = number();
    cut.right_of_all = number();
    if (cut.left_of_all > cut.left || cut.right_of_all > cut.right) fail("more is claimed of all trees than of those within the limit");
  }
  return named;
}

// The best trees of one split, or leaves, on either side of each cut, and the best one of a split on the whole part.
template <class Costs>
void Checker<Costs>::recount(const Part& part, std::vector<Named>& named, std::int64_t& shallow, bool limited) {
  std::vector<Cut> all{{0, Cut::kEverything}};
  for (const Named& of : named) {
    for (const Bounded& bounded : of.cuts) all.push_back(bounded.cut);
  }
  if (deadline_ != nullptr && deadline_->poll(stumps_.visits(part, all.size()))) throw Stopped{};
  const std::vector<Sides> costs = stumps_.best(part, all);
  counts.stumps += static_cast<std::int64_t>(2 * all.size() - 1);
  shallow = limited ? costs[0].left : costs[0].left_of_all;
  std::size_t next = 0;
  for (Named& of : named) {
    for (Bounded& bounded : of.cuts) {
      const Sides& sides = costs[++next];
      bounded.left_of_all = of.splits.left == 0 ? sides.left_leaf : sides.left_of_all;
      bounded.right_of_all = of.splits.right == 0 ? sides.right_leaf : sides.right_of_all;
      bounded.left = limited && of.splits.left > 0 ? sides.left : bounded.left_of_all;
      bounded.right = limited && of.splits.right > 0 ? sides.right : bounded.right_of_all;
    }
  }
}

// Each cut by its own rank: a named one by its bounds, any other by those of its neighbors.
template <class Costs>
void Checker<Costs>::check_ordering(const Part& part, const Named& of, std::int64_t shallow, std::int64_t claim, bool limited) const {
  const std::size_t f = of.ordering;
  const std::vector<Bounded>& named = of.cuts;
  const std::span<const std::uint32_t> order = part.order(f);
  std::int64_t total = 0;
  for (const std::uint32_t item : order) total += costs_.reach(item);
  const Bounded begin{{f, 0}, 0, 0, shallow}, end{{f, Cut::kEverything}, total, shallow, 0};
  const std::int64_t of_part = limited ? items_.rows(part) : 0;
  std::int64_t rows_before = items_.rows(order[0]);
  std::int64_t before = costs_.reach(order[0]);  // left of the cut before order[i]
  std::size_t behind = 0;                        // the first named cut at or behind it
  for (std::size_t i = 1; i < order.size(); before += costs_.reach(order[i]), rows_before += items_.rows(order[i]), ++i) {
    const std::uint32_t rank = items_.rank(f, order[i]);
    if (rank == items_.rank(f, order[i - 1]) || (limited && !fits(rows_before, of_part))) continue;
    while (behind < named.size() && named[behind].cut.rank < rank) ++behind;
    const Bounded &a = behind == 0 ? begin : named[behind - 1], &b = behind == named.size() ? end : named[behind];
    const bool is_named = b.cut.rank == rank;
    const std::int64_t left = is_named ? b.left : std::max(a.left_of_all, costs_.on_fewer(b.left, b.reach_left - before));
    const std::int64_t right = is_named ? b.right : std::max(b.right_of_all, costs_.on_fewer(a.right, before - a.reach_left));
    const std::int64_t cost = proof_.price + left + right;
    if (cost < claim) {
      fail(fmt::format("a {}cut of column '{}' is bounded by {:.12g}, less than {:.12g}", is_named ? "named " : "",
                       table_.columns[items_.column(f)].name, in_units(cost), in_units(claim)));
    }
  }
}

template <class Costs>
Verified checked(const Proof& proof, const typename Costs::Items& items, const std::vector<Ranks>& ranks, const Table& table,
                 const std::string& origin, Deadline* deadline) {
  Checker<Costs> checker(proof, items, ranks, table, origin, deadline);
  if (!proof.top.empty()) checker.counts.top = top_rows(proof, table, ranks, origin);
  checker.run();
  return checker.counts;
}

Verified verify_labels(const Proof& proof, const Table& table, const std::string& origin, Deadline* deadline) {
  const std::vector<Ranks> ranks = ranks_of(proof, table, origin);
  const LabelItems items(table, ranks, proof.min_rows > 1);
  const std::int64_t room = kNumbersEnd - 1 - proof.price;
  if (items.total_reach() > (room >> proof.grid) / 2) refuse(origin, "has a grid on which its sums would not be exact");
  Verified verified = checked<ByLabels>(proof, items, ranks, table, origin, deadline);
  const double unit = proof.unit.value();
  const auto in_units = [&](std::int64_t steps) { return std::ldexp(static_cast<double>(steps), -proof.grid); };
  ExactSum above, price, bound = table.costs.least;
  above.add(in_units(proof.bound), unit);
  above.add(static_cast<double>(items.lost()), unit);
  above.add(-table.costs.rounding);
  // No row costs less than its cheapest label.
  bound.add(std::max(0.0, above.down()));
  verified.bound = bound.down();
  price.add(in_units(proof.price), unit);
  verified.price = price.up();
  return verified;
}

Verified verify_sums(const Proof& proof, const Table& table, const std::string& origin, Deadline* deadline) {
  const std::vector<Ranks> ranks = ranks_of(proof, table, origin);
  const SumItems items(table, ranks);
  Verified verified = checked<BySums>(proof, items, ranks, table, origin, deadline);
  verified.bound = table.sums.at_least(proof.bound, items.lost());
  verified.price = table.sums.price_up(proof.price);
  return verified;
}

}  // namespace

Verified verify(const Proof& proof, const Dataset& data, const std::string& origin, Deadline* deadline) {
  const Table table = make_table(data, proof, origin);
  if (proof.table != fingerprint(data)) {
    throw Error(origin, "speaks of another table: its rows, its columns, or how they are read differ from these",
                "'treewright table' writes the table of these data, to compare it with that of the proof", ErrorKind::file);
  }
  Verified verified = proof.of_numbers() ? verify_sums(proof, table, origin, deadline) : verify_labels(proof, table, origin, deadline);
  verified.sentence = sentence(proof, data, table, verified.bound, verified.price);
  return verified;
}

}  // namespace treewright::proof
