// CART (Breiman, Friedman, Olshen & Stone, Classification and Regression Trees, 1984), with the conventions
// of scikit-learn's DecisionTreeClassifier where the book leaves them open:
// - a node is split while it is impure and some cut leaves min_leaf_rows on both sides, even if the best cut
// gains nothing: on XOR
//   the first split gains nothing and the second everything;
// - max_leaf_nodes splits the node of the largest weighted gain first.
// Unlike scikit-learn, values stay doubles (no cast to float, no two values are "close enough" to be equal),
// categories and missing values are split on as they are, and ties go to the lowest feature, then the lowest
// threshold, never to chance.
//
// Where the target is a number, decreases of impurity, and the price of a split with them, are shares of what the tree without splits
// loses: rpart's cp, and not scikit-learn's units of the target.
//
// Each feature's rows are sorted once. A node owns the same range [begin, end) of every feature's list;
// splitting it moves the rows of the left child to the front of the range, stably, so both halves stay
// sorted. A level of the tree costs O(rows * features), where sorting in every node costs a factor log(rows)
// more. A feature that is constant in a node is constant below it, so the node's descendants neither scan nor
// move its list: `Candidate::features` are the others.
//
// Rows of weight 0 are in no list: they change neither the splits nor the rows counted by min_leaf_rows. Rows
// of a table of gains count for the rows that they stand for (Dataset::counts). The
// finished tree is tallied by routing all rows through it, so its counts are what a recount finds.

#include "treewright/grow/cart.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <tuple>
#include <utility>

#include "treewright/base/stop_point.h"
#include "treewright/data/midpoint.h"
#include "treewright/data/ranked_rows.h"
#include "treewright/grow/cost_complexity.h"
#include "treewright/grow/number_search.h"
#include "treewright/grow/split_search.h"

namespace treewright::grow {

namespace {

// A leaf of the growing tree that could be split, with the best way to do so.
template <class Search>
struct CandidateOf {
  NodeId node = Tree::root();
  std::uint32_t begin = 0, end = 0;
  std::int64_t rows = 0;  // that count (Dataset::counts)
  int depth = 0;
  typename Search::Sums sums;
  std::vector<std::int32_t> features;  // not known to be constant, ascending
  std::int32_t feature = -1;           // of the best split
  RankSplit best;
  double gain = 0;
};

// Search: of classes (SplitSearch) or of numbers (NumberSearch).
template <class Search>
class Grower {
 public:
  using Candidate = CandidateOf<Search>;

  Grower(const Dataset& data, const CartOptions& options, Search search)
      : data_(data), options_(options), tree_(data), search_(std::move(search)), side_(data.rows()) {}

  // Where the run ends, what was split until then stands.
  Tree grow() {
    try {
      split_leaves();
    } catch (const Stopped&) {
    }
    tree_.tally(data_);
    return std::move(tree_);
  }

 private:
  void split_leaves() {
    const std::int64_t max_leaves = options_.max_leaf_nodes < 0 ? std::numeric_limits<std::int64_t>::max() : options_.max_leaf_nodes;
    consider(root());
    for (std::int64_t leaves = 1; leaves < max_leaves && !frontier_.empty(); ++leaves) {
      auto [left, right] = split(next());
      consider(std::move(right));
      consider(std::move(left));
    }
  }

  Candidate root() {
    Candidate all;
    std::vector<std::uint32_t> rows;
    for (std::uint32_t row = 0; row < data_.rows(); ++row) {
      if (data_.weight(row) > 0) rows.push_back(row), all.rows += data_.count(row);
    }
    all.end = static_cast<std::uint32_t>(rows.size());
    all.sums = search_.of_all(data_);
    buffer_.resize(rows.size());
    for (std::size_t f = 0; f < data_.features(); ++f) {
      stop_point();
      lists_.push_back(splittable(all) ? sorted_rows(data_.columns[f], rows) : std::vector<RankedRow>());
      all.features.push_back(static_cast<std::int32_t>(f));
    }
    return all;
  }

  bool splittable(const Candidate& node) const {
    return (options_.max_depth < 0 || node.depth < options_.max_depth) && node.rows >= std::max<std::int64_t>(2, options_.min_split_rows) &&
           node.rows / 2 >= options_.min_leaf_rows && search_.impure(node.sums);
  }

  // Finds the node's best split; puts it on the frontier if there is one.
  void consider(Candidate node) {
    if (!splittable(node)) return;
    search_.enter(node.sums);
    std::vector<std::int32_t> varying;
    for (const std::int32_t f : node.features) {
      stop_point();
      if (node.node == Tree::root() && options_.root_feature >= 0 && f != options_.root_feature) {
        varying.push_back(f);
        continue;
      }
      const std::span<const RankedRow> list(lists_[f].data() + node.begin, node.end - node.begin);
      bool constant = false;
      const auto* const alone = options_.family == nullptr ? nullptr : options_.family->alone(static_cast<std::size_t>(f));
      RankSplit split = data_.columns[f].kind == ColumnKind::numeric ? search_.best_numeric(list, node.best.score, constant)
                                                                     : search_.best_categorical(list, node.best.score, alone, constant);
      if (!constant) varying.push_back(f);
      if (!split.found()) continue;
      node.best = std::move(split);
      node.feature = f;
    }
    if (node.feature < 0) return;
    node.features = std::move(varying);
    node.gain = node.best.score - search_.purity_of_node();
    // Sums in another order differ in their last digits.
    if (search_.decrease(node.gain) + std::numeric_limits<double>::epsilon() < options_.min_impurity_decrease) return;
    frontier_.push_back(std::move(node));
    if (best_first()) std::push_heap(frontier_.begin(), frontier_.end(), later);
  }

