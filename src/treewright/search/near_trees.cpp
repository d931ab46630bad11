// All trees that cost nearly as little as the best one.
//
// What is a tree of its own. Rows count, but for those of equal features that cancel (problem.h): these lose the same under every label.
// Two trees are the same if they ask the same columns and their leaves part the rows that count in the same way: thresholds between the
// same two rows, splits in another order, a question that has its answer already. A tree is left out if one of its splits
//   - has two leaves that err on as much as one leaf in its place would, or
//   - sends all rows that count to one side: the subtree of that side in its place makes a tree that costs no more.
// In either case there is a smaller tree for it, which is within every limit that this one is within: its leaves have no fewer rows. So
// what is a tree of its own does not depend on the limits, and under a weaker limit there are no fewer. Rows that do not count are items
// where leaves must hold some number of rows, and else none.
//
// How they are found. A tree of cost at most B on some items is a leaf, or a cut with a tree on either side that cost B together, less the
// price of the split. So a node solves its cuts as the exact search does (node_search.cpp), but the cost to beat stays at B + 1/2 and no
// better tree lowers it. By the interval bounds every cut that is left unsolved has no tree of cost B. Each solved cut whose bounds on both
// sides leave room has its sides listed, within what the other side's bound leaves, and the lists are combined. Below two levels there is
// nothing to bound: all cuts are tried. (Costs are whole units and prices on a grid of at most 1, so no cost lies between B and B + 1/2
// that is wanted: what costs more than B is dropped.)
//
// A limit on splits is kept where lists are combined. The bounds are those for all trees with as many splits on either side as the whole
// may have, less one: true of more trees, so true of these.
//
// By levels. The trees of the least cost come first, then those of one error more, of two, of four, until there are `count`. A level that
// is not listed to its end (a list of kMostListed trees, the deadline) still gives its trees, but the claim is that of the level before.
//
// Only sets. Where the best tree of each set of columns is all that is wanted, a list keeps one tree for each set and number of splits: the
// cheapest. This is enough at every node, for the cost of a tree is a sum over both sides, and its set the union of theirs. Trees on fewer
// columns are no trees of a larger set. Of the trees with one set and different splits the cheapest is kept at the end.
//
// Equal parts. Every item has a random number of 128 bits. A leaf is known by the sum over its items, scrambled, and a tree by the sum over
// its leaves: so it does not matter in which order they come, and a list combines the numbers of two lists. Two different partitions have
// the same number with a probability of 2^-128; then one of the two trees would be missing.

#include "treewright/search/near_trees.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

#include "treewright/base/infinity.h"
#include "treewright/base/random.h"
#include "treewright/base/thread_pool.h"
#include "treewright/data/costs/price_grid.h"
#include "treewright/search/items/cut_sweep.h"
#include "treewright/search/loss/costs.h"
#include "treewright/search/node/node_search.h"
#include "treewright/tree/measures.h"

namespace treewright::search {

namespace {

constexpr std::size_t kMostListed = 20'000;
constexpr double kMostLevels = 1024;

// Of a set of items, or of a partition into such sets.
struct Mark {
  std::uint64_t a = 0, b = 0;

  auto operator<=>(const Mark&) const = default;
  Mark& operator+=(const Mark& other) { return a += other.a, b += other.b, *this; }
  Mark operator-(const Mark& other) const { return {a - other.a, b - other.b}; }
  Mark operator+(const Mark& other) const { return {a + other.a, b + other.b}; }
  /// A leaf with these items.
  Mark of_leaf() const { return {mix_bits(a + 1), mix_bits(b + 2)}; }
};

// Items with their marks.
struct Part {
  Subset items;
  std::vector<Mark> marks;  // shape (items)
};

struct Listed {
  RankTree tree;
  double cost = 0;
  std::int64_t splits = 0;
  Mark partition;
  std::vector<std::int32_t> columns;  // ascending, each once

  bool is_leaf() const { return splits == 0; }
};

using Lists = std::vector<Listed>;

class List {
 public:
  explicit List(bool only_sets) : only_sets_(only_sets) {}

  bool is_full() const { return trees_.size() >= kMostListed; }
  void add(Listed tree) {
    const auto key = only_sets_ ? Key(tree.splits, Mark{}, tree.columns) : Key(0, tree.partition, tree.columns);
    const auto [at, is_new] = known_.emplace(key, trees_.size());
    if (is_new) {
      trees_.push_back(std::move(tree));
    } else if (tree.cost < trees_[at->second].cost) {
      trees_[at->second] = std::move(tree);
    }
  }
  Lists by_cost() {
    std::ranges::stable_sort(trees_, [](const Listed& x, const Listed& y) { return x.cost < y.cost; });
    return std::move(trees_);
  }
  /// Where only sets are wanted, of the trees of any number of splits the cheapest.
  Lists of_any_splits() {
    Lists trees = by_cost();
    std::set<std::vector<std::int32_t>> seen;
    if (only_sets_) std::erase_if(trees, [&](const Listed& tree) { return !seen.insert(tree.columns).second; });
    return trees;
  }

