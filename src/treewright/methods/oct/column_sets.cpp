// At most M columns, and columns that have a price: branch and bound over sets of columns.
//
// A node is a pair of sets of columns, In and Out. Its trees ask every column of In and none of Out, so they cost at least
//   (price of all columns of In) + (least cost, without prices of columns, of a tree that asks no column of Out).
// The second sum is an optimum of the exact search on the data without these columns. It drops "ask every column of In", and so bounds more
// trees than those of the node. The tree T that attains it is a tree of the whole problem if it asks at most M columns: then it is one to
// beat, at its own price.
//
// At the root Out is empty, and In holds the column that every tree is to ask first, if there is one.
//
// Branching. Let T ask a column c that is not in In. Trees of the node ask c or they do not: (In + c, Out) and (In, Out + c). The first has
// the same T and costs the price of c more, without a solve, unless In + c has M columns. Then its trees ask no others, and it is solved
// with all others left out. The second is solved. c is the column that T asks most rows about: without it the bound rises most.
//
// Why a node is closed where T has no such c. T asks columns of In only. Then T costs at most its errors, its splits and the price of In,
// which is the bound of the node. No better tree is in the node. (In has at most M columns, so T is allowed.) Where rounded weights leave T
// above its bound, the bound is kept, and the result says so.
//
// The order is by least bound, so the first node that costs no less than the best tree ends the search; what is open bounds the whole when
// it is stopped. A solve knows the optimum of its parent, which is one among more trees, and looks only for trees that beat the best one
// (Relaxation).
//
// First trees. A search that starts with all columns has its first allowed tree late. So the sets of M columns among those of the first T
// are solved at the start; there are 35 at most of three among seven. Where there are more than kMostFirstSets, the columns that fewest
// rows are asked about are dropped before.

#include "treewright/methods/oct/column_sets.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

#include "treewright/base/infinity.h"
#include "treewright/base/round_down.h"
#include "treewright/data/costs/whole_weights.h"
#include "treewright/grow/start_tree.h"
#include "treewright/tree/measures.h"

namespace treewright::oct {

namespace {

constexpr std::size_t kMostFirstSets = 64;

// The rows that the splits on each column are asked about. Shape (features).
std::vector<std::int64_t> rows_asked(const Tree& tree) {
  std::vector<std::int64_t> rows(tree.features.size(), 0);
  for (const Node& node : tree.nodes()) {
    if (!node.is_leaf()) rows[static_cast<std::size_t>(+node.split->feature().value())] += node.rows;
  }
  return rows;
}

std::vector<std::size_t> columns_of(const Tree& tree) {
  std::vector<std::size_t> columns;
  for (const FeatureId column : tree.features_used()) columns.push_back(static_cast<std::size_t>(+column));
  return columns;
}

class ColumnSetSearch {
 public:
  ColumnSetSearch(const Task& task, const TrainAny& train)
      : task_(task),
        train_(train),
        objective_(task.objective_as<ErrorObjective>()),
        prices_(objective_.column_prices()),
        most_(task.asked.most() < 0 ? task.data.features() : static_cast<std::size_t>(task.asked.most())),
        options_(task.options),
        rounding_(whole_weights(task.data).rounding) {
    options_.max_columns = -1;
    options_.column_costs.clear();
    options_.verify = "no";
  }

  Result run() {
    start();
    Branch root{std::vector<Side>(task_.data.features(), most_ == 0 ? Side::out : Side::open), 0, 0, 0, nullptr};
    if (const std::optional<FeatureId> first = task_.asked.first()) take_in(root, static_cast<std::size_t>(+*first));
    solve(root);
    lower_reported_ = root.lower;
    try_first_sets(*root.solved);
    push(std::move(root));
    lower_reported_ = std::max(lower_reported_, lower());
    while (!open_.empty() && !is_beaten(open_.top().lower) && !task_.deadline.poll()) {
      const Branch node = open_.top();
      open_.pop();
      branch(node);
      lower_reported_ = std::max(lower_reported_, lower());  // not before both parts of the node are there
      report();
    }
    Result result;
    result.tree = best_;
    const bool complete = is_beaten(unproved_) && (open_.empty() || is_beaten(open_.top().lower));
    result.status = complete ? Status::optimal : task_.deadline.stopped() ? task_.deadline.reason() : Status::heuristic;
    result.bound = lower() / objective_.error_scale();
    return result;
  }

 private:
  enum class Side : char { open, in, out };

  // The optimum without the columns that are left out, without prices of columns; `tree` is the best one known.
  struct Solved {
    Tree tree;
    double cost = kInfinity, lower = 0;
    bool optimal = false;
    double errors = 0;
  };

  struct Branch {
    std::vector<Side> sides;  // shape (features)
    std::size_t size = 0;     // of In
    double price = 0;         // of In
    double lower = 0;         // of all trees of the node, with prices
    std::shared_ptr<const Solved> solved;
    std::int64_t number = 0;  // in the order of their making
  };

