// MARGOT, HFS-MARGOT and SFS-MARGOT (D'Onofrio, Grani, Monaci & Palagi 2023): rows to the solver of margin/margot.h, its planes back to a
// tree in raw units.
//
// Columns are scaled to [0, 1] as in the paper's experiments, categories become one 0/1 column a level, missing values stand at the mean;
// the later of the two classes is +1. A plane w . x + b on scaled columns is the split  sum of w_j / range_j * raw_j < threshold  whose
// difference of both sides is the same functional margin, so the tree carries all that the recount (tree/margot_objective.h) needs. Leaves predict the
// majority of their rows as in every tree here; the paper predicts the side, which is the same except where the other class prevails on it. An
// empty leaf predicts its side.

#include "treewright/fit/train_margot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "treewright/base/error.h"
#include "treewright/base/file.h"
#include "treewright/formulate/margot.h"
#include "treewright/mip/solve.h"
#include "treewright/mip/write.h"

namespace treewright {

namespace {

void refuse(const char* option, bool set, const char* fix) {
  if (set) throw Error(fmt::format("option '{}'", option), "the complete tree of widest margins has nothing of the kind", fix);
}

// The planes of a tree from node t of the complete tree down, as far as it has such nodes.
void planes_of(const Tree& tree, NodeId id, std::size_t t, const std::vector<UnitAxis>& axes, std::vector<MargotTree::Plane>& planes) {
  const Node& node = tree.node(id);
  if (t >= planes.size() || node.is_leaf() || std::holds_alternative<CategorySplit>(node.split->rule)) return;
  const UnitPlane plane = in_unit_scale(node.split->rule, axes);
  planes[t] = {plane.h, -plane.g};
  planes_of(tree, node.left, 2 * t + 1, axes, planes);
  planes_of(tree, node.right, 2 * t + 2, axes, planes);
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
    return Tree::from_nodes(tree_.features, tree_.class_names, tree_.target_name, std::move(nodes));
  }

 private:
  double height(std::size_t t, std::size_t i) const { return planes_.planes[t].height(from_.problem.points.row(i)); }

  void grow(NodeId id, std::size_t t, std::size_t level, const std::vector<std::size_t>& rows) {
    if (level == from_.problem.level_cost.size() || rows.empty()) return;
    const MargotProblem& problem = from_.problem;
    const MargotTree::Plane& plane = planes_.planes[t];
    std::vector<std::size_t> left, right;
    double side[2] = {0, 0}, cost = problem.level_price.empty() ? 0 : problem.level_price[level].of(plane.weights);
    for (const double w : plane.weights) cost += w * w / 2;
    for (const std::size_t i : rows) {
      const double h = height(t, i);
      const MarginConstraint wanted = problem.wanted(t, i);
      side[wanted.sign > 0] += problem.weight[i];
      cost += wanted.cost * std::max(0.0, wanted.margin - wanted.sign * h);
      (h < 0 ? left : right).push_back(i);
    }
    const double unsplit = 2 * problem.level_cost[level] * std::min(side[0], side[1]);
    const bool none = std::all_of(plane.weights.begin(), plane.weights.end(), [](double w) { return w == 0; });
    if (none || (!keep_ && unsplit <= cost * (1 + 1e-7) && (left.empty() || right.empty() || level + 1 == problem.level_cost.size()))) {
      grow(id, right.empty() ? 2 * t + 1 : 2 * t + 2, level + 1, rows);
      return;
    }
    HyperplaneSplit split = in_raw_units(UnitPlane{plane.weights, -plane.offset}, from_.axes);
    const auto [l, r] = tree_.split(id, {std::move(split), false});
    const auto [low, high] = labels(t);
    side_.emplace_back(+l, low);
    side_.emplace_back(+r, high);
    grow(l, 2 * t + 1, level + 1, left);
    grow(r, 2 * t + 2, level + 1, right);
  }

  // The heaviest class that wants to go left at node t, and right.
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
  std::vector<std::pair<std::int32_t, std::int32_t>> side_;  // what each child predicts when no row reaches it
};

}  // namespace

Result a_leaf(const Dataset& data, const Objective& objective) {
  Result result;
  result.tree = Tree(data);
  result.tree.tally(data);
  result.status = Status::optimal;
  result.bound = objective.of(result.tree, data);
  result.proved = "no split tells the rows apart, or none is allowed";
  return result;
}

