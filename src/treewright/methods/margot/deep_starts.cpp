// A good tree of depth 3 or more for MARGOT, without proof.
//
// Local SVM is a poor start at these depths. Where no hyperplane separates the rows of a node well, its SVM has no weights, so it splits
// nothing, and a small change of the tree does not pay. Trees that aim at few errors do not stop there. So the starts are
// - hyperplane trees of depth 2 and more by alternating optimization, before and after local search on errors: the heuristics behind `tao`
//   and `oct-h` (grow/alternating.h, grow/local_search.h), from a greedy hyperplane tree and from CART;
// - deepening: the best tree of depth 2 that a short search finds, then that of depth 3 from this one, and so on. Another level that splits
//   nothing costs 2 C for each row of the smaller class in its node, so nothing where leaves are pure.
//
// Those trees have leaves, and splits without direction. Hyperplanes are turned round so that more of the rows on the right are to go
// right. Where a tree has no split, the node's own SVM fills in (heuristic.h). The starts are fitted, and local search continues from the
// cheapest of them. Then the best tree is perturbed. The work is limited by counts, so the tree is the same on every machine.

#include "treewright/methods/margot/deep_starts.h"

#include <algorithm>
#include <numeric>

#include "treewright/base/stop_point.h"
#include "treewright/grow/alternating.h"
#include "treewright/grow/cart.h"
#include "treewright/grow/local_search.h"
#include "treewright/grow/oblique_cart.h"
#include "treewright/methods/margot/heuristic.h"
#include "treewright/methods/margot/search.h"

namespace treewright::margot {

namespace {

// Search nodes for depth 2 and for further depths of deepening, and the gap at which such a search ends.
constexpr std::int64_t kDepthTwoNodes = 64, kDeepeningNodes = 16;
constexpr double kDeepeningGap = 1e-3;
constexpr double kDeepeningShare = 0.25;  // of the time that is left, for one depth

// Number of the cheapest starts that are improved, and perturbations in a row without success after which the best tree is final.
constexpr std::size_t kImproved = 6;
constexpr int kStartPerturbedInVain = 30;
constexpr double kSuccess = 1e-4;  // relative gain

using Planes = std::vector<Hyperplane>;
using RowNumbers = std::vector<std::size_t>;

class DeepStart {
 public:
  DeepStart(const Dataset& data, const MargotRows& rows, Deadline& deadline)
      : data_(data), rows_(rows), problem_(rows.problem), deadline_(deadline) {}

  // Broken off, it has the best tree so far.
  Planes find(std::vector<Planes> starts) {
    MargotHeuristic trees(problem_, deadline_, [] {});
    const StopScope within([this] { return deadline_.poll(); });
    try {
      find(std::move(starts), trees);
    } catch (const Stopped&) {
      deadline_.poll();
    }
    return trees.best().planes;
  }

 private:
  void find(std::vector<Planes> starts, MargotHeuristic& trees) {
    trees.first_tree();
    for (Planes& planes : error_trees()) starts.push_back(std::move(planes));
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t k = 0; k < starts.size() && !deadline_.poll(); ++k) {
      orient(0, every_row(), starts[k]);
      const double cost = trees.cost_from(starts[k]);
      const bool again = std::any_of(order.begin(), order.end(), [&](const auto& other) { return other.first == cost; });
      if (cost < std::numeric_limits<double>::infinity() && !again) order.emplace_back(cost, k);
    }
    std::sort(order.begin(), order.end());
    for (std::size_t k = 0; k < std::min(kImproved, order.size()); ++k) trees.begin_from(starts[order[k].second]);
    trees.begin_from(deepened());
    for (int in_vain = 0; in_vain < kStartPerturbedInVain && !deadline_.poll(); ++in_vain) {
      const double before = trees.best().objective;
      MargotTree tree = trees.perturbed();
      if (!tree.planes.empty() && trees.offer(std::move(tree.planes)) && trees.best().objective < before * (1 - kSuccess)) in_vain = 0;
    }
  }

  RowNumbers every_row() const {
    RowNumbers rows(problem_.rows());
    std::iota(rows.begin(), rows.end(), std::size_t{0});
    return rows;
  }

