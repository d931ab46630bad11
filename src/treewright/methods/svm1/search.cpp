// SVM1-ODT (Zhu et al. 2020, Z20, (1)) to proven optimality without a MIP solver: branch and bound over the leaves that rows take.
//
// Idea. Once it is known which rows are right in which leaf, the problem separates into a linear program for each node
// (node_program.h). A solver of model (1) has a 0/1 variable for every row and leaf, tied to the hyperplanes by M = 1; its relaxation lets
// rows be right on the wrong side of a hyperplane, and is worth nothing. Here a state stores the leaves that are decided, and its bound is
// the weight of the rows that are wrong and the linear programs of the rows that are not (state.h).
//
// Branching. A row is right in one of the leaves that are left to it, or it is wrong. The state's own hyperplanes tell which rows
// contradict them: rows that would be wrong or inside the margin. One step of the simplex method bounds each leaf of such a row. The most
// promising rows are tried (strong branching): for each of their leaves the linear programs on the way there are solved with the row. A
// leaf whose bound passes the incumbent is excluded. A row without leaves is wrong, and one with a single leaf that cannot be wrong is
// right there; neither needs branching. Of the others the row with the smallest sum of exp(-7 * share) is taken, where a child's share is
// how much of the way from this bound to the incumbent it covers: the size of a tree in which all rows do as this one. A row that is wrong
// pays slack as well, so it is placed in a leaf once nothing else contradicts the hyperplanes. What kind of split a node has is decided
// first.
//
// Order. The state of the smallest bound is next. With many open states one of a large bound is, which leads to few new ones.
//
// Incumbents. Each state's hyperplanes are a tree. Those of small cost are improved by the local search (alternating.h).
//
// Rounding. If everything is decided and the tree of the hyperplanes still costs more than the bound (rows on a hyperplane chose their
// side), the state keeps its bound, and the result does not claim optimality.
//
// What this shares with MARGOT's search (methods/margot/search.h) is the idea alone. There a row is always at one of two children, and is
// never given up; the node problems are quadratic and hold all rows from the start.

#include "treewright/methods/svm1/search.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "treewright/base/infinity.h"
#include "treewright/base/stop_point.h"
#include "treewright/methods/svm1/state.h"

namespace treewright::svm1 {

namespace {

constexpr std::size_t kTried = 8, kTriedBlindly = 24;  // rows of strong branching; the latter while quick bounds say nothing
constexpr double kSizeRate = 7;                        // see above
constexpr std::size_t kKeptReady = 2000;               // open states that keep their programs
constexpr std::size_t kManyOpen = 300000;              // from here on the largest bound is next
constexpr double kWorthImproving = 1.1;                // a tree that costs so much more than the best is improved
constexpr std::int64_t kImprovedFirst = 50;            // in the first nodes; later only a better tree is
constexpr double kNoCost = 1e-9;

using Role = Svm1State::Role;
using StatePointer = std::unique_ptr<Svm1State>;

bool larger_bound(const StatePointer& a, const StatePointer& b) {
  return a->bound() > b->bound();
}

class Search {
 public:
  Search(const Svm1Problem& problem, grow::EditableTree start, Deadline& deadline, double gap, const Svm1Listener& listener)
      : items_(problem), method_(problem, deadline), deadline_(deadline), gap_(gap), listener_(listener) {
    best_.draft = std::move(start);
    best_.cost = method_.cost(best_.draft);
  }

  Svm1Found run(std::int64_t most_nodes) {
    try {
      search(most_nodes);
    } catch (const Stopped&) {
      deadline_.poll();
    }
    best_.lower = std::min(best_.lower, best_.cost);
    return std::move(best_);
  }

 private:
  double cutoff() const { return best_.cost * (1 - gap_); }

  void search(std::int64_t most_nodes) {
    push(std::make_unique<Svm1State>(items_, best_.cost));
    while (!open_.empty() && open_.front()->bound() < cutoff()) {
      raise(std::min(open_.front()->bound(), unproved_));
      if (best_.nodes >= most_nodes || deadline_.poll(1)) return;
      ++best_.nodes;
      visit(next());
    }
    raise(std::min(unproved_, cutoff()));
    best_.complete = unproved_ >= cutoff();
  }

  void raise(double lower) {
    if (lower <= best_.lower) return;
    best_.lower = lower;
    if (listener_) listener_(best_.cost, lower, nullptr);
  }

  void push(StatePointer state) {
    if (state->bound() >= cutoff()) return;
    if (open_.size() > kKeptReady) state->forget();
    open_.push_back(std::move(state));
    std::push_heap(open_.begin(), open_.end(), larger_bound);
  }

