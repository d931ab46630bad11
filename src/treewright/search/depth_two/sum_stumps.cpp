// The kernel for targets that are numbers: for a few cuts of one ordering f at once, the best stump over every ordering g on the left
// child and on the right child of each cut. It is laid out as stump_kernel.cpp; the state of a lane are two running sums.
//
// Idea. One pass over the items in the order of g adds up exposure and amount of the items left of each lane's cut; those of the right
// child are the sums of all items less these. A child with the sums A and B that g divides at A1 and B1 gains D^2 A / (A1 A2), with A2 = A
// - A1 and D = B1 - A1 B / A (loss/two_sums.cpp). A lane keeps its largest D^2 / (A1 A2), so a boundary that is no better takes products
// only.
//
// Blocks. The gain is convex in (A1, B1), so over a rectangle it is largest at a corner. The items of a block of boundaries are added up
// first. That gives A1 at both ends of the block. B1 is no further from its value at either end than the sum of the positive amounts of the
// block, or of the negative ones, nor than what its items between may add: their exposure times the largest amount of a unit of it. Where
// no corner has a larger gain than the lane has found so far, the block is done. The ends of all blocks of an ordering are evaluated
// before any inside, and the best single splits go first, so few blocks are walked again for a look at each boundary.
//
// With min_samples_leaf the rows of the prefix are counted too, and a boundary counts only where both sides hold enough rows. The gain
// without that condition is kept as well, because only it bounds neighboring cuts.
//
// Cost: for each item, ordering and vector of cuts a comparison and two sums, and about a third more for the blocks; about fifteen
// operations for each item of a block that is walked again.

#include "treewright/search/depth_two/sum_columns.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "treewright/search/depth_two/sum_stumps.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/contrib/math/math-inl.h>
#include <hwy/highway.h>

#include "treewright/search/depth_two/lane_sums.h"

#ifndef TREEWRIGHT_SUM_LANES
#define TREEWRIGHT_SUM_LANES
namespace treewright::search {
enum class SumLoss { squared, events, close_events };  // the last: TwoSums::is_close
// What the cuts of a call have found: totals and gains, of the left children and of the right ones.
struct SumLanes {
  HWY_ALIGN_MAX double cut[SumColumns::kCuts];
  struct Side {
    HWY_ALIGN_MAX double exposure[SumColumns::kCuts], amount[SumColumns::kCuts], mean[SumColumns::kCuts], rows[SumColumns::kCuts];
    HWY_ALIGN_MAX double best[SumColumns::kCuts], fitting[SumColumns::kCuts];      // largest gain in units of TwoSums::stump_unit
    HWY_ALIGN_MAX double least_square[SumColumns::kCuts], off[SumColumns::kCuts];  // of D
    HWY_ALIGN_MAX double per_unit[SumColumns::kCuts];                              // of events: 1 / stump_unit
  } left, right;
  double* block_ends;  // SumColumns::block_ends
};
}  // namespace treewright::search
#endif

HWY_BEFORE_NAMESPACE();
namespace treewright::search {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <bool kCountRows, SumLoss kLoss>
class SumKernel {
  using D = hn::CappedTag<double, SumColumns::kCuts>;
  using V = hn::Vec<D>;
  const D d_;
  const SumColumns& in_;
  SumLanes& lanes_;

  struct Sums {
    V exposure, amount, rows;  // rows: where they are counted
  };
  HWY_INLINE Sums nothing() const { return {hn::Zero(d_), hn::Zero(d_), hn::Zero(d_)}; }
  template <class M>
  HWY_INLINE void add(const SumColumns::Item& item, M goes, Sums& sums) const {
    sums.exposure = add_masked(goes, sums.exposure, hn::Set(d_, item.exposure));
    sums.amount = add_masked(goes, sums.amount, hn::Set(d_, item.amount));
    if constexpr (kCountRows) sums.rows = add_masked(goes, sums.rows, hn::Set(d_, item.rows));
  }
  // Of the items of a block's end that are not left of the cuts.
  HWY_INLINE Sums rest(const SumColumns::Block& block, const Sums& left) const {
    return {hn::Sub(hn::Set(d_, block.exposure), left.exposure), hn::Sub(hn::Set(d_, block.amount), left.amount),
            kCountRows ? hn::Sub(hn::Set(d_, block.rows), left.rows) : left.rows};
  }

