// Trees trained on clusters, which are split as needed: Ales, Hure & Lambert 2024 (AHL24), Algorithms 4 (ItR) and 7 (IIR).
//
//   P_0 <- first clusters of rows (reduce/)
//   repeat: T_k <- a tree that is optimal for a model of P_k
//           if T_k sends all rows of each cluster to one leaf: stop
//           P_{k+1} <- P_k with its clusters split by the leaves of T_k
//
// hia, hiia: the model is (DP), in which one weighted row, the representative, stands for each cluster: its barycenter (mean) or, with
// representatives = medoid, its medoid. The exact search solves it in milliseconds, while the paper's MIP takes minutes (partition_model =
// search; dp uses a MIP solver). The last tree makes as many errors as the model says (Proposition 1) but need not be optimal (Example 6).
// So the result is heuristic.
//
// eia, eiia: the result is optimal for all rows. With partition_model = dp-prime the model is (DP') and a MIP solver solves it. It is a
// relaxation, so each round has a bound. The algorithm ends when the bound meets the best tree or, by Proposition 3, when the tree cuts no
// cluster (sends each cluster to one leaf). With partition_model = search the rounds are those of (DP), and exact searches on subsets of
// the rows complete the proof (draw_rows.cpp).
//
// hiia, eiia: after each round thresholds move within the gaps between representatives (move_thresholds.cpp), and a round gets a third of
// the remaining time. If a round ends without proof, with a tree that cuts no cluster, it continues for the rest of the time. hia and eia
// do neither. Where exact searches complete the proof, two thirds of limited seconds or nodes are kept for them.
//
// Differences. The first round starts from CART's tree for the representatives. Each later round starts from the tree before. That tree
// cuts no cluster of the new partition, so there it costs what it costs on all rows; if nothing is better, the algorithm ends. The best
// tree of all rounds on all rows is returned; the paper returns the last.
//
// Invariant: a barycenter, like a medoid, lies in the bounding box of its rows. So if rows share a leaf, their representative is in it too,
// and cutting a cluster means sending its rows to different leaves.
//
// Cost: at most n rounds (Proposition 2); about ten in practice.

#include "treewright/methods/partition/refine.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <optional>

#include "treewright/base/error.h"
#include "treewright/base/stop_point.h"
#include "treewright/data/costs/whole_weights.h"
#include "treewright/formulate/oct.h"
#include "treewright/grow/cart.h"
#include "treewright/methods/partition/dp_prime.h"
#include "treewright/methods/partition/draw_rows.h"
#include "treewright/methods/partition/method.h"
#include "treewright/methods/partition/move_thresholds.h"
#include "treewright/mip/solve.h"
#include "treewright/mip/write.h"
#include "treewright/search/items/problem.h"
#include "treewright/tree/measures.h"

namespace treewright::partition {

namespace {

constexpr double kProofShare = 2.0 / 3;  // of limited seconds or nodes

bool proves(const std::string& algorithm) {
  return algorithm == "eia" || algorithm == "eiia";
}

// Removes splits until every leaf holds this many rows.
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
  Refining(const Task& task, reduce::DataPartition partition)
      : task_(task),
        data_(task.data),
        tolerance_(sum_tolerance(task.data, whole_weights(task.data))),
        family_(task.data),
        partition_(std::move(partition)),
        deadline_(task.deadline) {
    const std::string& refine = task.options.partition_algorithm;
    improved_ = refine == "hiia" || refine == "eiia";
    exact_ = proves(refine);
    const std::string& model = task.options.partition_model;
    if (model == "dp" && exact_) {
      throw option_error("partition_model", fmt::format("model (DP) gives no bound, so {} cannot prove anything with it", refine),
                         "use dp-prime or search, or partition_algorithm=hiia");
    }
    if (model == "dp-prime" && !exact_) {
      throw option_error("partition_model", fmt::format("model (DP') works with eia and eiia only, not with {}", refine),
                         "use dp or search, or partition_algorithm=eiia");
    }
    for (const auto& [name, value] : {std::pair("disable", &task.options.disable), std::pair("write_model", &task.options.write_model)}) {
      if (model == "search" && !value->empty())
        throw option_error(name, "partition has a mixed-integer model only with partition_model dp or dp-prime", "choose one of them");
    }
    if (task.options.representatives == "medoid") points_.emplace(data_, Scaling::distance);
    Tree leaf(data_);
    leaf.tally(data_);
    consider(leaf);
  }

  Refinement run() {
    try {
      iterate();
      if (exact_ && task_.options.partition_model == "search" && !closed() && !deadline_.stopped()) prove();
    } catch (const Stopped&) {
      deadline_.poll();
    }
    result_.status = exact_ && closed() ? Status::optimal : deadline_.stopped() ? deadline_.reason() : Status::heuristic;
    return std::move(result_);
  }

