// Method svm1: SVM1-ODT of Zhu et al. 2020 (Z20) by a heuristic (alternating.h), from several starts, and a search (search.h) that begins
// with its tree and proves a bound. Without a limit on time or nodes the search is short, and left out for many rows.
//
// Run 0 starts from a greedy hyperplane tree improved by alternating optimization, run 1 from CART. Later runs start from either one,
// trained on a random half of the columns, with wide and narrow margins in turn. Each run minimizes the objective, (1a) of the paper, by
// local search, followed by a few perturbations. The cheapest tree wins. Runs share nothing, so the number of threads does not change the
// result.
//
// Large data. With --row-selection a heuristic tree of all rows divides them into clusters, rows are selected from these (select_rows.h),
// and the runs use only the selected rows. The tree replaces the heuristic tree only if it makes fewer errors on all rows.
//
// --selection-rounds is Z20's Algorithm 3. For a tree T let I be the rows that it misclassifies, and J and K the extreme rows among the
// others (see select_rows.cpp: J supports rows inside the convex hull, K does not). Train on I, J and K, starting from T; an error on J
// costs |I| + 1 times as much, so no tree that misclassifies a row of J beats T. Repeat with the new tree. Proposition 2 says that with
// alpha1 = alpha2 = 0 the accuracy on all rows never falls, because rows inside the hull of J follow J. This holds only if all of J reaches
// one leaf: two leaves of the same label with a third between them may hold J but not the rows in its hull. So accuracy is counted on all
// rows, and the rounds end before a tree that lowers it. This restores the proposition for any alpha, and for hull_eps > 0.

#include "treewright/methods/svm1/method.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "treewright/base/file.h"
#include "treewright/base/random.h"
#include "treewright/base/stop_point.h"
#include "treewright/base/thread_pool.h"
#include "treewright/data/write_csv.h"
#include "treewright/formulate/rules.h"
#include "treewright/grow/alternating.h"
#include "treewright/grow/cart.h"
#include "treewright/grow/cheapest_run.h"
#include "treewright/grow/oblique_cart.h"
#include "treewright/methods/svm1/alternating.h"
#include "treewright/methods/svm1/objective.h"
#include "treewright/methods/svm1/search.h"
#include "treewright/methods/svm1/select_rows.h"
#include "treewright/methods/svm1/solver.h"
#include "treewright/methods/svm1/state.h"
#include "treewright/tree/measures.h"

namespace treewright::svm1 {

namespace {

constexpr int kPerturbations = 3;  // of one run
// Of a search without a limit: rows times columns times nodes, and rows.
constexpr double kUnaskedWork = 3e6;
constexpr std::size_t kMostUnaskedRows = 2000;
constexpr double kStartHingeCosts[] = {1, 1, 0.01, 100};

Svm1Problem problem_of(const Task& task, std::vector<Axis> axes) {
  const auto& objective = task.objective_as<Svm1Objective>();
  const Dataset& data = task.data;
  Svm1Problem problem{data, std::move(axes), {}};
  problem.alpha2 = objective.weight_price;
  problem.eps = objective.margin;
  problem.max_depth = static_cast<int>(task.options.max_depth);
  problem.max_splits = task.options.max_splits;
  problem.min_rows = task.rows_needed();
  for (std::size_t row = 0; row < data.rows(); ++row) problem.slack_price.push_back(objective.slack_price * data.weight(row));
  return problem;
}

// The start of a run: a greedy tree of hyperplanes or thresholds in turn, improved by alternating optimization.
class Starts {
 public:
  Starts(const Svm1Problem& problem, Deadline& deadline)
      : problem_(problem), deadline_(deadline), points_(problem.data, Scaling::standard, false) {}

  grow::EditableTree start(std::size_t number, Random& random) const {
    const double share = number < 2 ? 1 : 0.5;
    grow::EditableTree draft =
        number % 2 == 0 ? greedy_planes(share, kStartHingeCosts[number % 4], random) : greedy_thresholds(share, random);
    grow::AlternatingOptions how;
    how.cost = kStartHingeCosts[(number / 2 + 1) % 4];
    how.min_rows = problem_.min_rows;
    grow::alternate(draft, problem_.data, points_, how, deadline_);
    return draft;
  }

 private:
  grow::EditableTree greedy_planes(double share, double cost, Random& random) const {
    grow::ObliqueCartOptions how;
    how.max_depth = problem_.max_depth;
    how.min_rows = problem_.min_rows;
    how.cost = cost;
    how.feature_share = share;
    return grow::grow_oblique_cart(problem_.data, points_, how, random);
  }

