// Exact search for optimal axis trees: BD17's problem (1) without a MIP.
//
// solve(S, depth) asks for the cheapest tree on the rows S that costs less than `upper`. For every ordering f (problem.h) and every cut t
// of it the two parts are sub-problems of depth - 1; the interval bounds (intervals.h) let one solved cut speak for its neighbourhood,
// so only a few cuts of each ordering are solved, each chosen in the middle of what is still open. Depth two is solved by the
// kernel (depth_two.h).
//
// Budgets. A part is only asked for "less than `upper` minus what root and other part must cost", plus an eighth of the width
// of the interval: a bound that goes that far prunes the neighbours as well.
//
// Deepening. Every node first solves itself one level shallower. That is cheap, its tree is a good one to beat, and its bounds
// by ordering tell which orderings to try first.
//
// Start. Before a root of depth four or more is searched, a good tree is made (first_tree.h).
//
// At most C splits. Each way to share C - 1 splits between the parts is an interval problem of its own.
//
// Known bounds. A solved part S also tells, for every ordering f, a bound L_f(S) on the trees whose root asks f. It holds for every part that
// contains S, and, less the weight of the rows that are left out, for every part of S:
//   - S' contains S. Take a tree on S' whose root asks f. Where its root parts S, its errors on S alone cost at least the bound on roots
//     that part S. Where all of S goes the same way, one subtree holds S, so the tree costs at least a split and the optimum of S one level
//     shallower. L_f(S) is the smaller of the two bounds; without the second it would be infinite for an f that is constant in S.
//   - S' is a part of S. A tree on S' whose root parts S' by f also parts S by f, and costs on S at most the weight of S \ S' more.
// Splits: a part's bound was proved for at least as many splits as the part that inherits it may have. With min_rows > 1 neither holds (a
// tree on S' may leave too few rows of S in a leaf), so the rule is off.
//
// Exact sums. Weights are whole multiples of a unit (data/whole_weights.h) and the price of a split is put on a grid that is fine enough not
// to matter and coarse enough that every sum of the search is exact in doubles. So equal costs compare equal and nothing needs a tolerance.
//
// Threads. The root's open intervals are taken in rounds of a fixed number of cuts, solved side by side; what a round found is merged
// in order before the next. Nothing depends on who finishes first, so any number of threads returns the same tree. That includes a limit on
// work: each cut counts its own work, and the round is cut off at the first cut, in order, that exceeds what is left.

#include "treewright/search/exact.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <numeric>

#include "treewright/base/ordered_tasks.h"
#include "treewright/base/thread_pool.h"
#include "treewright/search/depth_two.h"
#include "treewright/search/first_tree.h"
#include "treewright/search/intervals.h"
#include "treewright/search/subset.h"

namespace treewright {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Cuts the root solves side by side in one round.
constexpr std::size_t kRound = 32;

// What one thread needs to solve sub-problems: memory for the parts at each depth, and the kernel.
struct Worker {
  struct Level {
    Subset subset;
    Cuts cuts;
  };
  DepthTwo depth_two;
  std::vector<std::unique_ptr<Level>> levels;
  Deadline* deadline = nullptr;  // of the task at hand

  Level& level(int depth) {
    while (levels.size() <= static_cast<std::size_t>(depth)) levels.push_back(std::make_unique<Level>());
    return *levels[depth];
  }
};

// A solved cut of a line, and what its parts showed of each ordering (may be null).
struct Point {
  std::int64_t cut = 0;
  double weight_left = 0;
  Sides sides;
  std::shared_ptr<const std::vector<double>> left_known, right_known;
};

// The cuts between two solved points, some of which may still win.
struct Interval {
  Point a, b;
  Stretch open;
  double lower = 0;  // bound on every cut inside, with root
  double open_weight = 0;

