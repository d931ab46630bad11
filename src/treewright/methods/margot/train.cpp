// Method margot: MARGOT, HFS-MARGOT and SFS-MARGOT (D'Onofrio, Grani, Monaci & Palagi 2023), by the search (search.h) or by the paper's
// model (model.h). rows.cpp has the conversion from rows to points and from hyperplanes to trees.

#include "treewright/methods/margot/method.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include "treewright/base/error.h"
#include "treewright/base/stop_point.h"
#include "treewright/base/switch_off.h"
#include "treewright/methods/margot/codewords.h"
#include "treewright/methods/margot/deep_starts.h"
#include "treewright/methods/margot/model.h"
#include "treewright/methods/margot/price_bound.h"
#include "treewright/methods/margot/root_alone.h"
#include "treewright/methods/margot/rows.h"
#include "treewright/methods/margot/search.h"
#include "treewright/mip/solve.h"
#include "treewright/mip/write.h"

namespace treewright::margot {

namespace {

bool nothing_to_split(const MargotRows& rows) {
  return rows.axes.empty() || rows.problem.depth == 0;
}

// Share of the time limit for a first tree of three levels or more, and search nodes after which such a tree is worth it.
constexpr double kDeepStartShare = 0.25;
// With more rows the time goes into the first tree of the search itself: on magic04 (19,020 rows) a deep start found nothing in 20 s.
constexpr std::size_t kMostRowsForDeepStart = 2000;
constexpr std::int64_t kFewNodes = 32;

// Number of start trees that local search improves. A grid of costs gives one for each earlier setting.
constexpr std::size_t kImprovedStarts = 2;

// For the tree without a price of features: a share of the time limit, and at most so many search nodes and one in four of a node limit.
constexpr double kUnpricedShare = 0.25;
constexpr std::int64_t kUnpricedNodes = 4000, kUnpricedPart = 4;

// For the root alone: the same.
constexpr double kRootShare = 0.25;
constexpr std::int64_t kRootRegions = 50000;

constexpr const char* kNoSplit = "no split separates the rows, or none is allowed";

// Whether groups of rows may give a bound (row_groups.h), the one rule of this search that can be switched off.
bool with_row_groups(const Options& options) {
  bool on = true;
  switch_off(options.disable, "rule", "row_groups", [&](std::string_view name) {
    on = on && name != "row_groups";
    return name == "row_groups";
  });
  return on;
}

std::string claim(const Task& task, const MargotRows& rows) {
  const Options& options = task.options;
  const std::string features = options.feature_selection == "none" ? ""
                               : options.feature_selection == "hard"
                                   ? fmt::format(", at most {} features in each split", options.feature_budgets)
                                   : fmt::format(", features beyond {} at {} each", options.feature_budgets, options.ccp_alpha);
  return fmt::format(
      "no complete tree of depth {} with hyperplanes{} that leave every row at h >= 0 or h <= -{} has an objective below the bound "
      "(margins on columns scaled to [0, 1]){}",
      options.max_depth, features, rows.problem.epsilon,
      options.class_codes.empty() ? "" : fmt::format("; for the class codewords {}", options.class_codes));
}

// The cheapest of the start trees, as they are at the prices of this problem.
std::vector<std::vector<Hyperplane>> cheapest(const std::vector<const Tree*>& starts, const MargotRows& rows) {
  std::map<double, std::vector<Hyperplane>> by_cost;  // equal costs: nearly always the same tree
  for (const Tree* start : starts) {
    std::vector<Hyperplane> planes = planes_of(*start, rows);
    const double cost = margot_objective(rows.problem, with_unsplit_nodes(rows.problem, planes));
    by_cost.try_emplace(cost, std::move(planes));
  }
  std::vector<std::vector<Hyperplane>> few;
  for (auto& [cost, planes] : by_cost) {
    if (few.size() < kImprovedStarts) few.push_back(std::move(planes));
  }
  return few;
}

// The problem without its price of features. Features only add to the cost, so this bound holds with them too. Rows are decided sooner
// here, and the tree is a start for the local search, which drops features that do not pay.
MargotResult without_price(MargotProblem problem, Deadline& deadline, double gap, int threads,
                           const std::vector<std::vector<Hyperplane>>& starts, std::size_t many_rows) {
  problem.level_price.clear();
  Deadline part = deadline.within(kUnpricedShare * deadline.remaining(), std::min(kUnpricedNodes, deadline.work_left() / kUnpricedPart));
  MargotResult found = solve_margot(problem, part, gap, {}, threads, starts, 0, many_rows);
  deadline.poll(part.work());
  return found;
}

Result by_search(const Task& task) {
  const std::size_t many_rows = with_row_groups(task.options) ? kManyRows : kNoGroups;
  MargotRows rows = margot_rows(task.data, task.options, task.objective_as<MargotObjective>());
  if (nothing_to_split(rows)) return single_leaf(task, kNoSplit);
  use_row_space(rows, row_space_of(rows));
  std::vector<std::vector<Hyperplane>> begin = cheapest(task.starts, rows);
  Deadline& deadline = task.deadline;
  const double gap = task.options.gap_tolerance * (1 - 1e-6);
  // The first search and the one that continues from its tree report as one.
  double heard = std::numeric_limits<double>::infinity(), bound = bound_from_earlier(task);
  const auto report = [&](double best, double lower, bool better) {
    bound = std::max(bound, lower);
    if (!std::isfinite(best)) return;
    const bool first_one = heard == std::numeric_limits<double>::infinity();
    if (better && best >= heard) better = false;
    heard = std::min(heard, best);
    task.report({deadline.elapsed(), heard, std::min(bound, heard), !better ? ' ' : first_one ? 'H' : 'S'});
  };
  if (rows.problem.features_are_cheap() && deadline.work_left() >= kUnpricedPart) {
    MargotResult unpriced = without_price(rows.problem, deadline, gap, static_cast<int>(task.options.n_jobs), begin, many_rows);
    bound = std::max(bound, unpriced.lower);
    if (!unpriced.tree.planes.empty()) begin.push_back(std::move(unpriced.tree.planes));
    double cutoff = std::numeric_limits<double>::infinity();
    for (const auto& planes : begin)
      cutoff = std::min(cutoff, margot_objective(rows.problem, with_unsplit_nodes(rows.problem, planes)) * (1 - gap));
    Deadline part = deadline.within(kRootShare * deadline.remaining(), std::min(kRootRegions, deadline.work_left() / kUnpricedPart));
    bound = bound_of_root_alone(rows.problem, bound, cutoff, part, [&](double better) { report(heard, better, false); });
    deadline.poll(part.work());
  }
  MargotTree first;
  first.objective = std::numeric_limits<double>::infinity();
  if (rows.problem.depth > 2 && rows.problem.rows() <= kMostRowsForDeepStart) {
    Deadline few = deadline.task(std::min(kFewNodes, deadline.work_left()));
    const MargotResult quick = solve_margot(rows.problem, few, gap, report, 1, begin, bound, kNoGroups);
    first = quick.tree;
    bound = std::max(bound, quick.lower);
    begin.push_back(first.planes);
    if (!quick.complete && !deadline.poll()) {
      Deadline some = deadline.within(std::min(kDeepStartShare * task.options.time_limit, deadline.remaining()));
      std::vector<Hyperplane> deep = deep_start(task.data, rows, begin, some);
      const double objective = deep.empty() ? first.objective : margot_objective(rows.problem, deep);
      if (objective < first.objective) first = {std::move(deep), objective};
      begin = {first.planes};
    }
  }
  MargotResult found = solve_margot(rows.problem, deadline, gap, report, static_cast<int>(task.options.n_jobs), begin, bound, many_rows);
  if (first.objective < found.tree.objective) found.tree = std::move(first);  // the search was stopped before it took up its start
  Result result;
  result.tree = margot_tree(rows, found.tree, task.data);
  // Neither proved nor stopped: rounding left a gap between the tree and its bound.
  result.status = found.complete ? Status::optimal : deadline.stopped() ? deadline.reason() : Status::heuristic;
  result.bound = std::max(found.lower, bound);
  result.proved = claim(task, rows);
  if (found.lacked_memory) result.proved += "; the search ended for want of memory";
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
Result by_model(const Task& task) {
  const Options& options = task.options;
  mip::expect_own_start(options);
  const MargotRows rows = margot_rows(task.data, options, task.objective_as<MargotObjective>());
  if (nothing_to_split(rows)) return single_leaf(task, kNoSplit);
  // Before the start, which takes its time.
  mip::check_model_size(MargotFormulation::size_of(rows.problem), rows.problem.depth, static_cast<double>(rows.rows.size()));
  // The paper's start is Local SVM; here local search follows.
  Deadline first = task.deadline.task(0);
  MargotTree best = solve_margot(rows.problem, first, options.gap_tolerance).tree;
  task.report({task.deadline.elapsed(), best.objective, 0, 'H'}, margot_tree(rows, best, task.data));
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
template <Result (*kTrain)(const Task&)>
Result with_codewords(const Task& task) {
  if (!task.options.class_codes.empty() || !more_than_two_classes(task.data)) return kTrain(task);
  Deadline half = task.deadline.within(task.options.time_limit / 2);
  Options options = task.options;
  options.class_codes = choose_class_codes(task.data, options, half);
  const auto objective = std::make_shared<MargotObjective>(MargotObjective::from(options));
  const Task chosen{task.data,   options,      objective, task.min_rows, task.leaf_weight, task.deadline, task.listener, task.stop,
                    task.starts, task.earlier, {},        task.incumbent};
  Result result = kTrain(chosen);
  result.objective_function = objective;
  result.options.emplace_back("class_codes", options.class_codes);
  return result;
}

}  // namespace

std::vector<Method> methods() {
  using Names = std::vector<std::string_view>;
  const Names margins = joined({reads::kTree, reads::kRun, {"level_costs", "class_codes", "gap_tolerance", "random_state"}});
  const Names search = {"disable"}, model = {"mip_solver", "mip_start", "write_model"};
  const std::pair<std::string_view, Names> selections[] = {
      {"none", {}}, {"hard", {"feature_budgets"}}, {"soft", {"feature_budgets", "ccp_alpha"}}};
  std::vector<Method> entries;
  for (const bool by_solver : {false, true}) {
    for (const auto& [selection, budgets] : selections) {
      Method& method = entries.emplace_back(
          Method{"margot", "margot", "tree of support vector machines, all trained at once, to proven optimality (MARGOT, DGMP23)", true,
                 joined({margins, {"feature_selection", "solver"}, budgets, by_solver ? model : search}), &MargotObjective::kKind,
                 by_solver ? with_codewords<by_model> : with_codewords<by_search>});
      method.empty_leaves = true;
      if (selection != "none") method.when.emplace_back("feature_selection", selection);
      if (by_solver) method.when.emplace_back("solver", "mip");
    }
  }
  return entries;
}

}  // namespace treewright::margot
