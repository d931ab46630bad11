// Heuristic hyperplane trees: runs the algorithms of grow/ from several starts and keeps the best tree.
//
// With three or more classes, the first run starts from a tree with a leaf for each class (nested_dichotomies). The next one starts from a
// greedy hyperplane tree (oblique_cart) or, for axis splits, from CART trimmed to the limits. Restart 1 takes the other of the two. Every
// later restart takes a tree grown on a random half of the columns, which usually has another root. The last runs start from the caller's
// trees, which belong to a neighboring cost or depth. Then, depending on the method (Descent):
//   cart-h   nothing more: run 0 alone, the top-down baseline of BD17 Table 6;
//   logistic-h  instead of all this the regions of a logistic regression (grow/logistic_tree.cpp), once;
//   tao      alternating optimization;
//   local    local search, with the exact search over two levels as one of its moves, repeated a few times after a random change of one
//            split (perturbation);
//   oct-h    both: alternating optimization for directions, local search for structure, thresholds and sparsity, then directions again; at
//            the end the hyperplanes drop every term that does not pay. The cost of the support vector machines is no part of its
//            objective: it decides which features the directions keep. So restarts beyond the usual number take other costs in turn.
// If terms have a price, the greedy tree is a poor start, because it uses every feature. A first pass of alternating optimization or
// coordinate descent removes most of them.

#include "treewright/methods/hyperplanes/best_tree.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "treewright/base/random.h"
#include "treewright/base/stop_point.h"
#include "treewright/data/midpoint.h"
#include "treewright/grow/alternating.h"
#include "treewright/grow/cart.h"
#include "treewright/grow/cheapest_run.h"
#include "treewright/grow/local_search.h"
#include "treewright/grow/logistic_tree.h"
#include "treewright/grow/nested_dichotomies.h"
#include "treewright/grow/oblique_cart.h"
#include "treewright/grow/plain_splits.h"
#include "treewright/grow/short_weights.h"
#include "treewright/search/exact.h"
#include "treewright/tree/measures.h"
#include "treewright/tree/split_columns.h"

namespace treewright::hyperplanes {

namespace {

constexpr int kPerturbations = 10;               // in one run of local search
constexpr double kCostFactors[] = {1, 0.1, 10};  // of later runs of oct-h

class Runs {
 public:
  Runs(const Task& task, Descent descent)
      : descent_(descent),
        data_(task.data),
        options_(task.options),
        price_(task.objective_as<ErrorObjective>().split_price()),
        min_rows_(task.rows_needed()),
        max_columns_(task.options.max_terms < 0 ? grow::kAnyColumns : static_cast<std::size_t>(task.options.max_terms)),
        starts_(task.starts),
        deadline_(task.deadline),
        points_(task.data, Scaling::standard) {}

  std::size_t count() const { return has_one_run() ? 1 : own_runs() + starts_.size(); }

  // Broken off, it has the tree as it was before the change at hand.
  grow::EditableTree run(std::size_t number) {
    grow::EditableTree draft;
    try {
      run(number, draft);
    } catch (const Stopped&) {
      deadline_.poll();
    }
    return draft;
  }

  Tree finished(const grow::EditableTree& draft) const {
    grow::EditableTree paid = draft.copy();
    drop_unpaid(paid, grow::weighty_rows(data_));
    if (max_columns_ < data_.features()) {
      grow::plain_splits(paid, data_);
      grow::short_weights(paid, data_);
    }
    Tree tree = paid.to_tree(data_);
    trim(tree, static_cast<int>(options_.max_depth), options_.max_splits);
    tree.direct_unseen_missing(data_);
    return tree;
  }