  // The rectangle of a side's sums within a block, and whether a corner is better than the best of some lane.
  HWY_INLINE bool may_win(const SumLanes::Side& side, std::size_t lane, const SumColumns::Block& block, const Sums& from,
                          const Sums& to) const {
    const V all = hn::Load(d_, side.exposure + lane), mean = hn::Load(d_, side.mean + lane);
    const V best = hn::Load(d_, (kCountRows ? side.fitting : side.best) + lane), least = hn::Load(d_, side.least_square + lane);
    const V most = hn::Mul(hn::Sub(to.exposure, from.exposure), hn::Set(d_, block.steepest));
    const V up = hn::Min(hn::Set(d_, block.up), most), down = hn::Min(hn::Set(d_, block.down), most);
    const V high = hn::Min(hn::Add(from.amount, up), hn::Add(to.amount, down));
    const V low = hn::Max(hn::Sub(from.amount, down), hn::Sub(to.amount, up));
    const auto wins = [&](V exposure) HWY_ATTR {
      const V middle = hn::Mul(mean, exposure);
      const V farther = hn::Max(hn::Abs(hn::Sub(high, middle)), hn::Abs(hn::Sub(low, middle)));
      const V difference = hn::Add(farther, hn::Load(d_, side.off + lane));
      return hn::Gt(hn::Mul(difference, difference), hn::Add(hn::Mul(best, hn::Mul(exposure, hn::Sub(all, exposure))), least));
    };
    return !hn::AllFalse(d_, hn::Or(wins(from.exposure), wins(to.exposure)));
  }

  // The gain of lanes whose sides both have an exposure; anything in the others. `square`, `sides`: D^2 and A1 A2.
  HWY_INLINE V gain_of([[maybe_unused]] const SumLanes::Side& side, [[maybe_unused]] std::size_t lane, [[maybe_unused]] Sums sums, V square,
                       V sides) const {
    if constexpr (kLoss == SumLoss::squared) return hn::Div(square, sides);
    const V zero = hn::Zero(d_), one = hn::Set(d_, 1.0), mean = hn::Load(d_, side.mean + lane);
    const auto log_of = [&](V amount, V expected) HWY_ATTR {
      const auto counts = hn::And(hn::Gt(amount, zero), hn::Gt(expected, zero));
      return hn::Log(d_, hn::IfThenElse(counts, hn::Div(amount, hn::IfThenElse(counts, expected, one)), one));
    };
    // half_deviance of data/losses.h, with fewer terms for a smaller s; or what does not cancel between the two sides.
    const auto part = [&](V exposure, V amount) HWY_ATTR {
      const V expected = hn::Mul(mean, exposure);
      if constexpr (kLoss == SumLoss::events) return hn::Mul(amount, log_of(amount, expected));
      const V apart = hn::Sub(amount, expected), sum = hn::Add(amount, expected);
      const auto near = hn::Lt(hn::Abs(apart), hn::Mul(hn::Set(d_, 0.05), sum));
      V loss = apart;
      if (!hn::AllTrue(d_, near)) loss = hn::Sub(hn::Mul(amount, log_of(amount, expected)), apart);
      if (!hn::AllFalse(d_, near)) {
        const V s = hn::Div(apart, hn::IfThenElse(near, sum, one)), squared = hn::Mul(s, s);
        V terms = zero;
        for (int j = 5; j >= 1; --j) terms = hn::Mul(hn::Add(terms, hn::Set(d_, 1.0 / (2 * j + 1))), squared);
        loss = hn::IfThenElse(near, hn::Mul(s, hn::Add(apart, hn::Mul(hn::Add(amount, amount), terms))), loss);
      }
      return loss;
    };
    const V rest = hn::Sub(hn::Load(d_, side.exposure + lane), sums.exposure),
            other = hn::Sub(hn::Load(d_, side.amount + lane), sums.amount);
    return hn::Mul(hn::Add(part(sums.exposure, sums.amount), part(rest, other)), hn::Load(d_, side.per_unit + lane));
  }

