#pragma once

#include <vector>

#include "treewright/tree/measures.h"

namespace treewright::report {

/// Rows of similar probability: how probable an event was on average, and how often it came true.
struct ReliabilityBin {
  double predicted = 0;
  Share observed;
};

/// Of ten equal ranges of the probability those that hold rows, lowest first. The event: of two classes, that a row is of the second one;
/// of more, that a row is of its most probable class. Shape of `probabilities`: (rows x classes).
std::vector<ReliabilityBin> reliability_bins(const std::vector<double>& probabilities, const Dataset& data);

}  // namespace treewright::report