  StatePointer next() {
    StatePointer state;
    if (open_.size() > kManyOpen) {
      // The last of a heap is among the large ones.
      state = std::move(open_.back());
    } else {
      std::pop_heap(open_.begin(), open_.end(), larger_bound);
      state = std::move(open_.back());
    }
    open_.pop_back();
    state->prepare();
    return state;
  }

  // Distances of the items from the hyperplanes, the leaves they lead to, and the slack on the way.
  void route(const Svm1State& state) {
    const std::size_t n = items_.items.size(), nodes = items_.nodes();
    distance_.assign(nodes * n, -1);
    for (std::size_t t = 0; t < nodes; ++t) {
      if (state.node(t).kind != Svm1NodeState::kPlane || !state.node(t).program) continue;
      for (std::size_t i = 0; i < n; ++i) distance_[t * n + i] = state.node(t).program->distance(i);
    }
    routed_.assign(n, 0);
    slack_.assign(n, 0);
    for (std::size_t i = 0; i < n; ++i) {
      std::size_t t = 0;
      while (t < nodes) {
        const bool right = goes_right(state, t, i);
        slack_[i] += slack_at(state, t, i, right);
        t = 2 * t + (right ? 2 : 1);
      }
      routed_[i] = t - nodes;
    }
    weight_at_.assign(items_.leaves() * items_.problem.data.classes(), 0.0);
    for (std::size_t i = 0; i < n; ++i) {
      weight_at_[routed_[i] * items_.problem.data.classes() + static_cast<std::size_t>(items_.items[i].label)] += items_.items[i].weight;
    }
  }

  bool goes_right(const Svm1State& state, std::size_t t, std::size_t i) const {
    const int kind = state.node(t).kind;
    if (kind < 0) return distance_[t * items_.items.size() + i] >= 0;
    const auto c = static_cast<std::size_t>(kind);
    return state.node(t).goes[static_cast<std::size_t>(items_.level[c][i])] > 0;
  }

  double slack_at(const Svm1State& state, std::size_t t, std::size_t i, bool right) const {
    if (state.node(t).kind >= 0) return 0;
    const double d = distance_[t * items_.items.size() + i];
    return items_.items[i].slack_price * std::max(0.0, items_.problem.eps - (right ? d : -d));
  }

  double majority(std::size_t leaf) const {
    const std::size_t classes = items_.problem.data.classes();
    return *std::max_element(weight_at_.begin() + static_cast<std::ptrdiff_t>(leaf * classes),
                             weight_at_.begin() + static_cast<std::ptrdiff_t>((leaf + 1) * classes));
  }

  // Cost of the tree of the state's hyperplanes.
  double routed_cost(const Svm1State& state) const {
    double cost = 0;
    for (std::size_t t = 0; t < items_.nodes(); ++t) {
      if (state.node(t).kind >= 0) cost += items_.problem.alpha2;
      if (!state.node(t).program) continue;
      for (const double h : state.node(t).program->plane().h) cost += items_.problem.alpha2 * std::abs(h);
    }
    for (const double slack : slack_) cost += slack;
    for (const Svm1Item& item : items_.items) cost += item.weight;
    for (std::size_t l = 0; l < items_.leaves(); ++l) cost -= majority(l);
    return cost;
  }

  // The tree of the state; rows that are at a hyperplane go where the state has them.
  grow::EditableTree tree_of(const Svm1State& state, std::size_t t) const {
    if (t >= items_.nodes()) return {};
    const Svm1NodeState& node = state.node(t);
    if (node.kind >= 0) {
      const std::size_t f = items_.categories[static_cast<std::size_t>(node.kind)];
      CategorySplit set{FeatureId{static_cast<std::int32_t>(f)}, {}};
      for (std::size_t v = 0; v + 1 < node.goes.size(); ++v) set.left.push_back(node.goes[v] <= 0);
      grow::EditableTree draft = grow::EditableTree::fork({std::move(set), node.goes.back() <= 0});
      *draft.left = tree_of(state, 2 * t + 1);
      *draft.right = tree_of(state, 2 * t + 2);
      return draft;
    }
    if (!node.program) return tree_of(state, 2 * t + 1);
    ScaledPlane plane = node.program->plane();
    HyperplaneSplit raw = in_raw_units(plane, items_.problem.axes);
    if (raw.terms.empty()) return tree_of(state, 2 * t + (plane.g > 0 ? 1 : 2));
    double last_left = -kInfinity, first_right = kInfinity;
    for (std::size_t i = 0; i < items_.items.size(); ++i) {
      if (state.role(i) != Role::right && state.role(i) != Role::placed) continue;
      std::size_t at = state.leaf(i) + items_.nodes();
      while ((at - 1) / 2 > t) at = (at - 1) / 2;
      if (at == 0 || (at - 1) / 2 != t) continue;
      const double d = distance_[t * items_.items.size() + i];
      if (at % 2 == 1) {
        last_left = std::max(last_left, d);
      } else {
        first_right = std::min(first_right, d);
      }
    }
    if (last_left < first_right) {
      if (last_left >= -1e-10) plane.g += last_left + std::min(1e-8, (first_right - last_left) / 2);
      if (first_right < 1e-10) plane.g -= std::min(1e-8 - first_right, std::max(0.0, (first_right - last_left) / 2 - first_right));
      raw = in_raw_units(plane, items_.problem.axes);
    }
    grow::EditableTree draft = grow::EditableTree::fork({std::move(raw), false});
    *draft.left = tree_of(state, 2 * t + 1);
    *draft.right = tree_of(state, 2 * t + 2);
    return draft;
  }

