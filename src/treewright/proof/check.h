#pragma once

#include <cstdint>
#include <string>

#include "treewright/base/deadline.h"
#include "treewright/data.h"
#include "treewright/proof/proof.h"
#include "treewright/proof/table.h"
#include "treewright/proof/top.h"

namespace treewright::proof {

/// What a checked proof consists of.
struct Verified {
  double bound = 0;         ///< no tree of the proof's depth costs less, errors (or the cost of its labels) + price * splits
  double price = 0;         ///< of a split, or the next double above it
  std::int64_t claims = 0;  ///< bounds on parts of the rows that were shown
  std::int64_t stumps = 0;  ///< sides of cuts whose best single split was recounted
  TopRows top;              ///< where the rows are below the splits that its trees begin with; empty = any
  std::string sentence;     ///< what it says: "no tree of axis and category splits ..."
};

/// Checks every step of a proof by recounting on the raw rows. `origin` names the file in messages. Throws Error at the first step that
/// does not follow, and Stopped where `deadline` ends it; its work is visits of a row in an ordering.
Verified verify(const Proof& proof, const Dataset& data, const std::string& origin, Deadline* deadline = nullptr);

}  // namespace treewright::proof