  struct DearerFirst {
    bool operator()(const Branch& x, const Branch& y) const { return std::tuple(x.lower, x.number) > std::tuple(y.lower, y.number); }
  };

  double cost_of(const Tree& tree) const { return errors_and_splits(tree, task_.data, objective_.split_price()); }
  // Bounds are lower by what weights without a common unit were rounded by, and by the digits of a product and a quotient.
  bool is_beaten(double lower) const { return lower >= best_cost_ * (1 - kRoundingOfSum / 4) - rounding_; }
  double lower() const {
    const double open = open_.empty() ? kInfinity : open_.top().lower;
    return std::min({best_cost_, unexplained_, beaten_, open});
  }

  void start() {
    const std::optional<FeatureId> first = task_.asked.first();
    best_ = first ? grow::stump_that_asks(*first, task_.data, task_.min_rows) : single_leaf(task_, "").tree;
    best_.tally(task_.data);
    best_cost_ = cost_of(best_) + prices_.of(best_);
    for (const Tree& tree : grow::given_trees(task_, task_.rows_needed())) {
      if (task_.leaf_weight.holds(tree)) consider(tree, cost_of(tree));
    }
    grow_greedily();
    report();
  }

  // CART, and CART on the M columns about which it asks most rows.
  void grow_greedily() {
    const Tree free = grow::start_tree(task_, task_.rows_needed());
    consider_greedy(free);
    std::vector<std::size_t> columns = columns_of(free);
    if (columns.size() <= most_) return;
    const std::vector<std::int64_t> rows = rows_asked(free);
    const auto is_first = [&](std::size_t f) { return task_.asked.first() == FeatureId{static_cast<std::int32_t>(f)}; };
    std::ranges::stable_sort(
        columns, [&](std::size_t f, std::size_t g) { return std::pair(is_first(f), rows[f]) > std::pair(is_first(g), rows[g]); });
    columns.resize(most_);
    std::vector<FeatureId> others;
    for (std::size_t f = 0; f < task_.data.features(); ++f) {
      if (std::ranges::find(columns, f) == columns.end()) others.push_back(FeatureId{static_cast<std::int32_t>(f)});
    }
    Dataset data = task_.data;
    hide_columns(data, others);
    Tree few = grow::start_tree(without_columns(data, {}, {}), task_.rows_needed());
    few.features = free.features;  // as they were before they were hidden
    consider_greedy(few);
  }

  void consider_greedy(Tree tree) {
    tree.tally(task_.data);
    if (task_.leaf_weight.holds(tree)) consider(tree, cost_of(tree));
  }

  void consider(const Tree& tree, double cost) {
    const double whole = cost + prices_.of(tree);
    if (!task_.asked.hold(tree) || whole >= best_cost_) return;
    best_ = tree;
    best_cost_ = whole;
    is_news_ = true;
  }

  void report() {
    const double scale = objective_.error_scale();
    const Progress progress{task_.deadline.elapsed(), best_cost_ / scale, lower_reported_ / scale, is_news_ ? 'S' : ' '};
    is_news_ ? task_.report(progress, best_) : task_.report(progress);
    is_news_ = false;
  }

  // The task on `data`, whose columns may be hidden, without a number and without prices of columns.
  Task without_columns(const Dataset& data, const ProgressListener& listener, const std::optional<Relaxation>& wider) const {
    return {data,
            options_,
            std::make_shared<ErrorObjective>(objective_.price(), objective_.error_scale()),
            task_.min_rows,
            task_.leaf_weight,
            task_.deadline,
            listener,
            task_.stop,
            {},
            {},
            {},
            nullptr,
            task_.asked.of_any_number(),
            wider};
  }

  // The best tree that asks none of the columns `out`, if it costs less than the best tree known less `price`.
  Solved solve(const std::vector<Side>& sides, double price, const Solved* parent) {
    std::vector<FeatureId> out;
    for (std::size_t f = 0; f < sides.size(); ++f) {
      if (sides[f] == Side::out) out.push_back(FeatureId{static_cast<std::int32_t>(f)});
    }
    Dataset data = task_.data;
    hide_columns(data, out);
    const auto listener = [this, parent](const Progress& inner) {
      if (parent == nullptr) lower_reported_ = std::max(lower_reported_, inner.bound * objective_.error_scale());
      report();
    };
    const Result result = train_(without_columns(data, listener, wider(parent, best_cost_ - price)));
    Solved solved;
    solved.tree = result.tree;
    solved.tree.features = Tree(task_.data).features;  // as they were before they were hidden
    solved.tree.tally(data);
    solved.errors = count_errors(solved.tree, data);
    solved.cost = solved.errors + objective_.split_price() * static_cast<double>(solved.tree.splits());
    solved.optimal = result.status == Status::optimal;
    solved.lower = std::min(result.bound * objective_.error_scale(), solved.cost);
    consider(solved.tree, solved.cost);
    return solved;
  }