 private:
  struct Solved {
    Tree tree;            // tallied on the representatives
    double cost = 0;      // on the representatives
    bool proved = false;  // whether this is the smallest possible cost
  };

  double price() const { return task_.objective_as<ErrorObjective>().split_price(); }
  double cost(const Tree& tree, const Dataset& data) const { return errors_and_splits(tree, data, price()); }
  bool closed() const { return proved_ || least_ <= result_.lower + tolerance_; }

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
    if (found >= least_ || (exact_ && !family_.holds(tree, data_))) return;
    least_ = found;
    result_.tree = tree;
    task_.report(progress('P'), tree);
  }

  Progress progress(char source) const {
    const double scale = task_.objective->error_scale();
    return {deadline_.elapsed(), least_ / scale, std::min(result_.lower, least_) / scale, source};
  }

  // The start tree of the first round, as in `oct`.
  Tree greedy_start(const Dataset& representatives) const {
    grow::CartOptions how;
    how.max_depth = static_cast<int>(task_.options.max_depth);
    if (exact_) how.family = &family_;
    Tree tree = grow::grow_cart(representatives, how);
    tree.simplify(price());
    trim(tree, how.max_depth, task_.options.max_splits);
    tree.simplify(price());
    return tree;
  }

  Dataset representatives_of_clusters() const {
    return points_ ? reduce::medoids(data_, *points_, partition_) : reduce::barycenters(data_, partition_);
  }

