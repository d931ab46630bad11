#pragma once

#include <cstdint>
#include <string>

#include "treewright/proof/file.h"
#include "treewright/proof/proof.h"

namespace treewright::proof {

/// A sum of whole numbers from 0 to kNumbersEnd that stays exact in doubles.
class WholeSum {
 public:
  /// Throws Error where it does not. `origin` names the proof.
  void add(std::int64_t whole, const std::string& origin) {
    // No sum of two is beyond the type, and none grows further.
    sum_ += whole;
    if (sum_ >= kNumbersEnd) refuse(origin, "has a grid on which its sums would not be exact");
  }
  std::int64_t get() const { return sum_; }

 private:
  std::int64_t sum_ = 0;
};

}  // namespace treewright::proof
