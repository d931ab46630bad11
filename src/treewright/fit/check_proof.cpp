#include "treewright/fit/check_proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "treewright/error.h"
#include "treewright/proof/check.h"
#include "treewright/proof/file.h"
#include "treewright/tree/objective.h"

namespace treewright {

ProvedTree check_proof(const Result& result, const Dataset& data, std::string_view bytes, const std::string& origin) {
  const auto refuse = [&](const std::string& problem) {
    throw Error(origin, problem, "give the proof that was written with this tree", ErrorKind::file);
  };
  const auto* objective = dynamic_cast<const ErrorObjective*>(result.objective_function.get());
  if (objective == nullptr) refuse("speaks of errors and splits, and the tree has another objective");
  const proof::Proof proof = proof::from_bytes(bytes, origin);
  if (proof.depth < result.max_depth)
    refuse(fmt::format("speaks of trees of depth {}, and the tree's limit is {}", proof.depth, result.max_depth));
  const proof::Verified verified = proof::verify(proof, data, origin);
  // The proof has a rounded price. No tree has more splits than rows, or than its depth allows.
  const double price = objective->split_price(), scale = objective->error_scale(), splits = static_cast<double>(result.tree.splits());
  const double most = std::min(static_cast<double>(data.rows()), std::ldexp(1.0, proof.depth) - 1);
  const double lower = verified.bound - std::max(0.0, verified.price - price) * most;
  // Whole weights may differ from the true ones by the rounding in the bound, and once more in the tree.
  const double tolerance = kLastDigits * verified.bound + data.weight_tolerance() + 2 * verified.rounding;
  ProvedTree proved{lower / scale, false, verified.claims, verified.stumps, verified.notes};
  const double errors = count_errors(result.tree, data), cost = errors + price * splits;
  if (result.tree.depth() <= proof.depth && cost < lower - tolerance) {
    refuse(fmt::format("shows that no tree has an objective below {:.9g}, and this tree's is {:.9g}: one of the two is wrong", proved.bound,
                       cost / scale));
  }
  proved.optimal = errors + std::max(price, verified.price) * splits <= lower + tolerance;
  if (proved.optimal) proved.bound = result.objective;
  if (result.bound > proved.bound + tolerance / scale) {
    refuse(fmt::format("shows that no tree has an objective below {:.9g}, and the tree's bound is {:.9g}", proved.bound, result.bound));
  }
  return proved;
}

}  // namespace treewright
