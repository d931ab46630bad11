// Exact search for optimal axis trees: BD17's problem (1) without a MIP.
//
// node_search.cpp solves one node: the cheapest tree on some items that costs less than a budget. This file runs it at the root, shares the
// root's cuts between threads, reports incumbent and bound, and stops.
//
// A rising bound. The cuts of the least bound come first, so the root's bound rises from round to round. A search that is stopped early states
// the least bound of the cuts that are left. (Stages with budgets below the incumbent, in which kept subproblems are solved again and again,
// raised the bound more slowly: docs/performance.md.)
//
// Few distinct values. Where bit sets solve depth two faster than the kernel (pack.h), the whole search runs on them: a node is a packed subset,
// closed up from its parent's columns (bit_columns.cpp). Sets of items that come again are not solved again (solved_sets.cpp).
//
// Better trees. Before a root of depth four or more is searched, a good tree is made, and while it is searched, a share of the work looks for
// better ones: on bit sets by limited discrepancy search (discrepancy_search.h), else by look-ahead (primal_heuristic.h). The root is also
// solved one level shallower.
//
// A bound before the first cut is solved. The optimum of a few items bounds that of all (core_items.h). They are searched as a problem of
// their own, for a tree that costs less than a budget. If there is none, that is the next bound, and the budget is doubled, as long as this takes no
// more than its share of the work.
//
// Threads. The root's open cuts are taken in rounds of a fixed number and solved side by side. The results of a round are added in order
// before the next round starts. Nothing depends on which thread finishes first, so any number of threads returns the same tree. That includes
// a limit on work: each cut counts its own work, and the round ends at the first cut, in order, that exceeds what is left.
//
// Other machines may solve the long tasks (remote_ledger.cpp). The tree stays the same.
//
// Going on. What the root's tasks and long tasks below show is kept in a ledger, so that a search that was killed goes on where it was (ledger.h).
//
// Exact sums. Weights are whole multiples of a unit (data/whole_weights.h), and the price of a split is rounded to a grid (data/price_grid.h)
// that is fine enough not to matter and coarse enough that every sum of the search is exact in doubles. So equal costs compare equal, and
// nothing needs a tolerance.

#include "treewright/search/exact.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "treewright/base/ordered_tasks.h"
#include "treewright/base/stop_point.h"
#include "treewright/base/thread_pool.h"
#include "treewright/data/price_grid.h"
#include "treewright/search/bounds/core_items.h"
#include "treewright/search/depth_two/pack.h"
#include "treewright/search/first_trees/coarse.h"
#include "treewright/search/first_trees/discrepancy_search.h"
#include "treewright/search/first_trees/primal_heuristic.h"
#include "treewright/search/node/audit.h"
#include "treewright/search/node/node_search.h"

namespace treewright::search {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Cuts the root solves side by side in one round.
constexpr std::size_t kRound = 32;

// Share of the work that goes into the search for better trees: of the expected work at once, or of the work so far where trials take long.
constexpr double kTrialShare = 0.05;

// The same on bit sets, where proofs are shorter than expected. There is no end of better trees to look for, so the trials take no longer than the
// proof so far either; before that, as long as this many proofs of depth four are expected to take.
constexpr double kDiscrepancyShare = 0.03, kHeadStart = 16;

// The look-ahead of a tree of depth D takes as long as 2^(D-2) trees of depth two: deeper trees begin from one of this depth.
constexpr int kLookAhead = 8;

// Trees with fewer discrepancies are tried before a root is searched.
constexpr std::int64_t kFirstDiscrepancies = 4;
// Trees of the coarse problem have no more than so many.
constexpr std::int64_t kMostDiscrepancies = 10;
constexpr std::size_t kRootListBytes = std::size_t{128} << 20;

// Share of the expected work that goes into the bound by core items, and how much longer the next search of them takes than the last one. At
// depth five and more the expectation is hours: then it is a share of the work so far, and at first of a proof of depth four.
constexpr double kCoreShare = 0.04, kCoreShareSoFar = 0.2, kCoreGrowth = 2;
// Items of a core for each error that it is to prove, and the share of all items above which a core saves nothing. A larger core has more errors
// than are to be proved, so that most subproblems are closed early; this many were fastest at depth four and five.
constexpr double kItemsPerError = 64;
constexpr double kLargestCore = 0.5;

using Report = std::function<void(double best, double lower, char source)>;

class RootSearch {
 public:
  /// `all`: the items of the problem, ranked.
  RootSearch(const Problem& problem, Subset all, const SearchLimits& limits, Deadline& deadline, int threads, Ledger* ledger)
      : problem_(problem),
        limits_(limits),
        deadline_(deadline),
        ledger_(ledger),
        nodes_(problem, limits),
        threads_(threads),
        pool_(threads),
        ranked_(std::move(all)),
        packed_(packed_where_faster(ranked_, problem.classes, limits)) {
    if (packed_ && limits.rules.repeated_sets) solved_sets_.emplace(packed_->bits);
  }

