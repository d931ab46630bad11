// Exact search for optimal axis trees: BD17's problem (1) without a MIP.
//
// node_search.cpp solves one node: the cheapest tree on some rows below a budget. This file drives it at the root, where it is shared
// between threads, reports incumbent and bound, and stops.
//
// Rising bound. Asked at once for "less than the incumbent", a search of depth four or more proves nothing until its very end: all its work
// stands behind a few roots. So the root asks in stages: first for less than a share of the incumbent, then for more. A stage that finds
// nothing proves its target, and most of its work is not lost: solved cuts keep the profiles of their parts, which go on from there.
// Within a stage the cuts of the least bound come first, so the bound rises from round to round.
//
// Start. Before a root of depth four or more is searched, a good tree is made; after the first stage it is improved (first_tree.h). The root
// is also solved one level shallower: to the optimum up to depth three, deeper only as far as the stage asks.
//
// Threads. The root's open cuts are taken in rounds of a fixed number, solved side by side; what a round found is added in order before the
// next. Nothing depends on who finishes first, so any number of threads returns the same tree. That includes a limit on work: each cut
// counts its own work, and the round is cut off at the first cut, in order, that exceeds what is left.
//
// Exact sums. Weights are whole multiples of a unit (data/whole_weights.h) and the price of a split is put on a grid that is fine enough not
// to matter and coarse enough that every sum of the search is exact in doubles. So equal costs compare equal and nothing needs a tolerance.

#include "treewright/search/exact.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <optional>

#include "treewright/base/ordered_tasks.h"
#include "treewright/base/thread_pool.h"
#include "treewright/search/first_tree.h"
#include "treewright/search/node_search.h"
#include "treewright/search/pack.h"

namespace treewright {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Cuts the root solves side by side in one round.
constexpr std::size_t kRound = 32;

// A packed search whose parts could all be solved in so many nanoseconds asks at once: it ends before anybody would look at its bound.
constexpr double kSoon = 2e10;

// Targets of the stages, as shares of the way from what is known at once to the incumbent; the last stage closes the gap. Deeper searches
// begin lower: their cost grows faster with the target.
std::vector<double> stages(int depth) {
  if (depth == 4) return {0.1, 0.3, 0.45, 0.6, 0.8};
  return {1.0 / 16, 1.0 / 8, 0.25, 0.4, 0.6, 0.8};
}

using Report = std::function<void(double best, double lower, char source)>;

class RootSearch {
 public:
  RootSearch(const Problem& problem, const SearchLimits& limits, Deadline& deadline, int threads)
      : problem_(problem),
        limits_(limits),
        deadline_(deadline),
        nodes_(problem, limits),
        pool_(threads),
        ranked_(Subset::all(problem)),
        packed_(packed_where_faster()) {}

  /// The best tree that costs less than `upper`, and a bound on all trees.
  Answer solve(int depth, std::int64_t splits, double upper, const Report& report);

 private:
  // The search of all rows to one depth.
  struct Level {
    int depth = 0;
    std::int64_t splits = 0;
    double best = kInfinity;  // what a tree of this depth has to beat
    double trivial = 0;       // bound on every tree of this depth that is known at once
    bool opened = false;      // whether the lines are there
    Profile profile;          // `answer`: the best tree found, and the bound
    bool optimal() const { return profile.answer.lower >= best; }
  };
  struct Task {
    Line* line;
    Candidate candidate;
  };

  std::optional<Subset> packed_where_faster() const {
    if (!limits_.rules.bit_sets || !worth_packing(ranked_, problem_.classes, limits_.min_rows)) return {};
    return packed(ranked_, problem_.classes, limits_.min_rows);
  }
  Level level(int depth, std::int64_t splits, double upper) const;
  void consider(Level& level, const Answer& tree, char source, const Report& report) const;
  void try_roots(const FirstTree& first_tree, const Report& report);
  void raise(std::size_t l, double target, const Report& report);
  bool round(Level& level, double target, const Report& report);
  void adapt(Level& level, double target);
  void keep(SolvedCut& cut);
  double bound(const Level& level) const;

  std::unique_ptr<Worker> borrow(Deadline& deadline);
  void give_back(std::unique_ptr<Worker> worker);

