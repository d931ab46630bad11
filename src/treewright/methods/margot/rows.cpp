// Rows of a Dataset as MARGOT's search (search.h) sees them, and its hyperplanes as a tree in raw units.
//
// As in the paper's experiments, columns are scaled to [0, 1]. Each level of a category is a 0/1 column. The mean replaces a missing value.
// The later of the two classes is +1. A hyperplane w . x + b on scaled columns becomes the split  sum of w_j / range_j * raw_j < threshold.
// The difference of its two sides is the same functional margin, so the tree carries all that the recount (objective.h) needs.
//
// A leaf predicts the majority class of its rows, as in every tree here. The paper predicts the class of the side. The two differ only if
// the other class has the majority there. An empty leaf predicts the class of its side.

#include "treewright/methods/margot/rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "treewright/base/error.h"
#include "treewright/base/stop_point.h"

namespace treewright::margot {

namespace {

constexpr double kNoWeight = 1e-7;  // a hyperplane without larger weights that sends all rows one way is no split

// Reads the hyperplanes of a tree from node t of the complete tree down, as far as the tree has such nodes.
void read_planes(const Tree& tree, NodeId id, std::size_t t, const std::vector<Axis>& axes, std::vector<Hyperplane>& planes) {
  const Node& node = tree.node(id);
  if (t >= planes.size() || node.is_leaf() || node.set() != nullptr) return;
  const ScaledPlane plane = in_scaled_units(node.split->rule, axes);
  planes[t] = {plane.h, -plane.g};
  read_planes(tree, node.left, 2 * t + 1, axes, planes);
  read_planes(tree, node.right, 2 * t + 2, axes, planes);
}

// Builds the tree below one node of the complete tree.
class Grower {
 public:
  Grower(const MargotRows& from, const MargotTree& planes, const Dataset& data, bool keep)
      : from_(from), planes_(planes), data_(data), keep_(keep), tree_(data) {}

  Tree grow() {
    std::vector<std::size_t> all(from_.rows.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    grow(Tree::root(), 0, 0, all);
    tree_.tally(data_);
    std::vector<Node> nodes = tree_.nodes();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].rows > 0) continue;
      for (const auto& [id, label] : side_) {
        if (id == static_cast<std::int32_t>(i)) nodes[i].label = label;
      }
    }
    return tree_.with_nodes(std::move(nodes));
  }

 private:
  double decision_value(std::size_t t, std::size_t i) const { return planes_.planes[t].decision_value(from_.problem.points.row(i)); }

  void grow(NodeId id, std::size_t t, std::size_t level, const std::vector<std::size_t>& rows) {
    if (level == from_.problem.level_cost.size() || rows.empty()) return;
    const MargotProblem& problem = from_.problem;
    const Hyperplane& plane = planes_.planes[t];
    std::vector<std::size_t> left, right;
    double side[2] = {0, 0}, cost = problem.level_price.empty() ? 0 : problem.level_price[level].of(plane.weights);
    for (const double w : plane.weights) cost += w * w / 2;
    for (const std::size_t i : rows) {
      const double h = decision_value(t, i);
      const svm::MarginConstraint wanted = problem.wanted(t, i);
      side[wanted.sign > 0] += problem.weight[i];
      cost += wanted.cost * std::max(0.0, wanted.margin - wanted.sign * h);
      (h < 0 ? left : right).push_back(i);
    }
    const double unsplit = 2 * problem.level_cost[level] * std::min(side[0], side[1]);
    const double rounding = left.empty() || right.empty() ? kNoWeight : 0;
    const bool none = std::ranges::all_of(plane.weights, [&](double w) { return std::abs(w) <= rounding; });
    if (none || (!keep_ && unsplit <= cost * (1 + 1e-7) && (left.empty() || right.empty() || level + 1 == problem.level_cost.size()))) {
      grow(id, right.empty() ? 2 * t + 1 : 2 * t + 2, level + 1, rows);
      return;
    }
    std::vector<double> weights = from_.row_space ? from_.row_space->on_axes(plane.weights) : plane.weights;
    HyperplaneSplit split = in_raw_units(ScaledPlane{std::move(weights), -plane.offset}, from_.axes);
    const auto [l, r] = tree_.split(id, {std::move(split), false});
    const auto [low, high] = labels(t);
    side_.emplace_back(+l, low);
    side_.emplace_back(+r, high);
    grow(l, 2 * t + 1, level + 1, left);
    grow(r, 2 * t + 2, level + 1, right);
  }

