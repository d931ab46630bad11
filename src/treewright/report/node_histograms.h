#pragma once

#include <optional>
#include <vector>

#include "treewright/report/plane_chart.h"

namespace treewright::report {

/// Histogram of the rows that reach a split: of the feature's values, or of w.x for a hyperplane. A category split has one bin
/// for each level.
struct Histogram {
  std::vector<std::vector<double>> weight;  ///< shape (classes, bins)
  double low = 0, high = 0;                 ///< outer edges (numbers only); the outermost bins also hold values beyond them
  double threshold = 0;
  std::optional<double> last_left, first_right;  ///< the values next to the threshold: nothing lies between them
  std::vector<double> missing;                   ///< shape (classes)
  std::optional<PlaneCells> plane;               ///< of a split on two numeric columns
};

/// Class weights of the rows of `data` that reach each node. Shape (nodes, classes).
std::vector<std::vector<double>> weights_at(const Tree& tree, const Dataset& data);

/// A histogram for each split, nothing for leaves. Shape (nodes). `data` must be aligned to the tree.
std::vector<std::optional<Histogram>> histograms(const Tree& tree, const Dataset& data);

}  // namespace treewright::report
