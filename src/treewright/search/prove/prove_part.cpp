// Writes the proof of a claim about one part of the items.
//
// Every ordering is gone through as the search does: the middle cut of a range that the bounds leave open is solved, until none is left.
// Then cuts that are not needed are dropped, and the bounds of those that stay are lowered as far as the part's claim allows. These lowered
// bounds are the claims for the two sides, and the proof goes on with them. So it holds less than the search has seen.
//
// Evidence. The search hands over the cuts of the root that it has solved, and a side that is solved here brings those of its own orderings
// (SubproblemResult::evidence). A part begins with what is known of it. So the root and every other level below need next to no solving: a
// proof of depth three takes a part of the search's time, and one of depth four or five about as long as the search.
//
// Children are solved with all rules of the search, whatever these rest on: the proof takes only the values and shows them by cuts. If a
// rule were wrong, some claim would be false. Then a cut turns up that costs less, and there is no proof; or the checker refuses it.
//
// Numbers. Where trees predict a number, the checker counts in whole steps of 1/64 unit (proof/row_sums.cpp), and the search in doubles,
// rounded down to whole units: a leaf may be taken for cheaper by e = TwoSums::most_off, and not always by as much, since the same tree is
// counted in several ways. A leaf of the checker costs no less than one of the search, and a stump no less than that less 1/32. So claims
// keep a distance: a part of n splits and d levels is asked for no more than the cost of all its trees less K(d, n) = d (n + 1) e. Let cut
// t have sides that truly cost x and y, and trees of i and j splits, i + j < n. The search finds x' >= x - (i + 1) e and y' >= y - (j + 1)
// e, both not above the truth. The sides are asked for x' - K(d - 1, i) and y' - K(d - 1, j), which is K below what they cost. Their sum is
// no less than x + y - (n + 1) e - (d - 1) (n + 1) e = x + y - K(d, n), which is enough for the part. So cuts are solved as if the claim
// was K(d - 1, i) + K(d - 1, j) more, and then what is claimed of their sides is lowered. Stumps are evaluated for a claim of a unit more.

#include "treewright/search/prove/prove_part.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "treewright/base/infinity.h"
#include "treewright/error.h"