  grow::EditableTree greedy_thresholds(double share, Random& random) const {
    Dataset part = problem_.data;
    for (Column& column : part.columns) {
      // A column without values allows no split.
      if (share < 1 && random.below(2) == 0)
        std::fill(column.values.begin(), column.values.end(), 0.0), std::fill(column.codes.begin(), column.codes.end(), 0);
    }
    grow::CartOptions how;
    how.max_depth = problem_.max_depth;
    how.min_leaf_rows = problem_.min_rows;
    grow::EditableTree draft = grow::EditableTree::of(grow::grow_cart(part, how));
    grow::drop_small(draft, problem_.data, grow::weighty_rows(problem_.data), problem_.min_rows);
    return draft;
  }

  const Svm1Problem& problem_;
  Deadline& deadline_;
  const ScaledPoints points_;
};

// The best tree of all runs and of the given starts. `finished` makes a tree of a draft.
grow::EditableTree best_of_runs(const Svm1Problem& problem, const Task& task, Deadline& deadline,
                                const std::vector<grow::EditableTree>& given,
                                const std::function<Tree(const grow::EditableTree&)>& finished) {
  const Starts starts(problem, deadline);
  const Svm1Alternation method(problem, deadline);
  std::vector<grow::EditableTree> drafts(given.size() + static_cast<std::size_t>(task.options.restarts) + 1);
  const auto cost_of_run = [&](std::size_t i) {
    try {
      Random random = random_stream(task.options.random_state, i);
      drafts[i] = method.admitted(i < given.size() ? given[i].copy() : starts.start(i - given.size(), random));
      method.descend(drafts[i]);
      for (int k = 0; k < kPerturbations && !deadline.stopped(); ++k) method.perturb(drafts[i], random);
    } catch (const Stopped&) {
      deadline.poll();  // the draft is as it was before the change at hand
    }
    return method.cost(drafts[i]);
  };
  const std::size_t best =
      grow::cheapest_run(drafts.size(), given.size() + 1, task, cost_of_run, [&](std::size_t i) { return finished(drafts[i]); });
  return std::move(drafts[best]);
}

// The selected rows with their training weights.
struct Part {
  Dataset data;
  std::vector<double> slack_price;
};

class Training {
 public:
  Training(const Task& task, bool by_solver)
      : task_(task),
        by_solver_(by_solver),
        data_(task.data),
        options_(task.options),
        min_rows_(task.rows_needed()),
        deadline_(task.deadline),
        axes_(scaled_axes(data_, Scaling::unit, false)),
        all_(problem_of(task, axes_)),
        pool_(static_cast<int>(options_.n_jobs)) {
    how_.beta1 = options_.hull_share;
    how_.beta2 = options_.support_share;
    how_.eps = options_.hull_eps;
    how_.balanced = options_.row_selection == "balanced";
    how_.solver = options_.mip_solver;
  }

  Result run() {
    Result result;
    if (options_.row_selection == "none") {
      Svm1Solution found = solution_of(all_, task_, {}, options_.selection_rounds + 1);
      tree_ = finished(std::move(found.draft));
      result.status = found.status;
      result.bound = found.bound;
    } else {
      tree_ = start();
      report();
      selected_ = select_rows(data_, tree_, axes_, how_, pool_, deadline_);
      train(part_of(selected_, 1), options_.selection_rounds + 1);
    }
    for (std::int64_t round = 0; round < options_.selection_rounds && !deadline_.poll(); ++round) {
      selected_ = rows_of_round(data_, tree_, axes_, how_, pool_, deadline_);
      double wrong = 0;
      for (const SelectedRow& row : selected_) wrong += row.kind == SelectedRow::Kind::wrong ? data_.weight(row.row) : 0;
      if (!train(part_of(selected_, wrong + 1), options_.selection_rounds - round)) break;
      // The claim of the solver belongs to another tree.
      result.status = Status::heuristic;
    }
    if (!options_.write_rows.empty()) write_file(options_.write_rows, rows_as_csv());
    if (result.status == Status::heuristic && deadline_.stopped()) result.status = deadline_.reason();
    result.tree = tree_;
    task_.leaf_weight.repair(result.tree);
    result.proved = claim();
    return result;
  }

 private:
  bool has_categories() const {
    return std::ranges::any_of(data_.columns, [](const Column& column) { return column.kind == ColumnKind::categorical; });
  }

