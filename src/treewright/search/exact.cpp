// Exact search for optimal axis trees: BD17's problem (1) without a MIP.
//
// node_search.cpp solves one node: the cheapest tree on some items that costs less than a budget. This file runs it at the root, shares the
// root's cuts between threads, reports incumbent and bound, and stops.
//
// Few distinct values. Where bit sets solve depth two faster than the kernel (pack.h), the whole search runs on them: a node is a packed
// subset, closed up from its parent's columns (bit_columns.cpp). Sets of items that come again are not solved again (solved_sets.cpp), and
// where the target is a number, sums of pairs of cuts may solve them (sum_pairs.cpp).
//
// The root is solved to depth two, then to each depth from three on (Level): the optimum one level shallower bounds the largest children
// and is a tree to beat. Its cuts are solved in rounds (root/rounds.cpp). Between two rounds, a share of the work looks for better trees
// (root/trials.cpp), and one for a better bound (root/core.cpp).
//
// Other machines may solve the long tasks (remote_ledger.cpp). The tree stays the same.
//
// Going on. What the root's tasks and long tasks below show is kept in a ledger, so that a search that was killed goes on where it was
// (ledger.h).
//
// Exact sums. Weights are whole multiples of a unit (data/costs/whole_weights.h), and the price of a split is rounded to a grid
// (data/costs/price_grid.h), fine enough not to matter and coarse enough that every sum of the search is exact in doubles. So equal costs
// compare equal, and nothing needs a tolerance.

#include "treewright/search/exact.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "treewright/base/infinity.h"
#include "treewright/base/round_down.h"
#include "treewright/base/stop_point.h"
#include "treewright/data/costs/loss_grid.h"
#include "treewright/data/costs/price_grid.h"
#include "treewright/search/any_depth/any_depth.h"
#include "treewright/search/root/core.h"
#include "treewright/search/root/first_column.h"
#include "treewright/search/root/rounds.h"
#include "treewright/search/root/trials.h"

namespace treewright::search {

namespace {

class RootSearch {
 public:
  /// `all`: the items of the problem, ranked.
  RootSearch(const Problem& problem, Subset all, const SearchLimits& limits, Deadline& deadline, int threads, Ledger* ledger)
      : root_(problem, std::move(all), limits, deadline, threads, ledger) {}

  /// Before `run`: the column that every tree asks first (first_column.cpp), and what no tree costs less than.
  void restrict_to(std::optional<FeatureId> first, double floor) {
    first_ = first;
    root_.floor = floor;
  }

  /// The best tree that costs less than `upper`, and a bound on all trees. A run that is broken off returns the best tree and the best
  /// bound so far. `first_depth`: trees of this depth and more are solved on the way.
  SubproblemResult run(int depth, std::int64_t splits, double upper, const Report& report, int first_depth = 3);

  /// The tree of least cost that is known, of any depth; null before there is one.
  const SubproblemResult* best() const;
  /// How far the search is: bound / incumbent, as a mean over the depths that it solves. For progress only.
  double done() const;
  /// Share of the root's cuts that need no more work, at the last depth; each ordering counts the same. For progress only.
  double closed() const;

 private:
  SubproblemResult solve(int depth, std::int64_t splits, double upper, const Report& report, int first_depth);
  void solve_levels(std::int64_t splits, bool start, const Report& report);
  SubproblemResult solve_depth_two(int depth, std::int64_t splits, double upper);
  SubproblemResult solve_core(Subset items, const SearchLimits& limits, Deadline& deadline, double budget, const Report& report) const;
  void expect_work(double depth_three);
  void plan_any_depth();
  bool search_any_depth(const Report& report);
  void improve(const Report& report);

