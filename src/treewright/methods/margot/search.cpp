// MARGOT (DGMP23) to proven optimality without a MIQP solver: branch and bound over the sides that rows take.
//
// Idea. Once it is known which rows reach which node, the model separates into one soft-margin support vector machine (SVM) for each node.
// The rows that go left and right are hard constraints of the node SVM. A general solver has a 0/1 variable for every row and last-level
// node, tied to the hyperplanes by large constants. Here a state of the search stores for every row how far down the tree it is certain to
// come. The state's bound is the sum of the node SVMs on what is certain (state.h).
//
// Branching. A row is sent left or right at the deepest node that it is certain to reach. Candidates are the rows for which both sides
// look most expensive. Strong branching tries some of them with a few steps of the active-set method. Where slack costs more below the
// root, it first chooses these among many, by fewer steps. The row whose two bounds rise most is taken; a rise beyond the incumbent does
// not count. If one side of a row is impossible, the row takes the other side without branching. If features have a budget or a price,
// the features of nodes above the last level come first: the undecided feature with the largest weight is taken in or out, until the node
// SVM respects its budget. Features of the last level are searched inside the node SVMs (sparse_margin.h). But features that cost no more
// than a row inside the margin come last, on all levels: their prices are small beside the slack of rows that no node holds yet. On
// DGMP23's training rows with C = (100, 1000) and alpha = 32, 15 CPU s leave a gap of 45 % instead of 72 % on breast-cancer-wisconsin,
// and of 8 % instead of 34 % on parkinsons. With alpha above C it is the other way round.
//
// Order. A fixed number of the most promising states are followed down (dives), the child with the smaller bound first. This number does
// not depend on the threads, and so neither does the search. From time to time a state is completed to a tree. Meanwhile local search
// perturbs the best tree and improves such completions, in turn (heuristic.h).
//
// Memory. An open state takes 10 to 100 kB, and a run of an hour on many threads meets millions of them. When memory runs short, the states
// of the largest bounds are followed down first and no longer the most promising ones. They are the nearest to being pruned, and leave few
// others behind: a dive opens no more states than there are rows and features to decide. Nothing is lost, but the bound rises later.
//
// Many rows. No number of decided rows lifts the bound of thousands far, so groups of rows are searched first (row_groups.h).
//
// Rounding. If every row takes the side where it costs least, the completed tree costs as much as the bound. If rounding makes it more
// expensive, the search branches on the row nearest to a hyperplane. A state with nothing left to decide keeps its bound in the result, and
// the result does not claim optimality.
//
// Difference from the paper. There are no constants such as M_w, M_xi and M_H. If these exclude the best tree, the optimum here is smaller.

#include "treewright/methods/margot/search.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <new>

#include "treewright/base/infinity.h"
#include "treewright/base/memory.h"
#include "treewright/base/stop_point.h"
#include "treewright/base/thread_pool.h"
#include "treewright/methods/margot/heuristic.h"
#include "treewright/methods/margot/row_groups.h"
#include "treewright/methods/margot/state.h"

namespace treewright::margot {

namespace {

// Strong branching: number of rows tried briefly and of the best of them tried longer, and active-set steps for each trial. Only where
// slack costs more below the root do the brief trials save more nodes than they cost.
constexpr std::size_t kTriedBriefly = 64, kTried = 8;
constexpr int kBriefSteps = 5, kSteps = 50;

// Number of states followed down at the same time.
constexpr std::size_t kDives = 16;

// Nodes at which a completion is tried: the first ones, and then every kth.
constexpr std::int64_t kCompletedFirst = 32, kCompletedEvery = 8;

// Completions that cost at most this many times the best tree are improved.
constexpr double kWorthImproving = 1.5;

// Number of open nodes that keep the warm starts of their node SVMs: 10 to 100 kB each.
constexpr std::size_t kKeptReady = 4000;

// Rounds of dives between two looks at the free memory.
constexpr std::int64_t kRoundsToALook = 8;

// Limits on perturbation: a number of SVMs in all, a number for each search node, and a number of failures in a row.
constexpr std::int64_t kPerturbFirst = 100, kPerturbShare = 1;
constexpr int kPerturbedInVain = 100;
// The last two with three levels or more, where first trees are further from the best.
constexpr std::int64_t kDeepPerturbShare = 20;
constexpr int kDeepPerturbedInVain = 1000;

// Share of the time that is left for searches on groups of rows, and the gap at which a group counts as solved.
constexpr double kGroupShare = 0.75, kGroupGap = 1e-3;

using StatePointer = std::unique_ptr<MargotState>;

class Search {
 public:
  Search(const MargotProblem& problem, Deadline& deadline, double gap, const MargotListener& listener, int threads, double lower,
         std::size_t many_rows, double least_free)
      : problem_(problem),
        pool_(threads),
        deadline_(deadline),
        gap_(gap),
        listener_(listener),
        dear_below_(std::ranges::max(problem.level_cost) > problem.level_cost[0]),
        trees_(problem, deadline,
               [this] {
                 if (listener_) listener_(best().objective, lower_, true);
               }),
        lower_(lower),
        row_groups_(problem.depth > 1 && problem.rows() > many_rows),
        least_free_(least_free * available_memory()) {}