  static std::optional<Relaxation> wider(const Solved* parent, double upper) {
    if (parent == nullptr || !parent->optimal) return {};
    return Relaxation{parent->errors, static_cast<std::int64_t>(parent->tree.splits()), std::max(0.0, upper - parent->cost)};
  }

  // No tree of a node costs less than its parent's bound.
  void solve(Branch& node) {
    const std::shared_ptr<const Solved> parent = node.solved;
    node.solved = std::make_shared<const Solved>(solve(node.sides, node.price, parent.get()));
    node.lower = std::max(node.lower, node.solved->lower + node.price);
  }

  void push(Branch node) {
    node.number = ++nodes_;
    if (is_beaten(node.lower)) {
      beaten_ = std::min(beaten_, node.lower);
    } else {
      open_.push(std::move(node));
    }
  }

  // The column to branch on; empty = the node is closed.
  std::optional<std::size_t> next_column(const Branch& node) const {
    const std::vector<std::int64_t> rows = rows_asked(node.solved->tree);
    std::optional<std::size_t> next;
    for (const std::size_t f : columns_of(node.solved->tree)) {
      if (node.sides[f] == Side::open && (!next || rows[f] > rows[*next])) next = f;
    }
    return next;
  }

  // With M columns in In its trees ask no others.
  void take_in(Branch& node, std::size_t column) const {
    node.sides[column] = Side::in;
    node.price += prices_.of(FeatureId{static_cast<std::int32_t>(column)});
    if (++node.size < most_) return;
    for (Side& side : node.sides) side = side == Side::open ? Side::out : side;
  }

  void branch(const Branch& node) {
    const std::optional<std::size_t> column = next_column(node);
    if (!column) {
      unexplained_ = std::min(unexplained_, node.lower);
      if (!node.solved->optimal) unproved_ = std::min(unproved_, node.lower);
      return;
    }
    Branch without = node, with = node;
    take_in(with, *column);
    with.lower = std::max(with.lower, with.solved->lower + with.price);
    if (with.size == most_ && !is_beaten(with.lower)) solve(with);
    push(std::move(with));
    without.sides[*column] = Side::out;
    solve(without);
    push(std::move(without));
  }

  // Sets of M columns among those of the tree. The column that is to be asked first is in each of them.
  void try_first_sets(const Solved& solved) {
    std::vector<std::size_t> columns = columns_of(solved.tree);
    if (columns.size() <= most_) return;
    const std::optional<FeatureId> first = task_.asked.first();
    if (first) std::erase(columns, static_cast<std::size_t>(+*first));
    const std::size_t most = most_ - (first ? 1 : 0);
    const std::vector<std::int64_t> rows = rows_asked(solved.tree);
    std::ranges::stable_sort(columns, [&](std::size_t f, std::size_t g) { return rows[f] > rows[g]; });
    const auto sets = [&](std::size_t n) {
      double count = 1;
      for (std::size_t i = 0; i < most; ++i) count *= static_cast<double>(n - i) / static_cast<double>(i + 1);
      return count;
    };
    while (columns.size() > most + 1 && sets(columns.size()) > static_cast<double>(kMostFirstSets)) columns.pop_back();
    std::vector<char> chosen(columns.size(), 0);
    std::fill_n(chosen.begin(), most, 1);
    do {
      std::vector<Side> sides(task_.data.features(), Side::out);
      if (first) sides[static_cast<std::size_t>(+*first)] = Side::in;
      for (std::size_t i = 0; i < columns.size(); ++i) {
        if (chosen[i] != 0) sides[columns[i]] = Side::open;
      }
      solve(sides, 0, &solved);
    } while (!task_.deadline.poll() && std::prev_permutation(chosen.begin(), chosen.end()));
  }

  const Task& task_;
  const TrainAny& train_;
  const ErrorObjective& objective_;
  const ColumnPrices& prices_;
  const std::size_t most_;
  Options options_;
  Tree best_;
  double best_cost_ = kInfinity;
  const double rounding_;
  double unexplained_ = kInfinity;  // bound of nodes that were closed without a tree of that cost
  double unproved_ = kInfinity;     // and of those of them whose own tree is not known to be the best, by a limit on the weight of leaves
  double beaten_ = kInfinity;       // and of those that were closed because no tree of theirs costs less than the best
  double lower_reported_ = 0;
  bool is_news_ = true;
  std::int64_t nodes_ = 0;
  std::priority_queue<Branch, std::vector<Branch>, DearerFirst> open_;
};

}  // namespace

bool chooses_columns(const Task& task) {
  if (task.asked.most() >= 0) return true;
  return !task.data.response && task.objective_as<ErrorObjective>().column_prices().any();  // numbers have no prices of columns
}

Result train_on_column_sets(const Task& task, const TrainAny& train) {
  return ColumnSetSearch(task, train).run();
}

}  // namespace treewright::oct