MargotRows margot_rows(const Dataset& data, const Options& options, const Objective& objective) {
  refuse("max_splits", options.max_splits >= 0, "leave it out: wide margins keep the tree small");
  refuse("min_samples_leaf", options.min_samples_leaf > 1, "leave it out");
  refuse("min_weight_fraction_leaf", options.min_weight_fraction_leaf > 0, "leave it out");
  refuse("ccp_alpha", options.ccp_alpha > 0 && objective.feature_budgets.empty(), "leave it out, or use --method margot-sfs");
  if (options.max_depth > kMaxMargotDepth)
    throw Error("option 'max_depth'", fmt::format("trees of widest margins have at most {} levels here", kMaxMargotDepth),
                "use a smaller depth: the paper's have 2 to 4");
  MargotRows result;
  result.axes = unit_axes_and_levels(data);
  MargotProblem& problem = result.problem;
  problem.points.axes = result.axes.size();
  problem.depth = static_cast<int>(options.max_depth);
  problem.level_cost = objective.level_costs;
  Options budgets = options;
  if (options.method.starts_with("margot-hfs")) budgets.method = "margot-sfs";
  const std::vector<std::int64_t> free = Objective::from(budgets).feature_budgets;
  const double price = options.method.starts_with("margot-hfs") ? std::numeric_limits<double>::infinity() : objective.alpha;
  for (const std::int64_t budget : free) problem.level_price.push_back({static_cast<std::size_t>(budget), price});
  std::set<std::int32_t> classes;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    if (data.weight(row) > 0) classes.insert(data.labels[row]);
  }
  const std::vector<std::string>& words = objective.class_codes;
  if (classes.size() > 2 && words.empty()) {
    throw Error("the data", fmt::format("have {} classes, '{}' parts two", classes.size(), options.method),
                "join classes, use --method margot, or train one tree for each class against the rest");
  }
  if (!words.empty() && words.size() != data.classes()) {
    throw Error("option 'class_codes'", fmt::format("has {} words for {} classes", words.size(), data.classes()),
                "give one for each class, in the order of their names");
  }
  for (std::size_t row = 0; row < data.rows(); ++row) {
    if (data.weight(row) <= 0) continue;
    result.rows.push_back(row);
    problem.target.push_back(data.labels[row] == *classes.rbegin() ? 1 : -1);
    problem.weight.push_back(data.weight(row));
    for (const UnitAxis& axis : result.axes) problem.points.x.push_back(unit_value(axis, data, row));
  }
  for (std::size_t level = 0; level < static_cast<std::size_t>(problem.depth) && !words.empty(); ++level) {
    for (const std::size_t row : result.rows) {
      problem.level_target.push_back(words[static_cast<std::size_t>(data.labels[row])][level] == '1' ? 1 : -1);
    }
  }
  return result;
}

Tree margot_tree(const MargotRows& from, const MargotTree& planes, const Dataset& data, bool keep) {
  return Grower(from, planes, data, keep).grow();
}

Result train_margot(const Dataset& data, const Options& options, const Objective& objective, const std::vector<const Tree*>& starts,
                    Deadline& deadline, const ProgressListener& listener) {
  const MargotRows rows = margot_rows(data, options, objective);
  Result result;
  const std::string budgets = options.method == "margot" ? ""
                              : options.method == "margot-hfs"
                                  ? fmt::format(", at most {} features in the splits of a level", options.feature_budgets)
                                  : fmt::format(", features beyond {} at {} each", options.feature_budgets, objective.alpha);
  result.proved = fmt::format(
      "no complete tree of depth {} with hyperplanes{} that leave every row at h >= 0 or h <= -{} has an objective below the bound "
      "(margins on columns scaled to [0, 1]){}",
      options.max_depth, budgets, rows.problem.epsilon,
      options.class_codes.empty() ? "" : fmt::format("; for the words {} of the classes", options.class_codes));
  if (rows.axes.empty() || options.max_depth == 0) return a_leaf(data, objective);
  std::vector<std::vector<MargotTree::Plane>> begin;
  for (const Tree* start : starts) {
    begin.emplace_back(rows.problem.nodes());
    planes_of(*start, Tree::root(), 0, rows.axes, begin.back());
  }
  double heard = std::numeric_limits<double>::infinity();
  const auto report = [&](double best, double lower, bool better) {
    if (!std::isfinite(best) || !listener) return;
    listener(
        {deadline.elapsed(), best, std::min(lower, best), better ? heard == std::numeric_limits<double>::infinity() ? 'H' : 'S' : ' '});
    heard = best;
  };
  const MargotResult found =
      solve_margot(rows.problem, deadline, options.gap_tolerance * (1 - 1e-6), report, static_cast<int>(options.n_jobs), begin);
  result.tree = margot_tree(rows, found.tree, data);
  // Neither proved nor stopped: rounding stood between a tree and its bound.
  result.status = found.complete ? Status::optimal : deadline.stopped() ? deadline.reason() : Status::heuristic;
  result.bound = found.lower;
  return result;
}

Result train_margot_mip(const Dataset& data, const Options& options, const Objective& objective, Deadline& deadline,
                        const ProgressListener& listener) {
  const MargotRows rows = margot_rows(data, options, objective);
  if (rows.axes.empty() || options.max_depth == 0) return a_leaf(data, objective);
  Result result;
  const MargotFormulation formulation(rows.problem);
  const MipModel& model = formulation.model();
  if (!options.write_model.empty()) write_file(options.write_model, options.write_model.ends_with(".mps") ? to_mps(model) : to_lp(model));
  // The paper's start: Local SVM, here with rows that change sides.
  Deadline first(Deadline::kNoLimit, 0);
  MargotTree best = solve_margot(rows.problem, first, options.gap_tolerance).tree;
  std::vector<double> start = formulation.encode(best);
  if (options.mip_start == "none" || !model.broken(start).empty()) start.clear();
  if (listener) listener({deadline.elapsed(), best.objective, 0, 'H'});
  MipOptions how;
  how.solver = options.mip_solver;
  how.threads = static_cast<int>(options.n_jobs);
  how.seed = options.random_state;
  how.node_limit = options.node_limit;
  const MipSolution found = solve(model, start, how, deadline, {});
  if (!found.values.empty()) {
    const MargotTree tree = formulation.decode(found.values);
    if (tree.objective < best.objective) best = tree;
  }
  result.tree = margot_tree(rows, best, data);
  result.status = found.status;
  result.bound = std::max(0.0, found.bound);
  result.proved = fmt::format(
      "no tree of the paper's model (M_xi = M_w = {}, M_H = {}, which leaves out trees of larger weights) has an objective below the "
      "bound, as the "
      "solver says",
      MargotFormulation::kSlack, MargotFormulation::kHeight);
  if (result.status == Status::optimal && std::abs(best.objective - result.bound) > options.gap_tolerance * best.objective) {
    result.status = Status::heuristic;
    result.proved +=
        fmt::format("; but the tree found costs {} against the solver's bound of {}, so nothing is claimed", best.objective, result.bound);
    result.bound = 0;
  }
  return result;
}

}  // namespace treewright