 private:
  using Key = std::tuple<std::int64_t, Mark, std::vector<std::int32_t>>;

  const bool only_sets_;
  Lists trees_;
  std::map<Key, std::size_t> known_;  // and its place
};

std::vector<std::int32_t> joined(const std::vector<std::int32_t>& x, const std::vector<std::int32_t>& y, std::int32_t column) {
  std::vector<std::int32_t> columns;
  std::ranges::set_union(x, y, std::back_inserter(columns));
  const auto at = std::ranges::lower_bound(columns, column);
  if (at == columns.end() || *at != column) columns.insert(at, column);
  return columns;
}

// A cut with a bound on either side.
struct NearCut {
  std::size_t ordering = 0;
  std::uint32_t place = 0, low = 0, high = 0;
  double left = 0, right = 0;
};

// What one thread lists with.
class Lister {
 public:
  Lister(const Problem& problem, const SearchLimits& limits, bool only_sets, Deadline& deadline)
      : problem_(problem),
        limits_(limits),
        only_sets_(only_sets),
        deadline_(deadline),
        nodes_(problem, limits),
        worker_{DepthTwo(problem, limits), {}} {
    worker_.deadline = &deadline;
  }

  /// The cuts of one ordering that may be the root of a tree of at most `most`; none where the deadline comes first.
  std::vector<NearCut> near_cuts(const Subset& items, std::size_t ordering, const SubproblemResult& shallow, int depth, std::int64_t splits,
                                 double most) {
    Cuts cuts;
    cuts.assign(items, ordering);
    const double beaten = most + 0.5;
    const std::int64_t below = std::min(splits - 1, full_splits(depth - 1));
    OrderingSearch search{ordering, below, below, {}};
    const NodeFrame node{items, cuts, depth, &worker_};
    nodes_.open(node, search, shallow, beaten);
    while (true) {
      std::vector<NodeSearch::Solved> solved;
      for (const Candidate& candidate : nodes_.candidates(node, search, beaten)) {
        if (deadline_.poll(items.size)) return {};
        solved.push_back(nodes_.recall_cut(node, search, candidate, beaten));
      }
      if (solved.empty()) break;
      for (NodeSearch::Solved& cut : solved) nodes_.add(node, search, cut, beaten);
    }
    std::vector<NearCut> near;
    for (std::size_t i = 1; i + 1 < search.solved.size(); ++i) {
      const SolvedCut& cut = search.solved[i];
      if (limits_.split_price + cut.bounds.sum().strict > most) continue;
      const auto at = static_cast<std::size_t>(cut.cut);
      near.push_back({ordering, cuts.place(at), cuts.low(at), cuts.high(at), cut.bounds.left.strict, cut.bounds.right.strict});
    }
    return near;
  }

  SubproblemResult shallower(const Subset& items, int depth, std::int64_t splits) {
    return nodes_.solve(worker_, ItemRange::all(items), depth - 1, std::min(splits, full_splits(depth - 1)), kInfinity, {});
  }

  /// The trees with that cut as the root.
  void add_trees(const Part& part, const NearCut& cut, int depth, std::int64_t splits, double most, List& list) {
    const double price = limits_.split_price;
    const Lists left = side(part, {part.items, cut.ordering, 0, cut.place}, depth - 1, splits - 1, most - price - cut.right);
    if (left.empty()) return;
    const double least = left.front().cost;
    const Lists right = side(part, {part.items, cut.ordering, cut.place, part.items.size}, depth - 1, splits - 1, most - price - least);
    const double leaf = part.items.leaf_errors(problem_.classes);
    const std::int32_t column = +problem_.orderings[cut.ordering].feature;
    for (const Listed& l : left) {
      if (deadline_.poll(static_cast<std::int64_t>(right.size()))) return;
      for (const Listed& r : right) {
        const double cost = price + l.cost + r.cost;
        if (cost > most) break;
        if (l.splits + r.splits + 1 > splits || (l.is_leaf() && r.is_leaf() && l.cost + r.cost >= leaf)) continue;
        if (list.is_full()) return void(cut_off_ = true);
        list.add({RankTree::split({static_cast<std::int32_t>(cut.ordering), cut.low, cut.high}, l.tree, r.tree), cost,
                  l.splits + r.splits + 1, l.partition + r.partition, joined(l.columns, r.columns, column)});
      }
    }
  }

  void add_leaf(const Part& part, double most, List& list) const {
    const double leaf = part.items.leaf_errors(problem_.classes);
    Mark sum;
    for (const Mark& mark : part.marks) sum += mark;
    if (leaf <= most) list.add({RankTree::leaf(), leaf, 0, sum.of_leaf(), {}});
  }

