// Whether probabilities mean what they say: of the rows that get a probability of 30 %, three in ten should be of that class.

#include "treewright/report/reliability.h"

#include <algorithm>

namespace treewright::report {

namespace {

constexpr std::size_t kReliabilityBins = 10;

}  // namespace

std::vector<ReliabilityBin> reliability_bins(const std::vector<double>& probabilities, const Dataset& data) {
  const std::size_t k = data.classes();
  std::vector<ReliabilityBin> bins(kReliabilityBins);
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const auto begin = probabilities.begin() + static_cast<std::ptrdiff_t>(row * k);
    const auto label = k == 2 ? std::ptrdiff_t{1} : std::max_element(begin, begin + static_cast<std::ptrdiff_t>(k)) - begin;
    const double p = begin[label];
    ReliabilityBin& bin = bins[std::min(kReliabilityBins - 1, static_cast<std::size_t>(p * kReliabilityBins))];
    bin.predicted += data.weight(row) * p;
    bin.observed.add(data.weight(row), data.labels[row] == label);
  }
  std::erase_if(bins, [](const ReliabilityBin& bin) { return !(bin.observed.whole > 0); });
  for (ReliabilityBin& bin : bins) bin.predicted /= bin.observed.whole;
  return bins;
}

}  // namespace treewright::report
