// MARGOT (DGMP23) to proven optimality without a MIQP solver: branch and bound over the sides that rows take.
//
// Once it is known which rows reach which node, the model falls apart into one soft-margin support vector machine per node; the rows
// that go left and right enter the node's machine as hard constraints. A general solver sees a binary for every row and last-level node, tied
// to the hyperplanes by big constants. Here a state of the search knows for every row how far down the tree it is certain to come, and its bound
// is the sum of the machines on what is certain (margot_state.h).
//
// Branching. A row is sent left or right at the deepest node it is certain to reach. Among the rows for which both ways look dearest a few are tried
// (strong branching) and the one whose two bounds rise most is taken; a row that cannot go one way goes the other without branching. Where
// features have a budget or a price, those of a node above the last level come first: in or out, the heaviest in doubt, until
// the machine keeps to them; those of the last level are searched within its machines (sparse_margin.h).
//
// Order. The most promising states are followed down, the nearer of two first, a fixed number of them side by side: the search does the same with
// any number of threads. Meanwhile the best tree is shaken (margot_heuristic.h), and now and then a state is completed.
//
// Rounding. When no row costs more where it goes, the completed tree is as cheap as the bound. Should it not be, the search goes on with the
// row nearest to a plane; a state in which nothing is left to decide then keeps its bound in the result, and nothing is claimed.
//
// There are no constants like the paper's M_w, M_xi and M_H, so where those cut off the best tree the optimum here is smaller.

#include "treewright/methods/margot/search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "treewright/base/stop_point.h"
#include "treewright/base/thread_pool.h"
#include "treewright/methods/margot/heuristic.h"
#include "treewright/methods/margot/state.h"

namespace treewright {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// Rows tried before one is branched on, and the active-set steps a trial may take.
constexpr std::size_t kTried = 8;
constexpr int kSteps = 50;

// States followed down side by side.
constexpr std::size_t kDives = 16;

// Nodes whose completion is tried: the first ones, and then every so many.
constexpr std::int64_t kCompletedFirst = 32, kCompletedEvery = 64;

// Open nodes that may keep what their machines go on from: 10 to 100 kB each.
constexpr std::size_t kKeptReady = 4000;

// The best tree is shaken as long as that takes no more machines than these and some a node, until it was so often in vain.
constexpr std::int64_t kShakeFirst = 100, kShakeShare = 1;
constexpr int kShakesInVain = 100;

using StatePointer = std::unique_ptr<MargotState>;

class Search {
 public:
  Search(const MargotProblem& problem, Deadline& deadline, double gap, const MargotListener& listener, int threads)
      : problem_(problem), pool_(threads), deadline_(deadline), gap_(gap), listener_(listener), trees_(problem, deadline, [this] {
          if (listener_) listener_(best().objective, lower_, true);
        }) {}

  // Broken off, it has the best tree and the bound of the last round.
  MargotResult run(const std::vector<std::vector<MargotTree::Plane>>& starts) {
    try {
      search(starts);
    } catch (const Stopped&) {
      deadline_.poll();
    }
    return {best(), lower_, nodes_, lower_ >= cutoff()};
  }

 private:
  void search(const std::vector<std::vector<MargotTree::Plane>>& starts) {
    trees_.first_tree();
    for (const auto& planes : starts) trees_.begin_from(planes);
    const std::int64_t first = trees_.solved();
    push(std::make_unique<MargotState>(problem_));
    while (true) {
      std::erase_if(dives_, [&](const auto& state) { return state->bound() >= cutoff(); });
      while (dives_.size() < kDives && !open_.empty() && open_.front()->bound() < cutoff()) {
        std::pop_heap(open_.begin(), open_.end(), later);
        dives_.push_back(std::move(open_.back()));
        open_.pop_back();
      }
      raise();
      if (dives_.empty() || deadline_.poll(static_cast<std::int64_t>(dives_.size()))) break;
      step(shakes_in_vain_ < kShakesInVain && trees_.solved() <= first + kShakeFirst + nodes_ * kShakeShare);
    }
  }

  // What comes of a state: the two below it, planes it suggests, and its bound if that could be neither reached nor raised.
  struct Outcome {
    StatePointer near, far;
    std::vector<MargotTree::Plane> planes;
    double unproved = kInfinity;
  };

  const MargotTree& best() const { return trees_.best(); }
  double cutoff() const { return best().objective * (1 - gap_); }
  static bool later(const StatePointer& a, const StatePointer& b) { return a->bound() > b->bound(); }

  void push(StatePointer state) {
    open_.push_back(std::move(state));
    std::push_heap(open_.begin(), open_.end(), later);
  }