  // The heaviest class that belongs on the left of node t, and on the right.
  std::pair<std::int32_t, std::int32_t> labels(std::size_t t) const {
    std::vector<double> weight[2] = {std::vector<double>(data_.class_names.size()), std::vector<double>(data_.class_names.size())};
    for (std::size_t i = 0; i < from_.rows.size(); ++i) {
      weight[from_.problem.wanted(t, i).sign > 0][static_cast<std::size_t>(data_.labels[from_.rows[i]])] += from_.problem.weight[i];
    }
    const auto heaviest = [](const std::vector<double>& of) {
      return static_cast<std::int32_t>(std::max_element(of.begin(), of.end()) - of.begin());
    };
    return {heaviest(weight[0]), heaviest(weight[1])};
  }

  const MargotRows& from_;
  const MargotTree& planes_;
  const Dataset& data_;
  const bool keep_;
  Tree tree_;
  std::vector<std::pair<std::int32_t, std::int32_t>> side_;  // prediction of each child if no row reaches it
};

}  // namespace

void check_depth(const Options& options) {
  if (options.max_depth > kMaxMargotDepth)
    throw option_error("max_depth", fmt::format("this method has at most {} levels", kMaxMargotDepth),
                       "use a smaller depth: the paper uses 2 to 4");
}

MargotRows margot_rows(const Dataset& data, const Options& options, const MargotObjective& objective) {
  check_depth(options);
  MargotRows result;
  result.axes = scaled_axes(data, Scaling::unit);
  MargotProblem& problem = result.problem;
  problem.points.axes = result.axes.size();
  problem.depth = static_cast<int>(options.max_depth);
  problem.level_cost = objective.level_costs;
  const bool limited = !objective.feature_limits.empty();
  const double price = limited ? std::numeric_limits<double>::infinity() : objective.alpha;
  for (const std::int64_t budget : limited ? objective.feature_limits : objective.feature_budgets)
    problem.level_price.push_back({static_cast<std::size_t>(budget), price});
  std::set<std::int32_t> classes;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    if (data.weight(row) > 0) classes.insert(data.labels[row]);
  }
  const std::vector<std::string>& codewords = objective.class_codes;
  if (classes.size() > 2 && codewords.empty()) {
    throw Error("the data", fmt::format("have {} classes, but '{}' takes only two", classes.size(), options.method),
                "join classes, use method margot, or train one tree for each class against the rest");
  }
  if (!codewords.empty() && codewords.size() != data.classes()) {
    throw option_error("class_codes", fmt::format("has {} codewords for {} classes", codewords.size(), data.classes()),
                       "give one for each class, in the order of their names");
  }
  for (std::size_t row = 0; row < data.rows(); ++row) {
    stop_point();
    if (data.weight(row) <= 0) continue;
    result.rows.push_back(row);
    problem.target.push_back(data.labels[row] == *classes.rbegin() ? 1 : -1);
    problem.weight.push_back(data.weight(row));
    for (const Axis& axis : result.axes) problem.points.x.push_back(coordinate(axis, data, row));
  }
  for (std::size_t level = 0; level < static_cast<std::size_t>(problem.depth) && !codewords.empty(); ++level) {
    for (const std::size_t row : result.rows) {
      problem.level_target.push_back(codewords[static_cast<std::size_t>(data.labels[row])][level] == '1' ? 1 : -1);
    }
  }
  return result;
}

std::shared_ptr<const svm::RowSpace> row_space_of(const MargotRows& rows) {
  if (rows.axes.size() <= rows.rows.size() || !rows.problem.level_price.empty()) return nullptr;
  return std::make_shared<const svm::RowSpace>(rows.problem.points);
}

void use_row_space(MargotRows& rows, std::shared_ptr<const svm::RowSpace> space) {
  rows.row_space = std::move(space);
  if (rows.row_space) rows.problem.points = rows.row_space->points();
}

std::vector<Hyperplane> planes_of(const Tree& tree, const MargotRows& rows) {
  std::vector<Hyperplane> planes(rows.problem.nodes());
  read_planes(tree, Tree::root(), 0, rows.axes, planes);
  for (Hyperplane& plane : planes) {
    if (rows.row_space && !plane.weights.empty()) plane.weights = rows.row_space->from_axes(plane.weights);
  }
  return planes;
}

Tree margot_tree(const MargotRows& from, const MargotTree& planes, const Dataset& data, bool keep) {
  return Grower(from, planes, data, keep).grow();
}

}  // namespace treewright::margot
