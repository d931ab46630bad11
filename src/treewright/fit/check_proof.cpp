#include "treewright/fit/check_proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "treewright/base/exact_sum.h"
#include "treewright/base/round_down.h"
#include "treewright/data/costs/costs.h"
#include "treewright/error.h"
#include "treewright/proof/file.h"
#include "treewright/proof/proved_bound.h"
#include "treewright/search/items/split_family.h"
#include "treewright/task/cost_objective.h"
#include "treewright/task/leaf_weight.h"
#include "treewright/task/loss_objective.h"
#include "treewright/task/objective.h"
#include "treewright/task/tree_top.h"
#include "treewright/tree/aligned.h"
#include "treewright/tree/measures.h"
#include "treewright/tree/routing.h"

namespace treewright {

namespace {

[[noreturn]] void refuse(const std::string& origin, const std::string& problem) {
  throw Error(origin, problem, "give the proof that was written with this tree", ErrorKind::file);
}

const char* in_words(Claim::Loss loss) {
  switch (loss) {
    case Claim::Loss::errors:
      return "errors";
    case Claim::Loss::costs_of_classes:
      return "costs by class";
    case Claim::Loss::costs_of_rows:
      return "costs by row";
    case Claim::Loss::squared_error:
      return "squared error";
    default:
      return "the deviance";
  }
}

// Of the rows in any leaf.
std::int64_t least_rows(const Tree& tree, const Dataset& data) {
  Tree counted = tree;
  counted.tally(data);
  auto least = static_cast<std::int64_t>(data.rows());
  for (const Node& node : counted.nodes()) {
    if (node.is_leaf()) least = std::min(least, static_cast<std::int64_t>(node.rows));
  }
  return least;
}

// What the labels cost all rows, or the next double above it; of numbers the loss, but for last digits.
double loss_of(const Tree& tree, const Dataset& data, const Claim& claim) {
  if (data.response) return total_loss(tree, data);
  const std::vector<std::int32_t> labels = tree.predict(data);
  ExactSum sum;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const auto truth = static_cast<std::size_t>(data.labels[row]), label = static_cast<std::size_t>(labels[row]);
    switch (claim.loss) {
      case Claim::Loss::errors:
        sum.add(data.weight(row), truth == label ? 0 : 1);
        break;
      case Claim::Loss::costs_of_classes:
        sum.add(data.weight(row), claim.costs[truth * data.classes() + label]);
        break;
      case Claim::Loss::costs_of_rows:
        sum.add(data.weight(row), data.row_costs[row * data.classes() + label]);
        break;
      case Claim::Loss::squared_error:
      case Claim::Loss::deviance:
        break;
    }
  }
  return sum.up();
}

// The splits that a tree was asked to begin with; nothing of a column that is asked without saying how.
std::optional<TreeTop> given_top(const Result& result) {
  const std::string* const text = result.option("top");
  if (text == nullptr || text->empty()) return {};
  TreeTop top(*text, result.tree.features);
  if (!top.asked().empty()) return {};
  return top;
}

proof::TopRows rows_below(const TreeTop& top, const Dataset& data) {
  const Tree tree = top.tree(data);
  const std::vector<RowNumbers> rows = rows_of_nodes(tree, data);
  const auto below = [&](auto&& self, NodeId id) -> proof::TopRows {
    const Node& node = tree.node(id);
    if (!node.is_leaf()) return proof::TopRows::split(self(self, node.left), self(self, node.right));
    const bool is_open = std::find(top.open().begin(), top.open().end(), id) != top.open().end();
    const RowNumbers& here = rows[static_cast<std::size_t>(+id)];
    return proof::TopRows::place(is_open ? proof::TopPlace::Kind::open : proof::TopPlace::Kind::leaf, {here.begin(), here.end()});
  };
  return below(below, Tree::root());
}

// Whatever the tree claims, the proof must speak of it.
void expect_covered(const Claim& claimed, const Claim& proved, const std::string& origin) {
  if (claimed.loss != proved.loss || claimed.costs != proved.costs)
    refuse(origin, fmt::format("speaks of {}, and the tree's objective of {}", in_words(proved.loss), in_words(claimed.loss)));
  if (claimed.rows != proved.rows)
    refuse(origin, fmt::format("speaks of {} rows, and the tree was trained on {}", proved.rows, claimed.rows));
  if (proved.depth < claimed.depth)
    refuse(origin, fmt::format("speaks of trees of depth {}, and the tree's limit is {}", proved.depth, claimed.depth));
  const std::int64_t most = proof::full_splits(static_cast<int>(std::min<std::int64_t>(claimed.depth, 60)));
  if (proved.max_splits && *proved.max_splits < std::min(claimed.max_splits.value_or(most), most))
    refuse(origin, fmt::format("speaks of trees with {} splits at most, and the tree may have more", *proved.max_splits));
  if (proved.min_rows > claimed.min_rows)
    refuse(origin, fmt::format("speaks of trees with {} rows or more in each leaf, and the tree may have fewer", proved.min_rows));
  if (!proved.top.kinds.empty() && proved.top != claimed.top)
    refuse(origin, "speaks of trees that begin with other splits than this one was asked to begin with");
}

}  // namespace