  Root root_;
  std::optional<FeatureId> first_;
  const Rounds rounds_{root_};
  Trials trials_{root_};
  Core core_{root_, [this](Subset items, const SearchLimits& limits, Deadline& deadline, double budget, const Report& report) {
               return solve_core(std::move(items), limits, deadline, budget, report);
             }};
  std::optional<AnyDepth> any_depth_;
  double any_depth_work_ = 0;  // so far
};

const SubproblemResult* RootSearch::best() const {
  const SubproblemResult* best = nullptr;
  for (const Level& level : root_.levels) {
    if (!level.result.tree.nodes.empty() && (best == nullptr || level.result.cost < best->cost)) best = &level.result;
  }
  return best;
}

// Shallower trees are solved on the way to deeper ones: their bounds rise while that of the last level still is what is known at once.
double RootSearch::done() const {
  double sum = 0;
  for (const Level& level : root_.levels) {
    const double lower = root_.bound(level);
    sum += lower >= level.best ? 1 : std::isfinite(level.best) && level.best > 0 ? std::max(0.0, lower / level.best) : 0;
  }
  return root_.levels.empty() ? 0 : sum / static_cast<double>(root_.levels.size());
}

double RootSearch::closed() const {
  if (root_.levels.empty() || !root_.top().opened) return 0;
  const Level& top = root_.top();
  double open = 0;
  for (const OrderingSearch& search : top.searches) {
    for (const SolvedCut& cut : search.solved) open += cut.is_open(top.best) ? cut.open_reach / root_.all.total_reach : 0;
  }
  return 1 - open / static_cast<double>(std::max<std::size_t>(1, top.searches.size()));
}

// `depth_three`: the work of level three. From level to level the work of a proof grows by about the same factor.
void RootSearch::expect_work(double depth_three) {
  const double growth = depth_three / static_cast<double>(root_.problem.orderings.size());  // from the work of depth two
  root_.expected = {depth_three, depth_three * growth, depth_three * std::pow(growth, root_.top().depth - 3)};
}

// Trees of any depth are searched where their price ends them: a better tree has no more levels than it can pay for. Where the depth ends
// them far sooner, the search by depth has much less to look at.
void RootSearch::plan_any_depth() {
  constexpr double kMostLevels = 2;  // for each one that is allowed
  const SearchLimits& limits = root_.limits;
  const Level& top = root_.top();
  const bool pays = limits.split_price > 0 && top.best <= kMostLevels * top.depth * limits.split_price;
  if (root_.packed && limits.rules.any_depth && limits.min_rows <= 1 && pays) any_depth_.emplace(root_.problem, limits, root_.all);
}

// Goes on with trees of any depth, unless they have had as much time as all else, or where the depth allows as many levels as the price
// does, nearly all of it. A set takes them some kTimesLonger times as long as the search by depth, where most sets are known or excluded.
// Whether there was anything to do.
bool RootSearch::search_any_depth(const Report& report) {
  constexpr double kTimesLonger = 16, kTimesAlone = 32, kFirstSets = 256;
  Deadline& deadline = root_.deadline;
  const auto before = static_cast<double>(deadline.work());
  const bool alone = root_.top().best <= root_.top().depth * root_.limits.split_price;
  const double most = (before - any_depth_work_) * (alone ? kTimesAlone : 1 / kTimesLonger);
  if (!any_depth_ || any_depth_->ended() || any_depth_work_ > most) return false;
  const double wanted = std::max(kFirstSets * static_cast<double>(root_.problem.orderings.size()), any_depth_work_);
  Deadline part = deadline.task(static_cast<std::int64_t>(std::min(wanted, static_cast<double>(deadline.work_left()))) + 1);
  any_depth_->run(part);
  deadline.poll(part.work());
  any_depth_work_ += static_cast<double>(deadline.work()) - before;
  Level& top = root_.top();
  const SubproblemResult found = any_depth_->best();
  for (Level& level : root_.levels) level.trivial_bound = std::max(level.trivial_bound, std::min(found.lower.strict, level.best));
  if (found.tree.depth() <= top.depth) root_.consider(top, found, 'S', report);
  report(top.best, root_.bound(top), ' ');
  return true;
}

// Looks for better trees and for a better bound of the last level, whichever has had less work so far, as long as each takes no more than
// its share of the work. While there is no bound at all, that comes first.
void RootSearch::improve(const Report& report) {
  const Level& top = root_.top();
  while (!root_.deadline.stopped() && top.best > top.trivial_bound) {
    if (search_any_depth(report)) continue;
    const bool trees_first = top.trivial_bound > 0 && trials_.work() <= core_.work();
    if (!(trees_first ? trials_.run_some(report) || core_.raise_bound(report) : core_.raise_bound(report) || trials_.run_some(report))) {
      return;
    }
  }
}

SubproblemResult RootSearch::solve_core(Subset items, const SearchLimits& limits, Deadline& deadline, double budget,
                                        const Report& report) const {
  const Level& top = root_.top();
  RootSearch search(root_.problem, std::move(items), limits, deadline, root_.threads, nullptr);
  return search.run(top.depth, top.splits, budget, report, top.depth);
}

SubproblemResult RootSearch::solve_depth_two(int depth, std::int64_t splits, double upper) {
  const NodeTask task{NodeTask::Kind::depth_two, depth, 0, 0, 0, splits, 0, upper};
  const ItemRange all = ItemRange::all(root_.all);
  SubproblemResult found = recall(root_.ledger, root_.problem, task, root_.deadline, [&] {
    std::unique_ptr<Worker> worker = root_.borrow(root_.deadline, depth);
    SubproblemResult result = root_.nodes.solve(*worker, all, depth, std::min(splits, full_splits(depth)), upper, {});
    worker->depth_two.finish(all, result);
    root_.give_back(std::move(worker));
    return result;
  });
  found.trees = TreeRange::up_to(depth, splits);
  return found;
}

SubproblemResult RootSearch::solve(int depth, std::int64_t splits, double upper, const Report& report, int first_depth) {
  if (depth > 2) root_.find_least_losses(depth, splits);
  const auto is_too_dear = [&](int levels) {
    const TreeRange deepest_ones{levels, levels, splits};
    return root_.deepest(deepest_ones).of(deepest_ones) >= upper;
  };
  while (depth > 2 && is_too_dear(depth)) --depth;
  splits = std::min(splits, full_splits(depth));
  if (first_) return solve_first_column(root_, rounds_, *first_, depth, splits, upper, report);
  if (depth <= 2 || splits <= 2) return solve_depth_two(depth, splits, upper);
  root_.cuts.resize(root_.problem.orderings.size());
  for (std::size_t f = 0; f < root_.cuts.size(); ++f) root_.cuts[f].assign(root_.all, f);
  for (int d = std::min(first_depth, depth); d <= depth; ++d) {
    root_.levels.push_back(root_.level(d, std::min(splits, full_splits(d)), d == depth ? upper : kInfinity));
  }
  Level& top = root_.top();
  if (top.best > top.trivial_bound) solve_levels(splits, depth > 3 && splits == full_splits(depth), report);
  top.result.lower.strict = root_.bound(top);
  // Cuts of one depth are no evidence of what trees of any depth have shown.
  if (any_depth_ && top.trivial_bound >= top.best) top.result.evidence.reset();
  return std::move(top.result);
}

// `start`: whether good trees are looked for.
void RootSearch::solve_levels(std::int64_t splits, bool start, const Report& report) {
  Level& top = root_.top();
  Deadline& deadline = root_.deadline;
  if (start) trials_.first_trees(top, report);
  if (start) plan_any_depth();
  core_.plan();
  // Shallower trees are trees of the last level too, but a bound on them is not one on that level.
  const Report report_tree = [&](double cost, double, char source) { report(cost, std::min(root_.bound(top), cost), source); };
  SubproblemResult shallow = solve_depth_two(2, splits, kInfinity);
  root_.consider(top, shallow, 'S', report_tree);
  // Bounds on trees of two levels say nothing of those of three, which the children of a deeper first level are.
  if (root_.levels.front().depth > 3) shallow.drop_bounds();
  const auto work_of_levels = [&] { return static_cast<double>(deadline.work()) - core_.work() - trials_.work(); };
  for (Level& level : root_.levels) {
    const bool last = &level == &top;
    const double before = work_of_levels();
    if (deadline.stopped()) break;
    // Trees with fewer levels are bounded by `shallow`, all others have this one's levels at least.
    const TreeBound all = joined(shallow.bound(), root_.deepest({level.depth, top.depth, top.splits}));
    top.result.lower.strict = std::max({top.result.lower.strict, top.trivial_bound, all.of(top.result.trees)});
    if (top.result.lower.strict >= top.best) break;
    if (start && level.depth > 3 && !last) trials_.first_trees(level, report_tree);
    const Report& report_level = last ? report : report_tree;
    rounds_.solve(
        level, shallow, [&] { improve(report_level); }, report_level);
    shallow = level.result;
    if (!last) root_.consider(top, shallow, 'S', report);
    if (deadline.stopped()) break;
    if (!start || last) continue;
    const double work = work_of_levels() - before;
    if (level.depth == 3) {
      expect_work(work);
      trials_.plan();
    }
    trials_.level_is_solved(level.depth, work, report);
  }
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
    root_.deadline.poll();
  }
  SubproblemResult best;
  if (root_.levels.empty()) return best;
  // Trees of shallower levels are trees of the last one; bounds on them are not bounds on it.
  if (const SubproblemResult* known = this->best(); known != nullptr && known->cost < upper) best = *known;
  best.lower.strict = std::min({std::max(root_.top().trivial_bound, reported), upper, best.cost});
  return best;
}

// What a tree costs that predicts a number, as the search counts it. `of_items`: what they lose by themselves.
double cost_by_sums(const Problem& problem, double of_items, const Dataset& data, const Tree& tree) {
  const ResponseGrid grid = response_grid(data);
  std::vector<double> exposure(tree.nodes().size(), 0.0), amount(exposure);
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const auto leaf = static_cast<std::size_t>(+tree.route(data, row));
    exposure[leaf] += grid.exposure[row];
    amount[leaf] += grid.amount[row];
  }
  double gains = 0;
  for (std::size_t leaf = 0; leaf < exposure.size(); ++leaf) gains += problem.sums->gain(exposure[leaf], amount[leaf]);
  return problem.sums->of_leaves(of_items, gains);
}

