// Method svm1: SVM1-ODT of Zhu et al. 2020 (Z20) by its primal method, from several starts.
//
// Run 0 starts from a greedy tree of hyperplanes improved by alternating optimisation, run 1 from CART, later runs from either on a random half
// of the columns, with margins that are wide or narrow in turn. Each run descends on (1a) itself and then kicks itself a few times out
// of where it ends. The cheapest tree wins; runs share nothing, so that threads do not change the result.
//
// Large data: with --select a heuristic tree of all rows divides them into clusters, rows are selected from these (reduce/select_rows.h), and the
// runs see no others. The tree is judged on all rows: it has to be right about more of them than the heuristic tree, else that stays.
//
// --iterate, Z20's Algorithm 3: given a tree T, let I be the rows it gets wrong, and J and K the extreme rows among those it gets right. Train on
// I, J and K, where an error on J costs |I| + 1 times as much, so that no tree that loses one of J beats T; start from T; repeat with the new tree.
// Proposition 2 has it that with alpha1 = alpha2 = 0 the accuracy on all rows never falls, since rows inside the hull of J follow J. They do only if
// all of J reaches one leaf: two leaves of the same label with a third between them may hold J and not what lies in its hull. So the accuracy is
// counted on all rows, and a tree that loses there is not taken: the rounds end. That keeps the proposition for any alpha, and for hull_eps > 0.

#include "treewright/fit/svm1.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <mutex>
#include <numeric>

#include "treewright/base/file.h"
#include "treewright/base/random.h"
#include "treewright/base/thread_pool.h"
#include "treewright/data/write_csv.h"
#include "treewright/fit/svm1_solver.h"
#include "treewright/base/error.h"
#include "treewright/grow/alternating.h"
#include "treewright/grow/cart.h"
#include "treewright/grow/oblique_cart.h"
#include "treewright/grow/svm1_alternating.h"
#include "treewright/reduce/select_rows.h"

