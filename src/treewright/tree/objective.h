#pragma once

#include <array>
#include <string>
#include <vector>

#include "treewright/base/options.h"
#include "treewright/tree/tree.h"

namespace treewright {

/// errors: BD17's (23) and (28), errors / error_scale + alpha * terms, where an axis or category split is one term and a hyperplane has one
/// for each feature it uses (Tree::terms). margot: DGMP23's, margins and slacks at every level. mm_svm: the same, but of the margins the
/// smallest alone, and a price on splits. svm1: Z20's (1a). Weighted rows count as their weight in each.
enum class ObjectiveKind { errors, margot, mm_svm, svm1 };

/// What training minimises.
struct Objective {
  double alpha = 0;        ///< price of a term (errors), of a feature beyond its budget (margot), of a split (mm_svm), Z20's alpha_2 (svm1)
  double error_scale = 1;  ///< L^, of errors alone
  ObjectiveKind kind = ObjectiveKind::errors;
  std::vector<double> level_costs;            ///< margot, mm_svm (all equal): price of slack at each level. Shape (levels).
  std::vector<std::int64_t> feature_budgets;  ///< margot: features that are free at each level; empty = all are. Shape as above.
  std::vector<std::string> class_codes;       ///< margot: word of each class, '1' where it goes right; empty: two classes
  double slack_price = 0, margin = 0;         ///< svm1: Z20's alpha_1 and epsilon
  double gap_tolerance = 0;                   ///< objective and bound are equal when they are this close, as a share of the objective

  /// Reads alpha and alpha_scale. BD17 calls L^ the "baseline accuracy": majority-errors takes it as the errors of the tree
  /// that predicts the majority class, baseline-correct as the rows that tree gets right (V23's Table 1 needs this one).
  static Objective from(const Options& options, const Dataset& data);
  /// All but error_scale, which is left at 1.
  static Objective from(const Options& options);

  /// The objective of a tree on the rows it was trained on, routed anew.
  double of(const Tree& tree, const Dataset& data) const;

  /// Of errors alone.
  double value(double errors, std::size_t terms) const { return errors / error_scale + alpha * static_cast<double>(terms); }
  /// What one term costs in units of errors: minimising value() is minimising errors + split_price() * terms.
  double split_price() const { return alpha * error_scale; }
};

/// What alpha_scale may divide errors by: the errors of always naming the largest class, the weight it gets right, and all weight.
std::array<double, 3> error_scales(const Dataset& data);

/// Rows that every leaf must hold: `min_samples_leaf` itself, or that share of the rows, rounded up; never below 1.
std::int64_t min_leaf_rows(double min_samples_leaf, std::size_t rows);

/// Weight of the rows that the tree labels wrongly: the recount on raw rows behind every certificate.
double count_errors(const Tree& tree, const Dataset& data);

}  // namespace treewright