  // No completion of what is open costs less than the least of it; what was given up costs at least the cutoff.
  void raise() {
    double lower = std::min(cutoff(), unproved_);
    if (!open_.empty()) lower = std::min(lower, open_.front()->bound());
    for (const auto& state : dives_) lower = std::min(lower, state->bound());
    if (lower <= lower_) return;
    lower_ = lower;
    if (listener_) listener_(best().objective, lower_, false);
  }

  // All dives go one node down, side by side; what they found is looked at in their order.
  void step(bool shake) {
    std::vector<Outcome> outcomes(dives_.size());
    MargotTree shaken;
    pool_.parallel_for(dives_.size() + (shake ? 1 : 0), [&](std::size_t k) {
      if (k == dives_.size()) {
        shaken = trees_.shaken();
        return;
      }
      const std::int64_t number = nodes_ + static_cast<std::int64_t>(k);
      if (number < kCompletedFirst || number % kCompletedEvery == 0) outcomes[k].planes = dives_[k]->completion(best().objective);
      branch(std::move(dives_[k]), outcomes[k]);
    });
    nodes_ += static_cast<std::int64_t>(dives_.size());
    dives_.clear();
    for (Outcome& outcome : outcomes) {
      if (!outcome.planes.empty()) trees_.offer(std::move(outcome.planes));
      unproved_ = std::min(unproved_, outcome.unproved);
    }
    if (shake) shakes_in_vain_ = !shaken.planes.empty() && trees_.offer(std::move(shaken.planes)) ? 0 : shakes_in_vain_ + 1;
    for (Outcome& outcome : outcomes) {
      if (outcome.near && outcome.near->bound() < cutoff()) dives_.push_back(std::move(outcome.near));
      if (!outcome.far || outcome.far->bound() >= cutoff()) continue;
      if (open_.size() > kKeptReady) outcome.far->forget();
      push(std::move(outcome.far));
    }
  }

  // The two states below one, the nearer to the optimum first; none where all is settled.
  void branch(StatePointer state, Outcome& outcome) const {
    while (state->bound() < cutoff()) {
      if (deadline_.poll()) {
        outcome.near = std::move(state);
        return;
      }
      state->prepare();
      std::vector<MargotChoice> tried = doubtful_features(*state);
      if (tried.empty()) tried = dearest_rows(*state);
      if (tried.empty()) {
        if (state->settle_features(cutoff())) continue;
        // Every row goes where it costs nothing more: the completion is as cheap as the bound, but for rounding.
        outcome.planes = state->completion(best().objective);
        if (!outcome.planes.empty() && state->bound() >= margot_objective(problem_, outcome.planes) * (1 - gap_)) return;
        tried = nearest_row(*state);
        if (tried.empty()) {
          outcome.unproved = state->bound();
          return;
        }
      }
      const MargotChoice* chosen = nullptr;
      double best_score = -1;
      bool forced = false;
      for (const MargotChoice& choice : tried) {
        const std::array<double, 2> bounds = glimpse(*state, choice);
        for (const bool side : {false, true}) {
          if (bounds[side] < cutoff() || state->after(choice, side, cutoff()).bound() < cutoff()) continue;
          *state = state->after(choice, !side, cutoff());
          forced = true;
          break;
        }
        if (state->bound() >= cutoff()) return;
        const double floor = 1e-6 * std::max(1.0, state->bound());
        const double score = std::max(bounds[0] - state->bound(), floor) * std::max(bounds[1] - state->bound(), floor);
        if (score <= best_score) continue;
        best_score = score;
        chosen = &choice;
      }
      if (forced) continue;
      auto near = std::make_unique<MargotState>(state->after(*chosen, false, cutoff()));
      auto far = std::make_unique<MargotState>(state->after(*chosen, true, cutoff()));
      if (far->bound() < near->bound()) std::swap(near, far);
      if (far->bound() >= cutoff()) {
        state = std::move(near);
        continue;
      }
      outcome.near = std::move(near);
      outcome.far = std::move(far);
      return;
    }
  }

  // A feature of a machine above the last level whose own features do not fit yet.
  std::vector<MargotChoice> doubtful_features(const MargotState& state) const {
    for (std::size_t t = 0; !problem_.last_level(t); ++t) {
      if (state.machine(t).settled()) continue;
      const std::vector<std::size_t> features = state.machine(t).likely().doubtful(1);
      if (!features.empty()) return {{t, features[0], true}};
    }
    return {};
  }

