#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "treewright/proof/check.h"
#include "treewright/result.h"

namespace treewright {

/// Which trees are compared on which rows, and by what: a proof speaks of it, and a tree that was trained does.
struct Claim {
  enum class Loss { errors, costs_of_classes, costs_of_rows, squared_error, deviance };
  Loss loss = Loss::errors;
  std::vector<double> costs = {};  ///< of classes, as Dataset::costs
  std::int64_t rows = 0;
  std::int64_t depth = 0;
  std::optional<std::int64_t> max_splits = {};
  std::int64_t min_rows = 1;  ///< of each leaf
  proof::TopRows top = {};    ///< of the splits that the trees begin with; empty = any

  /// Of a proof that holds for these rows.
  static Claim of(const proof::Proof& proof, const Dataset& data);
  /// Throws Error if the tree has an objective that no proof speaks of. `origin` names the proof.
  static Claim of(const Result& result, const Dataset& data, const std::string& origin);
};

/// What a verified proof says of a tree.
struct ProvedTree {
  double bound = 0;                     ///< no tree that the proof speaks of has a smaller objective
  double loss = 0;                      ///< the same in errors or costs: the bound is this over the objective's scale, rounded down
  bool speaks_of_it = false;            ///< the tree is one of these
  bool optimal = false;                 ///< and none is better, but for rounding
  bool exactly = false;                 ///< nor by rounding
  bool shows_bound = false;             ///< no tree of the proof has an objective below the bound that the result claims
  double above = 0;                     ///< by how much the tree is above `loss`
  std::int64_t claims = 0, stumps = 0;  ///< as proof::Verified
  Claim of;                             ///< the trees of the proof
  std::string sentence;                 ///< as proof::Verified
};

/// Verifies a proof file on the rows a tree was trained on. `data`: with their class weights; `origin` names the file in messages. Throws
/// Error if the proof does not hold, or is of other trees.
ProvedTree check_proof(const Result& result, const Dataset& data, std::string_view bytes, const std::string& origin);

/// What a proof of `proved` that holds says of a tree. Throws Error unless it speaks of all that the tree claims, if the tree is one of its
/// trees and costs less than its bound.
ProvedTree compare(const Result& result, const Dataset& data, const Claim& proved, const proof::Verified& verified,
                   const std::string& origin);

}  // namespace treewright
