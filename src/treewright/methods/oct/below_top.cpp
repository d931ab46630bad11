// Trees that begin with given splits: each place below them is a problem of its own.
//
// The rows of a place are those that the given splits send there, whatever is below other places. Errors, costs and prices of splits are
// sums over the leaves and the splits, and the limits on depth, on rows and on the weight of leaves are limits for each place alone. So a
// tree costs the price of the given splits, the errors of the leaves that stay, and for each open place what the tree below it costs on the
// rows of the place; the best tree has the best one in each of them, and the sum of bounds is a bound.
//
// A limit on all splits couples the places. Let k be what it leaves beside the given splits. If the best trees with at most k splits in
// each place have more than k in all, each place is solved for every smaller number, and the numbers are divided among the places by
// dynamic programming: once by what the trees cost, and once by their bounds. A tree within the limit has some number of splits in each
// place, so it costs at least the sum of the bounds for these, and no less than the least sum.
//
// A category of many levels is split by shares that are those of all training rows at every node (search/items/split_family.cpp), so the
// search of a place is given the family of all rows. Such a place is not verified by itself: a proof speaks of one table, and of the family
// of its rows. A proof that is asked for is of all places at once (show_bound_below_top).
//
// Where the target is a number, losses take the place of errors. Each place is solved to a share of what its rows lose in one leaf, and
// these sum to no more than what all rows lose in one: so the whole is solved to the same share.
//
// A place may ask for a column without saying how it is split. It is solved as with the option first_column, and begins with a stump.
//
// Time. Each place has its share of what is left, and those that it did not suffice for have what is left then.

#include "treewright/methods/oct/below_top.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "treewright/base/error.h"
#include "treewright/base/infinity.h"
#include "treewright/base/round_down.h"
#include "treewright/base/stop_point.h"
#include "treewright/data/wide_category.h"
#include "treewright/grow/start_tree.h"
#include "treewright/methods/oct/verified_bound.h"
#include "treewright/search/items/split_family.h"
#include "treewright/task/loss_objective.h"
#include "treewright/tree/measures.h"
#include "treewright/tree/routing.h"

namespace treewright::oct {

namespace {

// The best tree known in a place, and a bound on all; in errors or losses, with the prices of splits.
struct Solved {
  Tree tree;
  double cost = 0, lower = 0;
  Status status = Status::heuristic;
  bool verified = false;

  std::int64_t splits() const { return static_cast<std::int64_t>(tree.splits()); }
};

// A leaf of the top, and what is below it.
struct Place {
  NodeId leaf = kNoNode;
  std::int64_t depth = 0;          // at most; 0 where the leaf stays
  std::optional<FeatureId> first;  // the column that is asked here
  Dataset rows, raw;               // those of the search, and as the user knows them where labels have costs
  Solved solved;
};

class BelowTop {
 public:
  BelowTop(const Task& task, const TrainAny& train)
      : task_(task), train_(train), objective_(*task.objective), top_(task.asked.top()->tree(task.data)) {
    check_top_on_rows();
    const std::int64_t most = task.options.max_splits;
    spare_ = most < 0 ? kNoLimit : most - static_cast<std::int64_t>(top_.splits());
    make_places();
  }

  Result run() {
    report();
    solve_places();
    std::int64_t splits = 0;
    for (const Place& place : places_) splits += place.solved.splits();
    if (splits > spare_) divide_splits();
    Result result;
    result.tree = whole();
    result.bound = quotient_down(lower(), objective_.error_scale());
    result.status = are_all([](const Solved& solved) { return solved.status == Status::optimal; }) ? Status::optimal
                    : task_.deadline.stopped()                                                     ? task_.deadline.reason()
                                                                                                   : Status::heuristic;
    result.verified = are_all([](const Solved& solved) { return solved.verified; });
    return result;
  }

 private:
  static constexpr std::int64_t kNoLimit = std::numeric_limits<std::int64_t>::max();

  double price() const { return objective_.split_price(); }
  const std::string& name_of(FeatureId column) const { return task_.data.columns[static_cast<std::size_t>(+column)].name; }
  ObjectivePtr objective_of_place() const {
    if (!task_.data.response) return std::make_shared<ErrorObjective>(price());
    return std::make_shared<LossObjective>(task_.data.response->loss, price(), 1.0);
  }

