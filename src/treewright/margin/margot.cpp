// MARGOT (DGMP23) to proven optimality without a MIQP solver: branch and bound over the sides that rows take.
//
// Once it is known which rows reach which node, the model falls apart into one soft-margin support vector machine per node; the rows
// that go left and right enter the node's machine as hard constraints. A general solver sees a binary for every row and last-level node, tied
// to the hyperplanes by big constants. Here a node of the search knows for every row how far down the tree it is certain to come.
//
// Bound. Every tree node's machine is solved on the rows that are certain to reach it, with the hard constraints of the rows whose side is
// certain. More rows and more constraints can only cost more, so the sum of the minima is a lower bound on every completion. The root's
// machine holds all rows from the start, which is why the bound starts at most of the optimum. Each minimum is itself bounded from below by
// any dual point (soft_margin.h), so a machine is given up as soon as the sum passes the incumbent.
//
// Branching. A row is sent left or right at the deepest node it is certain to reach. Only machines which it violates change, by one constraint, and
// go on from their solution (active_margin.h). Among the rows for which both ways look dearest a few are tried (strong branching) and the one
// whose two bounds rise most is taken; a row that cannot go one way goes the other without branching.
//
// Features with a budget or a price are searched inside each machine (sparse_margin.h). Its bound counts before that search ends; once all rows are
// settled the machines' features are.
//
// Incumbents. All rows are sent down by the root's plane, the children are solved on what they get, and so on down: Algorithm 1 of the
// paper, started from many of the planes the search finds. Then single rows change sides while that helps.
//
// There are no constants like the paper's M_w, M_xi and M_H, so where those cut off the best tree the optimum here is smaller.

#include "treewright/margin/margot.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>

#include "treewright/base/thread_pool.h"
#include "treewright/margin/active_margin.h"

namespace treewright {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Rows tried before one is branched on.
static const std::size_t kTried = getenv("KT") ? atoi(getenv("KT")) : 8;

// Nodes whose completion is tried: the first ones, and then every so many.
constexpr std::int64_t kEveryNode = 64, kSomeNodes = 4;

// Open nodes that may keep what their machines go on from: 10 to 100 kB each.
constexpr std::size_t kKeptGrown = 4000;

// Soft-margin problems that one machine's search over its features may solve before the rows go on.
constexpr int kFeatureSteps = 200;
// The same for the first tree, which the whole search is measured against.
constexpr int kFirstFeatureSteps = 3000;

std::size_t parent(std::size_t t) {
  return (t - 1) / 2;
}
bool is_right_child(std::size_t t) {
  return t % 2 == 0;
}

struct Machine {
  MargotTree::Plane plane;
  double lower = 0;
  bool exact = true;                           // `lower` is what `plane` costs
  std::shared_ptr<const SparseMargin> search;  // over its features, where they have a price
  std::shared_ptr<const ActiveMargin> grown;   // where they have none: to go on from
  bool stiff = false;                          // growing it failed
};

// What the search knows at one of its nodes.
struct State {
  std::vector<std::uint8_t> reaches;  // the deepest tree node each row is certain to reach. Shape (rows).
  std::vector<Machine> machines;      // Shape (tree nodes).
  double bound = 0;                   // sum of the machines' bounds
};

class Search {
 public:
  Search(const MargotProblem& problem, Deadline& deadline, double gap, const MargotListener& listener, int threads)
      : problem_(problem),
        pool_(threads),
        deadline_(deadline),
        gap_(gap),
        listener_(listener),
        tree_nodes_((std::size_t{1} << problem.depth) - 1),
        last_level_((std::size_t{1} << (problem.depth - 1)) - 1) {
    best_.objective = kInfinity;
    all_axes_.resize(problem.points.axes);
    std::iota(all_axes_.begin(), all_axes_.end(), 0u);
  }

