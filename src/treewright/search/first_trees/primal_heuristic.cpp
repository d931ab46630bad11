// A primal heuristic: it finds a good tree for the exact search to beat.
//
// Look-ahead. A node takes the root of its best tree one level shallower. Its two children do the same; depth two is exact (depth_two.h).
// A tree of depth D takes as long as about 2^(D-2) exact depth-two trees of all rows.
//
// Alternating optimization of the root. With both subtrees of the root fixed, each row has a cost on the left and one on the right, so one
// scan of each ordering finds the best root. Its children then look ahead again, and so on while the tree gets better. This follows
// Carreira-Perpinan and Tavallali 2018; here the lowest two levels are exact.
//
// A tree from elsewhere is polished by the same alternation in every node, the children before their parent: the cuts change, the shape
// stays, but for the lowest levels, which are solved to the optimum. Two such levels cost next to nothing. More of them take about as long
// as the root's own level of that depth.
//
// Every node does both. At the root a grid of cuts of every promising ordering is tried as well, then finer grids around the best cuts.
// A look-ahead and the best cuts of each grid get three exact levels, which takes much longer and finds better trees. Trials run side by
// side and are reported in order, so any number of threads finds the same tree.
//
// Measured at depth four, errors after the first look-ahead / after the grids / of the optimum: magic04 2851 / 2850 / 2848 (0.3 s and 10 s
// of one CPU), htru2 319 / 304 / 302, eeg-eye-state 3868 / 3736 / 3663, occupancy 164 / 148 / 142. Restarts from the best cut of every
// ordering above the current subtrees found worse trees than the grid.

#include "treewright/search/first_trees/primal_heuristic.h"

#include <algorithm>
#include <utility>

#include "treewright/base/infinity.h"
#include "treewright/base/ordered_tasks.h"
#include "treewright/search/loss/costs.h"

namespace treewright::search {

namespace {

// Orderings tried at the root, cuts of each, and cuts that are refined in each round.
constexpr std::size_t kOrderings = 12, kRefined = 4;
constexpr std::int64_t kCutsOfEach = 4;

// Trials that run side by side, and those with three exact levels in all.
constexpr std::size_t kTrials = 16, kExactTrials = 16;

// A trial that is a look-ahead with a root of its own choice.
constexpr std::int64_t kAnyCut = -1;

// What items cost in the leaves of a tree that keep what they predict.
class LeafCosts {
 public:
  LeafCosts(const Problem& problem, const Subset& all, std::size_t leaves)
      : problem_(problem), all_(all), classes_(static_cast<std::size_t>(problem.classes)) {
    const std::size_t of_numbers = problem.sums ? leaves : 0, of_classes = leaves - of_numbers;
    weight_.resize(of_classes * classes_);
    label_.resize(of_classes);
    exposure_.resize(of_numbers);
    mean_.resize(of_numbers);
  }

  /// The item is in that leaf now.
  void add(std::size_t leaf, std::uint32_t item) {
    if (!problem_.sums) {
      weight_[leaf * classes_ + static_cast<std::size_t>(all_.label[item])] += all_.weight[item];
      return;
    }
    exposure_[leaf] += all_.exposure[item];
    mean_[leaf] += all_.amount[item];
  }
  /// To be called when all are.
  void predict() {
    for (std::size_t leaf = 0; leaf < label_.size(); ++leaf) label_[leaf] = best_label({&weight_[leaf * classes_], classes_});
    for (std::size_t leaf = 0; leaf < mean_.size(); ++leaf) mean_[leaf] = exposure_[leaf] > 0 ? mean_[leaf] / exposure_[leaf] : 0;
  }
  double of(std::size_t leaf, std::uint32_t item) const {
    if (!problem_.sums) return label_[leaf] == all_.label[item] ? 0 : all_.weight[item];
    return all_.weight[item] + problem_.sums->beyond(mean_[leaf], all_.exposure[item], all_.amount[item]);
  }