// What is stated of the items, in weight of all rows.
struct Statement {
  const LossGrid grid;
  const std::optional<ResponseUnits> response;  // where the target is a number
  const double lost, grid_price, price;         // in units: of every tree; of a split on the grid of prices; and in truth, rounded down

  Statement(const Problem& problem, double on_grid, double true_price)
      : grid(problem.row_weights),
        response(problem.sums ? std::make_optional(problem.response_units) : std::nullopt),
        lost(problem.base_errors),
        grid_price(on_grid),
        price(true_price) {}

  double cost(double of_items) const { return response ? response->near(of_items + lost) : grid.near(GridUnits(of_items + lost)); }
  double bound_at_price(double of_items) const {
    const double units = sum_down(of_items, lost);
    return response ? response->at_least(units) : std::max(0.0, grid.at_least(GridUnits(units)));
  }
  // Of trees with at most so many splits, dearer on the grid perhaps than in truth. Costs and prices there differ by a number on the grid:
  // the difference of the two prices is never taken, whose digits may be few.
  double bound(double of_items, std::int64_t most_splits) const {
    if (grid_price <= price) return bound_at_price(of_items);
    const auto most = static_cast<double>(most_splits);
    return bound_at_price(sum_down(sum_down(of_items, product_down(-grid_price, most)), product_down(price, most)));
  }
};