  // The cut to solve next: the one nearest to the middle of the open weight.
  std::int64_t middle(const Cuts& cuts) const {
    const auto weight = cuts.weight_left.begin();
    const double target = (weight[open.first] + weight[open.last - 1]) / 2;
    const auto above = std::lower_bound(weight + open.first, weight + open.last - 1, target) - weight;
    return above > open.first && target - weight[above - 1] <= weight[above] - target ? above - 1 : above;
  }
};

// The cuts of one ordering under one sharing of the splits between the parts.
struct Line {
  std::size_t ordering = 0;
  std::int64_t left_splits = 0, right_splits = 0;
  std::vector<Interval> open;
  double settled = kInfinity;  // bound on every cut that is not in `open`
  double settled_relaxed = kInfinity;
};

class Search {
 public:
  Search(const Problem& problem, const SearchLimits& limits, Deadline& deadline, int threads)
      : problem_(problem), limits_(limits), deadline_(deadline), bounds_(limits.rules), pool_(threads) {}

  Answer solve_root(const Subset& all, int depth, std::int64_t splits, double upper,
                    const std::function<void(double, double, char)>& report);

 private:
  Answer solve(Worker& worker, const Part& part, int depth, std::int64_t splits, double upper, std::span<const double> known);
  Answer solve_deep(Worker& worker, const Subset& subset, int depth, std::int64_t splits, double upper, std::span<const double> known);
  std::vector<Line> lines_of(const Answer& shallow, int depth, std::int64_t splits) const;
  void open_line(Line& line, const Cuts& cuts, const Subset& subset, const Answer& shallow, double best) const;
  void add_interval(Line& line, const Cuts& cuts, const Subset& subset, Point a, Point b, double best) const;
  std::vector<double> known_between(const std::shared_ptr<const std::vector<double>>& smaller,
                                    const std::shared_ptr<const std::vector<double>>& larger, double weight) const;
  struct Solved {
    Point point;
    Answer left, right;
    double cost(double price) const { return left.found() && right.found() ? price + left.cost + right.cost : kInfinity; }
  };
  Solved solve_cut(Worker& worker, const Subset& subset, const Cuts& cuts, const Line& line, const Interval& interval, int depth,
                   double best);
  void merge(Worker& worker, Line& line, const Cuts& cuts, const Subset& subset, const Interval& interval, Solved& solved, double& best,
             Answer& answer);
  double class_bound(const Subset& subset, int depth, std::int64_t splits) const;
  double row_bound(const Subset& subset, double leaf) const {
    if (!limits_.rules.row_bound) return 0;
    return problem_.row_bound(leaf, subset.total_weight - leaf, static_cast<double>(subset.rows), limits_.min_rows);
  }