  // One side at a boundary.
  HWY_INLINE void evaluate(SumLanes::Side& side, std::size_t lane, const Sums& sums) const {
    const V all = hn::Load(d_, side.exposure + lane), best = hn::Load(d_, side.best + lane);
    const V difference = hn::Sub(sums.amount, hn::Mul(hn::Load(d_, side.mean + lane), sums.exposure));
    const V square = hn::Mul(difference, difference), sides = hn::Mul(sums.exposure, hn::Sub(all, sums.exposure));
    const V least = hn::Load(d_, side.least_square + lane);
    if constexpr (kCountRows) {
      const V fitting = hn::Load(d_, side.fitting + lane), enough = hn::Set(d_, in_.min_rows());
      const auto better = hn::Gt(square, hn::Add(hn::Mul(fitting, sides), least));
      if (hn::AllFalse(d_, better)) return;
      const auto fits = hn::And(hn::Ge(sums.rows, enough), hn::Ge(hn::Sub(hn::Load(d_, side.rows + lane), sums.rows), enough));
      const V gain = gain_of(side, lane, sums, square, sides);
      hn::Store(hn::IfThenElse(hn::And(better, fits), hn::Max(fitting, gain), fitting), d_, side.fitting + lane);
      hn::Store(hn::IfThenElse(better, hn::Max(best, gain), best), d_, side.best + lane);
    } else {
      const auto better = hn::Gt(square, hn::Add(hn::Mul(best, sides), least));
      if (hn::AllFalse(d_, better)) return;
      hn::Store(hn::IfThenElse(better, hn::Max(best, gain_of(side, lane, sums, square, sides)), best), d_, side.best + lane);
    }
  }

  // The ends of the blocks of an ordering, for one vector of cuts. The sums of the left children there are kept.
  HWY_INLINE void visit_ends(std::size_t g, std::size_t lane) const {
    const V cut = hn::Load(d_, lanes_.cut + lane);
    const std::uint32_t* HWY_RESTRICT order = in_.order_of(g);
    const SumColumns::Item* HWY_RESTRICT items = in_.items();
    const std::span<const std::uint32_t> boundaries = in_.boundaries_of(g);
    double* HWY_RESTRICT ends = lanes_.block_ends;
    Sums left = nothing();
    std::size_t at = 0;
    for (const SumColumns::Block& block : in_.blocks_of(g)) {
      const auto add_left = [&](Sums& sums) HWY_ATTR {
        const SumColumns::Item& item = items[order[at++]];
        add(item, hn::Lt(hn::Set(d_, item.place), cut), sums);
      };
      // Sums are exact in every order: two of them at a time do not wait for each other.
      Sums other = nothing();
      const std::size_t end = boundaries[block.last - 1];
      while (at + 1 < end) {
        add_left(left);
        add_left(other);
      }
      if (at < end) add_left(left);
      left = {hn::Add(left.exposure, other.exposure), hn::Add(left.amount, other.amount), hn::Add(left.rows, other.rows)};
      for (const V sum : {left.exposure, left.amount, left.rows}) {
        hn::StoreU(sum, d_, ends);
        ends += hn::Lanes(d_);
      }
      evaluate(lanes_.left, lane, left);
      evaluate(lanes_.right, lane, rest(block, left));
    }
  }

  // The blocks between those ends.
  HWY_INLINE void visit_blocks(std::size_t g, std::size_t lane) const {
    const std::span<const std::uint32_t> boundaries = in_.boundaries_of(g);
    const double* HWY_RESTRICT ends = lanes_.block_ends;
    Sums left = nothing(), right = nothing();
    std::size_t at = 0;
    for (const SumColumns::Block& block : in_.blocks_of(g)) {
      const std::size_t width = hn::Lanes(d_);
      const Sums to{hn::LoadU(d_, ends), hn::LoadU(d_, ends + width), hn::LoadU(d_, ends + 2 * width)}, rest_to = rest(block, to);
      if (may_win(lanes_.left, lane, block, left, to) || may_win(lanes_.right, lane, block, right, rest_to)) {
        walk(g, block, at, lane, left, right);
      }
      left = to;
      right = rest_to;
      at = boundaries[block.last - 1];
      ends += 3 * width;
    }
  }

  // The boundaries of a block before its end, for one vector of cuts. `left`, `right`: sums up to its start.
  HWY_NOINLINE void walk(std::size_t g, const SumColumns::Block& block, std::size_t at, std::size_t lane, Sums left, Sums right) const {
    const V cut = hn::Load(d_, lanes_.cut + lane);
    const std::uint32_t* HWY_RESTRICT order = in_.order_of(g);
    const std::span<const std::uint32_t> boundaries = in_.boundaries_of(g);
    for (std::size_t b = block.first; b + 1 < block.last; ++b) {
      for (; at < boundaries[b]; ++at) {
        const SumColumns::Item& item = in_.items()[order[at]];
        const auto goes_left = hn::Lt(hn::Set(d_, item.place), cut);
        add(item, goes_left, left);
        add(item, hn::Not(goes_left), right);
      }
      evaluate(lanes_.left, lane, left);
      evaluate(lanes_.right, lane, right);
    }
  }