 private:
  void run(std::size_t number, grow::EditableTree& draft) {
    Random random = random_stream(options_.random_state, number);
    draft = start(number, random);
    if (has_one_run()) {
      if (descent_ != Descent::greedy) grow::drop_small(draft, data_, grow::weighty_rows(data_), min_rows_);
      deadline_.poll();
      return;
    }
    grow::drop_small(draft, data_, grow::weighty_rows(data_), min_rows_);
    const grow::LocalSearchOptions local = local_options();
    const grow::AlternatingOptions alternating = alternating_options(number);
    if (descent_ != Descent::local) grow::alternate(draft, data_, points_, alternating, deadline_);
    if (descent_ != Descent::alternating) {
      grow::descend(draft, data_, points_, local, random, deadline_);
      if (descent_ == Descent::both) {
        grow::alternate(draft, data_, points_, alternating, deadline_);
        grow::descend(draft, data_, points_, local, random, deadline_);
      }
    }
    if (descent_ == Descent::both) grow::polish(draft, data_, local);
    if (descent_ == Descent::local) perturb(draft, local, random);
  }

  // Iterated local search (Lourenco, Martin & Stutzle 2003): replaces one split by a random one, solves the two levels below it again, and
  // continues the local search from there. Keeps the new tree if it is no worse.
  void perturb(grow::EditableTree& draft, const grow::LocalSearchOptions& local, Random& random) const {
    const grow::RowList all = grow::weighty_rows(data_);
    double cost = grow::draft_cost(draft, data_, all, price_);
    for (int k = 0; k < kPerturbations && cost > 0 && options_.max_depth > 1 && !deadline_.stopped(); ++k) {
      grow::EditableTree other = draft.copy();
      grow::EditableTree* node = &other;
      grow::RowList rows = all;
      int depth = 0;
      while (!node->is_leaf() && random.below(3) == 0) {
        auto [left, right] = grow::divide(*node->split, data_, rows);
        const bool to_left = random.below(2) == 0;
        rows = to_left ? std::move(left) : std::move(right);
        node = to_left ? node->left.get() : node->right.get();
        ++depth;
      }
      const std::optional<Split> split = random_split(rows, random);
      if (!split || depth >= options_.max_depth) continue;
      *node = grow::EditableTree::fork(*split);
      const auto [left, right] = grow::divide(*split, data_, rows);
      if (std::min(grow::counted_rows(data_, left), grow::counted_rows(data_, right)) < min_rows_) continue;
      const int below = std::min(2, static_cast<int>(options_.max_depth) - depth - 1);
      const double any = std::numeric_limits<double>::infinity();
      if (below > 0) {
        if (auto best = exact(left, below, 3, any)) *node->left = std::move(*best);
        if (auto best = exact(right, below, 3, any)) *node->right = std::move(*best);
      }
      other = within_splits(std::move(other));
      grow::descend(other, data_, points_, local, random, deadline_);
      const double reached = grow::draft_cost(other, data_, all, price_);
      if (reached > cost + 1e-9 * std::max(1.0, cost)) continue;
      cost = reached;
      draft = std::move(other);
    }
  }

  // A threshold between the values of two random rows, or a random set of levels.
  std::optional<Split> random_split(const grow::RowList& rows, Random& random) const {
    if (rows.size() < 2) return {};
    const auto f = random.below(data_.features());
    const FeatureId feature{static_cast<std::int32_t>(f)};
    const Column& column = data_.columns[f];
    const bool missing_left = random.below(2) == 0;
    if (column.kind == ColumnKind::categorical) {
      CategorySplit set{feature, {}};
      for (std::size_t level = 0; level < column.levels.size(); ++level) set.left.push_back(random.below(2) == 0);
      return Split{std::move(set), missing_left};
    }
    const double a = column.values[rows[random.below(rows.size())]], b = column.values[rows[random.below(rows.size())]];
    if (!(a < b) && !(b < a)) return {};
    return Split{AxisSplit{feature, midpoint(std::min(a, b), std::max(a, b))}, missing_left};
  }

  bool has_one_run() const { return descent_ == Descent::greedy || descent_ == Descent::logistic; }
  bool hyperplanes() const { return options_.split_kind == "hyperplane"; }

