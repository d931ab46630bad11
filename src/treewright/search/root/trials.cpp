// Better trees for the search of the root to beat.
//
// Before a root of depth four or more is searched, a good tree is made. While it is searched, a share of the work looks for better ones: on
// bit sets by limited discrepancy search (discrepancy_search.h), else by the same on fewer cuts (coarse.h) and by look-ahead
// (primal_heuristic.h).
//
// Polishing. When a shallower level is solved, the best tree gets as many exact levels at its bottom. That takes about as long as the level
// did, and a level takes a fraction of the time of the one two below it. At depth four it would come too early: three exact levels are
// most of such a tree, and the trials find better ones in that time.

#include "treewright/search/root/trials.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace treewright::search {

namespace {

// Look-ahead's share of the work that is expected, or done if that is more. Trials with three exact levels take long: their share is of the
// work that is done.
constexpr double kLookAheadShare = 0.05;
// While that is little of what is expected, they may have more.
constexpr double kExactShare = 0.2, kExactShareExpected = 0.01;

// The same for discrepancy search; less, because proofs on bit sets are shorter than expected. It hardly ever ends, so it takes no longer
// than all other work so far either, or than this many proofs of depth four are expected to take, whichever is longer.
constexpr double kDiscrepancyShare = 0.03, kHeadStart = 16;

// The look-ahead of a tree of depth D takes as long as 2^(D-2) trees of depth two: deeper trees begin from one of this depth.
constexpr int kLookAhead = 8;

// Trees with fewer discrepancies are tried before a root is searched.
constexpr std::int64_t kFirstDiscrepancies = 4;
// Trees of the coarse problem have fewer.
constexpr std::int64_t kMostDiscrepancies = 10;

}  // namespace

void Trials::first_trees(Level& level, const Report& report) {
  const bool is_last = &level == &root_.top();
  if (!is_last && level.depth > kLookAhead) return;
  const int depth = std::min(level.depth, kLookAhead);
  const auto take = [&](const SubproblemResult& tree) { root_.consider(level, tree, 'L', report); };
  Deadline& deadline = root_.deadline;
  if (root_.packed) {
    DiscrepancySearch search(root_.problem, root_.limits, root_.all, depth, deadline, root_.pool, root_lists_, root_.ledger);
    while (search.discrepancies() < kFirstDiscrepancies && !search.ended() && !deadline.stopped()) search.run_some(level.best, take);
    return;
  }
  if (is_last && (coarse_ = coarse_problem(root_.problem, root_.ranked, root_.limits.min_rows))) {
    discrepancies_.emplace(coarse_->problem, root_.limits, coarse_->packed, depth, deadline, root_.pool, root_lists_, root_.ledger);
  }
  while (is_last && try_coarse(kFirstDiscrepancies, report)) {
  }
  if (!deadline.stopped()) take(heuristic_.look_ahead(root_.ranked, depth));
  while (is_last && try_coarse(depth + 1, report)) {
  }
}

void Trials::plan() {
  const Level& top = root_.top();
  const int depth = std::min(top.depth, kLookAhead);
  if (root_.packed) {
    discrepancies_.emplace(root_.problem, root_.limits, root_.all, depth, root_.deadline, root_.pool, root_lists_, root_.ledger);
    return;
  }
  std::vector<std::size_t> sequence;
  for (const OrderingSearch& search : root_.nodes.ordering_searches(root_.levels.front().result, top.depth, top.splits)) {
    sequence.push_back(search.ordering);
  }
  roots_.emplace(heuristic_, root_.ranked, root_.cuts, sequence, depth);
  next_exact_ = std::ldexp(root_.expected.depth_three, depth - 2);
}

void Trials::level_is_solved(int depth, double work, const Report& report) {
  const Level& top = root_.top();
  if (roots_ && depth + 2 <= top.depth && work <= kLookAheadShare * root_.expected.last_level) polish(depth, report);
}

bool Trials::run_some(const Report& report) {
  return root_.expected.last_level > 0 && (try_polish(report) || try_exact_roots(report) || try_discrepancies(report) || try_roots(report));
}

// Work that trees with three exact levels and more may have taken by now.
double Trials::exact_share() const {
  return std::max(kLookAheadShare * done(), std::min(kExactShare * done(), kExactShareExpected * root_.expected.last_level));
}

// The best tree, with `exact` levels at its bottom.
void Trials::polish(int exact, const Report& report) {
  Level& top = root_.top();
  polished_ = top.best;
  const RankTree& tree = top.result.tree;
  // A tree with no more levels than these is the optimum of a level that is solved.
  if (root_.deadline.stopped() || tree.nodes.empty() || tree.depth() <= exact || top.best <= top.trivial_bound) return;
  const double before = done();
  root_.consider(top, heuristic_.polish(root_.ranked, tree, exact), 'L', report);
  exact_work_ += done() - before;
  polished_ = top.best;
}

// A tree that is better than the one that was polished last.
bool Trials::try_polish(const Report& report) {
  if (!roots_ || root_.top().best >= polished_ || exact_work_ > exact_share()) return false;
  polish(3, report);
  return true;
}

// Looks for a tree of the coarse problem with fewer discrepancies than `most`. False if there was nothing to do.
bool Trials::try_coarse(std::int64_t most, const Report& report) {
  if (!coarse_ || discrepancies_->discrepancies() >= most || discrepancies_->ended() || root_.deadline.stopped()) return false;
  SubproblemResult best;
  discrepancies_->run_some(coarse_best_, [&](const SubproblemResult& tree) {
    if (tree.cost < best.cost) best = tree;
  });
  if (!best.found()) return true;
  coarse_best_ = best.cost;
  best.tree = coarse_->refined(std::move(best.tree));
  root_.consider(root_.top(), best, 'L', report);
  if (!root_.deadline.stopped()) root_.consider(root_.top(), heuristic_.polish(root_.ranked, best.tree, 2), 'L', report);
  return true;
}

bool Trials::try_discrepancies(const Report& report) {
  if (!discrepancies_ || discrepancies_->ended()) return false;
  Level& top = root_.top();
  const double before = done();
  const double most = std::max(before - discrepancy_work_, kHeadStart * root_.expected.depth_four);
  if (discrepancy_work_ > std::min(kDiscrepancyShare * std::max(root_.expected.last_level, before), most)) return false;
  if (root_.packed) {
    discrepancies_->run_some(top.best, [&](const SubproblemResult& tree) { root_.consider(top, tree, 'L', report); });
  } else if (!try_coarse(kMostDiscrepancies, report)) {
    return false;
  }
  discrepancy_work_ += done() - before;
  return true;
}

bool Trials::try_roots(const Report& report) {
  const double before = done();
  if (!roots_ || roots_->ended() || look_ahead_work_ > kLookAheadShare * std::max(root_.expected.last_level, before)) return false;
  roots_->run_some([&](const SubproblemResult& tree) { root_.consider(root_.top(), tree, 'L', report); });
  look_ahead_work_ += done() - before;
  return true;
}

bool Trials::try_exact_roots(const Report& report) {
  if (!roots_ || roots_->exact_ended() || exact_work_ + next_exact_ > exact_share()) return false;
  const double before = done();
  roots_->run_exact([&](const SubproblemResult& tree) { root_.consider(root_.top(), tree, 'L', report); });
  next_exact_ = done() - before;
  exact_work_ += next_exact_;
  return true;
}

}  // namespace treewright::search