  /// The best tree that costs less than `upper`, and a bound on all trees. A run that is broken off returns the best tree and the best bound
  /// so far. `first_depth`: trees of this depth and more are solved on the way.
  SubproblemResult run(int depth, std::int64_t splits, double upper, const Report& report, int first_depth = 3);

  /// The tree of least cost that is known, of any depth; null before there is one.
  const SubproblemResult* best() const;
  /// How far the search is: bound / incumbent, as a mean over the depths that it solves. For progress only.
  double done() const;
  /// Share of the root's cuts that need no more work, at the last depth; each ordering counts the same. For progress only.
  double closed() const;

 private:
  // The search of all rows to one depth.
  struct Level {
    int depth = 0;
    std::int64_t splits = 0;
    double best = kInfinity;   // what a tree of this depth has to beat
    double trivial_bound = 0;  // bound on every tree of this depth that is known at once
    SubproblemResult result;   // the best tree found, and the bound
    bool opened = false;       // whether the searches are there; without orderings there are none
    std::vector<OrderingSearch> searches;
  };
  struct Task {
    OrderingSearch* search;
    Candidate candidate;
  };

  SubproblemResult solve(int depth, std::int64_t splits, double upper, const Report& report, int first_depth);
  TreeBound deepest(const TreeRange& trees) const;
  SubproblemResult solve_depth_two(int depth, std::int64_t splits, double upper);
  Level level(int depth, std::int64_t splits, double upper) const;
  void consider(Level& level, const SubproblemResult& found, char source, const Report& report) const;
  void first_trees(Level& level, const Report& report);
  void plan_trials(double depth_three);
  void improve(const Report& report);
  bool try_discrepancies(const Report& report);
  bool try_coarse(std::int64_t most, const Report& report);
  bool try_roots(const Report& report);
  void plan_core();
  void grow_core(std::size_t size);
  bool raise_bound(const Report& report);
  void solve_level(Level& level, const SubproblemResult& shallow, const Report& report);
  bool solve_round(Level& level, const SubproblemResult& shallow, const Report& report);
  void open(Level& level, const SubproblemResult& shallow);
  double bound(const Level& level) const;

  // To solve all items to that depth.
  std::unique_ptr<Worker> borrow(Deadline& deadline, int depth);
  void give_back(std::unique_ptr<Worker> worker);