  std::unique_ptr<Worker> borrow(Deadline& deadline) {
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
  void give_back(std::unique_ptr<Worker> worker) {
    std::lock_guard lock(workers_mutex_);
    workers_.push_back(std::move(worker));
  }

  const Problem& problem_;
  const SearchLimits& limits_;
  Deadline& deadline_;
  IntervalBounds bounds_;
  ThreadPool pool_;
  std::mutex workers_mutex_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

// More classes than leaves: the lightest classes are lost.
double Search::class_bound(const Subset& subset, int depth, std::int64_t splits) const {
  if (!limits_.rules.class_bound) return 0;
  std::vector<double> weights = subset.class_weights(problem_.classes);
  std::sort(weights.begin(), weights.end(), std::greater<>());
  const auto leaves = static_cast<std::size_t>(std::min<std::int64_t>(std::min(splits, full_splits(depth)) + 1, problem_.classes));
  return std::accumulate(weights.begin() + static_cast<std::ptrdiff_t>(leaves), weights.end(), 0.0);
}

Answer Search::solve(Worker& worker, const Part& part, int depth, std::int64_t splits, double upper, std::span<const double> known) {
  // Two splits never need a third level.
  if (depth <= 2 || splits <= 2) return worker.depth_two.solve(part, std::min(depth, 2), splits, upper, known, *worker.deadline);
  if (part.is_whole()) return solve_deep(worker, part.whole, depth, splits, upper, known);
  Subset& subset = worker.level(depth).subset;
  part.copy_to(subset);
  return solve_deep(worker, subset, depth, splits, upper, known);
}

std::vector<Line> Search::lines_of(const Answer& shallow, int depth, std::int64_t splits) const {
  std::vector<std::size_t> sequence(problem_.orderings.size());
  std::iota(sequence.begin(), sequence.end(), std::size_t{0});
  if (!shallow.lower_by_ordering.empty()) {
    const std::vector<double>& by = shallow.lower_by_ordering;
    std::stable_sort(sequence.begin(), sequence.end(), [&](std::size_t f, std::size_t g) { return by[f] < by[g]; });
  }
  const std::int64_t most = full_splits(depth - 1);
  std::vector<Line> lines;
  for (const std::size_t f : sequence) {
    if (splits - 1 >= 2 * most) {
      lines.push_back({f, most, most, {}});
      continue;
    }
    for (std::int64_t left = std::max<std::int64_t>(0, splits - 1 - most); left <= std::min(most, splits - 1); ++left) {
      lines.push_back({f, left, splits - 1 - left, {}});
    }
  }
  return lines;
}

void Search::add_interval(Line& line, const Cuts& cuts, const Subset& subset, Point a, Point b, double best) const {
  const double price = limits_.split_price;
  const bool count_rows = limits_.min_rows > 1;
  const auto weight = [&](std::int64_t t) { return cuts.weight_left[t]; };
  const Stretch inside{a.cut + 1, b.cut};
  Stretch fitting = inside;
  if (count_rows) {
    const auto& rows = cuts.rows_left;
    fitting.first = std::max(fitting.first, std::lower_bound(rows.begin(), rows.end(), limits_.min_rows) - rows.begin());
    fitting.last = std::min(fitting.last, std::upper_bound(rows.begin(), rows.end(), subset.rows - limits_.min_rows) - rows.begin());
  }
  const double least = price + bounds_.least(a.sides, b.sides, a.weight_left, b.weight_left, fitting, weight);
  const Stretch open = bounds_.open(a.sides, b.sides, a.weight_left, b.weight_left, fitting, best - price, weight);
  if (open.size() > 0) {
    const double open_weight = weight(open.last - 1) - weight(open.first);
    line.open.push_back({std::move(a), std::move(b), open, least, open_weight});
    return;
  }
  line.settled = std::min(line.settled, least);
  if (count_rows) {
    line.settled_relaxed =
        std::min(line.settled_relaxed, price + bounds_.least_relaxed(a.sides, b.sides, a.weight_left, b.weight_left, inside, weight));
  }
}

void Search::open_line(Line& line, const Cuts& cuts, const Subset& subset, const Answer& shallow, double best) const {
  // `shallow` is the node solved one level shallower: it bounds the part that is everything.
  Point nothing{-1, 0, {0, shallow.lower, 0, shallow.relaxed}, nullptr, nullptr};
  Point everything{cuts.size(), subset.total_weight, {shallow.lower, 0, shallow.relaxed, 0}, nullptr, nullptr};
  if (!shallow.lower_by_ordering.empty() && limits_.rules.known_bounds && limits_.min_rows <= 1) {
    nothing.right_known = everything.left_known = std::make_shared<const std::vector<double>>(shallow.lower_by_ordering);
  }
  add_interval(line, cuts, subset, std::move(nothing), std::move(everything), best);
}

std::vector<double> Search::known_between(const std::shared_ptr<const std::vector<double>>& smaller,
                                          const std::shared_ptr<const std::vector<double>>& larger, double weight) const {
  std::vector<double> known;
  if (smaller) known = *smaller;
  if (!larger) return known;
  known.resize(larger->size(), 0.0);
  for (std::size_t f = 0; f < known.size(); ++f) known[f] = std::max(known[f], (*larger)[f] - weight);
  return known;
}

Search::Solved Search::solve_cut(Worker& worker, const Subset& subset, const Cuts& cuts, const Line& line, const Interval& interval,
                                 int depth, double best) {
  const Point &a = interval.a, &b = interval.b;
  const std::int64_t t = interval.middle(cuts);
  const double w_a = cuts.weight_left[t] - a.weight_left, w_b = b.weight_left - cuts.weight_left[t];
  const Part left_part{subset, line.ordering, 0, cuts.place[t]}, right_part{subset, line.ordering, cuts.place[t], subset.size};
  // What both parts together must stay below.
  const double need = limits_.rules.budgets ? best - limits_.split_price : kInfinity;
  const double slack = interval.open_weight / 8;

  Solved solved;
  Answer &left = solved.left, &right = solved.right;
  const double left_bound = left.lower = bounds_.left(a.sides, b.sides, w_b),
               right_bound = right.lower = bounds_.right(a.sides, b.sides, w_a);
  const double left_relaxed = left.relaxed = bounds_.left_relaxed(a.sides, b.sides, w_b);
  const double right_relaxed = right.relaxed = bounds_.right_relaxed(a.sides, b.sides, w_a);
  const auto solve_left = [&] {
    left =
        solve(worker, left_part, depth - 1, line.left_splits, need - right.lower + slack, known_between(a.left_known, b.left_known, w_b));
    left.lower = std::max(left.lower, left_bound);
    left.relaxed = std::max(left.relaxed, left_relaxed);
  };
  const auto solve_right = [&] {
    right = solve(worker, right_part, depth - 1, line.right_splits, need - left.lower + slack,
                  known_between(b.right_known, a.right_known, w_a));
    right.lower = std::max(right.lower, right_bound);
    right.relaxed = std::max(right.relaxed, right_relaxed);
  };
  // The smaller part first: it costs less, and its bound may spare the larger one.
  const bool left_first = left_part.size() <= right_part.size();
  left_first ? solve_left() : solve_right();
  if (left.lower + right.lower < need + slack) left_first ? solve_right() : solve_left();

  solved.point = {t, cuts.weight_left[t], {left.lower, right.lower, left.relaxed, right.relaxed}, nullptr, nullptr};
  if (limits_.rules.known_bounds && limits_.min_rows <= 1) {
    const auto share = [](std::vector<double>& by_ordering) {
      return by_ordering.empty() ? nullptr : std::make_shared<const std::vector<double>>(std::move(by_ordering));
    };
    solved.point.left_known = share(left.lower_by_ordering);
    solved.point.right_known = share(right.lower_by_ordering);
  }
  return solved;
}

void Search::merge(Worker& worker, Line& line, const Cuts& cuts, const Subset& subset, const Interval& interval, Solved& solved,
                   double& best, Answer& answer) {
  const double price = limits_.split_price;
  const double cost = solved.cost(price);
  const Sides& sides = solved.point.sides;
  if (cost < best) {
    best = answer.cost = cost;
    const auto rank = subset.ranks_of(line.ordering);
    const std::uint32_t place = cuts.place[solved.point.cut];
    worker.depth_two.finish({subset, line.ordering, 0, place}, solved.left);
    worker.depth_two.finish({subset, line.ordering, place, subset.size}, solved.right);
    answer.plan =
        Plan::split({static_cast<std::int32_t>(line.ordering), rank[place - 1], rank[place]}, solved.left.plan, solved.right.plan);
  }
  line.settled = std::min(line.settled, price + sides.left + sides.right);
  line.settled_relaxed = std::min(line.settled_relaxed, price + sides.left_relaxed + sides.right_relaxed);
  if (worker.deadline->stopped()) {
    // What is known of the interval stays known; dividing it further would only cost time.
    line.settled = std::min(line.settled, interval.lower);
    line.settled_relaxed = std::min(line.settled_relaxed, price);
    return;
  }
  add_interval(line, cuts, subset, interval.a, solved.point, best);
  add_interval(line, cuts, subset, solved.point, interval.b, best);
}

Answer Search::solve_deep(Worker& worker, const Subset& subset, int depth, std::int64_t splits, double upper,
                          std::span<const double> known) {
  const double price = limits_.split_price;
  const double leaf = subset.leaf_errors(problem_.classes);
  Answer answer;
  answer.lower = answer.relaxed = leaf;
  if ((limits_.rules.leaf_price && leaf <= price) || subset.size < 2) {
    if (leaf < upper) answer.cost = leaf, answer.plan = Plan::leaf();
    return answer;
  }
  const double lost_relaxed = class_bound(subset, depth, splits);
  const double lost = std::max(lost_relaxed, row_bound(subset, leaf));
  if (leaf <= price + lost) {
    answer.relaxed = std::min(leaf, price + lost_relaxed);
    if (leaf < upper) answer.cost = leaf, answer.plan = Plan::leaf();
    return answer;
  }
  if (price + lost >= upper) {
    answer.lower = price + lost;
    answer.relaxed = price + lost_relaxed;
    return answer;
  }
  // One level shallower, to the optimum: its value bounds this node's largest parts and its tree is the one to beat.
  Answer shallow = solve(worker, Part::all(subset), depth - 1, std::min(splits, full_splits(depth - 1)), kInfinity, {});
  double best = upper;
  if (shallow.cost < best) {
    worker.depth_two.finish(Part::all(subset), shallow);
    best = answer.cost = shallow.cost;
    answer.plan = shallow.plan;
  }
  // Without an error left, or with no more than the splits' price to gain, nothing is better than the shallow tree.
  if (answer.found() && best <= price + lost) {
    answer.lower = answer.cost;
    answer.relaxed = std::min(leaf, price + lost_relaxed);
    return answer;
  }
  answer.lower_by_ordering.assign(problem_.orderings.size(), kInfinity);
  Cuts& cuts = worker.level(depth).cuts;
  std::size_t assigned = problem_.orderings.size();
  for (Line& line : lines_of(shallow, depth, splits)) {
    double& lower = answer.lower_by_ordering[line.ordering];
    if (!known.empty() && known[line.ordering] >= best) {
      lower = std::min(lower, known[line.ordering]);
      answer.lower = std::min(answer.lower, lower);
      continue;
    }
    if (line.ordering != assigned) cuts.assign(subset, assigned = line.ordering);
    open_line(line, cuts, subset, shallow, best);
    while (!line.open.empty() && !worker.deadline->stopped()) {
      const auto widest = std::max_element(line.open.begin(), line.open.end(),
                                           [](const Interval& x, const Interval& y) { return x.open_weight < y.open_weight; });
      const Interval interval = std::move(*widest);
      line.open.erase(widest);
      if (interval.lower >= best) {
        add_interval(line, cuts, subset, interval.a, interval.b, best);  // a better tree was found since: settles it
        continue;
      }
      Solved solved = solve_cut(worker, subset, cuts, line, interval, depth, best);
      merge(worker, line, cuts, subset, interval, solved, best, answer);
    }
    for (const Interval& interval : line.open) line.settled = std::min(line.settled, interval.lower);
    lower = std::min(lower, line.settled);
    answer.lower = std::min(answer.lower, line.settled);
    if (limits_.min_rows > 1) answer.relaxed = std::min({answer.relaxed, line.open.empty() ? line.settled_relaxed : price});
  }
  answer.cover_unparted(price + shallow.lower);
  answer.lower = std::min(answer.lower, answer.cost);
  answer.relaxed = limits_.min_rows > 1 ? std::min(answer.relaxed, answer.lower) : answer.lower;
  return answer;
}

Answer Search::solve_root(const Subset& all, int depth, std::int64_t splits, double upper,
                          const std::function<void(double, double, char)>& report) {
  std::unique_ptr<Worker> worker = borrow(deadline_);
  splits = std::min(splits, full_splits(depth));
  if (depth <= 2 || splits <= 2) {
    Answer answer = solve(*worker, Part::all(all), depth, splits, upper, {});
    worker->depth_two.finish(Part::all(all), answer);
    give_back(std::move(worker));
    return answer;
  }
  const double price = limits_.split_price;
  const double leaf = all.leaf_errors(problem_.classes), lost = std::max(class_bound(all, depth, splits), row_bound(all, leaf));
  Answer answer;
  answer.lower = 0;
  double best = upper;
  if (leaf < best) best = answer.cost = leaf, answer.plan = Plan::leaf();
  if (leaf <= price + lost) {
    answer.lower = leaf;
    give_back(std::move(worker));
    return answer;
  }
  // A shallower tree is a tree of this problem; a bound on shallower trees is not a bound on it.
  const double trivial = std::min(leaf, price + lost);
  const FirstTree first_tree(problem_, limits_, deadline_, pool_);
  const bool start = depth > 3 && splits == full_splits(depth);
  const auto consider = [&](const Answer& tree) {
    if (tree.cost >= best) return;
    best = answer.cost = tree.cost;
    answer.plan = tree.plan;
    report(best, trivial, 'L');
  };
  if (start) consider(first_tree.look_ahead(all, depth));
  const auto report_tree = [&](double cost, double, char source) { report(cost, std::min(trivial, cost), source); };
  const Answer shallow = solve_root(all, depth - 1, std::min(splits, full_splits(depth - 1)), kInfinity, report_tree);
  if (shallow.cost < best) {
    best = answer.cost = shallow.cost;
    answer.plan = shallow.plan;
    report(best, trivial, 'S');
  }
  if (best <= price + lost) {
    answer.lower = best;
    give_back(std::move(worker));
    return answer;
  }
  std::vector<Line> lines = lines_of(shallow, depth, splits);
  std::vector<Cuts> cuts(problem_.orderings.size());
  for (std::size_t f = 0; f < cuts.size(); ++f) cuts[f].assign(all, f);
  if (start) {
    std::vector<std::size_t> sequence;
    for (const Line& line : lines) sequence.push_back(line.ordering);
    first_tree.try_roots(all, cuts, sequence, depth, consider);
  }
  for (Line& line : lines) open_line(line, cuts[line.ordering], all, shallow, best);

  struct Task {
    Line* line;
    Interval interval;
  };
  const auto bound = [&] {
    double lower = std::min(leaf, best);
    for (const Line& line : lines) {
      lower = std::min(lower, line.settled);
      for (const Interval& interval : line.open) lower = std::min(lower, interval.lower);
    }
    return std::max(lower, std::min(trivial, best));
  };
  while (!deadline_.poll()) {
    // The most promising intervals first; equal ones in the order of their lines.
    std::vector<std::pair<double, std::pair<std::size_t, std::size_t>>> open;
    for (std::size_t l = 0; l < lines.size(); ++l) {
      for (std::size_t i = 0; i < lines[l].open.size(); ++i) open.push_back({lines[l].open[i].lower, {l, i}});
    }
    if (open.empty()) break;
    std::sort(open.begin(), open.end());
    open.resize(std::min(open.size(), kRound));
    std::vector<Task> tasks;
    for (const auto& [lower, at] : open) tasks.push_back({&lines[at.first], lines[at.first].open[at.second]});
    std::sort(open.begin(), open.end(), [](const auto& x, const auto& y) { return x.second > y.second; });
    for (const auto& [lower, at] : open) lines[at.first].open.erase(lines[at.first].open.begin() + static_cast<std::ptrdiff_t>(at.second));
    std::vector<Solved> solved(tasks.size());
    // A tree that nothing can beat makes the later tasks of its round needless, but not the earlier ones: those may hold the
    // tree that wins the tie.
    const std::size_t counted = run_ordered(pool_, deadline_, tasks.size(), [&](std::size_t i, Deadline& deadline) {
      std::unique_ptr<Worker> own = borrow(deadline);
      solved[i] = solve_cut(*own, all, cuts[tasks[i].line->ordering], *tasks[i].line, tasks[i].interval, depth, best);
      give_back(std::move(own));
      return solved[i].cost(price) <= price + lost;
    });
    const double before = best;
    for (std::size_t i = 0; i < counted; ++i) {
      merge(*worker, *tasks[i].line, cuts[tasks[i].line->ordering], all, tasks[i].interval, solved[i], best, answer);
    }
    for (std::size_t i = counted; i < tasks.size(); ++i) tasks[i].line->open.push_back(std::move(tasks[i].interval));
    if (best < before) {
      // What was open under the old incumbent may be settled under the new one.
      for (Line& line : lines) {
        std::vector<Interval> open_before;
        std::swap(open_before, line.open);
        for (const Interval& interval : open_before) add_interval(line, cuts[line.ordering], all, interval.a, interval.b, best);
      }
    }
    report(best, bound(), best < before ? 'S' : ' ');
    if (best <= price + lost) break;
  }
  give_back(std::move(worker));
  answer.lower = bound();
  return answer;
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
  Search search(problem, limits, deadline, options.threads);
  const Answer answer = search.solve_root(Subset::all(problem), options.max_depth, splits, start_cost - problem.base_errors, report);
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