 private:
  const Problem& problem_;
  const Subset& all_;
  const std::size_t classes_;
  std::vector<double> weight_;  // classes: shape (leaves x classes)
  std::vector<std::int32_t> label_;
  std::vector<double> exposure_, mean_;  // numbers: shape (leaves)
};

}  // namespace

SubproblemResult PrimalHeuristic::look_ahead(Worker& worker, const ItemRange& range, int depth, int exact) const {
  if (depth <= exact) {
    SubproblemResult result = nodes_.solve(worker, range, depth, full_splits(depth), kInfinity, {});
    worker.depth_two.finish(range, result);
    return result;
  }
  SubproblemResult result = look_ahead(worker, range, depth - 1, exact);
  const RankTree::Node root = result.tree.nodes.front();
  if (root.ordering < 0 || worker.deadline->stopped()) return result;
  Subset subset;
  range.copy_to(subset);
  const auto f = static_cast<std::size_t>(root.ordering);
  const auto ranks = subset.ranks_of(f);
  const auto place = static_cast<std::uint32_t>(std::upper_bound(ranks.begin(), ranks.end(), root.low) - ranks.begin());
  SubproblemResult deeper = improve_root(worker, subset, with_root(worker, subset, {f, place}, depth, exact), depth, exact);
  return deeper.cost < result.cost ? deeper : result;
}

SubproblemResult PrimalHeuristic::with_root(Worker& worker, const Subset& all, Root root, int depth, int exact) const {
  return below_root(all, root, look_ahead(worker, {all, root.ordering, 0, root.place}, depth - 1, exact),
                    look_ahead(worker, {all, root.ordering, root.place, all.size}, depth - 1, exact));
}

SubproblemResult PrimalHeuristic::below_root(const Subset& all, Root root, const SubproblemResult& left,
                                             const SubproblemResult& right) const {
  SubproblemResult result;
  result.cost = limits_.split_price + left.cost + right.cost;
  if (!result.found()) return result;
  const auto rank = all.ranks_of(root.ordering);
  result.tree = RankTree::split({static_cast<std::int32_t>(root.ordering), rank[root.place - 1], rank[root.place]}, left.tree, right.tree);
  return result;
}

// The best cut of each ordering as the root above the two subtrees of the tree, cheapest first.
std::vector<PrimalHeuristic::Root> PrimalHeuristic::best_roots(const Subset& all, const RankTree& tree) const {
  const auto& nodes = tree.nodes;
  std::vector<std::size_t> right(nodes.size());  // the right child of each node; the left one follows it
  std::vector<std::size_t> subtrees;             // read backwards, a tree is in reverse Polish notation
  for (std::size_t s = nodes.size(); s-- > 0;) {
    if (nodes[s].ordering >= 0) {
      subtrees.pop_back();
      right[s] = subtrees.back();
      subtrees.pop_back();
    }
    subtrees.push_back(s);
  }
  std::vector<std::vector<bool>> goes_left(nodes.size());
  for (std::size_t s = 0; s < nodes.size(); ++s) {
    if (nodes[s].ordering < 0) continue;
    const auto order = all.order_of(static_cast<std::size_t>(nodes[s].ordering)),
               rank = all.ranks_of(static_cast<std::size_t>(nodes[s].ordering));
    goes_left[s].resize(all.size);
    for (std::uint32_t place = 0; place < all.size && rank[place] <= nodes[s].low; ++place) goes_left[s][order[place]] = true;
  }
  const auto leaf = [&](std::size_t s, std::uint32_t item) {
    while (nodes[s].ordering >= 0) s = goes_left[s][item] ? s + 1 : right[s];
    return s;
  };
  std::vector<std::size_t> left_leaf(all.size), right_leaf(all.size);
  LeafCosts costs(problem_, all, nodes.size());
  for (std::uint32_t item = 0; item < all.size; ++item) {
    left_leaf[item] = leaf(1, item);
    right_leaf[item] = leaf(right[0], item);
    costs.add(goes_left[0][item] ? left_leaf[item] : right_leaf[item], item);
  }
  costs.predict();
  std::vector<double> left_minus_right(all.size);  // cost of the item on the left minus that on the right
  double all_right = limits_.split_price - (all.total_weight - all.total_reach);
  for (std::uint32_t item = 0; item < all.size; ++item) {
    left_minus_right[item] = costs.of(left_leaf[item], item) - costs.of(right_leaf[item], item);
    all_right += costs.of(right_leaf[item], item);
  }
  std::vector<Root> roots;
  for (std::size_t f = 0; f < problem_.orderings.size(); ++f) {
    const auto order = all.order_of(f), rank = all.ranks_of(f);
    Root best{f, 0, kInfinity};
    double cost = all_right;
    std::int64_t rows = 0;
    for (std::uint32_t place = 1; place < all.size; ++place) {
      cost += left_minus_right[order[place - 1]];
      rows += all.count[order[place - 1]];
      const bool cuts = rank[place] != rank[place - 1] && rows >= limits_.min_rows && all.rows - rows >= limits_.min_rows;
      if (cuts && cost < best.cost) best = {f, place, cost};
    }
    if (best.place > 0) roots.push_back(best);
  }
  std::stable_sort(roots.begin(), roots.end(), [](const Root& a, const Root& b) { return a.cost < b.cost; });
  return roots;
}

SubproblemResult PrimalHeuristic::improve_root(Worker& worker, const Subset& all, SubproblemResult result, int depth, int exact) const {
  while (!worker.deadline->stopped() && result.found() && result.tree.nodes.size() > 1) {
    const std::vector<Root> roots = best_roots(all, result.tree);
    if (roots.empty()) break;
    SubproblemResult next = with_root(worker, all, roots.front(), depth, exact);
    if (next.cost >= result.cost) break;
    result = std::move(next);
  }
  return result;
}

SubproblemResult PrimalHeuristic::polish(Worker& worker, const ItemRange& range, const RankTree& tree, int exact) const {
  if (tree.depth() <= exact) {
    SubproblemResult result = nodes_.solve(worker, range, exact, full_splits(exact), kInfinity, {});
    worker.depth_two.finish(range, result);
    return result;
  }
  Subset subset;
  range.copy_to(subset);
  const RankTree::Node cut = tree.nodes.front();
  const auto f = static_cast<std::size_t>(cut.ordering);
  const auto ranks = subset.ranks_of(f);
  Root root{f, static_cast<std::uint32_t>(std::upper_bound(ranks.begin(), ranks.end(), cut.low) - ranks.begin()), kInfinity};
  // The items may be others than those that the tree was made for.
  std::int64_t rows = 0;
  for (std::uint32_t place = 0; place < root.place; ++place) rows += subset.count[subset.order_of(f)[place]];
  const bool fits = root.place > 0 && root.place < subset.size && rows >= limits_.min_rows && subset.rows - rows >= limits_.min_rows;
  if (!fits) return look_ahead(worker, range, tree.depth(), exact);
  SubproblemResult best;
  for (RankTree shape = tree;; shape = best.tree) {
    const auto [left, right] = shape.children();
    SubproblemResult result = below_root(subset, root, polish(worker, {subset, root.ordering, 0, root.place}, left, exact),
                                         polish(worker, {subset, root.ordering, root.place, subset.size}, right, exact));
    if (result.cost >= best.cost) return best;
    best = std::move(result);
    if (worker.deadline->stopped()) return best;
    const std::vector<Root> roots = best_roots(subset, best.tree);
    if (roots.empty() || roots.front().cost >= best.cost) return best;
    root = roots.front();
  }
}

SubproblemResult PrimalHeuristic::polish(const Subset& all, const RankTree& tree, int exact) const {
  SubproblemResult found;
  // As a task: of one that a limit ends, threads below the root may have come to different trees.
  const std::size_t counted = run_ordered(crew_.pool, deadline_, 1, [&](std::size_t, Deadline& deadline) {
    std::unique_ptr<Worker> worker = crew_.borrow();
    worker->deadline = &deadline;
    found = polish(*worker, ItemRange::all(all), tree, exact);
    crew_.give_back(std::move(worker));
    return false;
  });
  return counted == 1 ? found : SubproblemResult();
}

SubproblemResult PrimalHeuristic::look_ahead(const Subset& all, int depth) const {
  const NodeTask task{NodeTask::Kind::look_ahead, depth, 2};
  return recall(ledger_, problem_, task, deadline_, [&] { return solve(task, all, nullptr, deadline_); });
}

SubproblemResult PrimalHeuristic::solve(const NodeTask& task, const Subset& all, const Cuts* cuts, Deadline& deadline) const {
  std::unique_ptr<Worker> worker = crew_.borrow();
  worker->deadline = &deadline;
  SubproblemResult found;
  if (task.kind == NodeTask::Kind::look_ahead) {
    found = look_ahead(*worker, ItemRange::all(all), task.depth, task.exact);
  } else {
    const std::uint32_t place = cuts->place(static_cast<std::size_t>(task.cut));
    found = with_root(*worker, all, {task.ordering, place}, task.depth, task.exact);
    if (task.exact > 2) found = improve_root(*worker, all, std::move(found), task.depth, task.exact);
  }
  crew_.give_back(std::move(worker));
  return found;
}

RootTrials::RootTrials(const PrimalHeuristic& heuristic, const Subset& all, const std::vector<Cuts>& cuts,
                       std::span<const std::size_t> orderings, int depth)
    : heuristic_(heuristic), all_(all), cuts_(cuts), depth_(depth), exact_{{0, kAnyCut, 0}} {
  for (const std::size_t f : orderings.first(std::min(kOrderings, orderings.size()))) add(f, 0, cuts_[f].size());
}

// A grid of the cuts [first, last).
void RootTrials::add(std::size_t f, std::int64_t first, std::int64_t last) {
  first = std::max<std::int64_t>(first, 0);
  last = std::min(last, cuts_[f].size());
  const std::int64_t count = std::min(kCutsOfEach, last - first);
  for (std::int64_t i = 0; i < count; ++i) grid_.push_back({f, first + (2 * i + 1) * (last - first) / (2 * count), (last - first) / count});
}

void RootTrials::run_some(const std::function<void(const SubproblemResult&)>& on_tree) {
  const std::span<Trial> next = std::span(grid_).subspan(next_);
  const std::span<Trial> now = next.first(std::min(kTrials, next.size()));
  run(now, 2, on_tree);
  next_ += now.size();
  if (ended()) refine();
}

void RootTrials::run_exact(const std::function<void(const SubproblemResult&)>& on_tree) {
  const std::span<Trial> next = std::span(exact_).subspan(next_exact_);
  const std::span<Trial> now = next.first(next.front().cut == kAnyCut ? 1 : std::min(kRefined, next.size()));
  run(now, 3, on_tree);
  next_exact_ += now.size();
}

void RootTrials::run(std::span<Trial> trials, int exact, const std::function<void(const SubproblemResult&)>& on_tree) {
  const PrimalHeuristic& h = heuristic_;
  std::vector<SubproblemResult> found(trials.size());
  const std::size_t counted = run_ordered(h.crew_.pool, h.deadline_, trials.size(), [&](std::size_t i, Deadline& deadline) {
    Trial& trial = trials[i];
    const Cuts* cuts = trial.cut == kAnyCut ? nullptr : &cuts_[trial.ordering];
    if (cuts != nullptr) {
      const std::int64_t rows = cuts->rows_left(trial.cut);
      if (rows < h.limits_.min_rows || all_.rows - rows < h.limits_.min_rows) return false;
    }
    const NodeTask task{cuts == nullptr ? NodeTask::Kind::look_ahead : NodeTask::Kind::trial, depth_, exact, trial.ordering, trial.cut};
    found[i] = recall(h.ledger_, h.problem_, task, deadline, [&] { return h.solve(task, all_, cuts, deadline); });
    trial.cost = found[i].cost;
    return false;
  });
  for (std::size_t i = 0; i < counted; ++i) {
    if (found[i].found()) on_tree(found[i]);
  }
}

// What comes after a grid: finer grids around its best cuts. These cuts, and in the end the best ones of all grids, are tried with three
// exact levels too.
void RootTrials::refine() {
  const auto by_cost = [](const Trial& x, const Trial& y) { return x.cost < y.cost; };
  const auto add_exact = [&](std::span<const Trial> trials) {
    for (const Trial& trial : trials) {
      const auto is_same = [&](const Trial& other) { return other.ordering == trial.ordering && other.cut == trial.cut; };
      if (exact_.size() <= kExactTrials && std::none_of(exact_.begin(), exact_.end(), is_same)) exact_.push_back(trial);
    }
  };
  std::stable_sort(grid_.begin(), grid_.end(), by_cost);
  const std::vector<Trial> leaders(grid_.begin(), grid_.begin() + static_cast<std::ptrdiff_t>(std::min(kRefined, grid_.size())));
  done_.insert(done_.end(), grid_.begin(), grid_.end());
  grid_.clear();
  next_ = 0;
  add_exact(leaders);
  for (const Trial& leader : leaders) {
    if (leader.step > 1) add(leader.ordering, leader.cut - leader.step, leader.cut + leader.step + 1);
  }
  if (!grid_.empty()) return;
  std::stable_sort(done_.begin(), done_.end(), by_cost);
  add_exact(done_);
}

}  // namespace treewright::search