namespace treewright {

namespace {

constexpr int kKicks = 3;  // of one run
constexpr double kHingeCosts[] = {1, 1, 0.01, 100};

Svm1Problem problem_of(const Dataset& data, std::vector<UnitAxis> axes, const Options& options, const Objective& objective,
                       std::int64_t min_rows) {
  Svm1Problem problem{data, std::move(axes), {}};
  problem.alpha2 = objective.alpha;
  problem.eps = objective.margin;
  problem.max_depth = static_cast<int>(options.max_depth);
  problem.max_splits = options.max_splits;
  problem.min_rows = min_rows;
  for (std::size_t row = 0; row < data.rows(); ++row) problem.slack_price.push_back(objective.slack_price * data.weight(row));
  return problem;
}

// The best tree of all runs, and of the trees given.
Draft best_of_runs(const Svm1Problem& problem, const Options& options, const std::vector<Draft>& given, Deadline& deadline,
                   const ProgressListener& listener) {
  const Dataset& data = problem.data;
  const Dataset numeric = without_categories(data);
  const Points points(numeric);
  const Svm1Alternation method(problem, deadline);
  const auto start = [&](std::size_t number, Random& random) {
    const double share = number < 2 ? 1 : 0.5;
    Draft draft;
    if (number % 2 == 0) {
      ObliqueCartOptions how;
      how.max_depth = problem.max_depth;
      how.min_rows = problem.min_rows;
      how.cost = kHingeCosts[number % 4];
      how.feature_share = share;
      draft = grow_oblique_cart(data, points, how, random);
    } else {
      Dataset part = data;
      for (Column& column : part.columns) {
        // A column without values offers no split.
        if (share < 1 && random.below(2) == 0)
          std::fill(column.values.begin(), column.values.end(), 0.0), std::fill(column.codes.begin(), column.codes.end(), 0);
      }
      CartOptions how;
      how.max_depth = problem.max_depth;
      how.min_leaf_rows = problem.min_rows;
      draft = Draft::of(grow_cart(part, how));
      drop_small(draft, data, weighty_rows(data), problem.min_rows);
    }
    AlternatingOptions how;
    how.cost = kHingeCosts[(number / 2 + 1) % 4];
    how.min_rows = problem.min_rows;
    alternate(draft, data, points, how, deadline);
    return draft;
  };

  const std::size_t count = given.size() + static_cast<std::size_t>(options.restarts) + 1;
  std::vector<Draft> drafts(count);
  std::vector<double> cost(count, std::numeric_limits<double>::infinity());
  std::mutex mutex;
  double best_heard = std::numeric_limits<double>::infinity();
  ThreadPool pool(static_cast<int>(options.n_jobs));
  pool.parallel_for(count, [&](std::size_t i) {
    if (i > given.size() && deadline.poll()) return;
    // Seeds that differ in one bit give unrelated streams.
    Random random(Random(static_cast<std::uint64_t>(options.random_state) * 0x9e3779b97f4a7c15ULL + i).next());
    drafts[i] = method.admitted(i < given.size() ? given[i].copy() : start(i - given.size(), random));
    method.descend(drafts[i]);
    for (int k = 0; k < kKicks && !deadline.stopped(); ++k) method.kick(drafts[i], random);
    cost[i] = method.cost(drafts[i]);
    const std::scoped_lock lock(mutex);
    if (cost[i] >= best_heard) return;
    best_heard = cost[i];
    if (listener) listener({deadline.elapsed(), best_heard, 0, 'H'});
  });
  return std::move(drafts[std::min_element(cost.begin(), cost.end()) - cost.begin()]);
}

// Rows that were selected, with the weights they are trained with.
struct Part {
  Dataset data;
  std::vector<double> slack_price;
};

class Training {
 public:
  Training(const Dataset& data, const Options& options, const Objective& objective, std::int64_t min_rows, Deadline& deadline,
           const ProgressListener& listener, const std::atomic<bool>* stop)
      : data_(data),
        options_(options),
        objective_(objective),
        min_rows_(min_rows),
        deadline_(deadline),
        listener_(listener),
        stop_(stop),
        axes_(unit_axes(data)),
        all_(problem_of(data, axes_, options, objective, min_rows)),
        pool_(static_cast<int>(options.n_jobs)) {
    how_.beta1 = options.beta1;
    how_.beta2 = options.beta2;
    how_.eps = options.hull_eps;
    how_.balanced = options.select == "balanced";
    how_.solver = options.mip_solver;
  }

  Svm1Fit run() {
    Svm1Fit result;
    if (options_.select == "none") {
      Svm1Solution found = solution_of(all_, {}, options_.iterate + 1, listener_);
      tree_ = finished(std::move(found.draft));
      result.status = found.status;
      result.bound = found.bound;
    } else {
      tree_ = start();
      selected_ = select_rows(data_, tree_, axes_, how_, pool_, deadline_);
      train(part_of(selected_, 1), options_.iterate + 1);
    }
    for (std::int64_t round = 0; round < options_.iterate && !deadline_.poll(); ++round) {
      selected_ = rows_of_round(data_, tree_, axes_, how_, pool_, deadline_);
      double wrong = 0;
      for (const SelectedRow& row : selected_) wrong += row.kind == SelectedRow::Kind::wrong ? data_.weight(row.row) : 0;
      if (!train(part_of(selected_, wrong + 1), options_.iterate - round)) break;
      // What the solver has said is about another tree.
      result.status = Status::heuristic;
    }
    if (!options_.write_rows.empty()) write_file(options_.write_rows, rows_as_csv());
    if (result.status == Status::heuristic && deadline_.stopped()) result.status = deadline_.reason();
    result.tree = tree_;
    result.proved = "nothing: a tree found by search";
    if (by_solver() && options_.select == "none") {
      result.proved =
          "no tree whose hyperplanes are at most 1 from every row (columns scaled to [0, 1]) has an objective below the bound, as the "
          "solver "
          "says";
      if (all_.eps * objective_.slack_price < 1) {
        result.proved += "; with alpha1 * eps below 1 the model may put rows on a hyperplane and count them as it likes: the bound is weak";
      }
    }
    return result;
  }