  void offer(grow::EditableTree draft) {
    const Svm1Problem& problem = items_.problem;
    grow::drop_small(draft, problem.data, grow::weighty_rows(problem.data), problem.min_rows);
    const auto splits = [](auto&& self, const grow::EditableTree& node) -> std::int64_t {
      return node.is_leaf() ? 0 : 1 + self(self, *node.left) + self(self, *node.right);
    };
    if (problem.max_splits >= 0 && splits(splits, draft) > problem.max_splits) return;
    const double cost = method_.cost(draft);
    if (!(cost < best_.cost)) return;
    best_.cost = cost;
    best_.draft = std::move(draft);
    deadline_.note_improvement();
    if (listener_) listener_(best_.cost, best_.lower, &best_.draft);
  }

  void try_tree(const Svm1State& state) {
    const double cost = routed_cost(state);
    const bool early = best_.nodes <= kImprovedFirst && cost < kWorthImproving * best_.cost;
    if (cost >= best_.cost + kNoCost && !early) return;
    grow::EditableTree draft = tree_of(state, 0);
    offer(draft.copy());
    if (!early && cost >= best_.cost) return;
    draft = method_.admitted(std::move(draft));
    method_.descend(draft);
    offer(std::move(draft));
  }

  struct Candidate {
    std::size_t item;
    double score;
  };

  // How much a state's hyperplanes contradict an item that is not in a leaf yet; 0 if they do not.
  double contradiction(const Svm1State& state, std::size_t i) const {
    const std::size_t classes = items_.problem.data.classes(), leaf = routed_[i];
    const Svm1Item& item = items_.items[i];
    const std::int32_t label = state.label(leaf);
    if (state.role(i) == Role::wrong) return label == item.label ? 0 : std::min(slack_[i], 1e-3 * item.weight);
    const double here = weight_at_[leaf * classes + static_cast<std::size_t>(item.label)];
    const bool fits = label >= 0 ? label == item.label : here >= majority(leaf);
    if (fits) return std::min(slack_[i], item.weight);
    return item.weight * (label >= 0 ? 1 : 0.5);
  }

  // Branches, unless the state is proved or pruned.
  void visit(StatePointer state) {
    while (true) {
      stop_point();
      if (state->bound() >= cutoff()) return;
      for (std::size_t t = 0; t < items_.nodes(); ++t) {
        if (state->node(t).kind != Svm1NodeState::kOpen) continue;
        for (int kind = Svm1NodeState::kPlane; kind < static_cast<int>(items_.categories.size()); ++kind) {
          push(std::make_unique<Svm1State>(state->with_kind(t, kind)));
        }
        return;
      }
      route(*state);
      try_tree(*state);
      if (state->bound() >= cutoff()) return;
      std::vector<Candidate> candidates;
      for (std::size_t i = 0; i < items_.items.size(); ++i) {
        if (state->role(i) != Role::open && state->role(i) != Role::wrong) continue;
        const double score = contradiction(*state, i);
        if (score > kNoCost) candidates.push_back({i, score});
      }
      if (candidates.empty()) {
        for (std::size_t i = 0; i < items_.items.size() && candidates.empty(); ++i) {
          if (state->role(i) == Role::open || state->role(i) == Role::wrong) candidates.push_back({i, 0});
        }
      }
      if (candidates.empty()) {
        unproved_ = std::min(unproved_, state->bound());
        return;
      }
      if (branch(state, std::move(candidates))) return;
    }
  }

