#include "treewright/fit/check_proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "treewright/data/costs.h"
#include "treewright/error.h"
#include "treewright/proof/file.h"
#include "treewright/proof/shown.h"
#include "treewright/search/items/split_family.h"
#include "treewright/tree/cost_objective.h"
#include "treewright/tree/leaf_weight.h"
#include "treewright/tree/objective.h"

namespace treewright {

namespace {

[[noreturn]] void refuse(const std::string& origin, const std::string& problem) {
  throw Error(origin, problem, "give the proof that was written with this tree", ErrorKind::file);
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

}  // namespace

ProvedTree compare(const Result& result, const Dataset& data, const Trees& of, const proof::Verified& verified, const std::string& origin) {
  const int depth = of.depth;
  const Objective& objective = *result.objective_function;
  const CostObjective* const of_costs = as_costs(objective);
  const auto* const of_errors = dynamic_cast<const ErrorObjective*>(&objective);
  if (of_costs == nullptr ? of_errors == nullptr || of_errors->column_prices().any() : of_costs->column_prices().any())
    refuse(origin, "speaks of errors or costs and splits, and the tree has another objective");
  if (depth < result.max_depth)
    refuse(origin, fmt::format("speaks of trees of depth {}, and the tree's limit is {}", depth, result.max_depth));
  if (of.max_splits && (result.max_splits < 0 || *of.max_splits < result.max_splits))
    refuse(origin, fmt::format("speaks of trees with {} splits at most, and the tree may have more", *of.max_splits));
  // A leaf that weighs enough holds rows_needed rows at least.
  const LeafWeight weight = LeafWeight::from(result.min_leaf_weight / data.total_weight(), data);
  if (of.min_rows > std::max(result.min_leaf_rows, weight.rows_needed))
    refuse(origin, fmt::format("speaks of trees with {} rows or more in each leaf, and the tree may have fewer", of.min_rows));
  const double scale = objective.error_scale();
  const proof::Shown shown = proof::shown(verified, objective, data, depth);
  ProvedTree proved{shown.lower / scale, false, false, verified.claims, verified.stumps, verified.sentence};
  const double cost = objective.of(result.tree, data) * scale;
  // A tree that splits a category of many levels by other sets than the proof knows may be better than all that it speaks of.
  const search::SplitFamily family(of_costs != nullptr ? gains_table(data).rows : data);
  const auto splits = static_cast<std::int64_t>(result.tree.splits());
  const bool is_among_them = result.tree.depth() <= depth && splits <= of.max_splits.value_or(splits) &&
                             (of.min_rows <= 1 || least_rows(result.tree, data) >= of.min_rows) && family.holds(result.tree, data);
  if (is_among_them && cost < shown.lower - shown.tolerance) {
    refuse(origin, fmt::format("shows that no tree has an objective below {:.9g}, and this tree's is {:.9g}: one of the two is wrong",
                               proved.bound, cost / scale));
  }
  proved.speaks_of_it = is_among_them;
  proved.optimal = is_among_them && proof::is_shown(shown, cost + shown.dearer * static_cast<double>(splits), objective, data);
  if (proved.optimal) proved.bound = result.objective;
  if (result.bound > proved.bound && !proof::is_shown(shown, result.bound * scale, objective, data)) {
    refuse(origin,
           fmt::format("shows that no tree has an objective below {:.9g}, and the tree's bound is {:.9g}", proved.bound, result.bound));
  }
  return proved;
}

ProvedTree check_proof(const Result& result, const Dataset& data, std::string_view bytes, const std::string& origin) {
  for (const Column& column : data.columns) {
    if (column.notation == Notation::ordered)
      refuse(origin, fmt::format("speaks of numbers and categories, and column '{}' is of ordered levels", column.name));
  }
  if (!data.reading.edges.empty()) refuse(origin, "speaks of classes as they stand in the file, and this tree's are groups of numbers");
  const proof::Proof proof = proof::from_bytes(bytes, origin);
  return compare(result, data, {proof.depth, proof.max_splits, proof.min_rows}, proof::verify(proof, data, origin), origin);
}

}  // namespace treewright
