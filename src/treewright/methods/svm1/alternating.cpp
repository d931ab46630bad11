// A heuristic for SVM1-ODT (Zhu et al. 2020, Z20, (1)): minimizes errors + alpha1 * slack + alpha2 * |h|_1 by local search on trees,
// without a solver.
//
// Node problem. All nodes but one, and the labels of the leaves, are fixed. Then every row that reaches the node has a price on each side:
// its error in the leaf that it would reach, and its slack on the way there. The node problem is to choose (h, g) that minimizes
//
//   sum_i [ L_i if d_i < 0, else R_i ] + alpha1 * sum_i max(0, eps - |d_i|) + alpha2 * |h|_1,   d_i = h . u_i - g,  |d_i| <= 1,
//
// where L_i and R_i are the prices of row i on the left and on the right, u_i its columns scaled to [0, 1], eps the margin, and |d_i| <= 1
// the paper's normalization. A row with L_i = R_i still pays slack if it lies within eps of the hyperplane. The problem is solved from
// three starts: the node's own hyperplane, and two support vector machines (fit_squared_hinge, with a narrow and with a wide margin). These
// are trained on the rows with L_i != R_i, weighted by |L_i - R_i|. Exact line searches (band_search.h) improve each start: the offset, the
// scale, and each coordinate of h. A coordinate that is not worth its price alpha2 ends at zero. A categorical split
// (a set of levels) is solved exactly: each level goes to the side where its rows cost less.
//
// Order. After each node the leaves take the majority label, which never costs more. Nodes are visited from the leaves to the root, until a
// pass over all of them gains nothing. A subtree is replaced by a leaf or by one of its branches if that is cheaper. A leaf above the depth
// limit is split if that is cheaper. So the cost never rises. At the end no change of one split along one line, and no such change of
// structure, improves the tree. `perturb` replaces one split by a random one to leave this local optimum (iterated local
// search).
//
// Difference from the paper's alternating descent on the model: the sides of rows are not fixed while a hyperplane moves, so a row may
// change its leaf during a line search. Every step is evaluated by routing the rows through the whole subtree.
//
// Cost of a node: O(axes * rows log rows) for each round of line searches.

#include "treewright/methods/svm1/alternating.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "treewright/base/stop_point.h"
#include "treewright/data/midpoint.h"
#include "treewright/grow/cart.h"
#include "treewright/grow/subtree_rerouting.h"
#include "treewright/methods/svm1/node.h"
#include "treewright/methods/svm1/objective.h"
#include "treewright/svm/squared_hinge.h"