  std::string claim() const {
    if (options_.row_selection != "none") return "nothing: rows were selected by a heuristic";
    if (!by_solver_ && options_.weight_price == 0) return "nothing: with a weight_price of 0 the search has no bound";
    if (!by_solver_ && !searches()) {
      return fmt::format("nothing: the search takes trees of up to {} levels, and more than {} rows only with a limit on time or nodes",
                         kMaxProvedDepth, kMostUnaskedRows);
    }
    const bool narrow = by_solver_ && !formulate::strengthening_without(options_.disable).wide_weights && has_categories();
    const bool filled =
        std::ranges::any_of(data_.columns, [](const Column& column) { return column.kind == ColumnKind::numeric && column.has_missing(); });
    std::string text = fmt::format(
        "no tree of depth {} whose hyperplanes are at most 1 from every row{}{} (columns scaled to [0, 1]) has an objective below the "
        "bound{}",
        options_.max_depth, narrow ? " and have weights of at most 1" : "",
        filled ? ", with the mean of a column for its missing numbers," : "", by_solver_ ? ", as the solver says" : "");
    if (by_solver_ && options_.margin * options_.slack_price < 1)
      text += "; with slack_price * margin below 1 the model may place rows on a hyperplane and choose their side: the bound is weak";
    return text;
  }

  // The tree of the heuristic; with the model, the tree that the solver makes of it in its share of the remaining time.
  Svm1Solution solution_of(const Svm1Problem& problem, const Task& task, const std::vector<grow::EditableTree>& given,
                           std::int64_t trainings_left) {
    // A limit on nodes is one of the search or the model that follows.
    Deadline unlimited = deadline_.within(deadline_.remaining());
    grow::EditableTree draft = best_of_runs(problem, task, by_solver_ || searches() ? unlimited : deadline_, given,
                                            [this](const grow::EditableTree& made) { return finished(made.copy()); });
    const bool can_split = problem.max_depth > 0 && (!axes_.empty() || has_categories());
    if (!by_solver_) {
      Svm1Solution found;
      found.draft = std::move(draft);
      if (can_split && searches()) search(found);
      return found;
    }
    if (!can_split) {
      Svm1Solution found;
      found.draft = std::move(draft);
      return found;
    }
    Deadline share = deadline_.within(deadline_.remaining() / static_cast<double>(trainings_left));
    return solve_svm1(problem, std::move(draft), options_, share, task.listener);
  }

  // A heuristic tree of all rows: CART, or hyperplanes by alternating optimization if these make fewer errors.
  Tree start() {
    grow::CartOptions greedy;
    greedy.max_depth = all_.max_depth;
    greedy.min_leaf_rows = min_rows_;
    Tree cart = grow::grow_cart(data_, greedy);
    trim(cart, all_.max_depth, options_.max_splits);
    const ScaledPoints points(data_, Scaling::standard, false);
    grow::ObliqueCartOptions oblique;
    oblique.max_depth = all_.max_depth;
    oblique.min_rows = min_rows_;
    Random random(static_cast<std::uint64_t>(options_.random_state));
    grow::EditableTree draft = grow::grow_oblique_cart(data_, points, oblique, random);
    grow::AlternatingOptions how;
    how.min_rows = min_rows_;
    grow::alternate(draft, data_, points, how, deadline_);
    Tree planes = finished(Svm1Alternation(all_, deadline_).admitted(std::move(draft)));
    return count_errors(planes, data_) < count_errors(cart, data_) ? planes : cart;
  }

  bool limited() const { return std::isfinite(options_.time_limit) || std::isfinite(options_.stall_limit) || options_.node_limit >= 0; }

  // Whether the search (search.h) follows: its claims are of the objective on all rows, and of the last training.
  bool searches() const {
    return options_.row_selection == "none" && options_.selection_rounds == 0 && can_search(all_) &&
           (limited() || data_.rows() <= kMostUnaskedRows);
  }

  // Nodes of a search that nobody has limited: so many that it takes about as long as the heuristic.
  std::int64_t most_nodes() const {
    if (limited()) return std::numeric_limits<std::int64_t>::max();
    const double steps = static_cast<double>(data_.rows() + 50) * static_cast<double>(axes_.size() + 5);
    return std::max<std::int64_t>(1, static_cast<std::int64_t>(kUnaskedWork / steps));
  }

