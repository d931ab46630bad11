#pragma once

#include <string>

#include "treewright/report.h"
#include "treewright/report/node_histograms.h"
#include "treewright/report/reliability.h"
#include "treewright/result.h"

namespace treewright::report {

/// Histogram of the values that the split sees, stacked by class, with the threshold; <svg> element.
std::string histogram_chart(const Histogram& histogram, const Split& split, const Tree& tree);

/// The same without words, for the box of a split: an SVG fragment of exports::kPictureWidth; "" where there is nothing to see.
std::string small_histogram(const Histogram& histogram, const Split& split, const Tree& tree);

/// Incumbent and bound over time, with the letter of the algorithm that found each incumbent; "" without a history.
std::string progress_chart(const Result& result);

/// Errors against splits, the corner with `splits` splits marked. `loss`: what the errors are called.
std::string path_chart(const std::vector<PathCorner>& path, std::int64_t splits, const std::string& loss);

/// Observed shares with their intervals by predicted probability, and the line on which both are equal.
std::string reliability_chart(const std::vector<ReliabilityBin>& bins);

}  // namespace treewright::report