  void check_top_on_rows() const {
    const Options& options = task_.options;
    const auto refuse = [](bool wrong, const std::string& problem, const char* fix) {
      if (wrong) throw option_error("top", problem, fix);
    };
    const std::vector<int> depths = top_.depths();
    int levels = top_.depth();
    for (const auto& [leaf, column] : task_.asked.top()->asked()) levels = std::max(levels, depths[static_cast<std::size_t>(+leaf)] + 1);
    refuse(levels > options.max_depth, fmt::format("has {} levels, and max_depth is {}", levels, options.max_depth), "allow more levels");
    refuse(options.max_splits >= 0 && static_cast<std::int64_t>(top_.splits()) > options.max_splits,
           fmt::format("has {} splits, and max_splits is {}", top_.splits(), options.max_splits), "allow more splits");
    std::int64_t least = kNoLimit;
    for (const Node& node : top_.nodes()) least = std::min(least, node.rows);
    refuse(least < task_.min_rows, fmt::format("leaves a place with {} rows, where a leaf has at least {}", least, task_.min_rows),
           "move a threshold, or leave the split out");
    refuse(!task_.leaf_weight.holds(top_), "leaves a place with less weight than a leaf has at least",
           "move a threshold, or leave the split out");
  }

  void make_places() {
    const bool costs = task_.raw().has_costs();
    const std::vector<RowNumbers> rows = rows_of_nodes(top_, task_.data);
    const std::vector<RowNumbers> raw = costs ? rows_of_nodes(top_, task_.raw()) : std::vector<RowNumbers>();
    const std::vector<int> depths = top_.depths();
    const TreeTop& top = *task_.asked.top();
    for (std::size_t i = 0; i < top_.nodes().size(); ++i) {
      if (!top_.nodes()[i].is_leaf()) continue;
      Place& place = places_.emplace_back();
      place.leaf = NodeId{static_cast<std::int32_t>(i)};
      const auto asked = std::ranges::find(top.asked(), place.leaf, &std::pair<NodeId, FeatureId>::first);
      if (asked != top.asked().end()) place.first = asked->second;
      if (place.first || std::ranges::find(top.open(), place.leaf) != top.open().end()) place.depth = task_.options.max_depth - depths[i];
      place.rows = of_data(rows[i]);
      if (costs) place.raw = task_.raw().subset(raw[i]);
      place.solved = place.first ? stump_alone(place) : leaf_alone(place, place.depth == 0 || spare_ == 0);
    }
  }

  // Some rows of the search. What events are expected of a row follows from all rows.
  Dataset of_data(const RowNumbers& rows) const {
    Dataset some = task_.data.subset(rows);
    for (std::size_t i = 0; some.response && i < some.response->exposure.size(); ++i)
      some.response->exposure[i] = task_.data.response->exposure[static_cast<std::size_t>(rows[i])];
    return some;
  }

  // `only`: no other tree is allowed. A loss is off by its last digits, and so no bound: the search rounds it down.
  static Solved leaf_alone(const Place& place, bool only) {
    const bool is_known = only && !place.rows.response;
    Solved solved;
    solved.tree = Tree(place.rows);
    solved.tree.tally(place.rows);
    solved.cost = errors_and_splits(solved.tree, place.rows, 0);
    solved.lower = is_known ? solved.cost : 0;
    solved.verified = is_known || solved.cost == 0;
    solved.status = solved.verified ? Status::optimal : Status::heuristic;
    return solved;
  }

  Solved stump_alone(const Place& place) const {
    Solved solved;
    solved.tree = grow::stump_that_asks(*place.first, place.rows, task_.min_rows, "top");
    solved.cost = errors_and_splits(solved.tree, place.rows, price());
    return solved;
  }

  void solve_places() {
    for (const bool again : {false, true}) {
      std::vector<Place*> open;
      for (Place& place : places_) {
        if (place.solved.status != Status::optimal && (!again || place.solved.status == Status::time_limit)) open.push_back(&place);
      }
      std::stable_partition(open.begin(), open.end(), [](const Place* place) { return place->depth == 0; });  // at once
      for (std::size_t i = 0; i < open.size() && !task_.deadline.poll(); ++i) {
        Solved found = solve(*open[i], spare_, open.size() - i);
        found.lower = std::max(found.lower, open[i]->solved.lower);
        open[i]->solved = std::move(found);
        report();
      }
    }
  }

