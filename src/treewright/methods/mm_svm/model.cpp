// MM-SVM-OCT, the tree in which only the smallest margin counts. It is the model OCTSVM of Blanco, Japon & Puerto, "Robust optimal
// classification trees under noisy labels" (2022, BJP22), without relabeling, as D'Onofrio, Grani, Monaci & Palagi (2023, DGMP23, sec. 6)
// compare with it.
//
//   minimize  delta + c1 sum over nodes t and rows i of weight_i e_ti + c3 sum of d_t
//   (1)  |w_t|^2 / 2 <= delta
//   (2)  y_i (w_t x_i + b_t) >= 1 - e_ti - (1 + H_i)(1 - Z_ti),   e >= 0
//   (3)  |w_t|^2 <= 2 U d_t,   d binary
//   (4)  d_child <= d_parent
//   (5)  sum over the last level's nodes l of z_il = 1,   z binary,   Z_ti = sum of z_il over the l below t
//   (6)  w_t x_i + b_t >=      -H_i (1 - Z_i,right(t))           t above the last level
//   (7)  w_t x_i + b_t <= -eps + (H_i + eps)(1 - Z_i,left(t))
//
// Source of each constraint, and differences. The objective and (1) to (5) are BJP22's, taken from public programs of that model, because
// its text was not fully available.
// - BJP22 may change a row's class: (2) holds 0/1 variables xi_ti and products beta of them with w, and the objective holds c2 sum xi.
//   DGMP23 "did not allow relabeling", so these are gone.
// - BJP22 has z_ti for every node, with z_child <= z_parent. This follows from (5) with fewer 0/1 variables.
// - In BJP22 (6) and (7) have a 0/1 variable theta_ti on the right instead of 1 - Z, and two more constraints tie z to it. Both allow
//   equality, so a row on the hyperplane may take either side, and at a node with w = b = 0 every row may. No tree can do this. The eps =
//   0.001 of (7) is DGMP23's (its sec. 6.2.1), and both are written as in its MARGOT.
// - The offset b is not part of |w|, because delta stands for the margin 1 / |w|. Some programs include it.
// - Weights of rows are 1 in both papers.
// - A leaf predicts the side of its hyperplane in both papers. Here it predicts the majority of its rows, which makes no more errors.
//
// Nodes without a split. Such a node has w = 0, and its best offset is b = y of its majority. All its rows go one way, and each row of the
// minority costs 2 c1 there and, by (4), at every level below. Moving a subtree up from below a node with w = 0 never costs more: it saves
// 2 c1 for each row of the minority, and adds at most as much in its leaves. So the cost is computed from the tree as it stands
// (objective.h).
//
// Constants. DGMP23 uses BJP22's constants, which are not given. Ours exclude no tree of cost U or less, where U is the cost of a known
// tree. Such a tree has |w_t|^2 / 2 <= delta <= U. Some row that reaches t has a decision value of at most 1 in size, else w_t and b_t
// could shrink. So no decision value exceeds H_i = 1 + sqrt(2 U) * the distance to the farthest row. For large c1 this is in the thousands,
// times the solver's tolerance of 1e-6. So only sides of rows and splits are taken from a solution, and the hyperplanes are solved again
// (smallest_margin.h).

#include "treewright/methods/mm_svm/model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "treewright/base/stop_point.h"
#include "treewright/methods/mm_svm/smallest_margin.h"