  const Problem& problem_;
  const SearchLimits& limits_;
  Deadline& deadline_;
  NodeSearch nodes_;
  ThreadPool pool_;
  const Subset ranked_;
  const std::optional<Subset> packed_;
  const Subset& all_ = packed_ ? *packed_ : ranked_;
  std::vector<Cuts> cuts_;     // of each ordering
  std::vector<Level> levels_;  // from depth three on
  bool staged_ = false;
  std::size_t kept_ = 0;  // bytes of profiles
  std::mutex workers_mutex_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

std::unique_ptr<Worker> RootSearch::borrow(Deadline& deadline) {
  std::lock_guard lock(workers_mutex_);
  std::unique_ptr<Worker> worker;
  if (workers_.empty()) {
    worker.reset(new Worker{DepthTwo(problem_, limits_), {}});
  } else {
    worker = std::move(workers_.back());
    workers_.pop_back();
  }
  worker->deadline = &deadline;
  return worker;
}

void RootSearch::give_back(std::unique_ptr<Worker> worker) {
  std::lock_guard lock(workers_mutex_);
  workers_.push_back(std::move(worker));
}

RootSearch::Level RootSearch::level(int depth, std::int64_t splits, double upper) const {
  const double leaf = all_.leaf_errors(problem_.classes);
  Level level{depth, splits, upper, 0, false, {}};
  level.trivial = std::min(leaf, limits_.split_price + nodes_.lost(all_, leaf, depth, splits).strict);
  level.profile.answer.lower = std::min(level.trivial, upper);
  if (leaf < upper) {
    level.best = level.profile.answer.cost = leaf;
    level.profile.answer.plan = Plan::leaf();
  }
  return level;
}

void RootSearch::consider(Level& level, const Answer& tree, char source, const Report& report) const {
  if (tree.cost >= level.best) return;
  level.best = level.profile.answer.cost = tree.cost;
  level.profile.answer.plan = tree.plan;
  report(level.best, bound(level), source);
}

double RootSearch::bound(const Level& level) const {
  double lower = level.opened ? all_.leaf_errors(problem_.classes) : 0;
  for (const Line& line : level.profile.lines) lower = std::min(lower, line.lower(limits_.split_price));
  return std::min(std::max({lower, level.trivial, level.profile.answer.lower}), level.best);
}

// Bounds every line by the level above and the target.
void RootSearch::adapt(Level& level, double target) {
  const double budget = std::min(target, level.best);
  for (Line& line : level.profile.lines) nodes_.open(line, cuts_[line.ordering], all_, level.profile.shallow, budget);
}

// Drops the profiles of a solved cut where there is no room for them: asked again, its parts begin anew. In the order in which cuts are added,
// so that nothing depends on the threads.
void RootSearch::keep(SolvedCut& cut) {
  kept_ -= cut.kept;
  cut.kept = (cut.left ? cut.left->bytes() : 0) + (cut.right ? cut.right->bytes() : 0);
  if (kept_ + cut.kept > limits_.memory) {
    cut.left = cut.right = nullptr;
    cut.kept = 0;
  }
  kept_ += cut.kept;
}

// Solves the most promising cuts; whether there were any.
bool RootSearch::round(Level& level, double target, const Report& report) {
  const double price = limits_.split_price, budget = std::min(target, level.best);
  std::vector<Task> tasks;
  for (Line& line : level.profile.lines) {
    for (const Candidate& candidate : nodes_.candidates(line, cuts_[line.ordering], budget)) tasks.push_back({&line, candidate});
  }
  if (tasks.empty()) return false;
  // The least bounds first; equal ones in the order of their lines.
  std::stable_sort(tasks.begin(), tasks.end(), [](const Task& x, const Task& y) { return x.candidate.lower < y.candidate.lower; });
  tasks.resize(std::min(tasks.size(), kRound));
  std::vector<NodeSearch::Solved> solved(tasks.size());
  // A tree that nothing can beat makes the later tasks of its round needless, but not the earlier ones: those may hold the tree that wins
  // the tie.
  const std::size_t counted = run_ordered(pool_, deadline_, tasks.size(), [&](std::size_t i, Deadline& deadline) {
    std::unique_ptr<Worker> worker = borrow(deadline);
    const Line& line = *tasks[i].line;
    const bool keeps = staged_ && level.depth > 3;
    solved[i] = nodes_.solve_cut(*worker, all_, cuts_[line.ordering], line, tasks[i].candidate, level.depth, budget, keeps);
    give_back(std::move(worker));
    return solved[i].cost(price) <= level.trivial;
  });
  const double before = level.best;
  std::unique_ptr<Worker> worker = borrow(deadline_);
  for (std::size_t i = 0; i < counted; ++i) {
    Line& line = *tasks[i].line;
    Answer tree;
    tree.cost = solved[i].cost(price);
    if (tree.cost < level.best) {
      tree.plan = nodes_.plan_of(*worker, all_, cuts_[line.ordering], line, solved[i]);
      level.best = level.profile.answer.cost = tree.cost;
      level.profile.answer.plan = std::move(tree.plan);
    }
    keep(nodes_.add(line, cuts_[line.ordering], all_, solved[i], std::min(target, level.best)));
  }
  give_back(std::move(worker));
  if (level.best < before) adapt(level, target);
  report(level.best, bound(level), level.best < before ? 'S' : ' ');
  return true;
}

// Proves that no tree of the level costs less than `target`, or finds the optimum.
void RootSearch::raise(std::size_t l, double target, const Report& report) {
  Level& level = levels_[l];
  Profile& profile = level.profile;
  if (level.optimal() || profile.answer.lower >= target || deadline_.stopped()) return;
  // Shallower trees are trees of this level too, but a bound on them is not one on this level.
  const Report report_tree = [&](double cost, double, char source) { report(cost, std::min(level.trivial, cost), source); };
  if (l == 0) {
    if (!profile.shallow.found()) {
      std::unique_ptr<Worker> worker = borrow(deadline_);
      const std::int64_t splits = std::min(level.splits, full_splits(level.depth - 1));
      profile.shallow = nodes_.solve(*worker, Part::all(all_), level.depth - 1, splits, kInfinity, {});
      worker->depth_two.finish(Part::all(all_), profile.shallow);
      give_back(std::move(worker));
    }
  } else {
    raise(l - 1, l == 1 ? kInfinity : std::min(target, level.best), report_tree);
    profile.shallow = levels_[l - 1].profile.answer;
  }
  consider(level, profile.shallow, 'S', report);
  if (!level.opened) profile.lines = nodes_.lines_of(profile.shallow, level.depth, level.splits);
  level.opened = true;
  adapt(level, target);
  while (!level.optimal() && level.best > level.trivial && !deadline_.poll() && round(level, target, report)) {
  }
  profile.answer.lower = bound(level);
  profile.answer.relaxed = 0;
  profile.answer.lower_by_ordering.assign(problem_.orderings.size(), kInfinity);
  for (const Line& line : profile.lines) {
    double& lower = profile.answer.lower_by_ordering[line.ordering];
    lower = std::min(lower, line.lower(limits_.split_price));
  }
  profile.answer.cover_unparted(limits_.split_price + profile.shallow.lower);
}

// Tries a grid of roots for better trees. See first_tree.cpp.
void RootSearch::try_roots(const FirstTree& first_tree, const Report& report) {
  Level& top = levels_.back();
  std::vector<std::size_t> sequence;
  for (const Line& line : nodes_.lines_of(top.profile.shallow, top.depth, top.splits)) sequence.push_back(line.ordering);
  first_tree.try_roots(ranked_, cuts_, sequence, top.depth, [&](const Answer& tree) { consider(top, tree, 'L', report); });
}

Answer RootSearch::solve(int depth, std::int64_t splits, double upper, const Report& report) {
  splits = std::min(splits, full_splits(depth));
  if (depth <= 2 || splits <= 2) {
    std::unique_ptr<Worker> worker = borrow(deadline_);
    Answer answer = nodes_.solve(*worker, Part::all(all_), depth, splits, upper, {});
    worker->depth_two.finish(Part::all(all_), answer);
    return answer;
  }
  cuts_.resize(problem_.orderings.size());
  for (std::size_t f = 0; f < cuts_.size(); ++f) cuts_[f].assign(all_, f);
  for (int d = 3; d <= depth; ++d) levels_.push_back(level(d, std::min(splits, full_splits(d)), d == depth ? upper : kInfinity));
  Level& top = levels_.back();
  if (top.best > top.trivial) {
    const FirstTree first_tree(problem_, limits_, deadline_, pool_);
    const bool start = depth > 3 && splits == full_splits(depth);
    if (start) consider(top, first_tree.look_ahead(ranked_, depth), 'L', report);
    staged_ = depth > 3 && (!packed_ || nanoseconds_packed(packed_->bits, depth) > kSoon);
    const std::vector<double> shares = staged_ ? stages(depth) : std::vector<double>{};
    for (std::size_t s = 0; s < shares.size(); ++s) {
      raise(levels_.size() - 1, top.trivial + shares[s] * (top.best - top.trivial), report);
      if (s == 0 && start) try_roots(first_tree, report);
    }
    raise(levels_.size() - 1, kInfinity, report);
  }
  top.profile.answer.lower = bound(top);
  return std::move(top.profile.answer);
}

// The price nearest to `price` that is a multiple of a power of two such that every cost of the search has at most 53 bits. No cost exceeds
// the price of one split and twice the total weight, and a split that costs more than all errors is in no optimal tree, however dear.
double price_on_grid(double price, const Problem& problem) {
  const double most = 2 * problem.total_weight + 2;
  const double grid = std::ldexp(1.0, std::ilogb(4 * most) + 1 - 52);
  return std::round(std::min(price, most) / grid) * grid;
}

// Whether every tree that is optimal at price `grid` is optimal at `price`, both in units. Errors e and splits s are whole numbers, so which
// of two trees is cheaper, e + price * s or e' + price * s', changes only where the price passes (e - e') / (s' - s).
bool same_optima(double price, double grid, std::int64_t most_splits) {
  if (price == grid) return true;
  const double low = std::min(price, grid), high = std::max(price, grid);
  for (std::int64_t s = 1; s <= most_splits; ++s) {
    const auto k = static_cast<double>(s);
    if (std::floor(high * k) >= std::ceil(low * k)) return false;
  }
  return true;
}

double errors_in_units(const Tree& tree, const Dataset& data, const Problem& problem) {
  const std::vector<std::int32_t> labels = tree.predict(data);
  double errors = 0;
  for (std::size_t row = 0; row < labels.size(); ++row) errors += labels[row] == data.labels[row] ? 0 : problem.row_weights.multiple[row];
  return errors;
}

}  // namespace

ExactSearchResult search_exact(const Dataset& data, const ExactSearchOptions& options, const Tree& start, Deadline& deadline,
                               const ProgressListener& listener) {
  const Problem problem = encode(data, options.min_rows > 1, options.rules.merge_rows);
  const double unit = problem.row_weights.unit;
  const std::int64_t splits = options.max_splits < 0 ? full_splits(options.max_depth) : options.max_splits;
  SearchLimits limits;
  limits.split_price = price_on_grid(options.split_price / unit, problem);
  limits.rules = options.rules;
  limits.min_rows = options.min_rows;
  limits.memory = options.memory;

  ExactSearchResult result;
  result.tree = start;
  const double start_cost = errors_in_units(start, data, problem) + limits.split_price * static_cast<double>(start.splits());
  // Shallower trees are solved on the way to deeper ones: only what is news is told.
  double told_best = start_cost - problem.base_errors, told_lower = 0;
  const auto report = [&](double best, double lower, char source) {
    if (!listener || (best >= told_best && lower <= told_lower)) return;
    if (best >= told_best) source = ' ';
    told_best = std::min(told_best, best);
    told_lower = std::max(told_lower, lower);
    listener({deadline.elapsed(), (told_best + problem.base_errors) * unit, (told_lower + problem.base_errors) * unit, source});
  };
  RootSearch search(problem, limits, deadline, options.threads);
  const Answer answer = search.solve(options.max_depth, splits, start_cost - problem.base_errors, report);
  if (answer.found()) result.tree = answer.plan.to_tree(problem, data, options.split_price);
  result.complete = !deadline.stopped();
  double lower = std::min(answer.lower + problem.base_errors, start_cost);
  // No tree has more splits that part items than there are items.
  const std::int64_t most_splits = std::min({splits, full_splits(options.max_depth), static_cast<std::int64_t>(problem.items())});
  const double price = options.split_price / unit, errors = errors_in_units(result.tree, data, problem);
  const auto cost = [&](double at_price) { return errors + at_price * static_cast<double>(result.tree.splits()); };
  result.rounding = problem.row_weights.rounding;
  if (result.complete && cost(limits.split_price) == lower && same_optima(price, limits.split_price, most_splits)) {
    lower = cost(price);
  } else {
    result.rounding += std::max(0.0, limits.split_price - price) * static_cast<double>(most_splits) * unit;
  }
  result.lower = std::max(0.0, lower * unit - result.rounding);
  return result;
}

}  // namespace treewright
