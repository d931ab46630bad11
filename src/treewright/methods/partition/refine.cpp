// Trees from clusters that are split as needed: Ales, Hure & Lambert 2024 (AHL24), Algorithms 4 (ItR) and 7 (IIR).
//
//   P_0 <- a data-partition (reduce/)
//   repeat: T_k <- a tree that is optimal for a model of P_k
//           T_k sends all rows of each cluster to one leaf: stop
//           P_{k+1} <- P_k with its clusters split by the leaves of T_k
//
// hia, hiia: the model is (DP), each cluster one row of its weight at its barycenter. Clusters are weighted rows, so our exact search solves it,
// in milliseconds where the paper's MIP takes minutes (partition_model = search; dp hands it to a MIP solver). The tree it ends with loses as
// many rows as the model says (Proposition 1) and need not be optimal (Example 6): the result is a heuristic one.
//
// eia, eiia: the result is optimal for all rows. With partition_model = dp-prime the model is (DP'), by a MIP solver: it is a
// relaxation, so each round has a bound, and the algorithm ends where the bound meets the best tree, or by Proposition 3 where the tree cuts no
// cluster. With partition_model = search the rounds are those of (DP), and what is left to prove is proved by drawing rows (draw_rows.cpp).
//
// hiia, eiia: after each round thresholds move within the gaps between representatives (move_thresholds.cpp), and a round gets a third of the
// time that is left; where it ends unproved with a tree that cuts no cluster, the round goes on for the rest of the time. hia and eia do
// neither.
//
// What differs. The first round starts from CART's tree for the representatives, and each other from the tree before, which cuts no cluster of
// the new partition and so costs there what it costs on all rows: where nothing is better the algorithm ends. And the best tree of all rounds
// on all rows is returned, where the paper returns the last.
//
// Invariant: a barycenter lies in the box of its rows, so that rows which share a leaf share it with their barycenter: to cut a cluster is to
// send its rows to different leaves.
//
// Cost: at most n rounds (Proposition 2); some ten in practice.

#include "treewright/methods/partition/refine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "treewright/base/error.h"
#include "treewright/formulate/oct.h"
#include "treewright/grow/cart.h"
#include "treewright/methods/partition/dp_prime.h"
#include "treewright/methods/partition/draw_rows.h"
#include "treewright/methods/partition/method.h"
#include "treewright/methods/partition/move_thresholds.h"
#include "treewright/mip/solve.h"
#include "treewright/search/problem.h"

namespace treewright {

namespace {

bool proves(const std::string& algorithm) {
  return algorithm == "eia" || algorithm == "eiia";
}

// Takes back splits until every leaf holds so many rows.
void keep_rows(Tree& tree, std::int64_t min_rows) {
  for (bool whole = false; !whole;) {
    whole = true;
    for (std::size_t i = 0; i < tree.nodes().size() && whole; ++i) {
      const Node& node = tree.nodes()[i];
      if (node.is_leaf() || (tree.node(node.left).rows >= min_rows && tree.node(node.right).rows >= min_rows)) continue;
      tree.collapse(NodeId{static_cast<std::int32_t>(i)});
      whole = false;
    }
  }
}

class Refining {
 public:
  Refining(const Task& task, DataPartition partition)
      : task_(task), data_(task.data), partition_(std::move(partition)), deadline_(task.deadline) {
    const std::string& refine = task.options.partition_algorithm;
    improved_ = refine == "hiia" || refine == "eiia";
    exact_ = proves(refine);
    const std::string& model = task.options.partition_model;
    if (model == "dp" && exact_) {
      throw option_error("partition_model", fmt::format("model (DP) gives no bound, so {} cannot prove anything with it", refine),
                         "use dp-prime or search, or --partition-algorithm hiia");
    }
    if (model == "dp-prime" && !exact_) {
      throw option_error("partition_model", fmt::format("model (DP') works with eia and eiia only, not with {}", refine),
                         "use dp or search, or --partition-algorithm eiia");
    }
    Tree leaf(data_);
    leaf.tally(data_);
    consider(leaf);
  }