  // The best tree with so many splits on the rows of the place alone, in one of `shares` of what is left of the run.
  Solved solve(const Place& place, std::int64_t splits, std::size_t shares) {
    const bool costs = task_.raw().has_costs();
    Options options = task_.options;
    options.top.clear();
    options.max_depth = place.depth;
    options.max_splits = splits == kNoLimit ? -1 : splits;
    options.proof.clear();
    if (costs || wide_ || place.first || is_shown_whole(task_)) options.verify = "no";
    Deadline deadline = task_.deadline.within(task_.deadline.remaining() / static_cast<double>(shares), task_.deadline.work_left());
    Incumbent incumbent;
    const AskedColumns asked = task_.asked.below_top(place.first, place.first ? name_of(*place.first) : "");
    const Dataset& raw = costs ? place.raw : place.rows;
    const Task task{place.rows,
                    options,
                    objective_of_place(),
                    task_.min_rows,
                    task_.leaf_weight.weighed == nullptr ? task_.leaf_weight : task_.leaf_weight.on(raw),
                    deadline,
                    [&](const Progress& news) { report(&place, news); },
                    task_.stop,
                    {&place.solved.tree},
                    {},
                    {},
                    &incumbent,
                    asked,
                    {},
                    &raw,
                    &task_.data};
    Result result;
    try {
      result = train_(task);
    } catch (const Stopped&) {  // at work that cannot be handed back half done
      const std::optional<Tree>& tree = incumbent.tree();
      result.tree = tree && asked.hold(*tree) ? *tree : place.solved.tree;
      result.status = deadline.poll() ? deadline.reason() : Status::interrupted;
    }
    task_.deadline.poll(deadline.work());
    Solved solved{result.tree, 0, 0, result.status, result.verified};
    solved.tree.tally(place.rows);
    solved.cost = errors_and_splits(solved.tree, place.rows, price());
    solved.lower = std::min(result.bound, solved.cost);
    return solved;
  }

  void divide_splits() {
    const auto spare = static_cast<std::size_t>(spare_);
    dividing_ = true;
    std::vector<std::vector<Solved>> tables;
    for (const Place& place : places_) tables.push_back(by_splits(place, places_.size() - tables.size()));
    // The least sums over the places so far, for each number of splits in all of them.
    std::vector<double> costs(spare + 1, 0), lower(spare + 1, 0);
    std::vector<std::vector<std::size_t>> chosen;
    for (const std::vector<Solved>& table : tables) {
      chosen.push_back(add_place(costs, table, &Solved::cost));
      add_place(lower, table, &Solved::lower);
    }
    for (std::size_t i = tables.size(), left = spare; i-- > 0;) {
      const std::size_t splits = chosen[i][left];
      left -= splits;
      places_[i].solved = tables[i][splits];
    }
    divided_ = lower.back();
    for (std::vector<Solved>& table : tables) std::ranges::move(table, std::back_inserter(others_));
    report();
  }

  // For each number of splits.
  std::vector<Solved> by_splits(const Place& place, std::size_t places_left) {
    std::vector<Solved> table{leaf_alone(place, true)};
    Solved& leaf = table.front();
    if (leaf.status != Status::optimal && !task_.deadline.poll())
      leaf = solve(place, 0, places_left * static_cast<std::size_t>(spare_ + 1));
    leaf.lower = std::max(leaf.lower, std::min(place.solved.lower, leaf.cost));
    for (std::int64_t splits = 1; splits <= spare_; ++splits) {
      const auto shares = places_left * static_cast<std::size_t>(spare_ - splits + 1);
      if (place.solved.status == Status::optimal && place.solved.splits() <= splits) {
        table.push_back(place.solved);
      } else if (!task_.deadline.poll()) {
        table.push_back(solve(place, splits, shares));
      } else {  // what is known of more splits
        Solved least = table.back();
        least.lower = std::min(place.solved.lower, least.cost);
        least.status = task_.deadline.reason();
        least.verified = false;
        table.push_back(std::move(least));
      }
    }
    return table;
  }

  // Adds the number of one place to the sums, and returns how many splits it has in each of them.
  static std::vector<std::size_t> add_place(std::vector<double>& sums, const std::vector<Solved>& table, double Solved::*number) {
    std::vector<std::size_t> chosen(sums.size(), 0);
    std::vector<double> next(sums.size(), kInfinity);
    for (std::size_t all = 0; all < sums.size(); ++all) {
      for (std::size_t here = 0; here <= all; ++here) {
        const double sum = sum_down(sums[all - here], table[here].*number);
        if (sum < next[all]) next[all] = sum, chosen[all] = here;
      }
    }
    sums = std::move(next);
    return chosen;
  }

