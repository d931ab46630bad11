// A bound on the last level before its first cut is solved.
//
// The optimum of a few items bounds that of all (core_items.h). They are searched as a problem of their own, for a tree that costs less
// than a budget. If there is none, that is the next bound, and the budget is doubled, as long as this takes no more than its share of the
// work.

#include "treewright/search/root/core.h"

#include <algorithm>
#include <cmath>

namespace treewright::search {

namespace {

// Share of the expected work that goes into the bound by core items, and how much longer the next search of them takes than the last one.
// At depth five and more the expectation is hours: then it is a share of the work so far, and at first of a proof of depth four.
constexpr double kShare = 0.04, kShareSoFar = 0.2, kGrowth = 2;
// Items of a core for each error that it is to prove, and the share of all items above which a core saves nothing. A larger core has more
// errors than are to be proved, so that most subproblems are closed early; this many were fastest at depth four and five.
constexpr double kItemsPerError = 64;
constexpr double kLargest = 0.5;

}  // namespace

void Core::plan() {
  const Subset& all = root_.ranked;
  if (root_.levels.size() == 1 || root_.packed || !root_.limits.rules.core_rows || !CoreItems::are_worth_it(all)) return;
  items_.emplace(all, root_.problem.classes);
  budget_ = std::ceil(all.total_reach / all.size);
}

// Adds core items: those that the best tree known labels wrongly, else those that the optimum of the core does.
void Core::grow(std::size_t size) {
  if (items_->size() >= size) return;
  const std::size_t pairs = (size - items_->size() + 1) / 2;
  const RankTree& best = root_.top().result.tree;
  if ((!best.nodes.empty() && items_->add(best, pairs)) || (is_solved_ && items_->add(tree_, pairs))) is_solved_ = false;
}

double Core::work_left() const {
  const ExpectedWork& expected = root_.expected;
  double most = kShareSoFar * static_cast<double>(root_.deadline.work());
  if (expected.last_level > 0) most = std::min(kShare * expected.last_level, std::max(kShare * expected.depth_four, most));
  return most - work_;
}

// Subproblems of the core are counted as the share of a subproblem that it is of all items: they take about that share of its time.
bool Core::raise_bound(const Report& report) {
  if (!items_) return false;
  Level& top = root_.top();
  const Subset& all = root_.ranked;
  const double most = work_left();
  if (most <= next_work_) return false;
  const auto before = static_cast<double>(root_.deadline.work());
  const double mean = all.total_reach / all.size;
  const double wanted = std::max(kItemsPerError * budget_ / mean, is_solved_ ? 2.0 * items_->size() : 0.0);
  const auto largest = static_cast<std::size_t>(kLargest * all.size);
  grow(std::min(largest, static_cast<std::size_t>(wanted)));
  if (is_solved_) {  // and nothing was added
    items_.reset();
    return false;
  }
  const double share = static_cast<double>(items_->size()) / all.size;
  SearchLimits limits = root_.limits;
  limits.min_rows = 1;
  limits.rules.core_rows = false;
  const double limit = std::min(most, static_cast<double>(root_.deadline.work_left()));
  Deadline deadline = root_.deadline.task(static_cast<std::int64_t>(limit / share) + 1);
  const double budget = std::min(top.best, budget_);
  const auto report_bound = [&](double, double lower, char) {
    report(top.best, std::min(top.best, std::max(lower, root_.bound(top))), ' ');
  };
  const SubproblemResult found = search_(items_->subset(), limits, deadline, budget, report_bound);
  // How far threads come beyond a limit is a matter of chance.
  const double counted = deadline.stopped() ? limit : std::min(limit, static_cast<double>(deadline.work()) * share);
  root_.deadline.poll(static_cast<std::int64_t>(counted) + 1);
  const double work = static_cast<double>(root_.deadline.work()) - before;
  work_ += work;
  next_work_ = kGrowth * work;
  top.trivial_bound = std::max(top.trivial_bound, std::min(budget, found.lower.strict));
  report(top.best, root_.bound(top), ' ');
  if (deadline.stopped()) return true;
  is_solved_ = found.found();
  if (is_solved_) {
    tree_ = found.tree;
  } else {
    budget_ *= 2;
  }
  return true;
}

}  // namespace treewright::search
