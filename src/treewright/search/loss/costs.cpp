// The loss: what a tree is charged for its labels. This room is the only one that says how it is counted; what the search minimizes beside
// it is the price of the splits.
//
// Items. The loss of a set of rows is the sum over its leaves, and a leaf has one label. So it is enough to know what each label costs for
// each row: c(a) for label a, and the leaf takes the label of the least sum. Rows with equal features reach the same leaf in every tree, so
// their costs are added up first. What is left of them when the least cost, c_min, is taken from all labels no longer bounds anything:
// every tree loses c_min. Then label a gains g(a) = c_max - c(a) over the dearest label. Each label with a gain is an item of that weight,
// and a leaf with the items S costs
//
//     leaf(S) = reach(S) - max over a of (weight of the items of label a in S).
//
// Reach. What rows of equal features cost lies between 0 and c_max - c_min, which is their largest gain: their reach. The cost of a tree is
// a sum of such terms, whatever its depth, splits and leaves. So to some rows it costs no more than to them and others, and no less than
// that minus the reach of the others. Every bound that hands a tree of some items on to more or to fewer of them rests on this. It holds
// for sets that have all items of a group of equal rows, or none: the heaviest item bears the reach of its group, and the others have none.
//
// Errors. The cost of a label is the weight of the rows of other classes, so c_min is the weight outside the heaviest class, and the reach
// is the heaviest class less the lightest. With two classes the heavier one alone is an item, of the difference between the two weights:
// reach is weight. With more classes reach is less where rows of equal features are of several classes.
//
// The least cost with L leaves. L leaves have L labels at most, so the items of all other labels gain nothing: at best these are the
// lightest ones. That says little where rows gain under most labels, for the gains of L labels add up to more than the reach. There each
// row has its largest gain in a set of L labels (label_sets.h), and the best set is the bound.
//
// The best stumps beside a cut are the same question for two leaves on either side. They take nearly all the time of the search, so the
// kernels (stump_kernel.h, bit_stumps.h) ask it of many cuts at once.

#include "treewright/search/loss/costs.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace treewright::search {

double items_of_rows(std::span<const double> class_weight, const std::function<void(std::size_t label, double weight, double reach)>& add) {
  assert(!class_weight.empty());
  const double lightest = *std::min_element(class_weight.begin(), class_weight.end());
  const auto heaviest = static_cast<std::size_t>(best_label(class_weight));
  const double reach = class_weight[heaviest] - lightest;
  if (reach > 0) add(heaviest, reach, reach);
  for (std::size_t label = 0; label < class_weight.size(); ++label) {
    if (label != heaviest && class_weight[label] > lightest) add(label, class_weight[label] - lightest, 0);
  }
  return std::accumulate(class_weight.begin(), class_weight.end(), 0.0) - class_weight[heaviest];
}

double leaf_cost(double reach, std::span<const double> weights) {
  assert(!weights.empty());
  return reach - *std::max_element(weights.begin(), weights.end());
}

std::int32_t best_label(std::span<const double> weights) {
  return static_cast<std::int32_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
}

double least_cost(double reach, std::vector<double> weights, std::int64_t leaves) {
  assert(leaves >= 1);
  std::sort(weights.begin(), weights.end(), std::greater<>());
  const auto labels = std::min(leaves, static_cast<std::int64_t>(weights.size()));
  return std::max(0.0, reach - std::accumulate(weights.begin(), weights.begin() + static_cast<std::ptrdiff_t>(labels), 0.0));
}

}  // namespace treewright::search