  // Broken off, also by want of memory, it has the best tree and the bound of the last round.
  MargotResult run(const std::vector<std::vector<Hyperplane>>& starts) {
    bool lacked_memory = false;
    try {
      search(starts);
    } catch (const Stopped&) {
      deadline_.poll();
    } catch (const std::bad_alloc&) {
      open_.clear();
      dives_.clear();
      if (trees_.best().planes.empty()) throw;
      lacked_memory = true;
    }
    return {best(), lower_, nodes_, closed(), lacked_memory};
  }

 private:
  void search(const std::vector<std::vector<Hyperplane>>& starts) {
    for (const auto& planes : starts) trees_.offer_as_is(planes);
    if (closed()) return;
    trees_.first_tree();
    for (const auto& planes : starts) {
      if (!closed()) trees_.begin_from(planes);
    }
    const std::int64_t first = trees_.solved();
    push(std::make_unique<MargotState>(problem_));
    for (std::int64_t round = 0;; ++round) {
      if (round % kRoundsToALook == 0) look_at_memory();
      std::erase_if(dives_, [&](const auto& state) { return state->bound() >= cutoff(); });
      while (dives_.size() < kDives && !open_.empty() && open_.front()->bound() < cutoff()) dives_.push_back(next());
      raise();
      if (dives_.empty() || closed() || deadline_.poll(static_cast<std::int64_t>(dives_.size()))) break;
      if (row_groups_) {
        row_groups_ = false;
        bound_from_groups();
        continue;
      }
      const bool deep = problem_.depth > 2;
      step(perturbed_in_vain_ < (deep ? kDeepPerturbedInVain : kPerturbedInVain) &&
           trees_.solved() <= first + kPerturbFirst + nodes_ * (deep ? kDeepPerturbShare : kPerturbShare));
    }
  }

  // What a state leads to: its two children, hyperplanes that it suggests, and its bound if that could be neither reached nor raised.
  struct Outcome {
    StatePointer near, far;
    std::vector<Hyperplane> planes;
    double unproved = kInfinity;
  };

  const MargotTree& best() const { return trees_.best(); }
  double cutoff() const { return best().objective * (1 - gap_); }
  bool closed() const { return lower_ >= cutoff(); }
  static bool later(const StatePointer& a, const StatePointer& b) { return a->bound() > b->bound(); }

  void push(StatePointer state) {
    open_.push_back(std::move(state));
    std::push_heap(open_.begin(), open_.end(), later);
  }

  // The open state to follow down. Expects that the first of them may win.
  StatePointer next() {
    if (is_short_) {
      std::erase_if(open_, [&](const auto& state) { return state->bound() >= cutoff(); });
      std::iter_swap(std::ranges::max_element(open_, {}, [](const auto& state) { return state->bound(); }), open_.end() - 1);
    } else {
      std::pop_heap(open_.begin(), open_.end(), later);
    }
    StatePointer state = std::move(open_.back());
    open_.pop_back();
    if (is_short_) std::make_heap(open_.begin(), open_.end(), later);
    return state;
  }

  void look_at_memory() {
    is_short_ = available_memory() < least_free_;
    if (!is_short_) return;
    for (const auto& state : open_) state->forget();
  }

  void bound_from_groups() {
    const auto bound_of = [this](const MargotProblem& group, Deadline& deadline, double lower) {
      return solve_margot(group, deadline, std::max(gap_, kGroupGap), {}, 1, {}, lower, kNoGroups).lower;
    };
    Deadline part = deadline_.within(kGroupShare * deadline_.remaining(), deadline_.work_left());
    bound_from_row_groups(problem_, balanced_order(problem_, best().planes), part, bound_of, pool_,
                          [this](double bound) { raise_to(bound); });
    deadline_.poll(part.work());
  }