  // Removes splits that do not pay for their terms, from the leaves up. Returns the cost of what is left.
  double drop_unpaid(grow::EditableTree& node, const grow::RowList& rows) const {
    const double leaf = grow::draft_cost(grow::EditableTree(), data_, rows, price_);
    if (node.is_leaf()) return leaf;
    double cost = price_ * grow::terms_of(*node.split);
    const auto [l, r] = grow::divide(*node.split, data_, rows);
    cost += drop_unpaid(*node.left, l) + drop_unpaid(*node.right, r);
    if (cost < leaf - 1e-9 * std::max(1.0, leaf)) return cost;
    node = grow::EditableTree();
    return leaf;
  }

  std::size_t class_runs() const { return hyperplanes() && descent_ != Descent::greedy && data_.classes() > 2 ? 1 : 0; }
  std::size_t own_runs() const { return class_runs() + static_cast<std::size_t>(options_.restarts) + 1; }

  grow::EditableTree start(std::size_t number, Random& random) const {
    if (descent_ == Descent::logistic) {
      return within_splits(grow::grow_logistic_tree(data_, points_, static_cast<int>(options_.max_depth), svm_cost(), max_columns_));
    }
    if (number >= own_runs()) return given(*starts_[number - own_runs()]);
    if (number < class_runs()) {
      return within_splits(grow::grow_nested_dichotomies(data_, points_, static_cast<int>(options_.max_depth), svm_cost(), max_columns_));
    }
    number -= class_runs();
    const bool greedy_planes = descent_ == Descent::greedy || (hyperplanes() && number % 2 == 0);
    const double share = number < 2 ? 1 : 0.5;
    if (greedy_planes) {
      grow::ObliqueCartOptions how;
      how.criterion = grow::criterion_named(options_.criterion);
      how.max_depth = static_cast<int>(options_.max_depth);
      how.min_rows = min_rows_;
      how.cost = svm_cost();
      how.feature_share = share;
      how.max_columns = max_columns_;
      how.axis_splits = descent_ == Descent::greedy;
      return within_splits(grow::grow_oblique_cart(data_, points_, how, random));
    }
    return within_splits(axis_start(share, random));
  }

  grow::EditableTree within_splits(grow::EditableTree draft) const {
    if (options_.max_splits < 0) return draft;
    return trimmed(draft.to_tree(data_));
  }

  grow::EditableTree trimmed(Tree tree) const {
    trim(tree, static_cast<int>(options_.max_depth), options_.max_splits);
    return grow::EditableTree::of(tree);
  }

  // The caller's tree, with leaves where it does not fit the limits or the method.
  grow::EditableTree given(Tree tree) const {
    tree.tally(data_);
    grow::EditableTree draft = trimmed(std::move(tree));
    const bool axis_only = !hyperplanes() && descent_ == Descent::local;
    return fits(draft, grow::weighty_rows(data_), axis_only) ? std::move(draft) : grow::EditableTree();
  }

  bool fits(const grow::EditableTree& node, const grow::RowList& rows, bool axis_only) const {
    if (grow::counted_rows(data_, rows) < min_rows_) return false;
    if (node.is_leaf()) return true;
    if (axis_only && node.split->plane() != nullptr) return false;
    if (columns_of(node.split->rule).size() > max_columns_) return false;
    const auto [left, right] = grow::divide(*node.split, data_, rows);
    return fits(*node.left, left, axis_only) && fits(*node.right, right, axis_only);
  }

  grow::EditableTree axis_start(double share, Random& random) const {
    std::vector<std::int32_t> columns(data_.features());
    std::iota(columns.begin(), columns.end(), 0);
    if (share < 1) {
      random.shuffle(columns);
      columns.resize(std::max<std::size_t>(1, static_cast<std::size_t>(share * static_cast<double>(columns.size()))));
      std::sort(columns.begin(), columns.end());
    }
    Dataset part = data_;
    part.columns.clear();
    for (const std::int32_t c : columns) part.columns.push_back(data_.columns[c]);
    grow::CartOptions cart;
    cart.criterion = grow::criterion_named(options_.criterion);
    cart.max_depth = static_cast<int>(options_.max_depth);
    cart.min_leaf_rows = min_rows_;
    grow::EditableTree draft = grow::EditableTree::of(grow::grow_cart(part, cart));
    rename(draft, columns);
    return draft;
  }