  Refinement run() {
    iterate();
    if (exact_ && task_.options.partition_model == "search" && !closed() && !deadline_.stopped()) prove();
    result_.status = exact_ && closed() ? Status::optimal : deadline_.stopped() ? deadline_.reason() : Status::heuristic;
    return std::move(result_);
  }

 private:
  struct Solved {
    Tree tree;            // tallied on the representatives
    double cost = 0;      // on them
    bool proved = false;  // that is the least
  };

  double price() const { return task_.objective_as<ErrorObjective>().split_price(); }
  double cost(const Tree& tree, const Dataset& data) const { return errors_and_splits(tree, data, price()); }
  bool closed() const { return least_ <= result_.lower + data_.weight_tolerance(); }

  // Within all limits, tallied on all rows.
  Tree settle(Tree tree) const {
    tree.tally(data_);
    tree.simplify(price());
    keep_rows(tree, task_.min_rows);
    task_.leaf_weight.repair(tree);
    tree.simplify(price());
    tree.direct_unseen_missing(data_);
    return tree;
  }

  void consider(const Tree& tree) {
    const double found = cost(tree, data_);
    if (found >= least_) return;
    least_ = found;
    result_.tree = tree;
    report('P');
  }

  void report(char source) const {
    const double scale = task_.objective->error_scale();
    task_.report({deadline_.elapsed(), least_ / scale, std::min(result_.lower, least_) / scale, source});
  }

  // The tree that the first round has to beat, as for `oct`.
  Tree greedy_start(const Dataset& representatives) const {
    CartOptions how;
    how.max_depth = static_cast<int>(task_.options.max_depth);
    Tree tree = grow_cart(representatives, how);
    tree.simplify(price());
    trim(tree, how.max_depth, task_.options.max_splits);
    tree.simplify(price());
    return tree;
  }

  void iterate() {
    Tree start = greedy_start(barycenters(data_, partition_));
    consider(settle(start));
    for (bool rest = false; !deadline_.poll();) {
      Dataset representatives = barycenters(data_, partition_);
      start.tally(representatives);
      const double left = deadline_.remaining();
      Solved solved = solve(representatives, start, improved_ && !rest ? left / 3 : left);
      if (improved_) solved.tree = move_thresholds(solved.tree, data_, partition_.cluster_of_row(), representatives);
      const bool intersects = split_by(solved.tree);
      result_.rounds.push_back({representatives.rows(), false, solved.cost, solved.proved, count_errors(solved.tree, data_), intersects,
                                deadline_.elapsed(), solved.tree});
      consider(settle(solved.tree));
      if (exact_ && closed()) return;
      if (!intersects && (solved.proved || rest)) return;
      rest = !intersects;
      start = solved.tree;
    }
  }

  // May choose other representatives.
  Solved solve(Dataset& representatives, const Tree& start, double seconds) {
    const std::int64_t limit = task_.options.node_limit;
    Deadline round(seconds, limit < 0 ? std::numeric_limits<std::int64_t>::max() : std::max<std::int64_t>(0, limit - deadline_.work()),
                   task_.stop);
    const std::string& model = task_.options.partition_model;
    const Solved solved = model == "search" ? by_search(representatives, start, round)
                          : model == "dp"   ? by_dp(representatives, start, round)
                                            : by_dp_prime(representatives, start, round);
    deadline_.poll(round.work());
    return solved;
  }

  ExactSearchOptions search_options() const {
    ExactSearchOptions how;
    how.max_depth = static_cast<int>(task_.options.max_depth);
    how.max_splits = task_.options.max_splits;
    how.split_price = price();
    how.threads = static_cast<int>(task_.options.n_jobs);
    return how;
  }