  // Rows whose side is open and costs something, those for which both ways look dearest first: by what they lose there, and by what the first
  // step of the machines says.
  std::vector<MargotChoice> dearest_rows(const MargotState& state) const {
    std::vector<std::pair<double, std::size_t>> found;
    const double room = cutoff() - state.bound();
    for (std::size_t row = 0; row < problem_.rows(); ++row) {
      const std::size_t t = state.node_of(row);
      if (problem_.last_level(t)) continue;
      const double h = state.height(t, row);
      const std::size_t child = 2 * t + (h >= 0 ? 2 : 1), other = 2 * t + (h >= 0 ? 1 : 2);
      const double here = state.loss(child, row), there = state.loss(other, row) + problem_.cost(t, row) * std::abs(h);
      if (here <= 1e-9 * std::max(1.0, state.bound()) && (h >= 0 || h <= -problem_.epsilon)) continue;
      const double near = state.machine(child).likely().first_gain(problem_.wanted(child, row));
      const double far = state.machine(other).likely().first_gain(problem_.wanted(other, row)) +
                         state.machine(t).likely().first_gain(problem_.routed(row, h < 0));
      found.emplace_back(-(std::min(near, room) + here) * (std::min(far, room) + there), row);
    }
    const std::size_t count = std::min(found.size(), kTried);
    std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count), found.end());
    std::vector<MargotChoice> choices;
    for (std::size_t k = 0; k < count; ++k) choices.push_back({state.node_of(found[k].second), found[k].second, false});
    return choices;
  }

  // The row nearest to a plane among those whose side is open: where rounding decides the side.
  std::vector<MargotChoice> nearest_row(const MargotState& state) const {
    std::vector<MargotChoice> found;
    double least = kInfinity;
    for (std::size_t row = 0; row < problem_.rows(); ++row) {
      const std::size_t t = state.node_of(row);
      const double h = problem_.last_level(t) ? kInfinity : std::abs(state.height(t, row));
      if (h >= least) continue;
      least = h;
      found = {{t, row, false}};
    }
    return found;
  }

  // Bounds of both sides of a choice; for rows only as far as some steps of the machines show.
  std::array<double, 2> glimpse(const MargotState& state, const MargotChoice& choice) const {
    std::array<double, 2> bounds{state.bound(), state.bound()};
    for (const bool right : {false, true}) {
      if (choice.of_feature) {
        bounds[right] = state.after(choice, right, cutoff()).bound();
        continue;
      }
      const auto gain = [&](std::size_t t, const MarginConstraint& constraint) {
        const FeatureRegion& machine = state.machine(t).likely();
        return machine.gain(constraint, machine.lower() + cutoff() - state.bound(), kSteps);
      };
      const std::size_t t = choice.node, child = 2 * t + (right ? 2 : 1);
      const double h = state.height(t, choice.item);
      if (right ? h < 0 : h > -problem_.epsilon) bounds[right] += gain(t, problem_.routed(choice.item, right));
      if (state.loss(child, choice.item) > 0) bounds[right] += gain(child, problem_.wanted(child, choice.item));
    }
    return bounds;
  }

  const MargotProblem& problem_;
  ThreadPool pool_;
  Deadline& deadline_;
  const double gap_;
  const MargotListener& listener_;
  MargotHeuristic trees_;
  double lower_ = 0;
  double unproved_ = kInfinity;
  std::vector<StatePointer> open_, dives_;  // a heap, the least bound first; those being followed
  std::int64_t nodes_ = 0;
  int shakes_in_vain_ = 0;
};

}  // namespace

double MargotTree::Plane::height(std::span<const double> x) const {
  double sum = offset;
  for (std::size_t j = 0; j < x.size(); ++j) sum += weights[j] * x[j];
  return sum;
}

double margot_objective(const MargotProblem& problem, const std::vector<MargotTree::Plane>& planes) {
  double total = 0;
  for (std::size_t t = 0; t < planes.size(); ++t) {
    for (const double w : planes[t].weights) total += w * w / 2;
    if (!problem.level_price.empty()) total += problem.level_price[std::bit_width(t + 1) - 1].of(planes[t].weights);
  }
  for (std::size_t row = 0; row < problem.rows(); ++row) {
    std::size_t t = 0;
    while (t < problem.nodes()) {
      const double h = planes[t].height(problem.points.row(row));
      const MarginConstraint wanted = problem.wanted(t, row);
      total += wanted.cost * std::max(0.0, wanted.margin - wanted.sign * h);
      t = 2 * t + (h >= 0 ? 2 : 1);
    }
  }
  return total;
}

MargotResult solve_margot(const MargotProblem& problem, Deadline& deadline, double gap, const MargotListener& listener, int threads,
                          const std::vector<std::vector<MargotTree::Plane>>& starts) {
  return Search(problem, deadline, gap, listener, threads).run(starts);
}

}  // namespace treewright