  // No completion of an open state costs less than the smallest of their bounds; pruned states cost at least the cutoff.
  void raise() {
    double lower = std::min(cutoff(), unproved_);
    if (!open_.empty()) lower = std::min(lower, open_.front()->bound());
    for (const auto& state : dives_) lower = std::min(lower, state->bound());
    raise_to(lower);
  }

  void raise_to(double lower) {
    if (lower <= lower_) return;
    lower_ = lower;
    if (listener_) listener_(best().objective, lower_, false);
  }

  // All dives go one node down in parallel; their outcomes are processed in a fixed order.
  void step(bool perturb) {
    std::vector<Outcome> outcomes(dives_.size());
    MargotTree perturbed;
    pool_.parallel_for(dives_.size() + (perturb ? 1 : 0), [&](std::size_t k) {
      if (k == dives_.size()) {
        perturbed = completed_.empty() ? trees_.perturbed() : trees_.improved(completed_);
        return;
      }
      const std::int64_t number = nodes_ + static_cast<std::int64_t>(k);
      if (number < kCompletedFirst || number % kCompletedEvery == 0)
        outcomes[k].planes = dives_[k]->completion(kWorthImproving * best().objective);
      branch(std::move(dives_[k]), outcomes[k]);
    });
    nodes_ += static_cast<std::int64_t>(dives_.size());
    dives_.clear();
    const bool was_completed = !completed_.empty();
    completed_.clear();
    for (Outcome& outcome : outcomes) {
      if (!outcome.planes.empty() && !trees_.offer(outcome.planes) && !was_completed) completed_ = std::move(outcome.planes);
      unproved_ = std::min(unproved_, outcome.unproved);
    }
    if (perturb) perturbed_in_vain_ = !perturbed.planes.empty() && trees_.offer(std::move(perturbed.planes)) ? 0 : perturbed_in_vain_ + 1;
    for (Outcome& outcome : outcomes) {
      if (outcome.near && outcome.near->bound() < cutoff()) dives_.push_back(std::move(outcome.near));
      if (!outcome.far || outcome.far->bound() >= cutoff()) continue;
      if (is_short_ || open_.size() > kKeptReady) outcome.far->forget();
      push(std::move(outcome.far));
    }
  }