namespace treewright::search {

namespace {

[[noreturn]] void refuted() {
  throw proof::DoesNotFollow("proof", "the bound that the search states does not hold",
                             "this is a defect of treewright: report it with the data", ErrorKind::limit);
}

ChildBounds bounds_of(double left, double right) {
  return {Bound::of_all_trees(left), Bound::of_all_trees(right)};
}

Bound lowered(const Bound& bound, double by) {
  return {std::max(0.0, bound.strict - by), std::max(0.0, bound.relaxed - by)};
}

}  // namespace

void Prover::begin(Closed& closed, const Subset& subset) const {
  closed.cuts.assign(subset, closed.ordering);
  closed.fitting = {0, closed.cuts.size()};
  if (!limited()) return;
  const auto first_above = [&](std::int64_t rows) {
    return Cuts::first_where(0, closed.cuts.size(), [&](std::size_t t) { return closed.cuts.rows_left(t) > rows; });
  };
  closed.fitting = {first_above(limits_.min_rows - 1), first_above(subset.rows - limits_.min_rows)};
}

// The cuts between named cuts i and j that are splits of a tree within the limits.
CutRange Prover::between(const Closed& closed, std::size_t i, std::size_t j) const {
  return {std::max(closed.named[i].cut + 1, closed.fitting.first), std::min(closed.named[j].cut, closed.fitting.last)};
}

// Whether named cuts i and j exclude all cuts between them.
bool Prover::holds(const Closed& closed, std::size_t i, std::size_t j, double claim) const {
  const auto reach = [&](std::int64_t t) { return closed.cuts.reach_left(static_cast<std::size_t>(t)); };
  const CutGap gap(limits_.rules, closed.named[i], closed.named[j], reach);
  return gap.open(between(closed, i, j), claim - limits_.split_price).size() == 0;
}

void Prover::drop_needless(Closed& closed, double claim) const {
  std::vector<NamedCut>& named = closed.named;
  for (std::size_t i = 1; i + 1 < named.size();) {
    if (holds(closed, i - 1, i + 1, claim)) {
      named.erase(named.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
}

// The least multiple of the grid, from 0 to `from`, that is enough; `from` is.
double Prover::least(double from, const std::function<bool(double)>& enough) const {
  assert(from >= 0);
  auto low = std::int64_t{0}, high = static_cast<std::int64_t>(from / grid_);
  while (low < high) {
    const std::int64_t middle = low + (high - low) / 2;
    enough(static_cast<double>(middle) * grid_) ? high = middle : low = middle + 1;
  }
  return static_cast<double>(high) * grid_;
}

double slack(const Problem& problem, int depth, std::int64_t splits) {
  if (!problem.sums) return 0;
  const auto leaves = static_cast<double>(std::min(splits, full_splits(depth)) + 1);
  return std::ceil(depth * leaves * problem.sums->most_off());
}

int limits_of_proof(const Problem& problem, const ExactSearchOptions& options, double price, SearchLimits& limits) {
  // A bound at a lower price is one at the true price. Of numbers the step is given, and prices may be finer.
  const int fine = problem.sums ? TwoSums::kItemBits : proof::grid_of(price);
  limits.split_price = std::ldexp(std::floor(std::ldexp(price, fine)), -fine);
  limits.rules = problem.sums ? rules_of_numbers(options.rules, options.max_depth) : options.rules;
  limits.min_rows = options.min_rows;
  return fine;
}

SubproblemResult Prover::best(const Subset& subset, int depth, std::int64_t splits) {
  worker_.evidence_depth = depth;
  SubproblemResult found = nodes_.solve(worker_, ItemRange::all(subset), depth, std::min(splits, full_splits(depth)), kInfinity, {});
  go_on();
  return found;
}

SubproblemResult Prover::shallow(const Subset& subset, int depth, std::int64_t splits) {
  return best(subset, depth - 1, splits - 1);
}

std::vector<Closed> Prover::all_open(int depth, std::int64_t splits) const {
  std::vector<Closed> all;
  for (std::size_t f = 0; f < problem_.orderings.size(); ++f) {
    for (const proof::Share& share : proof::shares(depth, splits)) all.push_back({f, share, {}, {}, {}});
  }
  return all;
}

void Prover::close(Closed& closed, const Subset& subset, int depth, double claimed, const SubproblemResult& shallow,
                   const Evidence* evidence) {
  begin(closed, subset);
  if (closed.cuts.size() == 0) return;
  const double off_left = slack(problem_, depth - 1, closed.splits.left), off_right = slack(problem_, depth - 1, closed.splits.right);
  const double claim = claimed + off_left + off_right;
  OrderingSearch search{closed.ordering, closed.splits.left, closed.splits.right, {}, true};  // the proof names intervals alone
  const NodeFrame node{subset, closed.cuts, depth, &worker_};
  nodes_.open(node, search, shallow, claim);
  using Sides = std::pair<std::shared_ptr<const Evidence>, std::shared_ptr<const Evidence>>;
  std::map<std::int64_t, Sides> sides;
  const auto add = [&](NodeSearch::Solved& solved) {
    sides[solved.cut] = {solved.left.evidence, solved.right.evidence};
    // What no tree costs less than, no tree within the limits does. Evidence may say less of those.
    for (SubproblemResult* side : {&solved.left, &solved.right}) side->lower.strict = std::max(side->lower.strict, side->lower.relaxed);
    nodes_.add(node, search, solved, claim);
  };
  // Evidence is of trees within the limits. Other cuts are judged by what all trees cost.
  const auto of_all = [&](std::uint32_t from, std::uint32_t to, std::int64_t splits) {
    const double lower =
        of_all_->nodes_.solve(of_all_->worker_, {subset, closed.ordering, from, to}, depth - 1, splits, kInfinity, {}).lower.strict;
    of_all_->go_on();
    return lower;
  };
  if (evidence != nullptr && evidence->depth == depth) {
    for (const BoundedCut& known : evidence->solved[closed.ordering]) {
      // The claim may rest on more than this part's own cuts.
      if (limits_.split_price + known.left + known.right < claim) continue;
      NodeSearch::Solved solved;
      solved.cut = known.cut;
      const std::uint32_t place = closed.cuts.place(static_cast<std::size_t>(known.cut));
      solved.left.lower = {known.left, limited() ? of_all(0, place, closed.splits.left) : known.left};
      solved.right.lower = {known.right,
                            limited() ? of_all(place, static_cast<std::uint32_t>(subset.size), closed.splits.right) : known.right};
      add(solved);
    }
  }
  worker_.evidence_depth = depth - 1;
  for (std::vector<Candidate> open; !(open = nodes_.candidates(node, search, claim)).empty();) {
    stop_point();
    const Candidate& widest =
        *std::max_element(open.begin(), open.end(), [](const Candidate& x, const Candidate& y) { return x.open_reach < y.open_reach; });
    NodeSearch::Solved solved = nodes_.recall_cut(node, search, widest, claim);
    if (solved.cost(limits_.split_price) < claim) refuted();
    go_on();
    add(solved);
  }
  for (const SolvedCut& cut : search.solved) {
    auto& [left, right] = sides[cut.cut];
    ChildBounds bounds = bounds_of(cut.bounds.left.strict, cut.bounds.right.strict);
    if (limited()) bounds = {min(bounds.left, cut.bounds.left), min(bounds.right, cut.bounds.right)};
    bounds = {lowered(bounds.left, off_left), lowered(bounds.right, off_right)};
    closed.named.push_back({cut.cut, cut.reach_left, bounds, std::move(left), std::move(right)});
  }
  drop_needless(closed, claimed);
  assert(closed.named.size() >= 2 && closed.named.front().cut == -1 && closed.named.back().cut == closed.cuts.size());
}

double Prover::lower_claims(std::vector<Closed>& closed, double shallow, double claim) const {
  const auto use = [](Closed& of, double bound) {
    of.named.front().bounds = bounds_of(0, bound);
    of.named.back().bounds = bounds_of(bound, 0);
  };
  const double needed = least(shallow, [&](double bound) {
    return std::all_of(closed.begin(), closed.end(), [&](Closed& of) {
      if (of.named.empty()) return true;
      use(of, bound);
      return holds(of, 0, 1, claim) && holds(of, of.named.size() - 2, of.named.size() - 1, claim);
    });
  });
  for (Closed& of : closed) {
    if (of.named.empty()) continue;
    use(of, needed);
    for (std::size_t i = 1; i + 1 < of.named.size(); ++i) {
      const ChildBounds solved = of.named[i].bounds;
      ChildBounds& now = of.named[i].bounds;
      const auto enough = [&] {
        return limits_.split_price + now.sum().strict >= claim && holds(of, i - 1, i, claim) && holds(of, i, i + 1, claim);
      };
      if (limited()) {
        // Claims of all trees first: they are the dearer ones.
        const auto lower = [&](double& bound, double floor) {
          const double value = least(bound, [&](double tried) { return bound = std::max(tried, floor), enough(); });
          bound = std::max(value, floor);
        };
        lower(now.left.relaxed, 0);
        lower(now.right.relaxed, 0);
        lower(now.left.strict, now.left.relaxed);
        lower(now.right.strict, now.right.relaxed);
        continue;
      }
      const double left = least(solved.left.strict, [&](double value) { return now = bounds_of(value, solved.right.strict), enough(); });
      const double right = least(solved.right.strict, [&](double value) { return now = bounds_of(left, value), enough(); });
      now = bounds_of(left, right);
    }
  }
  return needed;
}

// The number of cuts plus one, and for each one the ranks since the last one and what it claims.
void Prover::write(proof::Writer& out, const Closed& closed, bool recounted) const {
  if (closed.cuts.size() == 0) return;
  const auto whole = [&](double bound) { return static_cast<std::uint64_t>(bound / grid_); };
  std::uint32_t rank = closed.cuts.low(0);
  out.number(closed.named.size() - 1);
  for (std::size_t i = 1; i + 1 < closed.named.size(); ++i) {
    const NamedCut& cut = closed.named[i];
    const std::uint32_t high = closed.cuts.high(static_cast<std::size_t>(cut.cut));
    out.number(high - std::exchange(rank, high));
    if (recounted) continue;
    out.number(whole(cut.bounds.left.strict));
    out.number(whole(cut.bounds.right.strict));
    if (!limited()) continue;
    out.number(whole(cut.bounds.left.relaxed));
    out.number(whole(cut.bounds.right.relaxed));
  }
}

std::string Prover::side(const Subset& subset, const Closed& of, const NamedCut& cut, bool left, int depth) {
  const std::uint32_t place = of.cuts.place(static_cast<std::size_t>(cut.cut));
  const auto [claim, of_all] = left ? cut.bounds.left : cut.bounds.right;
  if (claim <= 0) return {};
  Subset child;
  (left ? ItemRange{subset, of.ordering, 0, place} : ItemRange{subset, of.ordering, place, subset.size}).copy_to(child);
  const std::int64_t splits = left ? of.splits.left : of.splits.right;
  if (!limited()) return part(child, depth, splits, claim, (left ? cut.left : cut.right).get());
  return (claim > of_all ? part(child, depth, splits, claim, nullptr) : "") + of_all_->part(child, depth, splits, of_all, nullptr);
}

std::string Prover::part(const Subset& subset, int depth, std::int64_t splits, double claim, const Evidence* evidence) {
  assert(depth >= 0 && std::floor(claim / grid_) * grid_ == claim);
  splits = std::min(splits, full_splits(depth));
  if (splits <= 1 || trivial(subset, splits, claim)) return {};
  if (depth == 2 || splits == 2) return stumps(subset, depth, splits, claim);
  const SubproblemResult shallower = shallow(subset, depth, splits);
  std::vector<Closed> closed = all_open(depth, splits);
  const bool is_one_share = closed.size() == problem_.orderings.size();
  for (Closed& of : closed) close(of, subset, depth, claim, shallower, is_one_share ? evidence : nullptr);
  const double needed = lower_claims(closed, shallower.lower.strict, claim);
  proof::Writer out;
  out.number(static_cast<std::uint64_t>(needed / grid_));
  out.append(part(subset, depth - 1, splits - 1, needed, shallower.evidence.get()));
  for (const Closed& of : closed) write(out, of, false);
  for (const Closed& of : closed) {
    for (std::size_t i = 1; i + 1 < of.named.size(); ++i) {
      out.append(side(subset, of, of.named[i], true, depth - 1));
      out.append(side(subset, of, of.named[i], false, depth - 1));
    }
  }
  return out.take();
}

std::string Prover::stumps(const Subset& subset, int depth, std::int64_t splits, double claim) {
  if (problem_.sums) return stumps_by(kernels_.sums, subset, depth, splits, claim + 1);
  const double largest =
      std::max(subset.total_weight, static_cast<double>(std::max<std::int64_t>(subset.size, limited() ? subset.rows : 0)));
  if (largest <= std::numeric_limits<std::int16_t>::max()) return stumps_by(kernels_.narrow, subset, depth, splits, claim);
  if (largest <= std::numeric_limits<std::int32_t>::max()) return stumps_by(kernels_.wide, subset, depth, splits, claim);
  return stumps_by(kernels_.real, subset, depth, splits, claim);
}

template <class Columns>
std::string Prover::stumps_by(Columns& columns, const Subset& subset, int depth, std::int64_t splits, double claim) {
  stop_point();
  if (worker_.deadline->poll()) throw Stopped{};
  proof::Writer out;
  double one_split = -1;
  for (Closed& closed : all_open(depth, splits)) {
    begin(closed, subset);
    if (closed.cuts.size() <= proof::kFewCuts) {  // all of them: nothing needs to be solved for that
      if (closed.cuts.size() > 0) out.number(0);
      continue;
    }
    if (one_split < 0) {
      lay_out(columns, ItemRange::all(subset));
      one_split = worker_.depth_two.solve(ItemRange::all(subset), 1, 1, kInfinity, {}, *worker_.deadline).lower.strict;
      go_on();
    }
    closed.named = {{-1, 0, bounds_of(0, one_split), {}, {}}, {closed.cuts.size(), subset.total_reach, bounds_of(one_split, 0), {}, {}}};
    evaluate(columns, closed, claim);
    drop_needless(closed, claim);
    write(out, closed, true);
  }
  return out.take();
}

// Evaluates cuts, spread evenly over those that are open, until none is.
template <class Columns>
void Prover::evaluate(Columns& columns, Closed& closed, double claim) {
  const auto reach = [&](std::int64_t t) { return closed.cuts.reach_left(static_cast<std::size_t>(t)); };
  while (true) {
    std::vector<CutRange> ranges;
    std::int64_t open = 0;
    for (std::size_t i = 0; i + 1 < closed.named.size(); ++i) {
      const CutGap gap(limits_.rules, closed.named[i], closed.named[i + 1], reach);
      ranges.push_back(gap.open(between(closed, i, i + 1), claim - limits_.split_price));
      open += ranges.back().size();
    }
    if (open == 0) return;
    const std::int64_t count = std::min<std::int64_t>(open, Columns::kCuts);
    std::int64_t chosen[kLanes], before = 0;
    std::size_t range = 0;
    for (std::int64_t lane = 0; lane < count; ++lane) {
      const std::int64_t pick = (2 * lane + 1) * open / (2 * count);
      while (pick >= before + ranges[range].size()) before += ranges[range++].size();
      chosen[lane] = ranges[range].first + pick - before;
    }
    using T = typename Columns::Number;
    T places[kLanes];
    const std::span<const std::uint32_t> boundaries = columns.boundaries_of(closed.ordering);
    for (std::int64_t lane = 0; lane < static_cast<std::int64_t>(kLanes); ++lane) {
      places[lane] = static_cast<T>(boundaries[static_cast<std::size_t>(chosen[std::min(lane, count - 1)])]);
    }
    CutErrors errors;
    if (worker_.deadline->poll(1)) throw Stopped{};
    best_stumps(columns, closed.ordering, places, errors);
    for (std::int64_t lane = 0; lane < count; ++lane) {
      const auto best = [&](std::int64_t splits, double leaf, double stump) {
        return splits == 0 ? leaf : std::min(leaf, stump + limits_.split_price);
      };
      const double left = best(closed.splits.left, errors.left_leaf[lane], errors.left[lane]);
      const double right = best(closed.splits.right, errors.right_leaf[lane], errors.right[lane]);
      if (limits_.split_price + left + right < claim) refuted();
      ChildBounds bounds = bounds_of(left, right);
      if (limited()) {
        bounds.left.relaxed = best(closed.splits.left, errors.left_leaf[lane], errors.left_relaxed[lane]);
        bounds.right.relaxed = best(closed.splits.right, errors.right_leaf[lane], errors.right_relaxed[lane]);
      }
      closed.named.push_back({chosen[lane], reach(chosen[lane]), bounds, {}, {}});
    }
    std::sort(closed.named.begin(), closed.named.end(), [](const NamedCut& x, const NamedCut& y) { return x.cut < y.cut; });
  }
}

}  // namespace treewright::search
