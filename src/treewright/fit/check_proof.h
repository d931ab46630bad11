#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "treewright/proof/check.h"
#include "treewright/result.h"

namespace treewright {

/// What a verified proof says of a tree.
struct ProvedTree {
  double bound = 0;                     ///< no tree that the proof speaks of has a smaller objective
  bool speaks_of_it = false;            ///< the tree is one of these
  bool optimal = false;                 ///< and none is better
  std::int64_t claims = 0, stumps = 0;  ///< as proof::Verified
  std::string sentence;                 ///< as proof::Verified
};

/// Verifies a proof file on the rows a tree was trained on. `data`: with their class weights; `origin` names the file in messages. Throws
/// Error if the proof does not hold, or does not show what the result claims.
ProvedTree check_proof(const Result& result, const Dataset& data, std::string_view bytes, const std::string& origin);

/// The trees that a proof speaks of.
struct Trees {
  int depth = 0;
  std::optional<std::int64_t> max_splits;
  std::int64_t min_rows = 1;
};

/// What a proof that holds for these trees says of a tree. Throws Error if the tree is one of them and costs less than its
/// bound, or if the result claims more.
ProvedTree compare(const Result& result, const Dataset& data, const Trees& of, const proof::Verified& verified, const std::string& origin);

}  // namespace treewright