  MargotResult run() {
    auto root = std::make_unique<State>();
    root->reaches.assign(problem_.target.size(), 0);
    root->machines.resize(tree_nodes_);
    for (std::size_t t = 0; t < tree_nodes_; ++t) root->machines[t].plane.weights.assign(problem_.points.axes, 0.0);
    root->machines[0] = solve(*root, 0, kInfinity);
    root->bound = root->machines[0].lower;
    lower_ = root->bound;
    complete(*root, true);
    // The most promising node first; its children are followed down as long as they stay open.
    const auto worse = [](const std::unique_ptr<State>& a, const std::unique_ptr<State>& b) { return a->bound > b->bound; };
    std::vector<std::unique_ptr<State>> open;
    open.push_back(std::move(root));
    while (!open.empty()) {
      std::pop_heap(open.begin(), open.end(), worse);
      std::unique_ptr<State> state = std::move(open.back());
      open.pop_back();
      raise(std::min(state->bound, best_.objective));
      while (state && state->bound < cutoff()) {
        if (deadline_.poll(1)) {
          open.push_back(std::move(state));
          return result(open);
        }
        ++nodes_;
        if (nodes_ < kEveryNode || nodes_ % kSomeNodes == 0) complete(*state, false);
        auto [near, far] = branch(std::move(state));
        state = std::move(near);
        if (far && far->bound < cutoff()) {
          if (open.size() > kKeptGrown) {
            for (Machine& machine : far->machines) machine.grown.reset();  // grown anew when its turn comes
          }
          open.push_back(std::move(far));
          std::push_heap(open.begin(), open.end(), worse);
        }
      }
    }
    return result(open);
  }

 private:
  double cutoff() const { return best_.objective * (1 - gap_); }

  MargotResult result(const std::vector<std::unique_ptr<State>>& open) {
    double lower = open.empty() ? cutoff() : best_.objective;
    for (const auto& state : open) lower = std::min(lower, state->bound);
    raise(std::max(0.0, lower));
    return {best_, lower_, nodes_, open.empty()};
  }

  void raise(double lower) {
    if (lower <= lower_) return;
    lower_ = lower;
    if (listener_) listener_(best_.objective, lower_, false);
  }

  bool holds(std::size_t t, std::size_t deeper) const {
    while (deeper > t) deeper = parent(deeper);
    return deeper == t;
  }
  static std::size_t level_of(std::size_t t) { return static_cast<std::size_t>(std::bit_width(t + 1) - 1); }
  double cost(std::size_t t, std::size_t row) const { return problem_.level_cost[level_of(t)] * problem_.weight[row]; }
  FeaturePrice price(std::size_t t) const { return problem_.level_price.empty() ? FeaturePrice{} : problem_.level_price[level_of(t)]; }
  bool sparse(std::size_t t) const { return price(t).budget < problem_.points.axes && price(t).price > 0; }
  double height(const MargotTree::Plane& plane, std::size_t row) const {
    const auto x = problem_.points.row(row);
    double sum = plane.offset;
    for (std::size_t j = 0; j < x.size(); ++j) sum += plane.weights[j] * x[j];
    return sum;
  }
  double loss(const MargotTree::Plane& plane, std::size_t t, std::size_t row) const {
    return cost(t, row) * std::max(0.0, 1 - problem_.target[row] * height(plane, row));
  }
  MarginConstraint routing(std::size_t row, bool right) const {
    return right ? MarginConstraint{row, 1, 0} : MarginConstraint{row, -1, problem_.epsilon};
  }

  // Rows certain to reach tree node t, and those of them that are certain to go on.
  std::vector<MarginConstraint> constraints(const State& state, std::size_t t) const {
    std::vector<MarginConstraint> constraints;
    for (std::size_t row = 0; row < state.reaches.size(); ++row) {
      std::size_t at = state.reaches[row];
      if (!holds(t, at)) continue;
      constraints.push_back({row, problem_.target[row], 1, cost(t, row)});
      if (at == t) continue;
      while (parent(at) != t) at = parent(at);
      constraints.push_back(routing(row, is_right_child(at)));
    }
    return constraints;
  }