  struct Tried {
    std::size_t item = 0;
    double size = kInfinity;
    std::vector<std::pair<std::size_t, Svm1State::Trial>> leaves;
  };

  // The rows to try: those whose quick bounds promise the smallest trees. A leaf that a quick bound excludes is excluded.
  std::vector<std::size_t> most_promising(Svm1State& state, std::vector<Candidate> candidates) {
    const double bound = state.bound(), way = std::max(cutoff() - bound, 1e-12);
    bool any = false;
    for (Candidate& candidate : candidates) {
      const std::size_t i = candidate.item;
      const LeafSet left = state.leaves(i);
      double size = state.role(i) == Role::open ? std::exp(-kSizeRate * items_.items[i].weight / way) : 0;
      for (std::size_t l = 0; l < items_.leaves(); ++l) {
        if (!((left >> l) & 1)) continue;
        const double glance = state.glance(i, l);
        any = any || glance > bound;
        if (glance >= cutoff()) {
          state.exclude(i, l);
        } else {
          size += std::exp(-kSizeRate * (glance - bound) / way);
        }
      }
      candidate.score = 1e-3 * std::min(1.0, candidate.score / items_.items[i].weight) - size;
    }
    std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) { return a.score > b.score; });
    const std::size_t tried = any ? kTried : kTriedBlindly;
    // Among equal ones, some of all.
    std::size_t equal = 0;
    while (equal < candidates.size() && candidates[equal].score == candidates[0].score) ++equal;
    std::vector<std::size_t> chosen;
    for (std::size_t k = 0; k < std::min(tried, candidates.size()); ++k) {
      chosen.push_back(candidates[equal > tried ? k * equal / tried : k].item);
    }
    return chosen;
  }

  // False if nothing had to be decided, and the state has become smaller.
  bool branch(StatePointer& state, std::vector<Candidate> candidates) {
    const double bound = state->bound(), way = std::max(cutoff() - bound, 1e-12);
    Tried best;
    for (const std::size_t i : most_promising(*state, std::move(candidates))) {
      const bool open = state->role(i) == Role::open, may_be_wrong = open && state->if_wrong(i) < cutoff();
      Tried tried;
      tried.item = i;
      tried.size = may_be_wrong ? std::exp(-kSizeRate * items_.items[i].weight / way) : 0;
      LeafSet left = state->leaves(i);
      for (std::size_t l = 0; l < items_.leaves() && tried.size < best.size; ++l) {
        if (!((left >> l) & 1)) continue;
        Svm1State::Trial trial = state->trial(i, l, cutoff());
        if (trial.bound >= cutoff()) {
          state->exclude(i, l);
          left &= ~(LeafSet{1} << l);
          continue;
        }
        tried.size += std::exp(-kSizeRate * (trial.bound - bound) / way);
        tried.leaves.emplace_back(l, std::move(trial));
      }
      if (left == 0 && open) {
        state->settle();
        return false;
      }
      if (tried.size >= best.size) continue;
      best = std::move(tried);
      if (may_be_wrong || best.leaves.size() > 1) continue;
      if (best.leaves.empty()) return true;
      *state = state->after(i, best.leaves[0].first, std::move(best.leaves[0].second));
      return false;
    }
    for (auto& [leaf, trial] : best.leaves) push(std::make_unique<Svm1State>(state->after(best.item, leaf, std::move(trial))));
    if (state->role(best.item) == Role::open) {
      state->make_wrong(best.item);
      state->settle();
      push(std::move(state));
    }
    return true;
  }

  const Svm1Items items_;
  const Svm1Alternation method_;
  Deadline& deadline_;
  const double gap_;
  const Svm1Listener& listener_;
  Svm1Found best_;
  std::vector<StatePointer> open_;  // a heap, the smallest bound first
  double unproved_ = kInfinity;
  // Of the state that is visited. Shapes: distance_ (nodes, items), routed_ and slack_ (items), weight_at_ (leaves, classes).
  std::vector<double> distance_, slack_, weight_at_;
  std::vector<std::size_t> routed_;
};

}  // namespace

bool can_search(const Svm1Problem& problem) {
  return problem.alpha2 > 0 && problem.max_depth >= 1 && problem.max_depth <= kMaxProvedDepth;
}

Svm1Found search_svm1(const Svm1Problem& problem, grow::EditableTree start, Deadline& deadline, double gap, std::int64_t most_nodes,
                      const Svm1Listener& listener) {
  return Search(problem, std::move(start), deadline, gap, listener).run(most_nodes);
}

}  // namespace treewright::svm1