  bool best_first() const { return options_.max_leaf_nodes >= 0; }
  static bool later(const Candidate& a, const Candidate& b) { return a.gain < b.gain || (a.gain == b.gain && +a.node > +b.node); }

  Candidate next() {
    if (best_first()) std::pop_heap(frontier_.begin(), frontier_.end(), later);
    Candidate node = std::move(frontier_.back());
    frontier_.pop_back();
    return node;
  }

  // Splits the node in the tree and in the lists; returns its children.
  std::pair<Candidate, Candidate> split(const Candidate& node) {
    const bool numeric = data_.columns[node.feature].kind == ColumnKind::numeric;
    const std::span<const RankedRow> list(lists_[node.feature].data() + node.begin, node.end - node.begin);
    std::vector<bool> level_left;
    if (!numeric) {
      level_left.assign(data_.columns[node.feature].levels.size(), false);
      for (const std::uint32_t level : node.best.left_levels) level_left[level] = true;
    }

    Candidate left, right;
    left.depth = right.depth = node.depth + 1;
    left.sums = right.sums = search_.none();
    std::uint32_t rows_left = 0;
    double weight_left = 0, weight_right = 0;
    for (const auto [rank, row] : list) {
      const bool goes_left = rank == kMissingRank ? node.best.missing_left : numeric ? rank < node.best.first_right : level_left[rank];
      side_[row] = goes_left;
      rows_left += goes_left;
      (goes_left ? left : right).rows += data_.count(row);
      search_.add((goes_left ? left : right).sums, row);
      (goes_left ? weight_left : weight_right) += data_.weight(row);
    }
    left.begin = node.begin;
    left.end = right.begin = node.begin + rows_left;
    right.end = node.end;
    assert(left.begin < left.end && right.begin < right.end);
    // What no row of the node shows, a missing value or a level, follows the heavier child.
    const bool heavier_left = weight_left > weight_right;
    Split rule;
    rule.missing_left = list.back().rank == kMissingRank ? node.best.missing_left : heavier_left;
    const FeatureId feature{node.feature};
    if (numeric) {
      const std::vector<double>& values = data_.columns[node.feature].values;
      rule.rule = AxisSplit{feature, midpoint(values[node.best.last_left_row], values[node.best.first_right_row])};
    } else {
      std::vector<bool> seen(level_left.size(), false);
      for (const auto [rank, row] : list) {
        if (rank != kMissingRank) seen[rank] = true;
      }
      for (std::size_t level = 0; level < seen.size(); ++level) {
        if (!seen[level]) level_left[level] = heavier_left;
      }
      rule.rule = CategorySplit{feature, level_left};
    }
    std::tie(left.node, right.node) = tree_.split(node.node, std::move(rule));

    if (splittable(left) || splittable(right)) {
      for (const std::int32_t f : node.features) partition(lists_[f], node.begin, node.end);
      left.features = right.features = node.features;
    }
    return {std::move(left), std::move(right)};
  }

  void partition(std::vector<RankedRow>& list, std::uint32_t begin, std::uint32_t end) {
    RankedRow* front = list.data() + begin;
    RankedRow* back = buffer_.data();
    for (std::uint32_t i = begin; i < end; ++i) {
      // Both are written and one is kept: no branch to mispredict.
      const RankedRow entry = list[i];
      const std::uint8_t left = side_[entry.row];
      *front = entry;
      *back = entry;
      front += left;
      back += 1 - left;
    }
    std::copy(buffer_.data(), back, front);
  }

  const Dataset& data_;
  const CartOptions& options_;
  Tree tree_;
  Search search_;
  std::vector<std::vector<RankedRow>> lists_;  // per feature
  std::vector<RankedRow> buffer_;
  std::vector<std::uint8_t> side_;  // per row: 1 = left in the split being made
  std::vector<Candidate> frontier_;
};

}  // namespace

Tree grow_cart(const Dataset& data, const CartOptions& options) {
  assert(data.labeled() || data.response);
  Tree tree = data.response
                  ? Grower(data, options, NumberSearch(data, options.min_leaf_rows)).grow()
                  : Grower(data, options,
                           SplitSearch(options.criterion, data.classes(), data.labels, data.weights, options.min_leaf_rows, data.counts))
                        .grow();
  if (options.ccp_alpha > 0) prune_cost_complexity(tree, options.criterion, options.ccp_alpha);
  if (options.max_splits >= 0) trim(tree, std::numeric_limits<int>::max(), options.max_splits);
  return tree;
}

}  // namespace treewright::grow
