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
// Branching. A row is sent left or right at the deepest node it is certain to reach. Only machines which the row violates change. Among the
// rows for which both ways look dear, a few are tried (strong branching) and the one whose cheaper side costs most is taken; a row that
// cannot go one way goes the other without branching.
//
// Incumbents. All rows are sent down by the root's plane, the children are solved on what they get, and so on down: Algorithm 1 of the
// paper, started from every plane the search finds. Then single rows change sides while that helps.
//
// There are no constants like the paper's M_w, M_xi and M_H, so where those cut off the best tree the optimum here is smaller.

#include "treewright/margin/margot.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <queue>

namespace treewright {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Rows tried before one is branched on.
constexpr std::size_t kTried = 8;

std::size_t parent(std::size_t t) {
  return (t - 1) / 2;
}
bool is_right_child(std::size_t t) {
  return t % 2 == 0;
}

struct Machine {
  MargotTree::Plane plane;
  double lower = 0;
};

// What the search knows at one of its nodes.
struct State {
  std::vector<std::uint8_t> reaches;  // the deepest tree node each row is certain to reach. Shape (rows).
  std::vector<Machine> machines;      // Shape (tree nodes).
  double bound = 0;                   // sum of the machines' bounds
};

class Search {
 public:
  Search(const MargotProblem& problem, Deadline& deadline, double gap, const MargotListener& listener)
      : problem_(problem),
        deadline_(deadline),
        gap_(gap),
        listener_(listener),
        tree_nodes_((std::size_t{1} << problem.depth) - 1),
        last_level_((std::size_t{1} << (problem.depth - 1)) - 1) {
    best_.objective = kInfinity;
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
        complete(*state, false);
        auto [near, far] = branch(std::move(state));
        state = std::move(near);
        if (far && far->bound < cutoff()) {
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
  double cost(std::size_t t, std::size_t row) const {
    const auto level = static_cast<std::size_t>(std::bit_width(t + 1) - 1);
    return problem_.level_cost[level] * problem_.weight[row];
  }
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

  // The machine of tree node t on the rows certain to reach it.
  Machine solve(const State& state, std::size_t t, double give_up) const {
    std::vector<MarginConstraint> constraints;
    for (std::size_t row = 0; row < state.reaches.size(); ++row) {
      std::size_t at = state.reaches[row];
      if (!holds(t, at)) continue;
      constraints.push_back({row, problem_.target[row], 1, cost(t, row)});
      if (at == t) continue;
      while (parent(at) != t) at = parent(at);
      constraints.push_back(routing(row, is_right_child(at)));
    }
    const SoftMargin solved = solve_soft_margin(problem_.points, constraints, give_up);
    const bool infeasible = solved.upper == kInfinity && solved.lower <= give_up && !constraints.empty();
    return {{solved.weights, solved.offset}, infeasible ? kInfinity : solved.lower};
  }

  // The state with `row` sent on from where it is to the child. Its bound is infinite, or beyond the incumbent, when it may be dropped.
  State sent(const State& from, std::size_t row, bool right) const {
    State to = from;
    const std::size_t t = from.reaches[row], child = 2 * t + (right ? 2 : 1);
    to.reaches[row] = static_cast<std::uint8_t>(child);
    const double h = height(from.machines[t].plane, row);
    const auto resolve = [&](std::size_t which) {
      if (to.bound >= cutoff()) return;
      const double others = to.bound - to.machines[which].lower;
      Machine machine = solve(to, which, cutoff() - others);
      machine.lower = std::max(machine.lower, to.machines[which].lower);
      to.bound = others + machine.lower;
      to.machines[which] = std::move(machine);
    };
    if (right ? h < 0 : h > -problem_.epsilon) resolve(t);
    if (loss(from.machines[child].plane, child, row) > 0) resolve(child);
    return to;
  }

  struct Candidate {
    std::size_t row = 0;
    double promise = 0;
  };

  // Rows whose side is open and that cost something where they would go, the most promising first.
  std::vector<Candidate> candidates(const State& state) const {
    std::vector<Candidate> found;
    for (std::size_t row = 0; row < state.reaches.size(); ++row) {
      const std::size_t t = state.reaches[row];
      if (t >= last_level_) continue;
      const double h = height(state.machines[t].plane, row);
      const bool right = h >= 0;
      const double here = loss(state.machines[2 * t + (right ? 2 : 1)].plane, 2 * t + (right ? 2 : 1), row);
      const double there = loss(state.machines[2 * t + (right ? 1 : 2)].plane, 2 * t + (right ? 1 : 2), row);
      const double movement = cost(t, row) * std::abs(h);
      const bool in_gap = !right && h > -problem_.epsilon;
      if (here > 1e-9 * std::max(1.0, state.bound) || in_gap) found.push_back({row, (here + 1e-9) * (there + movement + 1e-9)});
    }
    std::stable_sort(found.begin(), found.end(), [](const Candidate& a, const Candidate& b) { return a.promise > b.promise; });
    return found;
  }

  // The two states below one, the nearer to the optimum first; none where all is settled.
  std::pair<std::unique_ptr<State>, std::unique_ptr<State>> branch(std::unique_ptr<State> state) {
    while (true) {
      std::vector<Candidate> tried = candidates(*state);
      if (tried.empty()) {
        // Every row goes where it costs nothing more: the completion found is as cheap as the bound, but for rounding.
        return {};
      }
      tried.resize(std::min(tried.size(), kTried));
      std::unique_ptr<State> best_near, best_far;
      double best_score = -1;
      bool fixed = false;
      for (const Candidate& candidate : tried) {
        auto left = std::make_unique<State>(sent(*state, candidate.row, false));
        auto right = std::make_unique<State>(sent(*state, candidate.row, true));
        const bool left_open = left->bound < cutoff(), right_open = right->bound < cutoff();
        if (!left_open && !right_open) return {};
        if (!left_open || !right_open) {
          state = std::move(left_open ? left : right);
          fixed = true;
          break;
        }
        const double floor = 1e-6 * std::max(1.0, state->bound);
        const double score = std::max(left->bound - state->bound, floor) * std::max(right->bound - state->bound, floor);
        if (score <= best_score) continue;
        best_score = score;
        best_near = std::move(left);
        best_far = std::move(right);
        if (best_far->bound < best_near->bound) std::swap(best_near, best_far);
      }
      if (!fixed) return {std::move(best_near), std::move(best_far)};
      complete(*state, false);
    }
  }

  // Sends every row down and solves the machines on what they get.
  void complete(const State& from, bool thorough) {
    State state = from;
    double total = 0;
    for (std::size_t t = 0; t < tree_nodes_; ++t) {
      const bool last = t >= last_level_;
      // What reaches t is complete now; the state's own machine knew only the certain rows.
      Machine machine = t == 0 ? from.machines[0] : solve(state, t, kInfinity);
      if (!last) {
        bool in_gap = false;
        for (std::size_t row = 0; row < state.reaches.size(); ++row) {
          if (state.reaches[row] != t) continue;
          const double h = height(machine.plane, row);
          in_gap = in_gap || (h < 0 && h > -problem_.epsilon);
          state.reaches[row] = static_cast<std::uint8_t>(2 * t + (h >= 0 ? 2 : 1));
        }
        if (in_gap) machine = solve(state, t, kInfinity);
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
          changed.machines[t] = solve(changed, t, best_.objective - total);
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
  Deadline& deadline_;
  const double gap_;
  const MargotListener& listener_;
  const std::size_t tree_nodes_, last_level_;  // the first tree node of the last level
  MargotTree best_;
  double lower_ = 0;
  std::int64_t nodes_ = 0;
};

}  // namespace

double margot_objective(const MargotProblem& problem, const std::vector<MargotTree::Plane>& planes) {
  double total = 0;
  for (const MargotTree::Plane& plane : planes) {
    for (const double w : plane.weights) total += w * w / 2;
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

MargotResult solve_margot(const MargotProblem& problem, Deadline& deadline, double gap, const MargotListener& listener) {
  return Search(problem, deadline, gap, listener).run();
}

}  // namespace treewright