  const Problem& problem_;
  const SearchLimits& limits_;
  Deadline& deadline_;
  Ledger* ledger_;
  NodeSearch nodes_;
  const int threads_;
  ThreadPool pool_;
  const Subset ranked_;
  const std::optional<Subset> packed_;
  const Subset& all_ = packed_ ? *packed_ : ranked_;
  std::optional<SolvedSets> solved_sets_;
  std::vector<Cuts> cuts_;     // of each ordering
  std::vector<Level> levels_;  // from depth three on
  const PrimalHeuristic heuristic_{problem_, limits_, deadline_, pool_, ledger_};
  // These look for better trees of the last level: on bit sets the first alone, else the first on few cuts and then the second.
  RootLists root_lists_{kRootListBytes};
  std::optional<DiscrepancySearch> discrepancies_;
  std::optional<CoarseProblem> coarse_;
  double coarse_best_ = kInfinity;  // cost of the best coarse tree
  std::optional<RootTrials> trials_;
  double discrepancy_work_ = 0, trial_work_ = 0, exact_trial_work_ = 0;  // of the trials so far, by kind
  double depth_four_work_ = 0, expected_work_ = 0;                       // expected: of the proofs of depth four and of the last level
  std::optional<CoreItems> core_;
  RankTree core_tree_ = RankTree::leaf();      // optimum of the core items when they were solved last
  bool core_is_solved_ = true;                 // whether it still is; at first there are no items
  double core_budget_ = 0;                     // what a tree of core items must cost less than in the next search
  double core_work_ = 0, next_core_work_ = 0;  // so far, and at least for the next search of core items
  std::mutex workers_mutex_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

std::unique_ptr<Worker> RootSearch::borrow(Deadline& deadline, int depth) {
  std::lock_guard lock(workers_mutex_);
  std::unique_ptr<Worker> worker;
  if (workers_.empty()) {
    worker.reset(new Worker{DepthTwo(problem_, limits_), {}});
  } else {
    worker = std::move(workers_.back());
    workers_.pop_back();
  }
  worker->deadline = &deadline;
  worker->ledger = ledger_;
  if (solved_sets_) {
    worker->solved_sets = &*solved_sets_;
    worker->level(depth).set = solved_sets_->all();
  }
  return worker;
}

void RootSearch::give_back(std::unique_ptr<Worker> worker) {
  std::lock_guard lock(workers_mutex_);
  workers_.push_back(std::move(worker));
}

RootSearch::Level RootSearch::level(int depth, std::int64_t splits, double upper) const {
  const double leaf = all_.leaf_errors(problem_.classes);
  Level level{depth, splits, upper, 0, {}, false, {}};
  level.trivial_bound = std::min(leaf, limits_.split_price + nodes_.unavoidable_errors(all_, leaf, depth, splits).strict);
  level.result.trees = TreeRange::up_to(depth, splits);
  level.result.lower = std::min(level.trivial_bound, upper);
  if (leaf < upper) {
    level.best = level.result.cost = leaf;
    level.result.tree = RankTree::leaf();
  }
  return level;
}

void RootSearch::consider(Level& level, const SubproblemResult& found, char source, const Report& report) const {
  if (found.cost >= level.best) return;
  level.best = level.result.cost = found.cost;
  level.result.tree = found.tree;
  report(level.best, bound(level), source);
}

double RootSearch::bound(const Level& level) const {
  double lower = level.opened ? all_.leaf_errors(problem_.classes) : 0;
  for (const OrderingSearch& search : level.searches) lower = std::min(lower, search.lower(limits_.split_price));
  lower = std::min(std::max({lower, level.trivial_bound, level.result.lower}), level.best);
  if constexpr (kAudited) audit_bound(problem_, limits_, all_, level.depth, level.splits, lower);
  return lower;
}

const SubproblemResult* RootSearch::best() const {
  const SubproblemResult* best = nullptr;
  for (const Level& level : levels_) {
    if (!level.result.tree.nodes.empty() && (best == nullptr || level.result.cost < best->cost)) best = &level.result;
  }
  return best;
}

// Shallower trees are solved on the way to deeper ones: their bounds rise while that of the last level still is what is known at once.
double RootSearch::done() const {
  double sum = 0;
  for (const Level& level : levels_) {
    const double lower = bound(level);
    sum += lower >= level.best ? 1 : std::isfinite(level.best) && level.best > 0 ? std::max(0.0, lower / level.best) : 0;
  }
  return levels_.empty() ? 0 : sum / static_cast<double>(levels_.size());
}

double RootSearch::closed() const {
  if (levels_.empty() || !levels_.back().opened) return 0;
  const Level& top = levels_.back();
  double open = 0;
  for (const OrderingSearch& search : top.searches) {
    for (const SolvedCut& cut : search.solved) open += cut.is_open(top.best) ? cut.open_weight / all_.total_weight : 0;
  }
  return 1 - open / static_cast<double>(std::max<std::size_t>(1, top.searches.size()));
}

// Opens every search, or updates it for a better tree. `shallow`: the level above.
void RootSearch::open(Level& level, const SubproblemResult& shallow) {
  for (OrderingSearch& search : level.searches) nodes_.open(search, cuts_[search.ordering], all_, shallow, level.depth, level.best);
}

// Solves the most promising cuts; whether there were any.
bool RootSearch::solve_round(Level& level, const SubproblemResult& shallow, const Report& report) {
  const double price = limits_.split_price, budget = level.best;
  std::vector<Task> tasks;
  for (OrderingSearch& search : level.searches) {
    for (const Candidate& candidate : nodes_.candidates(search, cuts_[search.ordering], budget)) tasks.push_back({&search, candidate});
  }
  if (tasks.empty()) return false;
  // The least bounds first; equal ones in the order of their searches.
  std::stable_sort(tasks.begin(), tasks.end(), [](const Task& x, const Task& y) { return x.candidate.lower < y.candidate.lower; });
  if (tasks.size() > kRound) {
    // Later rounds will ask for the others.
    std::unique_ptr<Worker> worker = borrow(deadline_, level.depth);
    if (nodes_.begins_early(*worker, level.depth)) {
      for (std::size_t i = kRound; i < tasks.size(); ++i) {
        nodes_.expect(*worker, *tasks[i].search, {&tasks[i].candidate, 1}, level.depth, budget);
      }
    }
    give_back(std::move(worker));
    tasks.resize(kRound);
  }
  std::vector<NodeSearch::Solved> solved(tasks.size());
  // A tree whose cost equals the trivial bound makes the later tasks of its round needless, but not the earlier ones: one of those may find
  // a tree of equal cost, which comes first.
  const std::size_t counted = run_ordered(pool_, deadline_, tasks.size(), [&](std::size_t i, Deadline& deadline) {
    std::unique_ptr<Worker> worker = borrow(deadline, level.depth);
    const OrderingSearch& search = *tasks[i].search;
    solved[i] = nodes_.recall_cut(*worker, all_, cuts_[search.ordering], search, tasks[i].candidate, level.depth, budget);
    give_back(std::move(worker));
    return solved[i].cost(price) <= level.trivial_bound;
  });
  std::unique_ptr<Worker> worker = borrow(deadline_, level.depth);
  for (std::size_t i = 0; i < counted; ++i) {
    OrderingSearch& search = *tasks[i].search;
    if (const double cost = solved[i].cost(price); cost < level.best) {
      level.result.tree = nodes_.tree_of(*worker, all_, cuts_[search.ordering], search, solved[i]);
      level.best = level.result.cost = cost;
    }
    nodes_.add(search, cuts_[search.ordering], all_, solved[i], level.depth, level.best);
  }
  give_back(std::move(worker));
  if (level.best < budget) open(level, shallow);
  report(level.best, bound(level), level.best < budget ? 'S' : ' ');
  return true;
}

// Finds the optimum of the level. `shallow`: the optimum one level shallower.
void RootSearch::solve_level(Level& level, const SubproblemResult& shallow, const Report& report) {
  consider(level, shallow, 'S', report);
  level.searches = nodes_.ordering_searches(shallow, level.depth, level.splits);
  level.opened = true;
  open(level, shallow);
  const Level& top = levels_.back();
  const auto is_open = [&] { return level.best > level.trivial_bound && top.best > top.trivial_bound; };
  for (bool open_cuts = true; open_cuts && is_open() && !deadline_.poll();) {
    const double best = level.best;
    improve(report);
    if (level.best < best) open(level, shallow);
    open_cuts = solve_round(level, shallow, report);
  }
  level.result.lower = bound(level);
  level.result.relaxed = 0;
  level.result.lower_by_ordering.assign(problem_.orderings.size(), kInfinity);
  for (const OrderingSearch& search : level.searches) {
    double& lower = level.result.lower_by_ordering[search.ordering];
    lower = std::min(lower, search.lower(limits_.split_price));
  }
  level.result.include_constant_orderings(limits_.split_price + shallow.lower);
  level.result.evidence = evidence_of(level.searches, level.depth, problem_.orderings.size());
}

// A good tree of the level, to begin with.
void RootSearch::first_trees(Level& level, const Report& report) {
  const int depth = std::min(level.depth, kLookAhead);
  const auto take = [&](const SubproblemResult& tree) { consider(level, tree, 'L', report); };
  if (packed_) {
    DiscrepancySearch search(problem_, limits_, all_, depth, deadline_, pool_, root_lists_, ledger_);
    while (search.discrepancies() < kFirstDiscrepancies && !search.ended() && !deadline_.stopped()) search.run_some(level.best, take);
    return;
  }
  const bool last = &level == &levels_.back();
  if (last && (coarse_ = coarse_problem(problem_, ranked_, limits_.min_rows))) {
    discrepancies_.emplace(coarse_->problem, limits_, coarse_->packed, depth, deadline_, pool_, root_lists_, ledger_);
  }
  while (last && try_coarse(kFirstDiscrepancies, report)) {
  }
  if (!deadline_.stopped()) take(heuristic_.look_ahead(ranked_, depth));
  while (last && try_coarse(depth + 1, report)) {
  }
}

// Looks for a tree of the coarse problem with fewer discrepancies than `most`; whether that was to be done.
bool RootSearch::try_coarse(std::int64_t most, const Report& report) {
  if (!coarse_ || discrepancies_->discrepancies() >= most || discrepancies_->ended() || deadline_.stopped()) return false;
  Level& top = levels_.back();
  SubproblemResult best;
  discrepancies_->run_some(coarse_best_, [&](const SubproblemResult& tree) {
    if (tree.cost < best.cost) best = tree;
  });
  if (!best.found()) return true;
  coarse_best_ = best.cost;
  best.tree = coarse_->refined(std::move(best.tree));
  consider(top, best, 'L', report);
  if (!deadline_.stopped()) consider(top, heuristic_.polish(ranked_, best.tree), 'L', report);
  return true;
}

// `depth_three`: the work of level three. From level to level the work of a proof grows by about the same factor.
void RootSearch::plan_trials(double depth_three) {
  const Level& top = levels_.back();
  const double growth = depth_three / static_cast<double>(problem_.orderings.size());  // from the work of depth two
  depth_four_work_ = depth_three * growth;
  expected_work_ = depth_three * std::pow(growth, top.depth - 3);
  const int depth = std::min(top.depth, kLookAhead);
  if (packed_) {
    discrepancies_.emplace(problem_, limits_, all_, depth, deadline_, pool_, root_lists_, ledger_);
    return;
  }
  std::vector<std::size_t> sequence;
  for (const OrderingSearch& search : nodes_.ordering_searches(levels_.front().result, top.depth, top.splits))
    sequence.push_back(search.ordering);
  trials_.emplace(heuristic_, ranked_, cuts_, sequence, depth);
}

// Looks for better trees and for a better bound of the last level, whichever has had less work so far, as long as each takes no more than its
// share of the work. While there is no bound at all, that comes first.
void RootSearch::improve(const Report& report) {
  const auto find_tree = [&] { return expected_work_ > 0 && (try_discrepancies(report) || try_roots(report)); };
  while (!deadline_.stopped() && levels_.back().best > levels_.back().trivial_bound) {
    const bool trees_first = levels_.back().trivial_bound > 0 && discrepancy_work_ + trial_work_ + exact_trial_work_ <= core_work_;
    if (!(trees_first ? find_tree() || raise_bound(report) : raise_bound(report) || find_tree())) return;
  }
}

// Each of these does a part of its work and returns whether there was any to do.
bool RootSearch::try_discrepancies(const Report& report) {
  if (!discrepancies_ || discrepancies_->ended()) return false;
  Level& top = levels_.back();
  const auto before = static_cast<double>(deadline_.work());
  const double most = std::max(before - discrepancy_work_, kHeadStart * depth_four_work_);
  if (discrepancy_work_ > std::min(kDiscrepancyShare * std::max(expected_work_, before), most)) return false;
  if (packed_) {
    discrepancies_->run_some(top.best, [&](const SubproblemResult& tree) { consider(top, tree, 'L', report); });
  } else if (!try_coarse(kMostDiscrepancies, report)) {
    return false;
  }
  discrepancy_work_ += static_cast<double>(deadline_.work()) - before;
  return true;
}

bool RootSearch::try_roots(const Report& report) {
  if (!trials_ || trials_->ended()) return false;
  const auto before = static_cast<double>(deadline_.work());
  double& spent = trials_->exact() ? exact_trial_work_ : trial_work_;
  if (spent > kTrialShare * std::max(trials_->exact() ? 0 : expected_work_, before)) return false;
  trials_->run_some([&](const SubproblemResult& tree) { consider(levels_.back(), tree, 'L', report); });
  spent += static_cast<double>(deadline_.work()) - before;
  return true;
}

void RootSearch::plan_core() {
  if (levels_.size() == 1 || packed_ || !limits_.rules.core_rows || !CoreItems::are_worth_it(ranked_)) return;
  core_.emplace(ranked_, problem_.classes);
  core_budget_ = std::ceil(ranked_.total_weight / ranked_.size);
}

// Adds core items: those that the best tree known labels wrongly, else those that the optimum of the core does.
void RootSearch::grow_core(std::size_t size) {
  if (core_->size() >= size) return;
  const std::size_t pairs = (size - core_->size() + 1) / 2;
  const RankTree& best = levels_.back().result.tree;
  if ((!best.nodes.empty() && core_->add(best, pairs)) || (core_is_solved_ && core_->add(core_tree_, pairs))) core_is_solved_ = false;
}

// Looks for a tree of core items that costs less than the core's budget. Subproblems of the core are counted as the share of a subproblem that it
// is of all items: they take about that share of its time.
bool RootSearch::raise_bound(const Report& report) {
  if (!core_) return false;
  Level& top = levels_.back();
  const auto before = static_cast<double>(deadline_.work());
  double most = kCoreShareSoFar * before;
  if (expected_work_ > 0) most = std::min(kCoreShare * expected_work_, std::max(kCoreShare * depth_four_work_, most));
  most -= core_work_;
  if (most <= next_core_work_) return false;
  const double mean = ranked_.total_weight / ranked_.size;
  const double wanted = std::max(kItemsPerError * core_budget_ / mean, core_is_solved_ ? 2.0 * core_->size() : 0.0);
  const auto largest = static_cast<std::size_t>(kLargestCore * ranked_.size);
  grow_core(std::min(largest, static_cast<std::size_t>(wanted)));
  if (core_is_solved_) {  // and nothing was added
    core_.reset();
    return false;
  }
  const double share = static_cast<double>(core_->size()) / ranked_.size;
  SearchLimits limits = limits_;
  limits.min_rows = 1;
  limits.rules.core_rows = false;
  const double limit = std::min(most, static_cast<double>(deadline_.work_left()));
  Deadline deadline = deadline_.task(static_cast<std::int64_t>(limit / share) + 1);
  RootSearch search(problem_, core_->subset(), limits, deadline, threads_, nullptr);
  const double budget = std::min(top.best, core_budget_);
  const auto report_bound = [&](double, double lower, char) { report(top.best, std::min(top.best, std::max(lower, bound(top))), ' '); };
  const SubproblemResult found = search.run(top.depth, top.splits, budget, report_bound, top.depth);
  // How far threads come beyond a limit is a matter of chance.
  const double counted = deadline.stopped() ? limit : std::min(limit, static_cast<double>(deadline.work()) * share);
  deadline_.poll(static_cast<std::int64_t>(counted) + 1);
  const double work = static_cast<double>(deadline_.work()) - before;
  core_work_ += work;
  next_core_work_ = kCoreGrowth * work;
  top.trivial_bound = std::max(top.trivial_bound, std::min(budget, found.lower));
  report(top.best, bound(top), ' ');
  if (deadline.stopped()) return true;
  core_is_solved_ = found.found();
  if (core_is_solved_) {
    core_tree_ = found.tree;
  } else {
    core_budget_ *= 2;
  }
  return true;
}

SubproblemResult RootSearch::solve_depth_two(int depth, std::int64_t splits, double upper) {
  const NodeTask task{NodeTask::Kind::depth_two, depth, 0, 0, 0, splits, 0, upper};
  SubproblemResult found = recall(ledger_, problem_, task, deadline_, [&] {
    std::unique_ptr<Worker> worker = borrow(deadline_, depth);
    SubproblemResult result = nodes_.solve(*worker, ItemRange::all(all_), depth, std::min(splits, full_splits(depth)), upper, {});
    worker->depth_two.finish(ItemRange::all(all_), result);
    give_back(std::move(worker));
    return result;
  });
  found.trees = TreeRange::up_to(depth, splits);
  return found;
}

// What these trees cost at least: see "depth by price" in node_search.cpp. The price is that of the fewest levels; the errors are those of the most
// leaves.
TreeBound RootSearch::deepest(const TreeRange& trees) const {
  if (!limits_.rules.depth_price) return {0, trees};
  const double leaf = all_.leaf_errors(problem_.classes);
  return {limits_.split_price * trees.least_depth + nodes_.unavoidable_errors(all_, leaf, trees.most_depth, trees.most_splits).strict,
          trees};
}

SubproblemResult RootSearch::solve(int depth, std::int64_t splits, double upper, const Report& report, int first_depth) {
  const auto is_too_dear = [&](int levels) {
    const TreeRange deepest_ones{levels, levels, splits};
    return deepest(deepest_ones).of(deepest_ones) >= upper;
  };
  while (depth > 2 && is_too_dear(depth)) --depth;
  splits = std::min(splits, full_splits(depth));
  if (depth <= 2 || splits <= 2) return solve_depth_two(depth, splits, upper);
  cuts_.resize(problem_.orderings.size());
  for (std::size_t f = 0; f < cuts_.size(); ++f) cuts_[f].assign(all_, f);
  for (int d = std::min(first_depth, depth); d <= depth; ++d)
    levels_.push_back(level(d, std::min(splits, full_splits(d)), d == depth ? upper : kInfinity));
  Level& top = levels_.back();
  if (top.best > top.trivial_bound) {
    const bool start = depth > 3 && splits == full_splits(depth);
    if (start) first_trees(top, report);
    plan_core();
    // Shallower trees are trees of the last level too, but a bound on them is not one on that level.
    const Report report_tree = [&](double cost, double, char source) { report(cost, std::min(bound(top), cost), source); };
    SubproblemResult shallow = solve_depth_two(2, splits, kInfinity);
    consider(top, shallow, 'S', report_tree);
    // Bounds on trees of two levels say nothing of those of three, which the children of a deeper first level are.
    if (levels_.front().depth > 3) shallow.drop_bounds();
    const std::int64_t before = deadline_.work();
    for (Level& level : levels_) {
      const bool last = &level == &top;
      if (deadline_.stopped()) break;
      // Trees with fewer levels are bounded by `shallow`, all others have this one's levels at least.
      const TreeBound all = joined(shallow.bound(), deepest({level.depth, top.depth, top.splits}));
      top.result.lower = std::max({top.result.lower, top.trivial_bound, all.of(top.result.trees)});
      if (top.result.lower >= top.best) break;
      if (start && level.depth > 3 && level.depth <= kLookAhead && !last) first_trees(level, report_tree);
      solve_level(level, shallow, last ? report : report_tree);
      shallow = level.result;
      if (!last) consider(top, shallow, 'S', report);
      if (deadline_.stopped()) break;
      if (start && level.depth == 3) plan_trials(static_cast<double>(deadline_.work() - before) - core_work_);
    }
  }
  top.result.lower = bound(top);
  return std::move(top.result);
}

SubproblemResult RootSearch::run(int depth, std::int64_t splits, double upper, const Report& report, int first_depth) {
  // Searches may be broken off while their bounds are being changed. What was reported is a bound on all trees of this depth.
  double reported = 0;
  const Report remember = [&](double cost, double lower, char source) {
    reported = std::max(reported, lower);
    report(cost, lower, source);
  };
  try {
    return solve(depth, splits, upper, remember, first_depth);
  } catch (const Stopped&) {
    deadline_.poll();
  }
  SubproblemResult best;
  if (levels_.empty()) return best;
  // Trees of shallower levels are trees of the last one; bounds on them are not bounds on it.
  if (const SubproblemResult* known = this->best(); known != nullptr && known->cost < upper) best = *known;
  best.lower = std::min({std::max(levels_.back().trivial_bound, reported), upper, best.cost});
  return best;
}

}  // namespace

ExactSearchResult search_exact(const Dataset& data, const ExactSearchOptions& options, const Tree& start, Deadline& deadline,
                               const TreeListener& listener) {
  constexpr double kSecondsOfSilence = 0.5;
  Problem problem = make_problem(data, options.min_rows > 1, options.rules.merge_rows, options.rules.merge_orderings, options.family);
  const double unit = problem.row_weights.unit;
  const std::int64_t splits = options.max_splits < 0 ? full_splits(options.max_depth) : options.max_splits;
  SearchLimits limits;
  limits.split_price = price_on_grid(options.split_price / unit, problem.total_weight);
  limits.rules = options.rules;
  limits.min_rows = options.min_rows;

  ExactSearchResult result;
  result.tree = start;
  const auto errors_of = [&](const Tree& tree) { return problem.row_weights.errors(data.labels, tree.predict(data)); };
  // The cost of the items is exact; with the errors that every tree makes it might not be.
  const auto cost_of_items = [&](const Tree& tree) {
    return errors_of(tree) - problem.base_errors + limits.split_price * static_cast<double>(tree.splits());
  };
  const double start_cost = cost_of_items(start);
  // Shallower trees are solved on the way to deeper ones: only improvements are reported.
  double reported_best = start_cost, reported_lower = 0, reported_at = 0;
  std::optional<RemoteLedger> remote;
  if (options.elsewhere != nullptr && *options.elsewhere)
    remote.emplace(problem, limits, options.ledger, *options.elsewhere, options.sending);
  const auto items = static_cast<std::int64_t>(problem.items());
  Subset all = Subset::take(problem);
  // The threads that ask other machines only wait: there is one for each task of a round.
  RootSearch search(problem, std::move(all), limits, deadline, remote ? static_cast<int>(kRound) : options.threads,
                    remote ? &*remote : options.ledger);
  const auto report = [&](double best, double lower, char source) {
    const double now = deadline.elapsed();
    const bool is_better = best < reported_best, news = is_better || lower > reported_lower;
    if (!listener || (!news && now < reported_at + kSecondsOfSilence)) return;
    if (!is_better) source = ' ';
    reported_best = std::min(reported_best, best);
    reported_lower = std::max(reported_lower, lower);
    reported_at = now;
    const Tree better = is_better ? search.best()->tree.to_tree(problem, data, options.split_price) : Tree();
    Progress progress{now, (reported_best + problem.base_errors) * unit, (reported_lower + problem.base_errors) * unit, source};
    progress.done = search.done();
    progress.closed = search.closed();
    listener(progress, is_better ? &better : nullptr);
  };
  const SubproblemResult found = search.run(options.max_depth, splits, start_cost, report);
  if (found.found()) result.tree = found.tree.to_tree(problem, data, options.split_price);
  result.complete = !deadline.stopped();
  result.exact = {std::min(found.lower, start_cost), problem.base_errors, limits.split_price, found.evidence};
  double lower = result.exact.items + problem.base_errors;
  // No tree has more splits that send items to both sides than there are items.
  const std::int64_t most_splits = std::min({splits, full_splits(options.max_depth), items});
  const double price = options.split_price / unit;
  result.rounding = problem.row_weights.rounding;
  if (result.complete && cost_of_items(result.tree) == result.exact.items && same_optima(price, limits.split_price, most_splits)) {
    lower = errors_of(result.tree) + price * static_cast<double>(result.tree.splits());
  } else {
    result.rounding += std::max(0.0, limits.split_price - price) * static_cast<double>(most_splits) * unit;
  }
  result.lower = std::max(0.0, lower * unit - result.rounding);
  return result;
}

}  // namespace treewright::search