  /// Whether a list was not listed to its end.
  bool cut_off() const { return cut_off_ || deadline_.stopped(); }

  /// All trees on the items that cost at most `most`, the cheapest first.
  Lists trees(const Part& part, int depth, std::int64_t splits, double most) {
    List list(only_sets_);
    add_leaf(part, most, list);
    if (depth == 0 || splits == 0 || part.items.size < 2 || deadline_.poll(part.items.size)) return list.by_cost();
    if (depth == 1 || splits == 1) {
      for (std::size_t f = 0; f < problem_.orderings.size() && !deadline_.poll(part.items.size); ++f) add_stumps(part, f, most, list);
      return list.by_cost();
    }
    const SubproblemResult shallow = shallower(part.items, depth, splits);
    for (std::size_t f = 0; f < problem_.orderings.size() && !deadline_.stopped(); ++f) {
      for (const NearCut& cut : near_cuts(part.items, f, shallow, depth, splits, most)) add_trees(part, cut, depth, splits, most, list);
    }
    return list.by_cost();
  }

 private:
  Lists side(const Part& whole, const ItemRange& range, int depth, std::int64_t splits, double most) {
    Part part;
    range.copy_to(part.items);
    part.marks.resize(range.size());
    std::vector<std::uint32_t> renamed;
    range.number_items(renamed);
    for (std::size_t i = 0; i < renamed.size(); ++i) {
      if (renamed[i] != kAbsent) part.marks[renamed[i]] = whole.marks[i];
    }
    if (part.items.total_reach == 0) return {};  // no row here counts
    return trees(part, depth, splits, most);
  }

  void add_stumps(const Part& part, std::size_t ordering, double most, List& list) {
    const Subset& items = part.items;
    const std::span<const double> reach = items.reach_or_weight();
    const double leaf = items.leaf_errors(problem_.classes);
    const std::int32_t column = +problem_.orderings[ordering].feature;
    Mark all, mark;
    for (const Mark& of_item : part.marks) all += of_item;
    double left_reach = 0;
    const auto moved = [&](std::uint32_t item) {
      left_reach += reach[item];
      mark += part.marks[item];
    };
    const auto add = [&](const Cuts& cuts, std::size_t cut, const std::vector<double>& left, const std::vector<double>& right) {
      const double errors = leaf_cost(left_reach, left) + leaf_cost(items.total_reach - left_reach, right);
      if (limits_.split_price + errors > most || errors >= leaf) return;
      if (list.is_full()) return void(cut_off_ = true);
      const RankTree::Node root{static_cast<std::int32_t>(ordering), cuts.low(cut), cuts.high(cut)};
      list.add({RankTree::split(root, RankTree::leaf(), RankTree::leaf()),
                limits_.split_price + errors,
                1,
                mark.of_leaf() + (all - mark).of_leaf(),
                {column}});
    };
    sweep_cuts(items, ordering, items.class_weights(problem_.classes), limits_.min_rows, moved, add);
  }

  const Problem& problem_;
  const SearchLimits& limits_;
  const bool only_sets_;
  Deadline& deadline_;
  const NodeSearch nodes_;
  Worker worker_;
  bool cut_off_ = false;
};

// The costs at which a level ends. All levels together cost little more than the last one, as a rule. Where the unit says nothing of how
// far trees are apart, there are few levels.
std::vector<double> levels(double within, double unit) {
  std::vector<double> ends{0};
  for (double end = std::max(unit, within / kMostLevels); end < within; end *= 2) ends.push_back(end);
  if (within > 0) ends.push_back(within);
  return ends;
}

class NearSearch {
 public:
  NearSearch(const Problem& problem, const SearchLimits& limits, const ExactSearchOptions& options, bool only_sets, Deadline& deadline)
      : problem_(problem),
        limits_(limits),
        only_sets_(only_sets),
        depth_(options.max_depth),
        splits_(options.max_splits < 0 ? full_splits(depth_) : std::min(options.max_splits, full_splits(depth_))),
        deadline_(deadline),
        pool_(options.threads) {
    root_.items = Subset::all(problem);
    Random random(1);
    // Trees that differ only in where items without weight go are the same.
    for (const double reach : root_.items.reach_or_weight()) root_.marks.push_back(reach > 0 ? Mark{random.next(), random.next()} : Mark{});
  }