namespace treewright::svm1 {

namespace {

constexpr int kMaxPasses = 20;
constexpr double kHingeCosts[] = {0.1, 10};

bool less(double a, double b) {
  return a < b - 1e-9 * std::max(1.0, std::abs(b));
}

}  // namespace

Svm1Alternation::Svm1Alternation(const Svm1Problem& problem, Deadline& deadline)
    : problem_(problem),
      deadline_(deadline),
      all_(grow::weighty_rows(problem.data)),
      points_(problem.data, Scaling::standard, false),
      u_(coordinates(problem.data, problem.axes)) {}

std::vector<double> Svm1Alternation::slack_below(const grow::EditableTree& draft, std::span<const std::uint32_t> rows) const {
  std::vector<double> slack(rows.size(), 0.0);
  std::vector<std::uint32_t> positions(rows.size());
  std::iota(positions.begin(), positions.end(), 0u);
  const auto visit = [&](auto&& self, const grow::EditableTree& node, const std::vector<std::uint32_t>& here) -> void {
    if (node.is_leaf() || here.empty()) return;
    std::vector<std::uint32_t> left, right;
    grow::RowList at(here.size());
    for (std::size_t i = 0; i < here.size(); ++i) at[i] = rows[here[i]];
    if (const HyperplaneSplit* plane = node.split->plane()) {
      const std::vector<double> sums = plane_sums(*plane, problem_.data, at);
      for (std::size_t i = 0; i < here.size(); ++i) {
        const double d = sums[i] - plane->threshold;
        slack[here[i]] += problem_.slack_price[at[i]] * std::max(0.0, problem_.eps - std::abs(d));
        (sums[i] < plane->threshold ? left : right).push_back(here[i]);
      }
    } else {
      const std::vector<std::uint8_t> goes = sides(*node.split, problem_.data, at);
      for (std::size_t i = 0; i < here.size(); ++i) (goes[i] ? left : right).push_back(here[i]);
    }
    self(self, *node.left, left);
    self(self, *node.right, right);
  };
  visit(visit, draft, positions);
  return slack;
}

double Svm1Alternation::cost(const grow::EditableTree& draft, std::span<const std::uint32_t> rows) const {
  double cost = 0;
  for (const double slack : slack_below(draft, rows)) cost += slack;
  const auto visit = [&](auto&& self, const grow::EditableTree& node, std::span<const std::uint32_t> here) -> void {
    if (node.is_leaf()) {
      grow::LeafCounts counts(problem_.data, 1, 1);
      for (const std::uint32_t row : here) counts.add(0, row);
      cost += counts.errors();
      return;
    }
    cost += problem_.alpha2 * svm1_length(*node.split, problem_.axes);
    const auto [left, right] = grow::divide(*node.split, problem_.data, here);
    self(self, *node.left, left);
    self(self, *node.right, right);
  };
  visit(visit, draft, rows);
  return cost;
}

double Svm1Alternation::cost(const grow::EditableTree& draft) const {
  return cost(draft, all_);
}

bool Svm1Alternation::within_unit(ScaledPlane& plane) const {
  stop_point();
  double most = 0;
  for (const std::uint32_t row : all_) {
    const std::span<const double> u = u_.row(row);
    double d = -plane.g;
    for (std::size_t a = 0; a < u.size(); ++a) d += plane.h[a] * u[a];
    most = std::max(most, std::abs(d));
  }
  if (!(most > 1e-9)) return false;
  // Takes the largest scale that is allowed; the line search chooses the scale later.
  for (double& h : plane.h) h /= most;
  plane.g /= most;
  return true;
}

grow::EditableTree Svm1Alternation::admitted(grow::EditableTree draft, std::span<const std::uint32_t> rows, int depth) const {
  if (draft.is_leaf() || depth == problem_.max_depth) return {};
  if (draft.split->set() == nullptr) {
    ScaledPlane plane = in_scaled_units(draft.split->rule, problem_.axes);
    if (!within_unit(plane)) return {};
    draft.split = Split{in_raw_units(plane, problem_.axes), false};
  }
  const auto [left, right] = grow::divide(*draft.split, problem_.data, rows);
  if (static_cast<std::int64_t>(std::min(left.size(), right.size())) < problem_.min_rows) return {};
  *draft.left = admitted(std::move(*draft.left), left, depth + 1);
  *draft.right = admitted(std::move(*draft.right), right, depth + 1);
  return draft;
}

grow::EditableTree Svm1Alternation::admitted(grow::EditableTree draft) const {
  draft = admitted(std::move(draft), all_, 0);
  if (problem_.max_splits < 0) return draft;
  Tree tree = draft.to_tree(problem_.data);
  trim(tree, problem_.max_depth, problem_.max_splits);
  return grow::EditableTree::of(tree);
}

// Improves one split while the rest of the tree is fixed.
class Svm1Alternation::Revision {
 public:
  Revision(const Svm1Alternation& method, grow::EditableTree& node, std::span<const std::uint32_t> rows)
      : method_(method),
        problem_(method.problem_),
        node_(node),
        rows_(rows),
        rerouting_(*node.left, *node.right, problem_.data, rows),
        counts_(problem_.data, rerouting_.leaves, problem_.min_rows),
        slack_left_(method.slack_below(*node.left, rows)),
        slack_right_(method.slack_below(*node.right, rows)),
        here_(method.u_, rows, method.all_, problem_.alpha2, problem_.eps) {}

  // Returns whether a better split was found; if so, the node has it.
  bool improve() {
    const double before = best_ = judge(*node_.split);
    price_sides();
    if (!problem_.axes.empty()) offer_planes();
    for (std::size_t f = 0; f < problem_.data.features(); ++f) {
      if (problem_.data.columns[f].kind == ColumnKind::categorical) offer_levels(f);
    }
    return less(best_, before);
  }

 private:
  // Cost of a split at this node with the labels below it, without the terms that do not depend on this split.
  double judge(const Split& split) {
    double cost = problem_.alpha2 * svm1_length(split, problem_.axes);
    std::vector<std::uint8_t> left(rows_.size());
    if (const HyperplaneSplit* plane = split.plane()) {
      const std::vector<double> sums = plane_sums(*plane, problem_.data, rows_);
      for (std::size_t i = 0; i < rows_.size(); ++i) {
        left[i] = sums[i] < plane->threshold;
        cost += problem_.slack_price[rows_[i]] * std::max(0.0, problem_.eps - std::abs(sums[i] - plane->threshold));
      }
    } else {
      left = sides(split, problem_.data, rows_);
    }
    rerouting_.fill(counts_, left);
    for (std::size_t i = 0; i < rows_.size(); ++i) cost += left[i] ? slack_left_[i] : slack_right_[i];
    return counts_.feasible() ? cost + counts_.errors() : std::numeric_limits<double>::infinity();
  }

