#pragma once

#include "treewright/svm/sparse_margin.h"

namespace treewright::svm {

/// Backward elimination: drops the smallest weights of `start` and solves again until the budget holds; one weight at a time, or half of
/// those beyond the budget. Returns the cheapest solution on the way. `upper` includes the price of the features, and is infinite if no
/// solution satisfies the hard constraints.
SoftMargin eliminate_features(const PointMatrix& points, const std::vector<MarginConstraint>& constraints, FeaturePrice price,
                              const SoftMargin& start, bool one_by_one);

/// Forward selection: adds the feature that lowers the cost most, as long as one lowers it.
SoftMargin add_features(const PointMatrix& points, const std::vector<MarginConstraint>& constraints, FeaturePrice price);

/// The optimum, by branch and bound over the features, if at most `limit` SVMs prove it and it costs less than `cutoff`. Otherwise `upper`
/// is infinite.
SoftMargin best_features(const PointMatrix& points, const std::vector<MarginConstraint>& constraints, FeaturePrice price, double cutoff,
                         int limit);

}  // namespace treewright::svm