  // The two children of a state, the one with the smaller bound first; none if nothing is left to decide.
  void branch(StatePointer state, Outcome& outcome) const {
    while (state->bound() < cutoff()) {
      if (deadline_.poll()) {
        outcome.near = std::move(state);
        return;
      }
      state->prepare();
      const bool rows_first = problem_.features_are_cheap();
      std::vector<MargotChoice> tried = rows_first ? dearest_rows(*state) : doubtful_features(*state);
      if (tried.empty()) tried = rows_first ? doubtful_features(*state) : dearest_rows(*state);
      if (tried.empty()) {
        if (state->settle_features(cutoff())) continue;
        // Every row takes the side where it costs least: the completion costs as much as the bound, except for rounding.
        outcome.planes = state->completion(best().objective);
        if (!outcome.planes.empty() && state->bound() >= margot_objective(problem_, outcome.planes) * (1 - gap_)) return;
        tried = nearest_row(*state);
        if (tried.empty()) {
          if (state->solve_again(cutoff())) continue;
          outcome.unproved = state->bound();
          return;
        }
      }
      const MargotChoice* chosen = nullptr;
      double best_score = -1;
      bool forced = false;
      for (const MargotChoice& choice : tried) {
        const std::array<double, 2> bounds = strong_branch(*state, choice, kSteps);
        for (const bool side : {false, true}) {
          if (bounds[side] < cutoff() || state->after(choice, side, cutoff()).bound() < cutoff()) continue;
          *state = state->after(choice, !side, cutoff());
          forced = true;
          break;
        }
        if (state->bound() >= cutoff()) return;
        const double product = score(*state, bounds);
        if (product <= best_score) continue;
        best_score = product;
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

  // An undecided feature of a node SVM above the last level that exceeds its budget.
  std::vector<MargotChoice> doubtful_features(const MargotState& state) const {
    for (std::size_t t = 0; !problem_.last_level(t); ++t) {
      if (state.node_svm(t).exact()) continue;
      const std::vector<std::size_t> features = state.node_svm(t).best_region().undecided(1);
      if (!features.empty()) return {{t, features[0], true}};
    }
    return {};
  }

  // Rows whose side is undecided and affects the cost. First those for which both sides look most expensive: by their slack there, and by
  // the estimate of the first active-set step.
  std::vector<MargotChoice> dearest_rows(const MargotState& state) const {
    std::vector<std::pair<double, std::size_t>> found;
    const double room = cutoff() - state.bound();
    for (std::size_t row = 0; row < problem_.rows(); ++row) {
      const std::size_t t = state.node_of(row);
      if (problem_.last_level(t)) continue;
      const double h = state.decision_value(t, row);
      const std::size_t child = 2 * t + (h >= 0 ? 2 : 1), other = 2 * t + (h >= 0 ? 1 : 2);
      const double here = state.loss(child, row), there = state.loss(other, row) + problem_.cost(t, row) * std::abs(h);
      if (here <= 1e-9 * std::max(1.0, state.bound()) && (h >= 0 || h <= -problem_.epsilon)) continue;
      const double near = state.node_svm(child).best_region().first_gain(problem_.wanted(child, row));
      const double far = state.node_svm(other).best_region().first_gain(problem_.wanted(other, row)) +
                         state.node_svm(t).best_region().first_gain(problem_.routed(row, h < 0));
      found.emplace_back(-(std::min(near, room) + here) * (std::min(far, room) + there), row);
    }
    const auto keep_first = [&](std::size_t most) {
      const std::size_t count = std::min(found.size(), most);
      std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(count), found.end());
      found.resize(count);
    };
    if (dear_below_) {
      keep_first(kTriedBriefly);
      for (auto& [order, row] : found) order = -score(state, strong_branch(state, {state.node_of(row), row, false}, kBriefSteps));
    }
    keep_first(kTried);
    std::vector<MargotChoice> choices;
    for (const auto& [order, row] : found) choices.push_back({state.node_of(row), row, false});
    return choices;
  }

  // How much a choice raises the bounds of its two sides. A rise beyond the cutoff is of no more use than one up to it.
  double score(const MargotState& state, const std::array<double, 2>& bounds) const {
    const double floor = 1e-6 * std::max(1.0, state.bound()), room = cutoff() - state.bound();
    return std::max(std::min(bounds[0] - state.bound(), room), floor) * std::max(std::min(bounds[1] - state.bound(), room), floor);
  }

  // Among the rows whose side is undecided, the one nearest to a hyperplane: there rounding decides the side.
  std::vector<MargotChoice> nearest_row(const MargotState& state) const {
    std::vector<MargotChoice> found;
    double least = kInfinity;
    for (std::size_t row = 0; row < problem_.rows(); ++row) {
      const std::size_t t = state.node_of(row);
      const double h = problem_.last_level(t) ? kInfinity : std::abs(state.decision_value(t, row));
      if (h >= least) continue;
      least = h;
      found = {{t, row, false}};
    }
    return found;
  }

  // Bounds of both children of a choice; for rows, lower estimates after some active-set steps.
  std::array<double, 2> strong_branch(const MargotState& state, const MargotChoice& choice, int steps) const {
    std::array<double, 2> bounds{state.bound(), state.bound()};
    for (const bool right : {false, true}) {
      if (choice.of_feature) {
        bounds[right] = state.after(choice, right, cutoff()).bound();
        continue;
      }
      const auto gain = [&](std::size_t t, const svm::MarginConstraint& constraint) {
        const svm::FeatureRegion& region = state.node_svm(t).best_region();
        return region.gain(constraint, region.lower() + cutoff() - state.bound(), steps);
      };
      const std::size_t t = choice.node, child = 2 * t + (right ? 2 : 1);
      const double h = state.decision_value(t, choice.item);
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
  const bool dear_below_;  // slack costs more below the root
  MargotHeuristic trees_;
  double lower_;
  bool row_groups_;  // still to be done
  const double least_free_;
  bool is_short_ = false;  // of memory
  double unproved_ = kInfinity;
  std::vector<StatePointer> open_, dives_;  // open_: a heap, smallest bound first; dives_: the states followed down
  std::int64_t nodes_ = 0;
  std::vector<Hyperplane> completed_;  // a completion of the last round, to be improved in turn with perturbations of the best tree
  int perturbed_in_vain_ = 0;
};

}  // namespace

MargotResult solve_margot(const MargotProblem& problem, Deadline& deadline, double gap, const MargotListener& listener, int threads,
                          const std::vector<std::vector<Hyperplane>>& starts, double lower, std::size_t many_rows, double least_free) {
  return Search(problem, deadline, gap, listener, threads, lower, many_rows, least_free).run(starts);
}

}  // namespace treewright::margot