  void offer(Split split) {
    if (split.plane() != nullptr && split.plane()->terms.empty()) return;
    const double cost = judge(split);
    if (!less(cost, best_)) return;
    best_ = cost;
    node_.split = std::move(split);
  }

  // Cost of each row on either side with the current labels; `care_` holds the rows for which the costs differ, as two classes.
  void price_sides() {
    std::vector<std::int32_t> label(rerouting_.leaves);
    for (std::uint32_t leaf = 0; leaf < rerouting_.leaves; ++leaf) label[leaf] = counts_.label(leaf);
    care_.points.axes = method_.points_.axes.size();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const std::uint32_t row = rows_[i];
      const double weight = problem_.data.weight(row);
      here_.left.push_back(slack_left_[i] + (label[rerouting_.if_left[i]] == problem_.data.labels[row] ? 0 : weight));
      here_.right.push_back(slack_right_[i] + (label[rerouting_.if_right[i]] == problem_.data.labels[row] ? 0 : weight));
      here_.slack.push_back(problem_.slack_price[row]);
      const double difference = here_.right.back() - here_.left.back();
      if (difference == 0) continue;
      (difference > 0 ? any_left_ : any_right_) = true;
      care_.target.push_back(difference > 0 ? -1 : 1);
      care_.weight.push_back(std::abs(difference));
      const auto point = method_.points_.row(row);
      care_.points.x.insert(care_.points.x.end(), point.begin(), point.end());
    }
  }

  // The current hyperplane and those of the SVMs, each moved to its best offset; the best one is improved further.
  void offer_planes() {
    std::vector<ScaledPlane> starts;
    if (node_.split->plane() != nullptr) starts.push_back(in_scaled_units(node_.split->rule, problem_.axes));
    if (any_left_ && any_right_ && care_.points.axes > 0) {
      for (const double cost : kHingeCosts) {
        const Hyperplane separator = svm::fit_squared_hinge(care_, cost);
        ScaledPlane plane = in_scaled_units(in_raw_units({separator.weights, -separator.offset}, method_.points_.axes), problem_.axes);
        if (method_.within_unit(plane)) starts.push_back(std::move(plane));
      }
    }
    const ScaledPlane* most_promising = nullptr;
    double least = std::numeric_limits<double>::infinity();
    for (ScaledPlane& plane : starts) {
      here_.stand(plane);
      here_.place();
      plane = here_.plane();
      offer({in_raw_units(plane, problem_.axes), false});
      if (here_.cost() >= least) continue;
      least = here_.cost();
      most_promising = &plane;
    }
    if (most_promising == nullptr) return;
    here_.stand(*most_promising);
    here_.coordinates();
    offer({in_raw_units(here_.plane(), problem_.axes), false});
  }

  // The set of levels whose rows cost less on the left.
  void offer_levels(std::size_t feature) {
    const Column& column = problem_.data.columns[feature];
    std::vector<double> gain(column.levels.size() + 1, 0.0);  // gain of going left for each level; the last entry is for missing values
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const std::int32_t code = column.codes[rows_[i]];
      gain[code < 0 ? column.levels.size() : static_cast<std::size_t>(code)] += here_.right[i] - here_.left[i];
    }
    CategorySplit set{FeatureId{static_cast<std::int32_t>(feature)}, {}};
    for (std::size_t level = 0; level < column.levels.size(); ++level) set.left.push_back(gain[level] > 0);
    offer({std::move(set), gain.back() > 0});
  }

  const Svm1Alternation& method_;
  const Svm1Problem& problem_;
  grow::EditableTree& node_;
  std::span<const std::uint32_t> rows_;
  const grow::SubtreeRerouting rerouting_;
  grow::LeafCounts counts_;
  const std::vector<double> slack_left_, slack_right_;
  Svm1Node here_;
  svm::TwoClassPoints care_;
  bool any_left_ = false, any_right_ = false;
  double best_ = 0;
};

bool Svm1Alternation::revise(grow::EditableTree& node, std::span<const std::uint32_t> rows) const {
  return Revision(*this, node, rows).improve();
}