  // The machine of tree node t on what is certain. Its bound counts; with a price on features its plane may have too many.
  Machine solve(const State& state, std::size_t t, double give_up) const {
    const std::vector<MarginConstraint> known = constraints(state, t);
    if (sparse(t)) {
      const std::shared_ptr<const SparseMargin>& searched = state.machines[t].search;
      auto search = std::make_shared<SparseMargin>(searched ? *searched : SparseMargin(problem_.points.axes, price(t)));
      search->solve(problem_.points, known, give_up, kFeatureSteps);
      return {{search->weights(), search->offset()}, search->lower(), search->exact(), search, nullptr, false};
    }
    if (const auto& before = state.machines[t].grown) {
      auto grown = std::make_shared<ActiveMargin>(*before);
      if (grown->extend(known, give_up)) return {{grown->weights(), grown->offset()}, grown->lower(), true, nullptr, grown, false};
    }
    return solve_anew(known, give_up);
  }

  Machine solve_anew(const std::vector<MarginConstraint>& known, double give_up) const {
    const SoftMargin solved = solve_soft_margin(problem_.points, known, give_up);
    const bool infeasible = solved.upper == kInfinity && solved.lower <= give_up && !known.empty();
    return {{solved.weights, solved.offset}, infeasible ? kInfinity : solved.lower, true, nullptr, nullptr, false};
  }

  // Gives the machines what `solve` goes on from. Where the numbers do not allow it they are solved anew each time.
  void prepare(State& state) const {
    for (std::size_t t = 0; t < tree_nodes_; ++t) {
      Machine& machine = state.machines[t];
      if (sparse(t) || machine.grown || machine.stiff) continue;
      auto grown = std::make_shared<ActiveMargin>(problem_.points, all_axes_);
      if (grown->extend(constraints(state, t), kInfinity)) {
        machine.grown = std::move(grown);
      } else {
        machine.stiff = true;
      }
    }
  }

  // What a plane costs on the rows that are certain to reach tree node t; infinite where it sends one of them wrong.
  double plane_cost(const State& state, std::size_t t, const MargotTree::Plane& plane) const {
    double total = price(t).of(plane.weights);
    for (const double w : plane.weights) total += w * w / 2;
    for (const MarginConstraint& c : constraints(state, t)) {
      const double missing = c.margin - c.sign * height(plane, c.row);
      if (missing > 0) total += c.cost * missing;
    }
    return total;
  }

  // A plane that is allowed at tree node t, for the rows that reach it; `lower` is what it costs. Thorough: the best one, if found in time.
  Machine solve_allowed(const State& state, std::size_t t, double give_up, bool thorough) const {
    const std::vector<MarginConstraint> known = constraints(state, t);
    SoftMargin solved = solve_soft_margin(problem_.points, known, give_up);
    if (!sparse(t) || solved.lower > give_up) return {{solved.weights, solved.offset}, solved.lower, true, nullptr, nullptr, false};
    solved = thin_out(problem_.points, known, price(t), solved, thorough);
    if (thorough) {
      SoftMargin other = build_up(problem_.points, known, price(t));
      if (other.upper < solved.upper) solved = std::move(other);
    }
    if (thorough && !deadline_.poll()) {
      SparseMargin search(problem_.points.axes, price(t));
      search.solve(problem_.points, known, solved.upper, kFirstFeatureSteps);
      if (search.exact() && search.lower() < solved.upper)
        return {{search.weights(), search.offset()}, search.lower(), true, nullptr, nullptr, false};
    }
    return {{solved.weights, solved.offset}, solved.upper, true, nullptr, nullptr, false};
  }

  // The state with `row` sent on from where it is to the child. Its bound is infinite, or beyond the incumbent, when it may be dropped.
  State sent(const State& from, std::size_t row, bool right) const {
    State to = from;
    const std::size_t t = from.reaches[row], child = 2 * t + (right ? 2 : 1);
    to.reaches[row] = static_cast<std::uint8_t>(child);
    const double h = height(from.machines[t].plane, row);
    if (right ? h < 0 : h > -problem_.epsilon) replace(to, t);
    if (loss(from.machines[child].plane, child, row) > 0) replace(to, child);
    return to;
  }