// What every tree costs at least, and what the trees cost less than that are looked for. In whole units, without what every tree loses.
struct Window {
  double floor = 0, upper = kInfinity;
};

// Errors are whole units, but for `rounding` on either side where weights have no common unit; then the window is that much wider. The
// upper end leaves a unit of room, so that it is a sum on the grid like any cost, whatever the price of a split. The grid ends at a price
// above all errors: `dearer` is what a split costs more than that. A tree of c in truth and of s splits costs c - s * dearer on the grid,
// and every tree has `least_splits`.
Window window_of(const std::optional<Relaxation>& wider, const Problem& problem, double price, double dearer, std::int64_t least_splits) {
  if (!wider || problem.sums) return {};
  const WholeWeights& weights = problem.row_weights;
  const double slack = weights.rounding > 0 ? 1 + std::ceil(2 * weights.rounding / weights.unit) : 0;
  const double cost = std::round(wider->errors / weights.unit) - problem.base_errors + price * static_cast<double>(wider->splits);
  const double more = wider->most_more / weights.unit * (1 + kRoundingOfSum) +
                      dearer * static_cast<double>(std::max<std::int64_t>(0, wider->splits - least_splits));
  return {std::max(0.0, cost - slack), cost + std::floor(more) + 1 + slack};
}

}  // namespace