 public:
  SumKernel(const SumColumns& in, SumLanes& lanes) : in_(in), lanes_(lanes) {}

  void run() const {
    for (std::size_t lane = 0; lane < SumColumns::kCuts; lane += hn::Lanes(d_)) {
      if (lane > 0 && lanes_.cut[lane] == lanes_.cut[lane - 1]) break;  // only repeats the last cut
      for (const std::size_t g : in_.sequence()) {
        visit_ends(g, lane);
        visit_blocks(g, lane);
      }
    }
  }
};

template <SumLoss kLoss>
void run_loss(const SumColumns& in, SumLanes& lanes) {
  in.counts_rows() ? SumKernel<true, kLoss>(in, lanes).run() : SumKernel<false, kLoss>(in, lanes).run();
}

void run_sums(const SumColumns& in, SumLanes& lanes) {
  const TwoSums& loss = in.loss();
  if (loss.is_close()) return run_loss<SumLoss::close_events>(in, lanes);
  loss.of_events() ? run_loss<SumLoss::events>(in, lanes) : run_loss<SumLoss::squared>(in, lanes);
}

}  // namespace HWY_NAMESPACE
}  // namespace treewright::search
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace treewright::search {

HWY_EXPORT(run_sums);

void best_stumps(SumColumns& columns, std::size_t f, const double* cuts, CutErrors& out) {
  columns.cut(f);
  SumLanes lanes;
  lanes.block_ends = columns.block_ends();
  const TwoSums& loss = columns.loss();
  const auto start = [&](SumLanes::Side& side, std::size_t lane, double exposure, double amount, double rows) {
    side.exposure[lane] = exposure;
    side.amount[lane] = amount;
    side.least_square[lane] = loss.least_square(amount);
    side.off[lane] = loss.difference_off(amount);
    const double unit = loss.stump_unit(exposure, amount);
    side.per_unit[lane] = unit > 0 ? 1 / unit : 0;
    side.mean[lane] = exposure > 0 ? amount / exposure : 0;
    side.rows[lane] = rows;
    side.best[lane] = side.fitting[lane] = 0;
  };
  const bool count_rows = columns.counts_rows();
  const double all_rows = count_rows ? columns.rows_before(f, columns.size()) : 0;
  for (std::size_t lane = 0; lane < SumColumns::kCuts; ++lane) {
    const auto place = static_cast<std::size_t>(lanes.cut[lane] = cuts[lane]);
    const double exposure = columns.exposure_before(place), amount = columns.amount_before(place);
    const double rows = count_rows ? columns.rows_before(f, place) : 0;
    start(lanes.left, lane, exposure, amount, rows);
    start(lanes.right, lane, columns.exposure() - exposure, columns.amount() - amount, all_rows - rows);
  }
  HWY_DYNAMIC_DISPATCH(run_sums)(columns, lanes);
  const auto errors = [&](const SumLanes::Side& side, std::size_t lane, double of_items, double& leaf, double& stump, double& relaxed) {
    const double gain = loss.gain(side.exposure[lane], side.amount[lane]), unit = loss.stump_unit(side.exposure[lane], side.amount[lane]);
    leaf = loss.of_leaves(of_items, gain);
    relaxed = loss.of_leaves(of_items, gain + side.best[lane] * unit);
    stump = count_rows ? loss.of_leaves(of_items, gain + side.fitting[lane] * unit) : relaxed;
  };
  for (std::size_t lane = 0; lane < SumColumns::kCuts; ++lane) {
    const auto place = static_cast<std::size_t>(cuts[lane]);
    const double of_left = columns.reach_before(f, place);
    errors(lanes.left, lane, of_left, out.left_leaf[lane], out.left[lane], out.left_relaxed[lane]);
    errors(lanes.right, lane, columns.total_reach() - of_left, out.right_leaf[lane], out.right[lane], out.right_relaxed[lane]);
  }
}

}  // namespace treewright::search
#endif  // HWY_ONCE