namespace treewright::mm_svm {

namespace {

// Distance of each row to the row farthest from it.
std::vector<double> farthest(const PointMatrix& points, std::size_t rows) {
  std::vector<double> distance(rows, 0.0);
  for (std::size_t i = 0; i < rows; ++i) {
    stop_point();
    for (std::size_t k = 0; k < i; ++k) {
      double square = 0;
      for (std::size_t j = 0; j < points.axes; ++j) square += std::pow(points.row(i)[j] - points.row(k)[j], 2);
      distance[i] = std::max(distance[i], std::sqrt(square));
      distance[k] = std::max(distance[k], std::sqrt(square));
    }
  }
  return distance;
}

}  // namespace

double mm_svm_cost(const margot::MargotProblem& problem, double split_price, const std::vector<Hyperplane>& planes) {
  double delta = 0, total = 0;
  for (const Hyperplane& plane : planes) {
    const double width = half_square(plane.weights);
    delta = std::max(delta, width);
    if (width > 0) total += split_price;
  }
  for (std::size_t i = 0; i < problem.target.size(); ++i) {
    for (std::size_t t = 0, level = 0; level < problem.level_cost.size(); ++level) {
      const double h = planes[t].decision_value(problem.points.row(i));
      total += problem.level_cost[level] * problem.weight[i] * std::max(0.0, 1 - problem.target[i] * h);
      t = 2 * t + (h >= 0 ? 2 : 1);
    }
  }
  return delta + total;
}

margot::MargotTree mm_svm_tree(const margot::MargotProblem& problem, double split_price, const std::vector<std::size_t>& reaches,
                               std::vector<bool> splits) {
  const std::size_t nodes = splits.size();
  for (std::size_t t = 1; t < nodes; ++t) splits[t] = splits[t] && splits[(t - 1) / 2];
  std::vector<std::vector<svm::MarginConstraint>> constraints(nodes);
  std::vector<double> balance(nodes, 0.0);
  for (std::size_t i = 0; i < reaches.size(); ++i) {
    for (std::size_t t = reaches[i], below = nodes;; below = t, t = (t - 1) / 2) {
      balance[t] += problem.target[i] * problem.weight[i];
      if (splits[t]) {
        stop_point();
        if (below < nodes) constraints[t].push_back(problem.routed(i, below % 2 == 0));
        constraints[t].push_back(problem.wanted(t, i));
      }
      if (t == 0) break;
    }
  }
  std::vector<std::vector<svm::MarginConstraint>> svms;
  for (std::size_t t = 0; t < nodes; ++t) {
    if (splits[t]) svms.push_back(std::move(constraints[t]));
  }
  const SmallestMargin solved = solve_smallest_margin(problem.points, svms);
  margot::MargotTree tree;
  for (std::size_t t = 0, svm_index = 0; t < nodes; ++t) {
    const std::size_t top = (t - 1) / 2;
    if (splits[t]) {
      tree.planes.push_back({solved.svms[svm_index].weights, solved.svms[svm_index].offset});
      ++svm_index;
    } else {
      const bool below = t > 0 && !splits[top];
      tree.planes.push_back({std::vector<double>(problem.points.axes, 0.0), below ? tree.planes[top].offset : balance[t] < 0 ? -1.0 : 1.0});
    }
  }
  tree.objective = std::isfinite(solved.upper) ? mm_svm_cost(problem, split_price, tree.planes) : mip::MipModel::kInfinity;
  return tree;
}

MmSvmFormulation::MmSvmFormulation(const margot::MargotProblem& problem, double split_price, double dearest)
    : margot::MarginSkeleton(problem), split_price_(split_price), dearest_(dearest) {
  const double longest = std::sqrt(2 * dearest);
  std::vector<double> highest;  // largest decision value of each row at any node
  for (const double distance : farthest(problem.points, problem.rows())) highest.push_back(1 + longest * distance);
  model_.name = "mm_svm";
  delta_ = model_.add("delta", 0, dearest, 1);
  for (std::size_t t = 0; t < nodes_.size(); ++t) {
    Node& node = nodes_[t];
    for (std::size_t j = 0; j < problem.points.axes; ++j) node.w.push_back(model_.add(fmt::format("w_{}_{}", t, j), -longest, longest));
    node.b = model_.add(fmt::format("b_{}", t), -mip::MipModel::kInfinity, mip::MipModel::kInfinity);
    split_.push_back(model_.add_binary(fmt::format("d_{}", t), split_price));
    for (std::size_t i = 0; i < problem.rows(); ++i) {
      node.slack.push_back(model_.add(fmt::format("slack_{}_{}", t, i), 0, 1 + highest[i], problem.cost(t, i)));
    }
  }
  add_assignment();
  for (std::size_t t = 0; t < nodes_.size(); ++t) {
    add_width(t);
    for (std::size_t i = 0; i < problem.rows(); ++i) {
      const double h = highest[i];
      add_margin(t, i, 1 + h, -h);
      if (!problem.last_level(t)) add_sides(t, i, h, h + problem.epsilon, h);
    }
  }
}

void MmSvmFormulation::add_width(std::size_t t) {
  std::vector<mip::MipModel::QuadraticTerm> square;
  for (const int w : nodes_[t].w) square.push_back({w, w, 1});
  model_.add_row(fmt::format("width_{}", t), -mip::MipModel::kInfinity, {{delta_, -1}}, 0, square);
  model_.add_row(fmt::format("splits_{}", t), -mip::MipModel::kInfinity, {{split_[t], -dearest_}}, 0, std::move(square));
  if (t > 0) model_.at_most(fmt::format("order_{}", t), {{split_[t], 1}, {split_[(t - 1) / 2], -1}}, 0);
}

std::vector<double> MmSvmFormulation::encode(const margot::MargotTree& tree) const {
  std::vector<double> values(model_.variables.size(), 0.0);
  encode_rows(tree, values);
  for (std::size_t t = nodes_.size(); t-- > 0;) {
    const double width = half_square(tree.planes[t].weights);
    values[delta_] = std::max(values[delta_], width);
    if (width > 0) values[split_[t]] = 1;
    if (t > 0 && values[split_[t]] == 1) values[split_[(t - 1) / 2]] = 1;
  }
  return values;
}

margot::MargotTree MmSvmFormulation::decode(std::span<const double> values) const {
  std::vector<bool> splits;
  for (const int split : split_) splits.push_back(values[split] > 0.5);
  return mm_svm_tree(problem_, split_price_, reaches(values), std::move(splits));
}

}  // namespace treewright::mm_svm
