// A bound on hyperplane trees from some of the rows.
//
// A solver proves model (28) on twenty rows in a second, and proves next to nothing of it on two hundred. So the rows come in rounds, as
// the clusters of AHL24's exact algorithm do (methods/partition/refine.cpp).
//
// Theorem. Let S be some rows of positive weight. No tree of the model on all rows costs less than the best tree of the model on S that
// asks for one row in a leaf and for no weight.
// Proof. Take a tree of the model on all rows, and drop each split that has no row of S on one of its sides. What is left has no more
// levels, splits or features, and the same label for each row of S. Each of its leaves holds a row of S. A split that is left has its
// distance mu, because fewer rows lie on its sides, and the scale is that of all rows. So it is a tree of the model on S, once each leaf
// has the label of most of its weight there, which costs no more. It misclassifies no rows but those of S that the first tree
// misclassifies, weights are not negative, and features are never cheaper than nothing. The rules of the model hold for any rows.
//
// A round. The heuristic of oct-h looks for a cheap tree on S. A tree within the bound shows that S proves no more; otherwise the solver
// raises the bound to the optimum on S. The tree on S is tried on all rows: it may be the best so far. Some rows that it misclassifies join
// S, each with all rows of equal features, so that what such rows of several classes must cost is soon part of the bound.
//
// The rounds end when the bound reaches the best tree, which is proved then; when the tree misclassifies no other row, so that only limits
// on leaves or the distance can forbid it; when S has half of the rows, because the model of all of them does as well; or with the
// deadline. Missing values and larger sets of levels must not occur: there the model claims nothing (train.cpp).

#include "treewright/methods/oct_mip/some_rows.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <utility>
#include <vector>

#include "treewright/base/random.h"
#include "treewright/methods/hyperplanes/best_tree.h"
#include "treewright/methods/oct_mip/oct_h.h"
#include "treewright/mip/solve.h"
#include "treewright/task/objective.h"
#include "treewright/tree/measures.h"

namespace treewright::oct_mip {

namespace {

constexpr std::size_t kFirstOfAClass = 2, kMoreRows = 3;  // groups of equal rows
constexpr double kCosts[] = {0.1, 1, 10, 100};            // of oct-h, whose directions keep few or many features
constexpr double kHeuristicShare = 0.1;                   // of the time that is left

using Rows = std::vector<std::int32_t>;

// Rows of positive weight with equal features, in the order of their first rows.
std::vector<Rows> equal_rows(const Dataset& data) {
  std::map<std::vector<double>, std::size_t> numbers;
  std::vector<Rows> groups;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    if (!(data.weight(row) > 0)) continue;
    std::vector<double> features;
    for (const Column& column : data.columns)
      features.push_back(column.kind == ColumnKind::numeric ? column.values[row] : static_cast<double>(column.codes[row]));
    const auto [at, is_new] = numbers.emplace(std::move(features), groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(static_cast<std::int32_t>(row));
  }
  return groups;
}

class Rounds {
 public:
  Rounds(const Task& task, const Tree& start, Deadline& deadline)
      : task_(task),
        deadline_(deadline),
        how_(formulate::formulation_options(task)),
        random_(random_stream(task.options.random_state, 0)),
        groups_(equal_rows(task.data)),
        chosen_(groups_.size(), false),
        known_{0, start},
        cost_(cost(start, task.data)) {
    how_.min_rows = 1;
    how_.min_weight = 0;
  }

  formulate::Known run() {
    offer(heuristic(task_.data, task_.rows_needed()));
    choose_first();
    while (!is_proved() && rows_ * 2 < task_.data.rows() && !deadline_.poll()) {
      const Dataset part = task_.data.subset(rows());
      Tree tree = heuristic(part, 1);
      if (!formulate::meets(known_.bound, cost(tree, part)) && !solve(part, tree)) break;
      offer(tree);
      if (!choose_wrong(tree)) break;
    }
    return std::move(known_);
  }

 private:
  double cost(const Tree& tree, const Dataset& data) const {
    return count_errors(tree, data) + how_.price * static_cast<double>(tree.terms());
  }
  bool is_proved() const { return formulate::meets(known_.bound, cost_); }

