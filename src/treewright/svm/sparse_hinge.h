#pragma once

#include "treewright/svm/squared_hinge.h"

namespace treewright::svm {

/// Minimizes sum_j |weights_j| + cost * sum_i weight_i * max(0, 1 - target_i * (weights . x_i + offset))^2: the support vector machine with
/// l1 regularization, whose weights are zero but for a few axes (Yuan, Chang, Hsieh & Lin 2010, with a free offset). `start`: where to
/// begin; empty weights = at zero.
Hyperplane fit_sparse_hinge(const TwoClassPoints& points, double cost, Hyperplane start = {});

}  // namespace treewright::svm
