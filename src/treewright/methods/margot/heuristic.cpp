// Good trees for MARGOT, without proof.
//
// Local SVM (DGMP23, Algorithm 1) makes the first tree: it trains the root's SVM on all rows, sends the rows down by its hyperplane, trains
// the children's SVMs on the rows that they receive, and so on.
//
// Two moves improve a tree (local search).
// - A row that its last SVM misclassifies moves to the sibling leaf. Then three SVMs are solved again.
// - A node is retrained for its subtrees (subtree rerouting). With the SVMs below node t fixed, row i costs l_i in the left subtree and r_i
//   in the right one. Node t's SVM is also asked for the cheaper side,
//
//     min |w|^2 / 2 + C_t sum of slacks + pull * sum of |l_i - r_i| * (distance of row i on the wrong side),
//
//   and the tree is fitted again from the resulting hyperplane. Many rows may change sides at once. (Alternating optimization of
//   Carreira-Perpinan & Tavallali 2018, with margins.)
//
// With three levels or more, a row moves to the sibling leaf only if its slack is smaller there, and only near the best tree: otherwise
// this move takes most of the time. A move at a node leaves the rows of all nodes outside its subtree as they are, so only the subtree is
// fitted again.
//
// To leave a local optimum, a random row and its neighbors are first pushed across a hyperplane (perturbation, iterated local search).
//
// A fit sends the rows down by given hyperplanes, the guides. It then solves each node SVM on the rows of the node, with the side on which
// the guide sends each row as a hard constraint.

#include "treewright/methods/margot/heuristic.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "treewright/base/infinity.h"
#include "treewright/svm/few_features.h"
#include "treewright/svm/working_set.h"

namespace treewright::margot {

namespace {

// Largest number of SVMs that a thorough search for a node's best features may solve.
constexpr int kFeatureSteps = 300;

// Local search continues to its end only for trees whose cost is within this factor of the best.
constexpr double kNear = 1.05;

// With more rows than this, single rows are not moved: each move costs three SVMs and gains little.
constexpr std::size_t kMostRowsMoved = 2000;

// Weights of the subtrees' preferences against the objective of the node's own SVM (`pull` above).
constexpr double kPulls[] = {1.0, 0.1, 10.0};

bool worth_it(double now, double before) {
  return now < before * (1 - 1e-7);
}

}  // namespace

MargotHeuristic::MargotHeuristic(const MargotProblem& problem, Deadline& deadline, std::function<void()> better)
    : problem_(problem), deadline_(deadline), better_(std::move(better)), deep_(problem.depth > 2) {
  best_.objective = kInfinity;
}

bool MargotHeuristic::offer(std::vector<Hyperplane> planes) {
  const double objective = margot_objective(problem_, planes);
  if (objective >= best_.objective) return false;
  best_.planes = std::move(planes);
  best_.objective = objective;
  better_();
  return true;
}

// The best weights found for node t; `upper` includes the price of their features. `guess`: a hyperplane near them.
svm::SoftMargin MargotHeuristic::node_svm(std::size_t t, const std::vector<svm::MarginConstraint>& constraints, const Hyperplane& guess,
                                          double give_up, bool thorough) const {
  const svm::FeaturePrice price = problem_.price(t);
  ++solved_;
  svm::SoftMargin solved = svm::solve_from(problem_.points, constraints, guess, give_up);
  if (price.all_free(problem_.points.axes) || solved.lower > give_up) return solved;
  solved = svm::eliminate_features(problem_.points, constraints, price, solved, thorough);
  solved_ += static_cast<std::int64_t>(std::bit_width(problem_.points.axes));  // roughly
  if (!thorough) return solved;
  svm::SoftMargin other = svm::add_features(problem_.points, constraints, price);
  if (other.upper < solved.upper) solved = std::move(other);
  if (deadline_.poll()) return solved;
  other = svm::best_features(problem_.points, constraints, price, solved.upper, kFeatureSteps);
  return other.upper < solved.upper ? other : solved;
}

// Solves node t on its rows. `sides`, if given, are hard constraints (one per row of the node). False if the cost exceeds `give_up`.
bool MargotHeuristic::fit_node(Fitted& fitted, std::size_t t, const std::vector<bool>* right, double give_up, bool thorough) const {
  std::vector<svm::MarginConstraint> constraints;
  const std::vector<std::size_t>& rows = fitted.rows[t];
  for (const std::size_t row : rows) constraints.push_back(problem_.wanted(t, row));
  if (right != nullptr && problem_.price(t).all_free(problem_.points.axes)) {
    for (std::size_t k = 0; k < rows.size(); ++k) constraints.push_back(problem_.routed(rows[k], (*right)[k]));
  }
  std::vector<bool> bound(rows.size(), false);
  // With features to choose, few rows get such a constraint: those that the hyperplane without it sends to the other side.
  while (true) {
    svm::SoftMargin solved = node_svm(t, constraints, fitted.planes[t], give_up, thorough);
    if (!(solved.upper < kInfinity) || solved.lower > give_up) return false;
    fitted.planes[t] = {std::move(solved.weights), solved.offset};
    fitted.cost[t] = solved.upper;
    if (right == nullptr) return true;
    bool all = true;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const double h = decision_value(fitted.planes[t], rows[k]);
      if (bound[k] || ((*right)[k] ? h >= 0 : h <= -problem_.epsilon)) continue;
      constraints.push_back(problem_.routed(rows[k], (*right)[k]));
      bound[k] = true;
      all = false;
    }
    if (all) return true;
  }
}