Claim Claim::of(const proof::Proof& proof, const Dataset& data) {
  const Loss loss = proof.target              ? Loss::squared_error
                    : proof.exposure          ? Loss::deviance
                    : !data.row_costs.empty() ? Loss::costs_of_rows
                    : !data.costs.empty()     ? Loss::costs_of_classes
                                              : Loss::errors;
  return {loss, data.costs, static_cast<std::int64_t>(data.rows()), proof.depth, proof.max_splits, proof.min_rows};
}

Claim Claim::of(const Result& result, const Dataset& data, const std::string& origin) {
  const CostObjective* const of_costs = as_costs(*result.objective_function);
  const auto* const of_errors = dynamic_cast<const ErrorObjective*>(result.objective_function.get());
  const auto* const of_numbers = dynamic_cast<const LossObjective*>(result.objective_function.get());
  const bool is_known = of_costs != nullptr    ? !of_costs->column_prices().any()
                        : of_errors != nullptr ? !of_errors->column_prices().any()
                                               : of_numbers != nullptr;
  if (!is_known) refuse(origin, "speaks of errors, costs or the loss of numbers, and of splits, and the tree has another objective");
  Claim claim;
  if (of_numbers != nullptr) claim.loss = of_numbers->loss() == treewright::Loss::squared ? Loss::squared_error : Loss::deviance;
  if (of_costs != nullptr) {
    if (const std::string fault = of_costs->unfit_for(data); !fault.empty()) refuse(origin, fmt::format("cannot be compared: {}", fault));
    claim.loss = of_costs->by_row() ? Loss::costs_of_rows : Loss::costs_of_classes;
    claim.costs = of_costs->costs();
  }
  claim.rows = result.rows;
  claim.depth = result.max_depth;
  if (result.max_splits >= 0) claim.max_splits = result.max_splits;
  // A leaf that weighs enough holds rows_needed rows at least.
  const LeafWeight weight = LeafWeight::from(result.min_leaf_weight / data.total_weight(), data);
  claim.min_rows = std::max<std::int64_t>(result.min_leaf_rows, weight.rows_needed);
  if (const std::optional<TreeTop> top = given_top(result)) claim.top = rows_below(*top, data);
  return claim;
}

ProvedTree compare(const Result& result, const Dataset& data, const Claim& proved, const proof::Verified& verified,
                   const std::string& origin) {
  need_aligned(result.tree, data);
  result.tree.loss ? need_response(result.tree, data) : need_labels(result.tree, data);
  const Claim claimed = Claim::of(result, data, origin);
  expect_covered(claimed, proved, origin);
  const Objective& objective = *result.objective_function;
  const double scale = objective.error_scale();
  const proof::ProvedBound shown = proof::proved_bound(verified, objective, data, static_cast<int>(proved.depth));
  ProvedTree said;
  said.bound = quotient_down(shown.lower, scale);
  said.loss = shown.lower;
  said.claims = verified.claims, said.stumps = verified.stumps;
  said.of = proved;
  said.sentence = verified.sentence;
  const auto splits = static_cast<std::int64_t>(result.tree.splits());
  const double cost = loss_of(result.tree, data, claimed) + objective.split_price() * static_cast<double>(splits);
  // A tree that splits a category of many levels by other sets than the proof knows may be better than all that it speaks of.
  const search::SplitFamily family(!data.has_costs() ? data : gains_table(data).rows);
  said.speaks_of_it = result.tree.depth() <= proved.depth && splits <= proved.max_splits.value_or(splits) &&
                      (proved.min_rows <= 1 || least_rows(result.tree, data) >= proved.min_rows) &&
                      (proved.top.kinds.empty() || given_top(result)->begins(result.tree)) && family.holds(result.tree, data);
  if (said.speaks_of_it && cost < shown.lower - shown.tolerance) {
    refuse(origin, fmt::format("shows that no tree has an objective below {:.9g}, and this tree's is {:.9g}: one of the two is wrong",
                               said.bound, cost / scale));
  }
  said.exactly = said.speaks_of_it && cost <= shown.lower;
  said.above = std::max(0.0, cost - shown.lower);
  said.optimal =
      said.exactly || (said.speaks_of_it && proof::is_proved(shown, cost + shown.dearer * static_cast<double>(splits), objective, data));
  said.shows_bound = result.bound <= said.bound || proof::is_proved(shown, result.bound * scale, objective, data) ||
                     (said.optimal && result.bound <= result.objective);
  return said;
}

ProvedTree check_proof(const Result& result, const Dataset& data, std::string_view bytes, const std::string& origin) {
  if (!data.reading.edges.empty()) refuse(origin, "speaks of classes as they stand in the file, and this tree's are groups of numbers");
  const proof::Proof proof = proof::from_bytes(bytes, origin);
  const proof::Verified verified = proof::verify(proof, data, origin);
  Claim proved = Claim::of(proof, data);
  proved.top = verified.top;
  const ProvedTree said = compare(result, data, proved, verified, origin);
  if (const std::vector<std::string> broken = check_claims(result, data); !broken.empty())
    refuse(origin, fmt::format("cannot be compared with this tree: {}", broken.front()));
  return said;
}

}  // namespace treewright