  Solved by_search(const Dataset& representatives, const Tree& start, Deadline& round) const {
    const ExactSearchResult found = search_exact(representatives, search_options(), start, round);
    return {found.tree, cost(found.tree, representatives), found.complete};
  }

  FormulationOptions model_options() const {
    FormulationOptions how;
    how.max_depth = static_cast<int>(task_.options.max_depth);
    how.max_splits = task_.options.max_splits;
    how.price = price();
    return how;
  }

  MipSolution by_mip(const Formulation& formulation, const Tree& start, Deadline& round) const {
    std::vector<double> values = formulation.encode(start).value_or(std::vector<double>{});
    if (!values.empty() && !formulation.model().broken(values).empty()) values.clear();
    return treewright::solve(formulation.model(), values, MipOptions::from(task_.options), round);
  }

  static bool no_split(const Dataset& data) { return make_problem(data, false).orderings.empty(); }

  // A solver's optimum is believed where the tree costs what the solver says.
  static bool agrees(const MipSolution& found, double cost) {
    return found.status == Status::optimal && std::abs(cost - found.objective) <= 1e-5 * std::max(1.0, cost);
  }

  Solved by_dp(const Dataset& representatives, const Tree& start, Deadline& round) const {
    Solved best{start, cost(start, representatives), no_split(representatives)};
    if (best.proved) return best;
    const OctFormulation formulation(representatives, model_options(), OctFormulation::Losses::p, round);
    const MipSolution found = by_mip(formulation, start, round);
    if (found.values.empty()) return best;
    const Tree tree = formulation.decode(found.values);
    const double cost_here = cost(tree, representatives);
    best.proved = agrees(found, std::min(cost_here, best.cost));
    if (cost_here < best.cost) best.tree = tree, best.cost = cost_here;
    return best;
  }

  // The bound holds for all rows.
  Solved by_dp_prime(Dataset& representatives, const Tree& start, Deadline& round) {
    if (no_split(data_)) {
      result_.lower = least_;
      return {start, cost(start, representatives), true};
    }
    const DpPrimeFormulation formulation(data_, partition_.clusters, representatives, model_options());
    const MipSolution found = by_mip(formulation, start, round);
    if (found.values.empty()) return {start, formulation.cost_of(start), false};
    const double cost_before = formulation.cost_of(start);
    Dataset chosen = representatives;
    chosen.columns = data_.subset(formulation.chosen(found.values)).columns;
    Tree tree = formulation.decode(found.values);
    tree.tally(chosen);
    const double cost_here = formulation.cost_of(tree), least = std::min(cost_here, cost_before);
    const bool proved = agrees(found, least);
    result_.lower = std::max(result_.lower, proved ? least : std::min(found.bound, least));
    if (cost_before <= cost_here) return {start, cost_before, proved};
    representatives = std::move(chosen);
    return {tree, cost_here, proved};
  }

  // Splits the clusters whose rows the tree sends to different leaves; whether there were any.
  bool split_by(const Tree& tree) {
    const std::vector<NodeId> leaf = tree.apply(data_);
    DataPartition parts;
    for (const std::vector<std::int32_t>& cluster : partition_.clusters) {
      std::map<std::int32_t, std::vector<std::int32_t>> by_leaf;
      for (const std::int32_t row : cluster) by_leaf[+leaf[row]].push_back(row);
      for (auto& [node, rows] : by_leaf) parts.clusters.push_back(std::move(rows));
    }
    const bool any = parts.size() > partition_.size();
    std::sort(parts.clusters.begin(), parts.clusters.end());
    partition_ = std::move(parts);
    return any;
  }