ExactSearchResult search_exact(const Dataset& data, const ExactSearchOptions& options, const Tree& start, Deadline& deadline,
                               const TreeListener& listener) {
  assert(start.depth() <= options.max_depth && (options.max_splits < 0 || start.splits() <= options.max_splits));
  constexpr double kSecondsOfSilence = 0.5;
  // A root that is to ask a column may part rows that weigh nothing, or nothing any more, from the others.
  const bool count_rows = options.min_rows > 1 || options.first;
  Problem problem = make_problem(data, count_rows, options.rules.merge_rows, options.rules.merge_orderings, options.family, options.first);
  if (!options.rules.reach) problem.forget_reach();
  const double unit = problem.sums ? problem.response_units.unit : problem.row_weights.unit;
  const std::int64_t splits = options.max_splits < 0 ? full_splits(options.max_depth) : options.max_splits;
  SearchLimits limits;
  limits.split_price = price_on_grid(options.split_price / unit, problem.total_weight);
  limits.rules = problem.sums ? rules_of_numbers(options.rules, options.max_depth) : options.rules;
  limits.min_rows = options.min_rows;

  const auto items = static_cast<std::int64_t>(problem.items());
  // No tree has more splits that send items to both sides than there are items.
  const std::int64_t most_sending = std::min({splits, full_splits(options.max_depth), items});
  const Statement stated(problem, limits.split_price, quotient_down(options.split_price, unit));
  const double dearer = std::max(0.0, sum_down(stated.price, -limits.split_price));
  const std::int64_t least_splits = options.first ? 1 : 0;
  ExactSearchResult result;
  result.tree = start;
  const double of_items_alone = problem.total_weight;
  const auto cost_of_items = [&](const Tree& tree) {
    return problem.sums ? cost_by_sums(problem, of_items_alone, data, tree)
                        : problem.row_weights.errors(data.labels, tree.predict(data)) - problem.base_errors;
  };
  // The cost of the items is exact; with the errors that every tree makes it might not be.
  const double start_cost = cost_of_items(start) + limits.split_price * static_cast<double>(start.splits());
  const Window window = window_of(options.wider, problem, limits.split_price, dearer, least_splits);
  const double upper = std::min(start_cost, window.upper);
  const auto to_tree = [&](const RankTree& tree) { return tree.to_tree(problem, data, options.split_price, options.first.has_value()); };
  // Shallower trees are solved on the way to deeper ones: only improvements are reported. Trees that are not looked for are none.
  double reported_best = upper, reported_lower = 0, reported_at = 0;
  std::optional<RemoteLedger> remote;
  if (options.elsewhere != nullptr && *options.elsewhere)
    remote.emplace(problem, limits, options.ledger, *options.elsewhere, options.sending);
  Subset all = Subset::take(problem);
  // The threads that ask other machines only wait: there is one for each task of a round.
  RootSearch search(problem, std::move(all), limits, deadline, remote ? static_cast<int>(Rounds::kCuts) : options.threads,
                    remote ? &*remote : options.ledger);
  search.restrict_to(options.first, window.floor);
  const auto tell = [&](double best, double lower, char source, const RankTree* tree) {
    const double now = deadline.elapsed();
    const bool is_better = best < reported_best, news = is_better || lower > reported_lower;
    if (!listener || (!news && now < reported_at + kSecondsOfSilence)) return;
    if (!is_better) source = ' ';
    reported_best = std::min(reported_best, best);
    reported_lower = std::max(reported_lower, lower);
    reported_at = now;
    const Tree better = is_better ? to_tree(*tree) : Tree();
    const double incumbent = reported_best < upper ? reported_best : start_cost;
    Progress progress{now, stated.cost(incumbent), stated.bound(reported_lower, most_sending), source};
    progress.done = search.done();
    progress.closed = search.closed();
    listener(progress, is_better ? &better : nullptr);
  };
  const auto report = [&](double best, double lower, char source) {
    tell(best, lower, source, best < reported_best ? &search.best()->tree : nullptr);
  };
  const SubproblemResult found = search.run(options.max_depth, splits, upper, report);
  // Two levels or two splits are solved at once, without news on the way.
  tell(found.found() ? found.cost : upper, std::min(found.lower.strict, upper), 'S', &found.tree);
  if (found.found()) result.tree = to_tree(found.tree);
  assert(!found.found() || found.cost < upper);
  const bool is_cut_off = upper < start_cost && !found.found();
  result.complete = !deadline.stopped() && !is_cut_off;
  result.exact = {std::min(found.lower.strict, upper), problem.base_errors, limits.split_price, found.evidence};
  result.rounding = problem.row_weights.rounding;
  // A tree whose splits alone cost more than the tree that was found is no better than that.
  std::int64_t most_splits = most_sending;
  const double errors_of_items = cost_of_items(result.tree), splits_found = static_cast<double>(result.tree.splits());
  const double price = stated.price, found_cost = errors_of_items + price * splits_found;
  if (price * static_cast<double>(most_splits) > found_cost) most_splits = static_cast<std::int64_t>(found_cost / price * (1 + 0x1p-50));
  const bool is_exact = result.complete && !problem.sums && errors_of_items + limits.split_price * splits_found == result.exact.items;
  if (is_exact && same_optima(price, limits.split_price, most_splits)) {
    result.lower = stated.bound_at_price(sum_down(errors_of_items, product_down(price, splits_found)));
  } else {
    result.rounding += std::max(0.0, limits.split_price - price) * static_cast<double>(most_splits) * unit;
    // The grid ends at a price beyond which no further split pays. The split that every tree has costs all of it.
    result.lower = stated.bound(sum_down(result.exact.items, dearer * static_cast<double>(least_splits)), most_splits);
  }
  return result;
}

}  // namespace treewright::search