  void iterate() {
    Tree start = greedy_start(representatives_of_clusters());
    consider(settle(start));
    const double share = exact_ && task_.options.partition_model == "search" ? kProofShare : 0;
    const std::int64_t limit = task_.options.node_limit;
    const double kept = std::isfinite(deadline_.remaining()) ? share * deadline_.remaining() : 0;
    const std::int64_t nodes =
        limit < 0 ? std::numeric_limits<std::int64_t>::max() : limit - static_cast<std::int64_t>(share * static_cast<double>(limit));
    for (bool rest = false; !deadline_.poll();) {
      Dataset representatives = representatives_of_clusters();
      start.tally(representatives);
      const double left = deadline_.remaining() - kept;
      const std::int64_t nodes_left = std::max<std::int64_t>(0, nodes - deadline_.work());
      if (share > 0 && (left <= 0 || nodes_left == 0)) return;
      Solved solved = solve(representatives, start, improved_ && !rest ? left / 3 : left, nodes_left);
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
  Solved solve(Dataset& representatives, const Tree& start, double seconds, std::int64_t nodes) {
    Deadline round = deadline_.within(seconds, nodes);
    const std::string& model = task_.options.partition_model;
    const Solved solved = model == "search" ? by_search(representatives, start, round)
                          : model == "dp"   ? by_dp(representatives, start, round)
                                            : by_dp_prime(representatives, start, round);
    deadline_.poll(round.work());
    return solved;
  }

  search::ExactSearchOptions search_options() const {
    search::ExactSearchOptions how;
    how.max_depth = static_cast<int>(task_.options.max_depth);
    how.max_splits = task_.options.max_splits;
    how.split_price = price();
    how.threads = static_cast<int>(task_.options.n_jobs);
    if (exact_) how.family = &family_;
    return how;
  }

  Solved by_search(const Dataset& representatives, const Tree& start, Deadline& round) const {
    const search::ExactSearchResult found = search::search_exact(representatives, search_options(), start, round);
    return {found.tree, cost(found.tree, representatives), found.complete};
  }

  formulate::FormulationOptions model_options() const {
    formulate::FormulationOptions how;
    how.max_depth = static_cast<int>(task_.options.max_depth);
    how.max_splits = task_.options.max_splits;
    how.price = price();
    how.rules = formulate::strengthening_without(task_.options.disable);
    return how;
  }

  mip::MipSolution by_mip(const formulate::Formulation& formulation, const Tree& start, Deadline& round) const {
    // The model of the given clusters; later rounds have others.
    if (result_.rounds.empty()) mip::write_model(formulation.model(), task_.options.write_model);
    return mip::solve(formulation.model(), formulation.cheapest_point(std::array{&start}), mip::MipOptions::from(task_.options), round);
  }

  static bool no_split(const Dataset& data) { return search::make_problem(data, false).orderings.empty(); }

  // A solver's optimum counts only if the tree costs what the solver says.
  static bool agrees(const mip::MipSolution& found, double cost) {
    return found.status == Status::optimal && std::abs(cost - found.objective) <= 1e-5 * std::max(1.0, cost);
  }

  Solved by_dp(const Dataset& representatives, const Tree& start, Deadline& round) const {
    Solved best{start, cost(start, representatives), no_split(representatives)};
    if (best.proved) return best;
    const formulate::OctFormulation formulation(representatives, model_options(), formulate::OctFormulation::Losses::p, round);
    const mip::MipSolution found = by_mip(formulation, start, round);
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
    const mip::MipSolution found = by_mip(formulation, start, round);
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

  // Splits the clusters whose rows the tree sends to different leaves; returns whether there were any.
  bool split_by(const Tree& tree) {
    const std::vector<NodeId> leaf = tree.apply(data_);
    reduce::DataPartition parts;
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
    search::ExactSearchOptions how = search_options();
    how.min_rows = std::max(task_.min_rows, task_.leaf_weight.rows_needed);
    std::vector<bool> drawn(data_.rows(), false);
    for (const std::vector<std::int32_t>& cluster : partition_.clusters) drawn[cluster.front()] = true;
    const DrawnRows found = draw_rows(
        data_, how, result_.tree, std::move(drawn), partition_.clusters, [&](Tree tree) { return settle(std::move(tree)); }, deadline_,
        [&](std::size_t rows, const Tree& tree, double lower) {
          result_.rounds.push_back({rows, true, lower, true, count_errors(tree, data_), false, deadline_.elapsed(), tree});
          result_.lower = std::max(result_.lower, lower);
          consider(settle(tree));
          task_.report(progress(' '));
        });
    result_.lower = std::max(result_.lower, found.lower);
    consider(found.tree);
    proved_ = found.complete;
  }

  const Task& task_;
  const Dataset& data_;
  const double tolerance_;  // costs closer than this are equal
  const search::SplitFamily family_;
  reduce::DataPartition partition_;
  Deadline& deadline_;
  bool improved_ = false, exact_ = false;
  bool proved_ = false;  // no tree is better, but for the rounding of weights without a common unit
  Refinement result_;
  std::optional<ScaledPoints> points_;                      // for medoids
  double least_ = std::numeric_limits<double>::infinity();  // cost of result_.tree
};

// The rounds as lines of text.
std::string table_of(const std::vector<RefineRound>& rounds, double price) {
  std::string text = "round     rows  cost on them  proved   errors  splits  cuts clusters  seconds\n";
  std::size_t number = 0;
  for (const RefineRound& round : rounds) {
    text += fmt::format("{:>5} {:>8}  {:>12.6g}  {:>6}  {:>7.6g}  {:>6}  {:>13}  {:>7.2f}\n", number++, round.clusters, round.model,
                        round.proved ? "yes" : "no", round.errors, round.tree.splits(),
                        round.proof        ? "proof"
                        : round.intersects ? "yes"
                                           : "no",
                        round.seconds);
  }
  return text + fmt::format("(cost = errors + {:.6g} * splits)\n", price);
}

Result train(const Task& task) {
  const Options& options = task.options;
  const ScaledPoints points(task.data, Scaling::distance);
  reduce::DataPartition partition = reduce::partition_named(options.partition, task.data, points, options.cluster_share, task.deadline);
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
  if (const std::string restriction = search::restriction_of_family(task.data); exact && !restriction.empty())
    result.proved += "; " + restriction;
  result.selection = fmt::format("{} clusters of {} rows by {} in {:.2f} s\n{}", clusters, task.data.rows(), options.partition, seconds,
                                 table_of(found.rounds, objective.split_price()));
  return result;
}

// The paper's price, 1 / (max_splits + 1) of an error, in the common unit of the weights: as many splits as there may be cost less than any
// difference of errors. Without a common unit, or beside a total where the price vanishes, no such price exists, and splits are free.
double price_of_ties(const Options& options, const Dataset& data) {
  const WholeWeights weights = whole_weights(data);
  const double price = weights.unit / (static_cast<double>(options.max_splits) + 1);
  return weights.rounding > 0 || (!data.weights.empty() && price <= data.weight_tolerance()) ? 0 : price;
}

}  // namespace

const ObjectiveKind kPartitionObjective = {ErrorObjective::kKind.name,
                                           [](const Options& options, const Dataset& data) -> ObjectivePtr {
                                             if (options.ccp_alpha > 0 || options.max_splits < 0)
                                               return ErrorObjective::kKind.from_options(options, data);
                                             return std::make_shared<ErrorObjective>(price_of_ties(options, data));
                                           },
                                           ErrorObjective::kKind.from_parameters};

Refinement refine(const Task& task, reduce::DataPartition partition) {
  return Refining(task, std::move(partition)).run();
}

std::vector<Method> methods() {
  return {{"partition", "partition",
           "axis tree trained on clusters of rows (Ales, Hure & Lambert 2024): hia and hiia are heuristics, eia and eiia prove the optimum",
           true,
           joined({reads::kTree,
                   reads::kLeaves,
                   reads::kErrors,
                   reads::kRun,
                   {"random_state", "mip_solver", "disable", "write_model", "partition", "cluster_share", "representatives",
                    "partition_algorithm", "partition_model"}}),
           &kPartitionObjective, train}};
}

}  // namespace treewright::partition