// Fits all nodes; the guides send the rows down. `total` is infinite if it exceeds `give_up`.
MargotHeuristic::Fitted MargotHeuristic::fit(const std::vector<Hyperplane>& guides, double give_up, bool thorough) const {
  const std::size_t nodes = problem_.nodes();
  Fitted fitted{guides, std::vector<std::vector<std::size_t>>(nodes), std::vector<double>(nodes, 0.0), kInfinity};
  fitted.rows[0].resize(problem_.rows());
  std::iota(fitted.rows[0].begin(), fitted.rows[0].end(), std::size_t{0});
  return fit_subtree(std::move(fitted), 0, give_up, thorough);
}

// The fitted tree with another guide for node t. Only the subtree of t is fitted again: no other node gets other rows.
MargotHeuristic::Fitted MargotHeuristic::refit(const Fitted& fitted, std::size_t t, Hyperplane guide, double give_up) const {
  Fitted next = fitted;
  next.planes[t] = std::move(guide);
  return fit_subtree(std::move(next), t, give_up, false);
}

// Fits the subtree of `top`, whose rows are known. The planes of the subtree are the guides.
MargotHeuristic::Fitted MargotHeuristic::fit_subtree(Fitted fitted, std::size_t top, double give_up, bool thorough) const {
  const std::size_t nodes = problem_.nodes();
  std::vector<bool> inside(nodes, false);
  double total = 0;
  for (std::size_t t = 0; t < nodes; ++t) {
    inside[t] = t == top || (t > top && inside[(t - 1) / 2]);
    if (!inside[t]) total += fitted.cost[t];
    if (inside[t] && t != top) fitted.rows[t].clear();
  }
  fitted.total = kInfinity;
  for (std::size_t t = top; t < nodes; ++t) {
    if (!inside[t]) continue;
    std::vector<bool> right;
    const bool last = problem_.last_level(t);
    if (!last) {
      // Without a guide, the node's own SVM sends the rows.
      const bool guided = !fitted.planes[t].weights.empty();
      if (!guided && !fit_node(fitted, t, nullptr, give_up - total, thorough)) return fitted;
      const Hyperplane guide = fitted.planes[t];
      for (const std::size_t row : fitted.rows[t]) {
        right.push_back(decision_value(guide, row) >= 0);
        fitted.rows[2 * t + (right.back() ? 2 : 1)].push_back(row);
      }
    }
    if (!fit_node(fitted, t, last ? nullptr : &right, give_up - total, thorough)) return fitted;
    total += fitted.cost[t];
    if (total >= give_up) return fitted;
  }
  fitted.total = total;
  return fitted;
}