  static void rename(grow::EditableTree& draft, const std::vector<std::int32_t>& columns) {
    if (draft.is_leaf()) return;
    const auto rename_one = [&](auto& asks) { asks.feature = FeatureId{columns[+asks.feature]}; };
    match(
        draft.split->rule, [&](AxisSplit& axis) { rename_one(axis); },
        [&](HyperplaneSplit& plane) {
          for (auto& term : plane.terms) rename_one(term);
        },
        [&](CategorySplit& set) { rename_one(set); });
    rename(*draft.left, columns);
    rename(*draft.right, columns);
  }

  // Nobody chooses the cost of cart-h, or of logistic-h on complexity paths.
  double svm_cost() const { return options_.svm_cost > 0 ? options_.svm_cost : 1; }

  grow::AlternatingOptions alternating_options(std::size_t number) const {
    grow::AlternatingOptions how;
    const std::size_t usual = class_runs() + static_cast<std::size_t>(Options().restarts) + 1;
    const bool later = descent_ == Descent::both && number >= usual && number < own_runs();
    how.cost = later ? svm_cost() * kCostFactors[number % std::size(kCostFactors)] : svm_cost();
    how.sparse = options_.penalty == "l1";
    how.term_price = price_;
    how.min_rows = min_rows_;
    how.max_columns = max_columns_;
    return how;
  }

  grow::LocalSearchOptions local_options() const {
    grow::LocalSearchOptions how;
    how.max_depth = static_cast<int>(options_.max_depth);
    how.max_splits = options_.max_splits;
    how.min_rows = min_rows_;
    how.term_price = price_;
    how.max_columns = max_columns_;
    how.hyperplanes = hyperplanes();
    how.solve_small = [this](const grow::RowList& rows, int depth, std::int64_t splits, double upper) {
      return exact(rows, depth, splits, upper);
    };
    return how;
  }

  std::optional<grow::EditableTree> exact(const grow::RowList& rows, int depth, std::int64_t splits, double upper) const {
    const std::vector<std::int32_t> numbers(rows.begin(), rows.end());
    const Dataset here = data_.subset(numbers);
    search::ExactSearchOptions how;
    how.max_depth = depth;
    how.max_splits = splits;
    how.min_rows = min_rows_;
    how.split_price = price_;
    Tree leaf(here);
    leaf.tally(here);
    Deadline unlimited_work = deadline_.task(std::numeric_limits<std::int64_t>::max());
    Tree tree = search::search_exact(here, how, leaf, unlimited_work).tree;
    if (errors_and_splits(tree, here, price_) >= upper) return {};
    return grow::EditableTree::of(tree);
  }

  const Descent descent_;
  const Dataset& data_;
  const Options& options_;
  double price_;
  std::int64_t min_rows_;
  std::size_t max_columns_;  // that a split asks about
  const std::vector<const Tree*>& starts_;
  Deadline& deadline_;
  ScaledPoints points_;
};

}  // namespace

Tree best_tree(const Task& task, Descent descent) {
  Runs runs(task, descent);
  const auto& objective = task.objective_as<ErrorObjective>();
  std::vector<Tree> trees(runs.count());
  const auto cost_of_run = [&](std::size_t i) {
    trees[i] = runs.finished(runs.run(i));
    task.leaf_weight.repair(trees[i]);
    return objective.value(count_errors(trees[i], task.data), trees[i].terms());
  };
  const std::size_t best = grow::cheapest_run(trees.size(), 1, task, cost_of_run, [&](std::size_t i) { return trees[i]; });
  return std::move(trees[best]);
}

}  // namespace treewright::hyperplanes