  void prove() {
    ExactSearchOptions how = search_options();
    how.min_rows = std::max(task_.min_rows, task_.leaf_weight.rows_needed);
    std::vector<bool> drawn(data_.rows(), false);
    for (const std::vector<std::int32_t>& cluster : partition_.clusters) drawn[cluster.front()] = true;
    const DrawnRows found = draw_rows(
        data_, how, result_.tree, std::move(drawn), partition_.clusters, [&](Tree tree) { return settle(std::move(tree)); }, deadline_,
        [&](std::size_t rows, const Tree& tree, double lower) {
          result_.rounds.push_back({rows, true, lower, true, count_errors(tree, data_), false, deadline_.elapsed(), tree});
          result_.lower = std::max(result_.lower, lower);
          consider(settle(tree));
          report(' ');
        });
    result_.lower = std::max(result_.lower, found.lower);
    consider(found.tree);
  }

  const Task& task_;
  const Dataset& data_;
  DataPartition partition_;
  Deadline& deadline_;
  bool improved_ = false, exact_ = false;
  Refinement result_;
  double least_ = std::numeric_limits<double>::infinity();  // cost of result_.tree
};

// The rounds as lines of text.
std::string table_of(const std::vector<RefineRound>& rounds, double price) {
  std::string text = "round     rows  cost on them  proved   errors  splits  cuts clusters  seconds\n";
  std::size_t number = 0;
  for (const RefineRound& round : rounds) {
    text += fmt::format("{:>5} {:>8}  {:>12.6g}  {:>6}  {:>7.6g}  {:>6}  {:>13}  {:>7.2f}\n", number++, round.clusters, round.model,
                        round.proved ? "yes" : "no", round.errors, round.tree.splits(),
                        round.proof        ? "drawn rows"
                        : round.intersects ? "yes"
                                           : "no",
                        round.seconds);
  }
  return text + fmt::format("(cost = errors + {:.6g} * splits)\n", price);
}

Result train(const Task& task) {
  const Options& options = task.options;
  const UnitPoints points(task.data);
  DataPartition partition = partition_named(options.partition, task.data, points, options.cluster_share, task.deadline);
  const std::size_t clusters = partition.size();
  const double seconds = task.deadline.elapsed();
  Refinement found = refine(task, std::move(partition));
  const auto& objective = task.objective_as<ErrorObjective>();
  Result result;
  result.tree = std::move(found.tree);
  result.status = found.status;
  result.bound = found.lower / objective.error_scale();
  const bool exact = proves(options.partition_algorithm);
  result.proved = exact ? "no tree of axis and category splits within the limits has an objective below the bound"
                        : "nothing: the tree is optimal for the clusters at best";
  if (exact && options.partition_model == "dp-prime") result.proved += ", as the MIP solver says";
  if (exact && restricts_subsets(task.data))
    result.proved += fmt::format("; columns of more than {} categories split one category from the rest", kMaxSubsetLevels);
  result.selection = fmt::format("{} clusters of {} rows by {} in {:.2f} s\n{}", clusters, task.data.rows(), options.partition, seconds,
                                 table_of(found.rounds, objective.split_price()));
  return result;
}

}  // namespace

const ObjectiveKind kPartitionObjective = {ErrorObjective::kKind.name,
                                           [](const Options& options, const Dataset& data) -> ObjectivePtr {
                                             if (options.ccp_alpha > 0 || options.max_splits < 0)
                                               return ErrorObjective::kKind.from_options(options, data);
                                             return std::make_shared<ErrorObjective>(1 / (static_cast<double>(options.max_splits) + 1));
                                           },
                                           ErrorObjective::kKind.from_parameters};

Refinement refine(const Task& task, DataPartition partition) {
  return Refining(task, std::move(partition)).run();
}

std::vector<Method> partition_methods() {
  return {{"partition", "partition",
           "axis tree trained on clusters of rows (Ales, Hure & Lambert 2024): hia and hiia are heuristics, eia and eiia prove the optimum",
           true,
           joined({reads::kTree,
                   reads::kLeaves,
                   reads::kErrors,
                   reads::kRun,
                   {"random_state", "mip_solver", "partition", "cluster_share", "partition_algorithm", "partition_model"}}),
           &kPartitionObjective, train}};
}

}  // namespace treewright