  // Solves machine t again.
  void replace(State& state, std::size_t t) const {
    if (state.bound >= cutoff()) return;
    double others = 0;
    for (std::size_t k = 0; k < tree_nodes_; ++k) others += k == t ? 0 : state.machines[k].lower;
    Machine machine = solve(state, t, cutoff() - others);
    machine.lower = std::max(machine.lower, state.machines[t].lower);
    state.bound = others + machine.lower;
    state.machines[t] = std::move(machine);
  }

  // Rows whose side is open, those for which both ways look dearest first; none where every row costs nothing more where it would go.
  std::vector<std::size_t> undecided(const State& state) const {
    std::vector<std::pair<double, std::size_t>> found;
    for (std::size_t row = 0; row < state.reaches.size(); ++row) {
      const std::size_t t = state.reaches[row];
      if (t >= last_level_) continue;
      const double h = height(state.machines[t].plane, row);
      const std::size_t child = 2 * t + (h >= 0 ? 2 : 1), other = 2 * t + (h >= 0 ? 1 : 2);
      const double here = loss(state.machines[child].plane, child, row), there = loss(state.machines[other].plane, other, row);
      const bool in_gap = h < 0 && h > -problem_.epsilon;
      if (here <= 1e-9 * std::max(1.0, state.bound) && !in_gap) continue;
      // Against its will the row costs what it loses there, and moves the plane of t.
      found.emplace_back(-(here + 1e-9) * (there + cost(t, row) * std::abs(h) + 1e-9), row);
    }
    const std::size_t count = std::min(found.size(), kTried);
    std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count), found.end());
    std::vector<std::size_t> rows;
    for (std::size_t k = 0; k < count; ++k) rows.push_back(found[k].second);
    return rows;
  }

  // Machines whose features are not settled get more time. False where all are.
  bool settle_features(State& state) const {
    bool some = false;
    for (std::size_t t = 0; t < tree_nodes_ && state.bound < cutoff(); ++t) {
      if (state.machines[t].exact) continue;
      some = true;
      replace(state, t);
    }
    return some;
  }

  // The two states below one, the nearer to the optimum first; none where all is settled.
  std::pair<std::unique_ptr<State>, std::unique_ptr<State>> branch(std::unique_ptr<State> state) {
    while (state->bound < cutoff()) {
      if (deadline_.poll()) return {std::move(state), nullptr};
      const std::vector<std::size_t> tried = undecided(*state);
      if (tried.empty()) {
        // Every row goes where it costs nothing more: the completion is as cheap as the bound, but for rounding.
        complete(*state, false);
        if (!settle_features(*state)) return {};
        continue;
      }
      prepare(*state);
      std::vector<std::unique_ptr<State>> sides(2 * tried.size());
      pool_.parallel_for(sides.size(), [&](std::size_t k) { sides[k] = std::make_unique<State>(sent(*state, tried[k / 2], k % 2 == 1)); });
      std::size_t chosen = 0;
      double best_score = -1;
      bool forced = false;
      for (std::size_t k = 0; k < tried.size(); ++k) {
        const State &left = *sides[2 * k], &right = *sides[2 * k + 1];
        const bool left_open = left.bound < cutoff(), right_open = right.bound < cutoff();
        if (!left_open && !right_open) return {};
        if (!left_open || !right_open) *state = sent(*state, tried[k], right_open);
        forced = forced || !left_open || !right_open;
        const double floor = 1e-6 * std::max(1.0, state->bound);
        const double score = std::max(left.bound - state->bound, floor) * std::max(right.bound - state->bound, floor);
        if (score <= best_score) continue;
        best_score = score;
        chosen = k;
      }
      if (forced) continue;
      std::unique_ptr<State>&near = sides[2 * chosen], &far = sides[2 * chosen + 1];
      if (far->bound < near->bound) std::swap(near, far);
      return {std::move(near), std::move(far)};
    }
    return {};
  }

  // Sends every row down and solves the machines on what they get.
  void complete(const State& from, bool thorough) {
    State state = from;
    double total = 0;
    for (std::size_t t = 0; t < tree_nodes_; ++t) {
      const bool last = t >= last_level_;
      // What reaches t is complete now; the state's own machine knew only the certain rows, but may serve them all.
      const Machine& known = from.machines[t];
      const bool serves = known.exact && plane_cost(state, t, known.plane) <= known.lower + 1e-7 * std::max(1.0, known.lower);
      Machine machine = serves ? known : solve_allowed(state, t, best_.objective - total, thorough);
      if (!last) {
        bool in_gap = false;
        for (std::size_t row = 0; row < state.reaches.size(); ++row) {
          if (state.reaches[row] != t) continue;
          const double h = height(machine.plane, row);
          in_gap = in_gap || (h < 0 && h > -problem_.epsilon);
          state.reaches[row] = static_cast<std::uint8_t>(2 * t + (h >= 0 ? 2 : 1));
        }
        if (in_gap) machine = solve_allowed(state, t, best_.objective - total, thorough);
      }
      state.machines[t] = std::move(machine);
      total += state.machines[t].lower;
      if (total >= best_.objective) return;
    }
    offer(state);
    if (thorough) change_sides(state);
  }

  void offer(const State& state) {
    std::vector<MargotTree::Plane> planes;
    for (const Machine& machine : state.machines) planes.push_back(machine.plane);
    const double objective = margot_objective(problem_, planes);
    if (objective >= best_.objective) return;
    best_.planes = std::move(planes);
    best_.objective = objective;
    if (listener_) listener_(objective, lower_, true);
  }

  // Single rows to the other side of their last split, while that helps.
  void change_sides(State state) {
    for (bool better = true; better && !deadline_.poll();) {
      better = false;
      for (std::size_t row = 0; row < state.reaches.size() && !deadline_.poll(); ++row) {
        const std::size_t at = state.reaches[row];
        if (at == 0 || loss(state.machines[at].plane, at, row) == 0) continue;
        const std::size_t other = is_right_child(at) ? at - 1 : at + 1, top = parent(at);
        State changed = state;
        changed.reaches[row] = static_cast<std::uint8_t>(other);
        double total = 0;
        for (std::size_t t = 0; t < tree_nodes_; ++t) total += t == at || t == other || t == top ? 0 : state.machines[t].lower;
        for (const std::size_t t : {at, other, top}) {
          if (total >= best_.objective) break;
          changed.machines[t] = sparse(t) ? solve_allowed(changed, t, best_.objective - total, false)
                                          : solve_anew(constraints(changed, t), best_.objective - total);
          total += changed.machines[t].lower;
        }
        if (total >= best_.objective * (1 - 1e-7)) continue;
        state = std::move(changed);
        offer(state);
        better = true;
      }
    }
  }

  const MargotProblem& problem_;
  ThreadPool pool_;
  Deadline& deadline_;
  const double gap_;
  const MargotListener& listener_;
  const std::size_t tree_nodes_, last_level_;  // the first tree node of the last level
  std::vector<std::uint32_t> all_axes_;
  MargotTree best_;
  double lower_ = 0;
  std::int64_t nodes_ = 0;
};

}  // namespace

double margot_objective(const MargotProblem& problem, const std::vector<MargotTree::Plane>& planes) {
  double total = 0;
  for (std::size_t t = 0; t < planes.size(); ++t) {
    for (const double w : planes[t].weights) total += w * w / 2;
    if (!problem.level_price.empty()) total += problem.level_price[std::bit_width(t + 1) - 1].of(planes[t].weights);
  }
  for (std::size_t row = 0; row < problem.target.size(); ++row) {
    std::size_t t = 0;
    for (const double level_cost : problem.level_cost) {
      const auto x = problem.points.row(row);
      double h = planes[t].offset;
      for (std::size_t j = 0; j < x.size(); ++j) h += planes[t].weights[j] * x[j];
      total += level_cost * problem.weight[row] * std::max(0.0, 1 - problem.target[row] * h);
      t = 2 * t + (h >= 0 ? 2 : 1);
    }
  }
  return total;
}

MargotResult solve_margot(const MargotProblem& problem, Deadline& deadline, double gap, const MargotListener& listener, int threads) {
  return Search(problem, deadline, gap, listener, threads).run();
}

}  // namespace treewright
