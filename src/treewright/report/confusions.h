#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "treewright/result.h"
#include "treewright/tree.h"

namespace treewright::report {

/// Of more classes than this, pages show the first or the most important and the others under a fold.
inline constexpr std::size_t kManyClasses = 12;

/// A sentence with accuracy, balanced accuracy, and the scores of the probabilities (the shares of the classes in the leaves); then a table
/// of the classes with sensitivity, specificity and predictive value, and their intervals. HTML.
std::string scores(const std::string& name, const Tree& tree, const Dataset& data);

/// What the figures of `scores` are, for the end of all. HTML.
std::string scores_note();

/// The confusion matrix as a table; of many classes a list of the most frequent confusions, and the matrix under a fold. HTML.
/// `name`: what the rows are called.
std::string confusions(const std::string& name, const Tree& tree, const Dataset& data);

/// What the labels of all rows cost.
using CostOfLabels = std::function<double(const std::vector<std::int32_t>&)>;

/// By the costs that the result minimizes, on these rows; empty where labels cost alike. Both must outlive it.
CostOfLabels cost_on(const Result& result, const Dataset& data);

/// The decisions of two classes that other thresholds of the probability give, a line each, with what it costs unless `cost` is empty; ""
/// for other trees. HTML.
std::string thresholds(const std::string& name, const Tree& tree, const Dataset& data, const CostOfLabels& cost);

/// The reliability diagram (Murphy & Winkler 1977), observed shares by predicted probabilities; "" for a single leaf or without weight.
/// HTML.
std::string reliability(const std::string& name, const Tree& tree, const Dataset& data);

}  // namespace treewright::report
