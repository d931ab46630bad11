// Whether probabilities mean what they say: of the rows that get a probability of 30 %, three in ten should be of that class.

#include "treewright/report/reliability.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "treewright/explain/markup.h"
#include "treewright/report/charts.h"

namespace treewright::report {

namespace {

constexpr std::size_t kBins = 10;

}  // namespace

std::vector<ReliabilityBin> reliability_bins(const std::vector<double>& probabilities, const Dataset& data) {
  const std::size_t k = data.classes();
  std::vector<ReliabilityBin> bins(kBins);
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const auto begin = probabilities.begin() + static_cast<std::ptrdiff_t>(row * k);
    const auto label = k == 2 ? std::ptrdiff_t{1} : std::max_element(begin, begin + static_cast<std::ptrdiff_t>(k)) - begin;
    const double p = begin[label];
    ReliabilityBin& bin = bins[std::min(kBins - 1, static_cast<std::size_t>(p * kBins))];
    bin.predicted += data.weight(row) * p;
    bin.observed.add(data.weight(row), data.labels[row] == label);
  }
  std::erase_if(bins, [](const ReliabilityBin& bin) { return !(bin.observed.whole > 0); });
  for (ReliabilityBin& bin : bins) bin.predicted /= bin.observed.whole;
  return bins;
}

std::string reliability(const std::string& name, const Tree& tree, const Dataset& data) {
  if (tree.splits() == 0) return "";
  const std::vector<ReliabilityBin> bins = reliability_bins(tree.predict_proba(data), data);
  if (bins.empty()) return "";
  const std::string event =
      tree.class_names.size() == 2
          ? fmt::format("the class “{}”", explain::escaped(explain::shortened(explain::clean(tree.class_names[1]), 24)))
          : "the most probable class";
  return fmt::format(
      "<div><p class=\"soft\">{}: how often {} came true, by its probability; on the line both are equal. Bars: intervals of "
      "95 % confidence.</p>{}</div>",
      name, event, reliability_chart(bins));
}

}  // namespace treewright::report
