#pragma once

#include "treewright/svm/sparse_margin.h"

namespace treewright::svm {

/// Weights within the budget, or worth their price, by dropping the smallest from `start`'s again and again, one by one or half of those
/// beyond the budget at a time. `upper` has the price of the features in it and is infinite where nothing that satisfies the hard
/// constraints was found.
SoftMargin eliminate_features(const PointMatrix& points, const std::vector<MarginConstraint>& constraints, FeaturePrice price,
                              const SoftMargin& start, bool one_by_one);

/// The same by adding the feature that helps most again and again, while that pays.
SoftMargin build_up(const PointMatrix& points, const std::vector<MarginConstraint>& constraints, FeaturePrice price);

/// The best weights of all, by branch and bound over the features, if found with at most `limit` machines and cheaper than `cutoff`;
/// else `upper` is infinite.
SoftMargin best_features(const PointMatrix& points, const std::vector<MarginConstraint>& constraints, FeaturePrice price, double cutoff,
                         int limit);

}  // namespace treewright::svm