bool Svm1Alternation::shorten(grow::EditableTree& node, std::span<const std::uint32_t> rows, std::int64_t& splits_left) const {
  const double before = cost(node, rows);
  const auto splits = [](auto&& self, const grow::EditableTree& draft) -> std::int64_t {
    return draft.is_leaf() ? 0 : 1 + self(self, *draft.left) + self(self, *draft.right);
  };
  const std::int64_t had = splits(splits, node);
  double best = before;
  int which = -1;
  const grow::EditableTree leaf;
  for (int k = 0; k < 3; ++k) {
    const grow::EditableTree& shorter = k == 0 ? leaf : k == 1 ? *node.left : *node.right;
    grow::EditableTree kept = shorter.copy();
    grow::drop_small(kept, problem_.data, rows, problem_.min_rows);
    const double now = cost(kept, rows);
    // Prefer a leaf of equal cost.
    if (k == 0 ? !less(best, now) : less(now, best)) {
      best = now;
      which = k;
    }
  }
  if (which < 0) return false;
  grow::EditableTree kept = which == 0 ? grow::EditableTree() : std::move(which == 1 ? *node.left : *node.right);
  grow::drop_small(kept, problem_.data, rows, problem_.min_rows);
  node = std::move(kept);
  splits_left += had - splits(splits, node);
  return less(best, before);
}

bool Svm1Alternation::grow(grow::EditableTree& leaf, std::span<const std::uint32_t> rows, std::int64_t& splits_left) const {
  const double before = cost(leaf, rows);
  if (splits_left <= 0 || before == 0 || static_cast<std::int64_t>(rows.size()) < 2 * problem_.min_rows) return false;
  const std::vector<std::int32_t> numbers(rows.begin(), rows.end());
  grow::CartOptions how;
  how.max_depth = 1;
  how.min_leaf_rows = problem_.min_rows;
  grow::EditableTree fork =
      admitted(grow::EditableTree::of(grow::grow_cart(problem_.data.subset(numbers), how)), rows, problem_.max_depth - 1);
  if (fork.is_leaf()) return false;
  revise(fork, rows);
  if (!less(cost(fork, rows), before)) return false;
  leaf = std::move(fork);
  --splits_left;
  return true;
}

bool Svm1Alternation::pass(grow::EditableTree& node, std::span<const std::uint32_t> rows, int depth, std::int64_t& splits_left) const {
  if (deadline_.poll(1)) return false;
  if (node.is_leaf()) return depth < problem_.max_depth && grow(node, rows, splits_left);
  const auto [left, right] = grow::divide(*node.split, problem_.data, rows);
  bool gained = pass(*node.left, left, depth + 1, splits_left);
  gained |= pass(*node.right, right, depth + 1, splits_left);
  gained |= revise(node, rows);
  return shorten(node, rows, splits_left) || gained;
}

void Svm1Alternation::descend(grow::EditableTree& draft) const {
  const auto splits = [](auto&& self, const grow::EditableTree& node) -> std::int64_t {
    return node.is_leaf() ? 0 : 1 + self(self, *node.left) + self(self, *node.right);
  };
  for (int i = 0; i < kMaxPasses; ++i) {
    std::int64_t splits_left =
        problem_.max_splits < 0 ? std::numeric_limits<std::int64_t>::max() / 2 : problem_.max_splits - splits(splits, draft);
    if (!pass(draft, all_, 0, splits_left)) return;
  }
}

void Svm1Alternation::perturb(grow::EditableTree& draft, Random& random) const {
  if (draft.is_leaf() || problem_.axes.empty()) return;
  grow::EditableTree other = draft.copy();
  grow::EditableTree* node = &other;
  grow::RowList rows = all_;
  while (random.below(2) == 0) {
    auto [left, right] = grow::divide(*node->split, problem_.data, rows);
    const bool to_left = random.below(2) == 0;
    grow::EditableTree* child = to_left ? node->left.get() : node->right.get();
    if (child->is_leaf()) break;
    node = child;
    rows = to_left ? std::move(left) : std::move(right);
  }
  // The hyperplane halfway between two random rows.
  const std::uint32_t a = rows[random.below(rows.size())], b = rows[random.below(rows.size())];
  const std::size_t q = problem_.axes.size();
  ScaledPlane plane{std::vector<double>(q), 0};
  for (std::size_t k = 0; k < q; ++k) {
    const double from = u_.row(a)[k], to = u_.row(b)[k];
    plane.h[k] = to - from;
    plane.g += (to - from) * (from + to) / 2;
  }
  if (!within_unit(plane)) return;
  node->split = Split{in_raw_units(plane, problem_.axes), false};
  grow::drop_small(other, problem_.data, all_, problem_.min_rows);
  descend(other);
  if (less(cost(other), cost(draft))) draft = std::move(other);
}

}  // namespace treewright::svm1
