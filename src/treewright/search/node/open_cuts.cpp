// The cuts of one ordering at a node: which of them may still belong to a better tree, and what all of them cost at least. See
// node_search.cpp for the whole of a node.

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

#include "treewright/search/node/audit.h"
#include "treewright/search/node/node_search.h"

namespace treewright::search {

double OrderingSearch::lower(double price) const {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < solved.size(); ++i) {
    if (i + 1 < solved.size()) least = std::min(least, solved[i].lower);
    if (i > 0 && i + 1 < solved.size()) least = std::min(least, price + solved[i].bounds.sum().strict);
  }
  return least;
}

std::shared_ptr<const Evidence> evidence_of(std::span<const OrderingSearch> searches, int depth, std::size_t orderings) {
  if (searches.size() > orderings) return {};
  auto evidence = std::make_shared<Evidence>();
  assert(depth >= 1);
  evidence->depth = depth;
  evidence->solved.resize(orderings);
  for (const OrderingSearch& search : searches) {
    for (std::size_t i = 1; i + 1 < search.solved.size(); ++i) {
      const SolvedCut& cut = search.solved[i];
      evidence->solved[search.ordering].push_back({cut.cut, cut.bounds.left.strict, cut.bounds.right.strict});
    }
  }
  return evidence;
}

// Whether a tree of so many splits on these items may have fewer leaves than there are classes.
bool NodeSearch::lacks_leaves(const Subset& subset, std::int64_t splits) const {
  return limits_.rules.class_bound && !subset.is_packed() && splits + 1 < problem_.classes;
}

// The cuts after solved[i], up to the next solved one.
void NodeSearch::bound_gap(const NodeFrame& node, OrderingSearch& search, std::size_t i, double best) const {
  assert(i + 1 < search.solved.size());
  SolvedCut &a = search.solved[i], &b = search.solved[i + 1];
  assert(a.cut < b.cut);
  const auto reach = [&](std::int64_t t) { return node.reach_left(t); };
  CutRange fitting{a.cut + 1, b.cut};
  if (limits_.min_rows > 1) {
    const auto first_above = [&](std::int64_t rows) {
      return Cuts::first_where(0, node.cuts.size(), [&](std::size_t t) { return node.cuts.rows_left(t) > rows; });
    };
    fitting.first = std::max(fitting.first, first_above(limits_.min_rows - 1));
    fitting.last = std::min(fitting.last, first_above(node.subset.rows - limits_.min_rows));
  }
  const CutGap gap(limits_.rules, a, b, reach);
  const double need = best - limits_.split_price;
  a.open = gap.open(fitting, need);
  if (search.floors.empty()) {
    a.lower = limits_.split_price + gap.least(fitting);
  } else {
    const auto floor = [&](std::int64_t t) { return search.floors[static_cast<std::size_t>(t)]; };
    a.open = gap.narrow(a.open, need, floor);
    a.lower = limits_.split_price + gap.least(fitting, floor);
  }
  a.open_reach = a.open.size() > 0 ? reach(a.open.last - 1) - reach(a.open.first) : 0;
}

// Bound on every cut of the search without min_rows.
double NodeSearch::least_relaxed(const NodeFrame& node, const OrderingSearch& search) const {
  const auto reach = [&](std::int64_t t) { return node.reach_left(t); };
  double least = kInfinity;
  for (std::size_t i = 0; i + 1 < search.solved.size(); ++i) {
    const SolvedCut &a = search.solved[i], &b = search.solved[i + 1];
    least = std::min(least, CutGap(limits_.rules, a, b, reach).least_relaxed({a.cut + 1, b.cut}));
    if (i > 0) least = std::min(least, a.bounds.sum().relaxed);
  }
  return limits_.split_price + least;
}

