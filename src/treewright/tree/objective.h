#pragma once

#include "treewright/base/options.h"
#include "treewright/tree/tree.h"

namespace treewright {

/// BD17's objectives (23) and (28): errors / error_scale + alpha * terms, where an axis or category split is one term and a hyperplane has
/// one for each feature it uses (Tree::terms). Errors are sums of weights.
struct Objective {
  double alpha = 0;
  double error_scale = 1;  ///< L^

  /// Reads alpha and alpha_scale. BD17 calls L^ the "baseline accuracy": majority-errors takes it as the errors of the tree
  /// that predicts the majority class, baseline-correct as the rows that tree gets right (V23's Table 1 needs this one).
  static Objective from(const Options& options, const Dataset& data);

  double value(double errors, std::size_t terms) const { return errors / error_scale + alpha * static_cast<double>(terms); }
  /// What one term costs in units of errors: minimising value() is minimising errors + split_price() * terms.
  double split_price() const { return alpha * error_scale; }
};

/// Rows that every leaf must hold: `min_samples_leaf` itself, or that share of the rows, rounded up; never below 1.
std::int64_t min_leaf_rows(double min_samples_leaf, std::size_t rows);

/// Weight of the rows that the tree labels wrongly: the recount on raw rows behind every certificate.
double count_errors(const Tree& tree, const Dataset& data);

}  // namespace treewright