// Cost of a row in the subtree of node t.
double MargotHeuristic::below(const Fitted& fitted, std::size_t t, std::size_t row) const {
  double total = 0;
  while (t < problem_.nodes()) {
    const double h = decision_value(fitted.planes[t], row);
    const svm::MarginConstraint wanted = problem_.wanted(t, row);
    total += wanted.cost * std::max(0.0, wanted.margin - wanted.sign * h);
    t = 2 * t + (h >= 0 ? 2 : 1);
  }
  return total;
}

// A hyperplane for node t that includes the preferences of its subtrees. Pushed rows should change sides at any cost.
Hyperplane MargotHeuristic::guide(const Fitted& fitted, std::size_t t, double pull, const std::vector<bool>& pushed) const {
  std::vector<svm::MarginConstraint> constraints;
  double most = 0;
  std::vector<double> preference;  // for the right side
  for (const std::size_t row : fitted.rows[t]) {
    constraints.push_back(problem_.wanted(t, row));
    preference.push_back(below(fitted, 2 * t + 1, row) - below(fitted, 2 * t + 2, row));
    most = std::max({most, std::abs(preference.back()), constraints.back().cost});
  }
  for (std::size_t k = 0; k < preference.size(); ++k) {
    const std::size_t row = fitted.rows[t][k];
    double wish = pull * preference[k];
    if (!pushed.empty() && pushed[row]) wish = decision_value(fitted.planes[t], row) >= 0 ? -2 * most : 2 * most;
    if (wish == 0) continue;
    svm::MarginConstraint side = problem_.routed(row, wish > 0);
    side.cost = std::abs(wish);
    constraints.push_back(side);
  }
  const svm::SoftMargin solved = node_svm(t, constraints, fitted.planes[t], kInfinity, false);
  return {solved.weights, solved.offset};
}

// Retrains one node after the other for its subtrees, as long as the tree improves.
void MargotHeuristic::alternate(Fitted& fitted, std::span<const double> pulls) {
  const std::size_t inner = problem_.nodes() / 2;
  std::size_t vain = 0;
  for (std::size_t t = 0; vain < inner && inner > 0; t = (t + 1) % inner) {
    bool better = false;
    if (fitted.rows[t].size() > 1) {
      for (const double pull : pulls) {
        if (deadline_.poll()) return;
        Fitted next = refit(fitted, t, guide(fitted, t, pull, {}), fitted.total);
        if (!worth_it(next.total, fitted.total)) continue;
        fitted = std::move(next);
        better = true;
        break;
      }
    }
    vain = better ? 0 : vain + 1;
  }
}

// Moves single rows to the other side of their last split, as long as the tree improves.
void MargotHeuristic::change_sides(Fitted& fitted) {
  const std::size_t nodes = problem_.nodes();
  for (bool better = problem_.rows() <= kMostRowsMoved; better;) {
    better = false;
    for (std::size_t at = nodes / 2; at < nodes && at > 0; ++at) {
      const std::size_t top = (at - 1) / 2, other = at % 2 == 0 ? at - 1 : at + 1;
      for (std::size_t k = 0; k < fitted.rows[at].size(); ++k) {
        const std::size_t row = fitted.rows[at][k];
        const svm::MarginConstraint wanted = problem_.wanted(at, row);
        const double missing = wanted.margin - wanted.sign * decision_value(fitted.planes[at], row);
        if (missing <= 1e-9) continue;
        if (deep_ && wanted.margin - wanted.sign * decision_value(fitted.planes[other], row) >= missing) continue;
        if (deadline_.poll()) return;
        Fitted next = fitted;
        next.rows[at].erase(next.rows[at].begin() + static_cast<std::ptrdiff_t>(k));
        next.rows[other].push_back(row);
        double total = fitted.total - fitted.cost[at] - fitted.cost[other] - fitted.cost[top];
        std::vector<bool> right;
        for (const std::size_t i : next.rows[top]) right.push_back(i == row ? other > at : decision_value(fitted.planes[top], i) >= 0);
        bool open = true;
        for (const std::size_t t : {at, other, top}) {
          open = open && fit_node(next, t, t == top ? &right : nullptr, fitted.total - total, false);
          if (!open) break;
          total += next.cost[t];
        }
        if (!open || !worth_it(total, fitted.total)) continue;
        next.total = total;
        fitted = std::move(next);
        better = true;
        --k;
      }
    }
  }
}

