#pragma once

#include <string>

#include "read_rows.h"
#include "treewright/result.h"

namespace treewright::cli {

/// What a proof file shows of a tree.
struct Verification {
  std::string sentence;  ///< "" if Ctrl-C ended the check
  bool optimal = false;
  bool shows_bound = false;  ///< all of the bound that the tree claims
};
/// Checks the proof file. Throws Error if it does not hold.
Verification verification(const std::string& path, const Result& result, const DataParts& parts);

}  // namespace treewright::cli