  void search(Svm1Solution& found) {
    const double gap = options_.gap_tolerance * (1 - 1e-6);
    Svm1Found proved = search_svm1(all_, std::move(found.draft), deadline_, gap, most_nodes(),
                                   [this](double cost, double lower, const grow::EditableTree* better) {
                                     const Progress progress{deadline_.elapsed(), cost, std::min(lower, cost), better ? 'S' : ' '};
                                     if (better) {
                                       task_.report(progress, finished(better->copy()));
                                     } else {
                                       task_.report(progress);
                                     }
                                   });
    found.draft = std::move(proved.draft);
    found.cost = proved.cost;
    found.bound = proved.lower;
    found.status = proved.complete ? Status::optimal : deadline_.stopped() ? deadline_.reason() : Status::heuristic;
  }

  Part part_of(const std::vector<SelectedRow>& selected, double support_weight) const {
    std::vector<std::int32_t> numbers;
    Part part;
    for (const SelectedRow& row : selected) {
      numbers.push_back(static_cast<std::int32_t>(row.row));
      part.slack_price.push_back(all_.slack_price[row.row]);
    }
    part.data = data_.subset(numbers);
    part.data.weights.resize(selected.size());
    for (std::size_t i = 0; i < selected.size(); ++i) {
      const bool support = selected[i].kind == SelectedRow::Kind::support;
      part.data.weights[i] = data_.weight(selected[i].row) * (support ? support_weight : 1);
    }
    return part;
  }

  // Trains on the subset; keeps the tree if it makes fewer errors on all rows. The current tree is among the starts.
  bool train(const Part& part, std::int64_t trainings_left) {
    if (part.data.rows() < 2) return false;
    Svm1Problem problem{part.data, axes_, part.slack_price};
    problem.alpha2 = all_.alpha2;
    problem.eps = all_.eps;
    problem.max_depth = all_.max_depth;
    problem.max_splits = all_.max_splits;
    std::vector<grow::EditableTree> given;
    given.push_back(grow::EditableTree::of(tree_));
    // Its objective counts only the subset.
    Task silent = task_;
    silent.listener = {};
    silent.incumbent = nullptr;
    const Tree tree = finished(solution_of(problem, silent, given, trainings_left).draft);
    if (!(count_errors(tree, data_) < count_errors(tree_, data_))) return false;
    tree_ = tree;
    report();
    return true;
  }

  void report() const { task_.report({deadline_.elapsed(), task_.objective->of(tree_, data_), 0, 'H'}, tree_); }

  Tree finished(grow::EditableTree draft) const {
    grow::drop_small(draft, data_, grow::weighty_rows(data_), min_rows_);
    Tree tree = draft.to_tree(data_);
    tree.direct_unseen_missing(data_);
    return tree;
  }

  std::string rows_as_csv() const {
    std::string text = "row,class,leaf,kind\n";
    for (const SelectedRow& row : selected_) {
      const char* const kinds[] = {"wrong", "support", "other"};
      text += fmt::format("{},{},{},{}\n", row.row, csv_quoted(data_.class_names[data_.labels[row.row]]), +row.leaf,
                          kinds[static_cast<int>(row.kind)]);
    }
    return text;
  }

  const Task& task_;
  const bool by_solver_;
  const Dataset& data_;
  const Options& options_;
  std::int64_t min_rows_;
  Deadline& deadline_;
  std::vector<Axis> axes_;
  Svm1Problem all_;
  ThreadPool pool_;
  SelectOptions how_;
  std::vector<SelectedRow> selected_;
  Tree tree_;
};

Result train(const Task& task) {
  return Training(task, false).run();
}

Result train_by_model(const Task& task) {
  return Training(task, true).run();
}

}  // namespace

std::vector<Method> methods() {
  const std::vector<std::string_view> both =
      joined({reads::kTree,
              reads::kLeaves,
              reads::kRun,
              {"random_state", "restarts", "slack_price", "weight_price", "margin", "row_selection", "selection_rounds", "hull_share",
               "support_share", "hull_eps", "write_rows", "mip_solver", "solver", "gap_tolerance"}});
  Method model{"svm1",
               "svm1",
               "Z20 model (1) with its cuts, started from the tree of the heuristic",
               true,
               joined({both, {"disable", "mip_start", "write_model"}}),
               &Svm1Objective::kKind,
               train_by_model};
  model.when = {{"solver", "mip"}};
  return {{"svm1", "svm1",
           "hyperplane tree with margins (SVM1-ODT, Zhu et al. 2020), by local search and a search that proves it, or by the paper's "
           "mixed-integer program; can train on selected rows of large data",
           true, joined({both, {"max_splits"}}), &Svm1Objective::kKind, train},
          model};
}

}  // namespace treewright::svm1
