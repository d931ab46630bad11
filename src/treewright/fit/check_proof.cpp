#include "treewright/fit/check_proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "treewright/error.h"
#include "treewright/proof/file.h"
#include "treewright/search/items/split_family.h"
#include "treewright/tree/objective.h"

namespace treewright {

namespace {

[[noreturn]] void refuse(const std::string& origin, const std::string& problem) {
  throw Error(origin, problem, "give the proof that was written with this tree", ErrorKind::file);
}

}  // namespace

ProvedTree compare(const Result& result, const Dataset& data, int depth, const proof::Verified& verified, const std::string& origin) {
  const auto* objective = dynamic_cast<const ErrorObjective*>(result.objective_function.get());
  if (objective == nullptr || objective->column_prices().any())
    refuse(origin, "speaks of errors and splits, and the tree has another objective");
  if (depth < result.max_depth)
    refuse(origin, fmt::format("speaks of trees of depth {}, and the tree's limit is {}", depth, result.max_depth));
  // The proof has a rounded price. No tree has more splits than rows, or than its depth allows.
  const double price = objective->split_price(), scale = objective->error_scale(), splits = static_cast<double>(result.tree.splits());
  const double most = std::min(static_cast<double>(data.rows()), std::ldexp(1.0, depth) - 1);
  const double lower = verified.bound - std::max(0.0, verified.price - price) * most;
  // Whole weights may differ from the true ones by the rounding in the bound, and once more in the tree.
  const double tolerance = kLastDigits * verified.bound + data.weight_tolerance() + 2 * verified.rounding;
  ProvedTree proved{lower / scale, false, verified.claims, verified.stumps, verified.notes};
  const double errors = count_errors(result.tree, data), cost = errors + price * splits;
  // A tree that splits a category of many levels by other sets than the proof knows may be better than all that it speaks of.
  const bool is_among_them = result.tree.depth() <= depth && search::SplitFamily(data).holds(result.tree, data);
  if (is_among_them && cost < lower - tolerance) {
    refuse(origin, fmt::format("shows that no tree has an objective below {:.9g}, and this tree's is {:.9g}: one of the two is wrong",
                               proved.bound, cost / scale));
  }
  proved.optimal = is_among_them && errors + std::max(price, verified.price) * splits <= lower + tolerance;
  if (proved.optimal) proved.bound = result.objective;
  if (result.bound > proved.bound + tolerance / scale) {
    refuse(origin,
           fmt::format("shows that no tree has an objective below {:.9g}, and the tree's bound is {:.9g}", proved.bound, result.bound));
  }
  return proved;
}

ProvedTree check_proof(const Result& result, const Dataset& data, std::string_view bytes, const std::string& origin) {
  const proof::Proof proof = proof::from_bytes(bytes, origin);
  return compare(result, data, proof.depth, proof::verify(proof, data, origin), origin);
}

}  // namespace treewright
