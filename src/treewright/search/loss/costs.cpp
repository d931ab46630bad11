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
// Reach. An item can raise the cost of a tree by so much and no more: the cost of a leaf that takes the row with the dearest label. Every
// bound that hands a tree of some items on to more of them asks for the reach of those that it adds.
//
// Errors. The cost of a label is the weight of the rows of other classes. With two classes the heavier one alone is an item, of the
// difference between the two weights, and reach is weight. With more classes the weight of the lightest class is what every label gains
// less than its weight. Here the sum of the gains is taken for the reach, which is at least as much and the same unless rows of equal
// features differ in class. What that is too much, the items lose in every tree; so of c_min only the weight of the lightest class, once
// for each class but one, is counted beforehand.
//
// The least cost with L leaves. L leaves have L labels at most, so the items of all other labels gain nothing: at best these are the
// lightest ones.
//
// The best stumps beside a cut are the same question for two leaves on either side. They take nearly all the time of the search, so the
// kernels (stump_kernel.h, bit_stumps.h) ask it of many cuts at once.

#include "treewright/search/loss/costs.h"

#include <algorithm>
#include <numeric>

namespace treewright::search {

double items_of_rows(std::span<const double> class_weight, const std::function<void(std::size_t label, double weight)>& add) {
  // Taking the lightest class's weight from all classes changes every label's cost by the same amount.
  const double lightest = *std::min_element(class_weight.begin(), class_weight.end());
  for (std::size_t label = 0; label < class_weight.size(); ++label) {
    if (class_weight[label] > lightest) add(label, class_weight[label] - lightest);
  }
  return lightest * static_cast<double>(class_weight.size() - 1);
}

double leaf_cost(double reach, std::span<const double> weights) {
  return reach - *std::max_element(weights.begin(), weights.end());
}

std::int32_t best_label(std::span<const double> weights) {
  return static_cast<std::int32_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
}

double least_cost(std::vector<double> weights, std::int64_t leaves) {
  std::sort(weights.begin(), weights.end(), std::greater<>());
  const auto labels = std::min(leaves, static_cast<std::int64_t>(weights.size()));
  return std::accumulate(weights.begin() + static_cast<std::ptrdiff_t>(labels), weights.end(), 0.0);
}

}  // namespace treewright::search