  /// The cuts of the root that may be that of a tree of at most `most`, the least bound first.
  void solve_root(double most) {
    if (depth_ < 2 || splits_ < 2) return;
    if (!shallow_) shallow_ = lister().shallower(root_.items, depth_, splits_);
    std::vector<std::vector<NearCut>> found(problem_.orderings.size());
    pool_.parallel_for(found.size(),
                       [&](std::size_t f) { found[f] = lister().near_cuts(root_.items, f, *shallow_, depth_, splits_, most); });
    cuts_.clear();
    for (const auto& cuts : found) cuts_.insert(cuts_.end(), cuts.begin(), cuts.end());
    std::ranges::stable_sort(cuts_, [](const NearCut& x, const NearCut& y) { return x.left + x.right < y.left + y.right; });
  }

  /// All trees of at most `most`; `complete` says whether these are all.
  Lists trees(double most, bool& complete) {
    if (depth_ < 2 || splits_ < 2) {
      Lister all = lister();
      Lists found = all.trees(root_, depth_, splits_, most);
      complete = !all.cut_off();
      return found;
    }
    const auto end = std::ranges::find_if(cuts_, [&](const NearCut& cut) { return limits_.split_price + cut.left + cut.right > most; });
    std::vector<List> lists(static_cast<std::size_t>(end - cuts_.begin()), List(only_sets_));
    std::vector<char> cut_off(lists.size(), 0);
    pool_.parallel_for(lists.size(), [&](std::size_t i) {
      Lister of_cut = lister();
      of_cut.add_trees(root_, cuts_[i], depth_, splits_, most, lists[i]);
      cut_off[i] = of_cut.cut_off() ? 1 : 0;
    });
    List all(only_sets_);
    lister().add_leaf(root_, most, all);
    complete = std::ranges::count(cut_off, 1) == 0 && !deadline_.stopped();
    for (List& list : lists) {
      if (deadline_.stopped() && all.is_full()) break;
      for (Listed& tree : list.by_cost()) all.add(std::move(tree));
    }
    return all.of_any_splits();
  }

 private:
  Lister lister() const { return {problem_, limits_, only_sets_, deadline_}; }

  const Problem& problem_;
  const SearchLimits& limits_;
  const bool only_sets_;
  const int depth_;
  const std::int64_t splits_;
  Deadline& deadline_;
  ThreadPool pool_;
  Part root_;
  std::optional<SubproblemResult> shallow_;  // the best trees of a level less
  std::vector<NearCut> cuts_;
};

}  // namespace

bool has_no_time_for_all(const Deadline& deadline, double since) {
  constexpr double kSecondsBehindTheLimit = 0.15;
  return deadline.interrupted() || (deadline.remaining() < 0 && deadline.elapsed() > since + kSecondsBehindTheLimit);
}

NearTrees near_trees(const Dataset& data, const ExactSearchOptions& options, const Tree& best, const NearWanted& wanted,
                     Deadline& deadline) {
  const Problem problem = make_problem(data, options.min_rows > 1, true, false);
  const double unit = problem.row_weights.unit;
  SearchLimits limits;
  limits.split_price = price_on_grid(options.split_price / unit, problem.total_weight);
  limits.rules = options.rules;
  limits.min_rows = options.min_rows;
  const double least = problem.row_weights.errors(data.labels, best.predict(data)) - problem.base_errors +
                       limits.split_price * static_cast<double>(best.splits());
  NearSearch search(problem, limits, options, wanted.only_sets, deadline);
  const std::vector<double> ends = levels(wanted.within, unit);
  // Rounding of the quotient, of the prices, of weights without a common unit and of costs loses no tree. Without a price costs are whole.
  const double off = 2 * (problem.row_weights.rounding + wanted.off), slack = off > 0 ? 1 + std::ceil(off / unit) : 0;
  const auto most_splits = static_cast<double>(std::min(full_splits(options.max_depth), static_cast<std::int64_t>(problem.items())));
  const double of_prices = most_splits * std::abs(limits.split_price - options.split_price / unit);
  const auto most = [&](double end) {
    const double more = (end / unit) * (1 + 0x1p-50) + slack + of_prices + 1e-6;
    return least + (limits.split_price > 0 ? more : std::floor(more));
  };
  NearTrees near;
  Lists found;
  for (const double end : ends) {
    bool complete = false;
    search.solve_root(most(end));
    Lists trees = search.trees(most(end), complete);
    const bool all = complete && trees.size() <= wanted.count;
    if (trees.size() > found.size() || found.empty()) found = std::move(trees);
    if (!all) break;
    near.complete_within = end;
  }
  if (found.size() > wanted.count) found.resize(wanted.count);
  const double searched = deadline.elapsed();
  for (const Listed& listed : found) {
    if (!near.trees.empty() && has_no_time_for_all(deadline, searched)) {
      near.complete_within = -1;
      break;
    }
    Tree tree = listed.tree.to_tree(problem, data, 0);
    const double cost = errors_and_splits(tree, data, options.split_price);
    near.trees.push_back({std::move(tree), cost});
  }
  return near;
}

}  // namespace treewright::search
