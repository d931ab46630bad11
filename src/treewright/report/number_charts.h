#pragma once

#include <string>
#include <vector>

#include "treewright/tree/measures.h"

namespace treewright::report {

/// Numbers in bins of equal width; those beyond the edges are in the outermost ones.
struct NumberBins {
  double low = 0, high = 1;
  std::vector<double> weight;
};

/// Bins for such numbers: the middle 98 % have the width, so that a few far ones do not squeeze all others into one bin.
NumberBins bins_for(std::vector<double> values);
void add(NumberBins& bins, double value, double weight);

/// The bins of the rows that go left, and stacked on them of those that go right (empty for a leaf), with a line at `mark`. An SVG
/// fragment of exports::kPictureWidth.
std::string small_bins(const NumberBins& left, const NumberBins& right, double mark);
/// The same with an axis; an <svg> element. `sides`: names of both.
std::string bins_chart(const NumberBins& left, const NumberBins& right, double mark, const std::string& what, bool sides);

/// A rate with its interval on an axis from 0 to `most`; an SVG fragment.
std::string small_rate(double rate, const Interval& interval, double most);

/// What the rows of a leaf show.
struct SeenLeaf {
  double predicted = 0;
  std::vector<double> seen;  ///< numbers of its rows; of rates empty
  double observed = 0;       ///< of rates: that of its rows
  Interval interval = {};    ///< and its interval
  std::string words = {};    ///< what they say of it
};

/// The numbers of each leaf's rows over its prediction: dots, a box from quartile to quartile with the median, and the line on which both
/// are equal.
std::string seen_chart(const std::vector<SeenLeaf>& leaves);
/// The observed rate of each leaf with its interval over the predicted one. `what`: rate, or hazard.
std::string rates_chart(const std::vector<SeenLeaf>& leaves, const std::string& what);

}  // namespace treewright::report