  // Trees for few errors.
  std::vector<Planes> error_trees() const {
    std::vector<Planes> starts;
    const ScaledPoints points(data_, Scaling::standard);
    for (int depth = 2; depth <= problem_.depth; ++depth) {
      for (const bool greedy_planes : {true, false}) {
        if (deadline_.poll()) return starts;
        Random random(static_cast<std::uint64_t>(depth));
        grow::LocalSearchOptions local;
        local.max_depth = depth;
        grow::EditableTree tree = first(depth, greedy_planes, points, random);
        grow::alternate(tree, data_, points, {}, deadline_);
        starts.push_back(planes_of(tree.to_tree(data_), rows_));
        grow::descend(tree, data_, points, local, random, deadline_);
        grow::alternate(tree, data_, points, {}, deadline_);
        grow::descend(tree, data_, points, local, random, deadline_);
        starts.push_back(planes_of(tree.to_tree(data_), rows_));
        grow::polish(tree, data_, local);
        starts.push_back(planes_of(tree.to_tree(data_), rows_));
      }
    }
    return starts;
  }

  grow::EditableTree first(int depth, bool greedy_planes, const ScaledPoints& points, Random& random) const {
    if (greedy_planes) {
      grow::ObliqueCartOptions how;
      how.max_depth = depth;
      how.axis_splits = false;
      return grow::grow_oblique_cart(data_, points, how, random);
    }
    grow::CartOptions how;
    how.max_depth = depth;
    return grow::EditableTree::of(grow::grow_cart(data_, how));
  }

  // The problem of the upper levels.
  MargotProblem upper(int depth) const {
    const auto levels = static_cast<std::size_t>(depth);
    MargotProblem upper = problem_;
    upper.depth = depth;
    upper.level_cost.resize(levels);
    if (!upper.level_price.empty()) upper.level_price.resize(levels);
    if (!upper.level_target.empty()) upper.level_target.resize(levels * problem_.rows());
    return upper;
  }

  Planes deepened() const {
    Planes planes;
    for (int depth = 2; depth < problem_.depth && !deadline_.poll(); ++depth) {
      const MargotProblem problem = upper(depth);
      Deadline limited = deadline_.within(kDeepeningShare * deadline_.remaining(), depth == 2 ? kDepthTwoNodes : kDeepeningNodes);
      planes.resize(problem.nodes());
      planes = solve_margot(problem, limited, kDeepeningGap, {}, 1, {planes}).tree.planes;
    }
    planes.resize(problem_.nodes());
    return planes;
  }

  RowNumbers sent(const RowNumbers& rows, const Hyperplane& plane, bool right) const {
    RowNumbers some;
    for (const std::size_t row : rows) {
      if ((plane.decision_value(problem_.points.row(row)) >= 0) == right) some.push_back(row);
    }
    return some;
  }

  // Turns hyperplanes round, and swaps their subtrees, where a larger share of the rows on the left is to go right.
  void orient(std::size_t t, const RowNumbers& rows, Planes& planes) const {
    if (t >= problem_.nodes() || planes[t].weights.empty()) return;
    double wish[2] = {0, 0}, total[2] = {0, 0};
    for (const std::size_t row : rows) {
      const bool right = planes[t].decision_value(problem_.points.row(row)) >= 0;
      wish[right] += problem_.wanted(t, row).sign * problem_.weight[row];
      total[right] += problem_.weight[row];
    }
    if (wish[0] * total[1] > wish[1] * total[0]) {
      for (double& w : planes[t].weights) w = -w;
      planes[t].offset = -planes[t].offset;
      swap_subtrees(2 * t + 1, 2 * t + 2, planes);
    }
    for (const bool right : {false, true}) orient(2 * t + (right ? 2 : 1), sent(rows, planes[t], right), planes);
  }

  void swap_subtrees(std::size_t a, std::size_t b, Planes& planes) const {
    if (a >= problem_.nodes()) return;
    std::swap(planes[a], planes[b]);
    swap_subtrees(2 * a + 1, 2 * b + 1, planes);
    swap_subtrees(2 * a + 2, 2 * b + 2, planes);
  }

  const Dataset& data_;
  const MargotRows& rows_;
  const MargotProblem& problem_;
  Deadline& deadline_;
};

}  // namespace

std::vector<Hyperplane> deep_start(const Dataset& data, const MargotRows& rows, const std::vector<std::vector<Hyperplane>>& given,
                                   Deadline& deadline) {
  return DeepStart(data, rows, deadline).find(given);
}

}  // namespace treewright::margot
