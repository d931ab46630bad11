#pragma once

#include <cstddef>
#include <limits>
#include <span>

namespace treewright::svm {

/// Where a step along a line meets the first of many constraints.
struct RatioTest {
  double step = std::numeric_limits<double>::infinity();  ///< negative if rounding left the constraint behind
  std::size_t constraint = 0;
};

/// The least of -surplus[i] / change[i], and the first i that has it, among those with closing[i] > noise: these come nearer. All three of
/// the same shape. The result does not depend on the processor.
RatioTest ratio_test(std::span<const double> surplus, std::span<const double> change, std::span<const double> closing, double noise);

}  // namespace treewright::svm
