// MARGOT, HFS-MARGOT and SFS-MARGOT (D'Onofrio, Grani, Monaci & Palagi 2023): converts rows for the search (search.h), and its hyperplanes
// back to a tree in raw units.
//
// As in the paper's experiments, columns are scaled to [0, 1]. Each level of a category is a 0/1 column. The mean replaces a missing value.
// The later of the two classes is +1. A hyperplane w . x + b on scaled columns becomes the split  sum of w_j / range_j * raw_j < threshold.
// The difference of its two sides is the same functional margin, so the tree carries all that the recount (objective.h) needs.
//
// A leaf predicts the majority class of its rows, as in every tree here. The paper predicts the class of the side. The two differ only if
// the other class has the majority there. An empty leaf predicts the class of its side.

#include "treewright/methods/margot/train.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include "treewright/base/error.h"
#include "treewright/base/stop_point.h"
#include "treewright/methods/margot/codewords.h"
#include "treewright/methods/margot/method.h"
#include "treewright/methods/margot/model.h"
#include "treewright/mip/solve.h"
#include "treewright/mip/write.h"

namespace treewright::margot {

namespace {

// Reads the hyperplanes of a tree from node t of the complete tree down, as far as the tree has such nodes.
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
      const svm::MarginConstraint wanted = problem.wanted(t, i);
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

MargotRows margot_rows(const Dataset& data, const Options& options, const MargotObjective& objective, Budgets budgets) {
  if (options.max_depth > kMaxMargotDepth)
    throw option_error("max_depth", fmt::format("this method has at most {} levels", kMaxMargotDepth),
                       "use a smaller depth: the paper uses 2 to 4");
  MargotRows result;
  result.axes = unit_axes_and_levels(data);
  MargotProblem& problem = result.problem;
  problem.points.axes = result.axes.size();
  problem.depth = static_cast<int>(options.max_depth);
  problem.level_cost = objective.level_costs;
  if (budgets != Budgets::none) {
    const double price = budgets == Budgets::hard ? std::numeric_limits<double>::infinity() : objective.alpha;
    for (const std::int64_t budget : MargotObjective::with_budgets(options).feature_budgets)
      problem.level_price.push_back({static_cast<std::size_t>(budget), price});
  }
  std::set<std::int32_t> classes;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    if (data.weight(row) > 0) classes.insert(data.labels[row]);
  }
  const std::vector<std::string>& codewords = objective.class_codes;
  if (classes.size() > 2 && codewords.empty()) {
    throw Error("the data", fmt::format("have {} classes, but '{}' takes only two", classes.size(), options.method),
                "join classes, use --method margot, or train one tree for each class against the rest");
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
    for (const UnitAxis& axis : result.axes) problem.points.x.push_back(unit_value(axis, data, row));
  }
  for (std::size_t level = 0; level < static_cast<std::size_t>(problem.depth) && !codewords.empty(); ++level) {
    for (const std::size_t row : result.rows) {
      problem.level_target.push_back(codewords[static_cast<std::size_t>(data.labels[row])][level] == '1' ? 1 : -1);
    }
  }
  return result;
}

Tree margot_tree(const MargotRows& from, const MargotTree& planes, const Dataset& data, bool keep) {
  return Grower(from, planes, data, keep).grow();
}

namespace {

bool nothing_to_split(const MargotRows& rows) {
  return rows.axes.empty() || rows.problem.depth == 0;
}

constexpr const char* kNoSplit = "no split separates the rows, or none is allowed";

std::string claim(const Task& task, const MargotRows& rows, Budgets budgets) {
  const Options& options = task.options;
  const std::string features = budgets == Budgets::none ? ""
                               : budgets == Budgets::hard
                                   ? fmt::format(", at most {} features in the splits of a level", options.feature_budgets)
                                   : fmt::format(", features beyond {} at {} each", options.feature_budgets, options.ccp_alpha);
  return fmt::format(
      "no complete tree of depth {} with hyperplanes{} that leave every row at h >= 0 or h <= -{} has an objective below the bound "
      "(margins on columns scaled to [0, 1]){}",
      options.max_depth, features, rows.problem.epsilon,
      options.class_codes.empty() ? "" : fmt::format("; for the class codewords {}", options.class_codes));
}

Result by_search(const Task& task, Budgets budgets) {
  const MargotRows rows = margot_rows(task.data, task.options, task.objective_as<MargotObjective>(), budgets);
  if (nothing_to_split(rows)) return single_leaf(task, kNoSplit);
  std::vector<std::vector<MargotTree::Plane>> begin;
  for (const Tree* start : task.starts) {
    begin.emplace_back(rows.problem.nodes());
    planes_of(*start, Tree::root(), 0, rows.axes, begin.back());
  }
  Deadline& deadline = task.deadline;
  double heard = std::numeric_limits<double>::infinity();
  const auto report = [&](double best, double lower, bool better) {
    if (!std::isfinite(best)) return;
    const bool first = heard == std::numeric_limits<double>::infinity();
    task.report({deadline.elapsed(), best, std::min(lower, best), !better ? ' ' : first ? 'H' : 'S'});
    heard = best;
  };
  const MargotResult found =
      solve_margot(rows.problem, deadline, task.options.gap_tolerance * (1 - 1e-6), report, static_cast<int>(task.options.n_jobs), begin);
  Result result;
  result.tree = margot_tree(rows, found.tree, task.data);
  // Neither proved nor stopped: rounding left a gap between the tree and its bound.
  result.status = found.complete ? Status::optimal : deadline.stopped() ? deadline.reason() : Status::heuristic;
  result.bound = found.lower;
  result.proved = claim(task, rows, budgets);
  return result;
}

// The solver's answer; `best` becomes its tree where that is better. Throws Stopped where the model did not get ready.
mip::MipSolution solve_formulation(const Task& task, const MargotProblem& problem, MargotTree& best) {
  std::optional<MargotFormulation> formulation;
  mip::MipSolution found;
  {
    const StopScope building([&task] { return task.options.write_model.empty() && task.deadline.poll(); });
    formulation.emplace(problem);
    const mip::MipModel& model = formulation->model();
    mip::write_model(model, task.options.write_model);
    std::vector<double> start = formulation->encode(best);
    if (task.options.mip_start == "none" || !model.broken(start).empty()) start.clear();
    found = mip::solve(model, start, mip::MipOptions::from(task.options), task.deadline, {});
  }
  if (!found.values.empty()) {
    const MargotTree tree = formulation->decode(found.values);
    if (tree.objective < best.objective) best = tree;
  }
  return found;
}

// Solves the paper's model (model.h). The solver must take quadratic objectives.
Result by_model(const Task& task, Budgets budgets) {
  const Options& options = task.options;
  const MargotRows rows = margot_rows(task.data, options, task.objective_as<MargotObjective>(), budgets);
  if (nothing_to_split(rows)) return single_leaf(task, kNoSplit);
  // Before the start, which takes its time.
  mip::check_model_size(MargotFormulation::size_of(rows.problem), rows.problem.depth, static_cast<double>(rows.rows.size()));
  // The paper's start is Local SVM; here local search follows.
  Deadline first = task.deadline.task(0);
  MargotTree best = solve_margot(rows.problem, first, options.gap_tolerance).tree;
  task.report({task.deadline.elapsed(), best.objective, 0, 'H'});
  mip::MipSolution found;
  try {
    found = solve_formulation(task, rows.problem, best);
  } catch (const Stopped&) {
    found.status = task.deadline.poll() ? task.deadline.reason() : Status::interrupted;
  }
  Result result;
  result.tree = margot_tree(rows, best, task.data);
  result.status = found.status;
  result.bound = std::max(0.0, found.bound);
  result.proved = fmt::format(
      "no tree of the paper's model (M_xi = M_w = {}, M_H = {}, which leaves out trees of larger weights) has an objective below the "
      "bound, as the solver says",
      MargotFormulation::kSlack, MargotFormulation::kHeight);
  if (result.status == Status::optimal && std::abs(best.objective - result.bound) > options.gap_tolerance * best.objective) {
    result.status = Status::heuristic;
    result.proved +=
        fmt::format("; but the tree found costs {} against the solver's bound of {}, so nothing is claimed", best.objective, result.bound);
    result.bound = 0;
  }
  return result;
}

bool more_than_two_classes(const Dataset& data) {
  const std::vector<double> totals = data.class_totals();
  return std::count_if(totals.begin(), totals.end(), [](double total) { return total > 0; }) > 2;
}

// Chooses codewords for more than two classes if the user gave none. This may use half the time limit.
Result with_codewords(const Task& task, Budgets budgets, Result (*train)(const Task&, Budgets)) {
  if (!task.options.class_codes.empty() || !more_than_two_classes(task.data)) return train(task, budgets);
  Deadline half(task.options.time_limit / 2, std::numeric_limits<std::int64_t>::max(), task.stop);
  Options options = task.options;
  options.class_codes = choose_class_codes(task.data, options, half, budgets);
  const auto objective =
      std::make_shared<MargotObjective>(budgets == Budgets::soft ? MargotObjective::with_budgets(options) : MargotObjective::from(options));
  const Task chosen{task.data, options, objective, task.min_rows, task.leaf_weight, task.deadline, task.listener, task.stop, task.starts};
  Result result = train(chosen, budgets);
  result.objective_function = objective;
  result.options.emplace_back("class_codes", options.class_codes);
  return result;
}

template <Budgets kBudgets>
Result train(const Task& task) {
  return with_codewords(task, kBudgets, by_search);
}

template <Budgets kBudgets>
Result train_by_model(const Task& task) {
  return with_codewords(task, kBudgets, by_model);
}

}  // namespace

std::vector<Method> methods() {
  using Names = std::vector<std::string_view>;
  const Names margins = joined({reads::kTree, reads::kRun, {"level_costs", "class_codes", "gap_tolerance", "random_state"}});
  const Names hard = joined({margins, {"feature_budgets"}}), soft = joined({hard, {"ccp_alpha"}});
  const Names model = {"mip_solver", "mip_start", "write_model"};
  const ObjectiveKind *plain = &MargotObjective::kKind, *budgets = &MargotObjective::kKindWithBudgets;
  const auto method = [](std::string_view name, std::string_view description, Names read, const ObjectiveKind* objective,
                         Result (*by)(const Task&)) {
    Method made{name, "margot", description, true, std::move(read), objective, by};
    made.empty_leaves = true;
    return made;
  };
  return {
      method("margot", "tree of support vector machines, all trained at once, to proven optimality (MARGOT, DGMP23)", margins, plain,
             train<Budgets::none>),
      method("margot-hfs", "margot with at most feature_budgets features in each split (HFS-MARGOT)", hard, plain, train<Budgets::hard>),
      method("margot-sfs", "margot with a price, alpha, on each feature beyond feature_budgets in a split (SFS-MARGOT)", soft, budgets,
             train<Budgets::soft>),
      method("margot-mip", "margot by the paper's mixed-integer quadratic program; needs a solver for such programs (docs/mip.md)",
             joined({margins, model}), plain, train_by_model<Budgets::none>),
      method("margot-hfs-mip", "margot-hfs by the paper's mixed-integer quadratic program", joined({hard, model}), plain,
             train_by_model<Budgets::hard>),
      method("margot-sfs-mip", "margot-sfs by the paper's mixed-integer quadratic program", joined({soft, model}), budgets,
             train_by_model<Budgets::soft>),
  };
}

}  // namespace treewright::margot