MargotTree MargotHeuristic::local_svm() const {
  Fitted fitted = fit(std::vector<Hyperplane>(problem_.nodes()), kInfinity, false);
  if (!(fitted.total < kInfinity)) return {};
  return {std::move(fitted.planes), fitted.total};
}

void MargotHeuristic::first_tree() {
  offer_as_is(std::vector<Hyperplane>(problem_.nodes()));  // fallback: a tree without splits
  improve(fit(std::vector<Hyperplane>(problem_.nodes()), kInfinity, true));
}

double MargotHeuristic::cost_from(const std::vector<Hyperplane>& planes) const {
  return fit(planes, kInfinity, false).total;
}

void MargotHeuristic::begin_from(const std::vector<Hyperplane>& planes) {
  offer_as_is(planes);
  if (!deadline_.poll()) improve(fit(planes, kInfinity, false));
}

void MargotHeuristic::improve(Fitted fitted) {
  if (!(fitted.total < kInfinity)) return;
  offer(fitted.planes);
  alternate(fitted, kPulls);
  offer(fitted.planes);
  if (!deep_ || fitted.total < best_.objective * kNear) change_sides(fitted);
  offer(fitted.planes);
  if (margot_objective(problem_, fitted.planes) > best_.objective) return;
  fitted_of_ = best_.objective;
  fitted_ = std::move(fitted);
}

MargotTree MargotHeuristic::perturbed() {
  const std::size_t inner = problem_.nodes() / 2;
  if (inner == 0 || deadline_.poll()) return {};
  if (fitted_of_ != best_.objective) {
    // Rounding may refuse the sides of a tree that the search has made; then the last tree is perturbed.
    Fitted again = fit(best_.planes, kInfinity, false);
    if (again.total < kInfinity) fitted_ = std::move(again);
    fitted_of_ = best_.objective;
  }
  const Fitted& now = fitted_;
  if (!(now.total < kInfinity)) return {};
  const std::size_t t = random_.below(inner);
  const std::vector<std::size_t>& rows = now.rows[t];
  if (rows.size() < 2) return {};
  // A random row and the rows nearest to it.
  const auto center = problem_.points.row(rows[random_.below(rows.size())]);
  std::vector<std::pair<double, std::size_t>> near;
  for (const std::size_t row : rows) {
    double distance = 0;
    for (std::size_t j = 0; j < center.size(); ++j) distance += std::pow(center[j] - problem_.points.row(row)[j], 2);
    near.emplace_back(distance, row);
  }
  std::sort(near.begin(), near.end());
  std::vector<bool> pushed(problem_.rows(), false);
  const std::size_t count = 1 + random_.below(std::max<std::size_t>(1, rows.size() / 8));
  for (std::size_t k = 0; k < count; ++k) pushed[near[k].second] = true;
  return improved(refit(now, t, guide(now, t, 1, pushed), kInfinity));
}

MargotTree MargotHeuristic::improved(const std::vector<Hyperplane>& planes) {
  return improved(fit(planes, kInfinity, false));
}

MargotTree MargotHeuristic::improved(Fitted next) {
  if (!(next.total < kInfinity)) return {};
  alternate(next, std::span(kPulls).first(1));
  if (next.total < best_.objective * kNear) change_sides(next);
  MargotTree tree{next.planes, margot_objective(problem_, next.planes)};
  if (tree.objective < best_.objective) {
    fitted_of_ = tree.objective;
    fitted_ = std::move(next);
  }
  return tree;
}

}  // namespace treewright::margot