  // The cheapest tree of oct-h.
  Tree heuristic(const Dataset& data, std::int64_t min_rows) {
    Options options = task_.options;
    Deadline some = deadline_.within(kHeuristicShare * deadline_.remaining());
    Tree best = known_.tree;
    double least = std::numeric_limits<double>::infinity();
    for (const double cost_of_slack : kCosts) {
      options.svm_cost = cost_of_slack;
      const auto objective = std::make_shared<ErrorObjective>(how_.price, 1);
      Tree tree = hyperplanes::best_tree({.data = data,
                                          .options = options,
                                          .objective = objective,
                                          .min_rows = min_rows,
                                          .leaf_weight = {},
                                          .deadline = some,
                                          .starts = {&known_.tree}},
                                         hyperplanes::Descent::both);
      const double reached = cost(tree, data);
      if (reached < least) best = std::move(tree);
      least = std::min(least, reached);
    }
    return best;
  }

  // Takes the tree where it is the best of all rows and within the limits.
  void offer(Tree tree) {
    tree.tally(task_.data);
    task_.leaf_weight.repair(tree);
    const double reached = cost(tree, task_.data);
    if (reached >= cost_ || !formulate::missing_in_leaf(task_, tree).empty()) return;
    known_.tree = std::move(tree);
    cost_ = reached;
    report('H');
  }

  // The optimum on `part`, from the better of `tree` and the best tree. Whether the solver has proved it, and a recount agrees.
  bool solve(const Dataset& part, Tree& tree) {
    const OctHFormulation formulation(part, how_, task_.options.margin, task_.data);
    const std::vector<double> start = formulation.cheapest_point(std::array{&std::as_const(tree), &std::as_const(known_.tree)});
    const double least = start.empty() ? std::numeric_limits<double>::infinity() : formulation.model().objective(start);
    Deadline left = deadline_.within(deadline_.remaining());
    const mip::MipSolution found = mip::solve(formulation.model(), start, mip::MipOptions::from(task_.options), left);
    if (found.values.empty() || found.status == Status::heuristic) return false;
    tree = formulation.decode(found.values);
    const double counted = cost(tree, part), doubt = formulate::solver_tolerance(part, found.objective);
    if (counted > found.objective + doubt || std::min(counted, least) < found.bound - doubt) return false;
    if (found.bound > known_.bound) {
      known_.bound = found.bound;
      report(' ');
    }
    return found.status == Status::optimal;
  }

  void report(char source) const {
    const double scale = task_.objective->error_scale();
    task_.report({deadline_.elapsed(), cost_ / scale, std::min(known_.bound, cost_) / scale, source}, known_.tree);
  }

  void choose_first() {
    std::vector<std::size_t> of_class(task_.data.classes(), 0);
    for (const std::size_t group : shuffled()) {
      const auto label = static_cast<std::size_t>(task_.data.labels[static_cast<std::size_t>(groups_[group].front())]);
      if (of_class[label]++ < kFirstOfAClass) choose(group);
    }
  }

  // Some that the tree misclassifies. Whether there are any.
  bool choose_wrong(const Tree& tree) {
    const std::vector<std::int32_t> predicted = tree.predict(task_.data);
    const auto is_wrong = [&](std::int32_t row) {
      return predicted[static_cast<std::size_t>(row)] != task_.data.labels[static_cast<std::size_t>(row)];
    };
    std::size_t more = 0;
    for (const std::size_t group : shuffled()) {
      if (more == kMoreRows) break;
      if (chosen_[group] || std::ranges::none_of(groups_[group], is_wrong)) continue;
      choose(group);
      ++more;
    }
    return more > 0;
  }

  std::vector<std::size_t> shuffled() {
    std::vector<std::size_t> order(groups_.size());
    std::iota(order.begin(), order.end(), 0);
    random_.shuffle(order);
    return order;
  }

  void choose(std::size_t group) {
    chosen_[group] = true;
    rows_ += groups_[group].size();
  }

  Rows rows() const {
    Rows rows;
    for (std::size_t group = 0; group < groups_.size(); ++group) {
      if (chosen_[group]) rows.insert(rows.end(), groups_[group].begin(), groups_[group].end());
    }
    return rows;
  }

  const Task& task_;
  Deadline& deadline_;
  formulate::FormulationOptions how_;
  Random random_;
  std::vector<Rows> groups_;
  std::vector<bool> chosen_;
  std::size_t rows_ = 0;  // in the chosen groups
  formulate::Known known_;
  double cost_;  // of the best tree
};

}  // namespace

formulate::Known bound_of_some_rows(const Task& task, const Tree& start, Deadline& deadline) {
  return Rounds(task, start, deadline).run();
}

}  // namespace treewright::oct_mip