  template <class Holds>
  bool are_all(Holds holds) const {
    return std::ranges::all_of(places_, holds, &Place::solved) && std::ranges::all_of(others_, holds);
  }

  Tree whole() const {
    Tree tree = top_;
    for (const Place& place : places_) graft(tree, place.leaf, place.solved.tree);
    tree.tally(task_.data);
    return tree;
  }

  double of_top() const { return price() * static_cast<double>(top_.splits()); }

  double lower() const {
    double sum = divided_.value_or(0);
    for (const Place& place : places_) sum = sum_down(sum, divided_ ? 0 : place.solved.lower);
    return sum_down(sum, of_top());
  }

  // Of the whole, while one place has these news. Under a limit on all splits a bound of a place speaks of the whole only where the place
  // was free to have all of them, and trees in the places are one tree only where all their splits are within the limit.
  void report(const Place* in = nullptr, const Progress& news = {}) {
    const Place* told = dividing_ ? nullptr : in;
    const bool limited = spare_ != kNoLimit;
    Progress progress = news;
    progress.seconds = task_.deadline.elapsed();
    double cost = of_top(), known = of_top();
    std::int64_t splits = 0;
    for (const Place& place : places_) {
      cost += &place == told ? std::min(news.incumbent, place.solved.cost) : place.solved.cost;
      known = sum_down(known, &place == told ? std::max(news.bound, place.solved.lower) : place.solved.lower);
      if (limited) splits += &place == told ? spare_ : place.solved.splits();
    }
    const bool fits = !limited || splits <= spare_;
    if (fits) least_ = std::min(least_, cost);
    progress.incumbent = least_ / objective_.error_scale();
    progress.bound = quotient_down(divided_ ? lower() : known, objective_.error_scale());
    const bool is_whole = in == nullptr && fits;
    is_whole ? task_.report(progress, whole()) : task_.report(progress);
  }

  const Task& task_;
  const TrainAny& train_;
  const Objective& objective_;
  const Tree top_;
  const bool wide_ = search::SplitFamily(task_.data).is_restricted();
  std::int64_t spare_ = kNoLimit;  // splits that may be below the top
  std::vector<Place> places_;
  double least_ = kInfinity;       // what the best tree reported costs
  bool dividing_ = false;          // places are solved for fewer splits than there are
  std::optional<double> divided_;  // the bound where the splits were divided among the places
  std::vector<Solved> others_;     // and what it rests on
};

}  // namespace

void check_top(const Task& task) {
  const Options& options = task.options;
  const auto refuse = [](bool wrong, const char* what) {
    if (wrong) throw option_error("top", fmt::format("cannot be used with {}", what), fmt::format("leave out {}", what));
  };
  refuse(task.asked.first().has_value(), "first_column");
  refuse(chooses_columns(task), "max_columns or column_costs");
  const bool divides = options.max_splits >= 0;
  refuse(divides && !options.proof.empty(), "a proof file and a limit on splits");
  refuse(divides && options.verify == "yes" && task.raw().has_costs(), "verify and a limit on splits where labels have costs");
  refuse(divides && options.verify == "yes" && search::SplitFamily(task.data).is_restricted(),
         "verify and a limit on splits where a category has many levels");
  refuse(!options.checkpoint.empty(), "a checkpoint");
  refuse(static_cast<bool>(task.elsewhere), "a cluster");
  const auto& asked = task.asked.top()->asked();
  if (asked.empty()) return;
  const auto refuse_to_ask = [&](bool wrong, const std::string& what) {
    if (wrong) throw option_error("top", fmt::format("asks a column without saying how it is split, and there is {}", what), "say how");
  };
  refuse_to_ask(options.min_weight_fraction_leaf > 0, "a least weight of leaves");
  refuse_to_ask(options.max_splits >= 0, "a limit on splits");
  refuse_to_ask(is_proof_wanted(options), "no proof of that");
  for (const auto& [leaf, column] : asked) {
    const Column& wide = task.data.columns[static_cast<std::size_t>(+column)];
    refuse_to_ask(is_wide_category(wide), fmt::format("'{}', a category of more than {} levels", wide.name, kMaxSubsetLevels));
  }
}

bool is_shown_whole(const Task& task) {
  return is_proof_wanted(task.options) && task.options.max_splits < 0;
}

Result train_below_top(const Task& task, const TrainAny& train) {
  return BelowTop(task, train).run();
}

}  // namespace treewright::oct
