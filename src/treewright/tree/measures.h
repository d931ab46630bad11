#pragma once

#include <vector>

#include "treewright/tree/tree.h"

namespace treewright {

/// The six measures of BD17 sec. 5 are accuracy in and out of sample, leaves(), depth(), and these two.
/// Mean depth of the leaves.
double average_depth(const Tree& tree);
/// Mean depth of the leaves that the rows of `data` reach, weighted by rows.
double expected_depth(const Tree& tree, const Dataset& data);

/// Share of the weight that is labeled right.
double accuracy(const Tree& tree, const Dataset& data);
/// Mean over the classes that occur of the share labeled right (Brodersen et al. 2010; scikit-learn's definition).
double balanced_accuracy(const Tree& tree, const Dataset& data);
/// Weight of true class (row) against predicted class (column). Shape (classes x classes).
std::vector<std::vector<double>> confusion_matrix(const Tree& tree, const Dataset& data);

}  // namespace treewright