void NodeSearch::open(const NodeFrame& node, OrderingSearch& search, const SubproblemResult& shallow, double best) const {
  // At both ends one child holds all items. The node one level shallower bounds it.
  assert(shallow.trees.holds(TreeRange::up_to(node.depth - 1, std::max(search.left_splits, search.right_splits))));
  assert(node.depth >= 1);
  assert(shallow.lower.is_sane());
  if (search.solved.empty()) {
    search.solved.resize(2);
    search.solved.front().cut = -1;
    search.solved.back().cut = node.cuts.size();
    search.solved.back().reach_left = node.subset.total_reach;
    if (!search.only_intervals && node.subset.order.size() <= kMostPlaces &&
        lacks_leaves(node.subset, std::min(search.left_splits, search.right_splits)))
      search.floors = ClassFloors(problem_, node.subset, search.left_splits + 1, search.right_splits + 1).of(search.ordering);
  }
  SolvedCut &nothing = search.solved.front(), &everything = search.solved.back();
  nothing.bounds = {{}, shallow.lower};
  everything.bounds = {shallow.lower, {}};
  if (!shallow.lower_by_ordering.empty() && uses_root_bounds()) {
    nothing.right_known = everything.left_known = std::make_shared<const std::vector<double>>(shallow.lower_by_ordering);
  }
  for (std::size_t i = 0; i + 1 < search.solved.size(); ++i) bound_gap(node, search, i, best);
  if constexpr (kAudited) audit_cuts(problem_, limits_, node.subset, search, node.depth, best);
}

Candidate NodeSearch::middle(const NodeFrame& node, const OrderingSearch& search, std::size_t i) const {
  const SolvedCut& here = search.solved[i];
  assert(here.open.size() > 0);
  const auto reach = [&](std::int64_t t) { return node.reach_left(t); };
  const double target = (reach(here.open.first) + reach(here.open.last - 1)) / 2;
  const std::int64_t above =
      Cuts::first_where(here.open.first, here.open.last - 1, [&](std::size_t t) { return node.cuts.reach_left(t) >= target; });
  const bool lower_one = above > here.open.first && target - reach(above - 1) <= reach(above) - target;
  const std::int64_t cut = lower_one ? above - 1 : above;
  const ClassFloor floor = search.floors.empty() ? ClassFloor{} : search.floors[static_cast<std::size_t>(cut)];
  return {&here, &search.solved[i + 1], cut, here.lower, here.open_reach, floor};
}

std::vector<Candidate> NodeSearch::candidates(const NodeFrame& node, const OrderingSearch& search, double best) const {
  std::vector<Candidate> found;
  for (std::size_t i = 0; i + 1 < search.solved.size(); ++i) {
    if (search.solved[i].is_open(best)) found.push_back(middle(node, search, i));
  }
  return found;
}

void NodeSearch::add(const NodeFrame& node, OrderingSearch& search, Solved& solved, double best) const {
  auto at = std::lower_bound(search.solved.begin(), search.solved.end(), solved.cut,
                             [](const SolvedCut& known, std::int64_t cut) { return known.cut < cut; });
  assert(at != search.solved.begin() && at != search.solved.end() && at->cut != solved.cut);
  at = search.solved.insert(at, SolvedCut{});
  at->cut = solved.cut;
  at->reach_left = node.reach_left(solved.cut);
  at->bounds = {solved.left.lower, solved.right.lower};
  const auto i = static_cast<std::size_t>(at - search.solved.begin());
  bound_gap(node, search, i - 1, best);
  bound_gap(node, search, i, best);
  if constexpr (kAudited) audit_cuts(problem_, limits_, node.subset, search, node.depth, best);
  // The bounds by ordering are for the neighbors only.
  if (!uses_root_bounds() || search.solved[i - 1].open.size() + search.solved[i].open.size() == 0) return;
  const auto share = [](std::vector<double>& by_ordering, RootBounds& to) {
    if (!by_ordering.empty()) to = std::make_shared<const std::vector<double>>(std::move(by_ordering));
  };
  share(solved.left.lower_by_ordering, search.solved[i].left_known);
  share(solved.right.lower_by_ordering, search.solved[i].right_known);
}

}  // namespace treewright::search