 private:
  bool by_solver() const { return options_.method == "svm1-mip"; }

  // The primal method's tree, and with svm1-mip what the solver makes of it in its share of the time that is left.
  Svm1Solution solution_of(const Svm1Problem& problem, const std::vector<Draft>& given, std::int64_t trainings_left,
                           const ProgressListener& listener) {
    Draft draft = best_of_runs(problem, options_, given, deadline_, listener);
    const auto is_category = [](const Column& column) { return column.kind == ColumnKind::categorical; };
    const bool can_split = problem.max_depth > 0 && (!axes_.empty() || std::ranges::any_of(data_.columns, is_category));
    if (!by_solver() || !can_split) {
      Svm1Solution found;
      found.draft = std::move(draft);
      return found;
    }
    Deadline share(deadline_.remaining() / static_cast<double>(trainings_left), std::numeric_limits<std::int64_t>::max(), stop_);
    return solve_svm1(problem, std::move(draft), options_, share, listener);
  }

  // A heuristic tree of all rows: CART, or hyperplanes by alternating optimisation where these are right more often.
  Tree start() {
    CartOptions greedy;
    greedy.max_depth = all_.max_depth;
    greedy.min_leaf_rows = min_rows_;
    Tree cart = grow_cart(data_, greedy);
    trim(cart, all_.max_depth, options_.max_splits);
    const Dataset numeric = without_categories(data_);
    const Points points(numeric);
    ObliqueCartOptions oblique;
    oblique.max_depth = all_.max_depth;
    oblique.min_rows = min_rows_;
    Random random(static_cast<std::uint64_t>(options_.random_state));
    Draft draft = grow_oblique_cart(data_, points, oblique, random);
    AlternatingOptions how;
    how.min_rows = min_rows_;
    alternate(draft, data_, points, how, deadline_);
    Tree planes = finished(Svm1Alternation(all_, deadline_).admitted(std::move(draft)));
    return count_errors(planes, data_) < count_errors(cart, data_) ? planes : cart;
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

  // Trains on the part and keeps the tree if it is right about more of all rows. The present tree is among the starts.
  bool train(const Part& part, std::int64_t trainings_left) {
    if (part.data.rows() < 2) return false;
    Svm1Problem problem{part.data, axes_, part.slack_price};
    problem.alpha2 = all_.alpha2;
    problem.eps = all_.eps;
    problem.max_depth = all_.max_depth;
    problem.max_splits = all_.max_splits;
    std::vector<Draft> given;
    given.push_back(Draft::of(tree_));
    // Its objective is of the part alone.
    const Tree tree = finished(solution_of(problem, given, trainings_left, {}).draft);
    if (!(count_errors(tree, data_) < count_errors(tree_, data_))) return false;
    tree_ = tree;
    if (listener_) listener_({deadline_.elapsed(), objective_.of(tree_, data_), 0, 'H'});
    return true;
  }

  Tree finished(Draft draft) const {
    drop_small(draft, data_, weighty_rows(data_), min_rows_);
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

  const Dataset& data_;
  const Options& options_;
  const Objective& objective_;
  std::int64_t min_rows_;
  Deadline& deadline_;
  const ProgressListener& listener_;
  const std::atomic<bool>* stop_;
  std::vector<UnitAxis> axes_;
  Svm1Problem all_;
  ThreadPool pool_;
  SelectOptions how_;
  std::vector<SelectedRow> selected_;
  Tree tree_;
};

}  // namespace

Svm1Fit fit_svm1(const Dataset& data, const Options& options, const Objective& objective, std::int64_t min_rows, Deadline& deadline,
                 const ProgressListener& listener, const std::atomic<bool>* stop) {
  if (options.method == "svm1-mip" && options.max_splits >= 0) {
    throw Error("option 'max_splits'", "the model of svm1-mip has no limit on splits", "leave it out, or use --method svm1");
  }
  return Training(data, options, objective, min_rows, deadline, listener, stop).run();
}

}  // namespace treewright
