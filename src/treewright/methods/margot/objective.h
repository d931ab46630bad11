#pragma once

#include "treewright/task/objective.h"

namespace treewright::margot {

/// Parses "1,0.5" as numbers from 0 to 1e100. Throws Error that names `option`.
std::vector<double> values_in(const std::string& text, const char* option);

/// The same, one for each of `levels` levels; a single number applies to all levels. Throws Error that names
/// `option`.
std::vector<double> values_by_level(const std::string& text, const char* option, std::int64_t levels);

/// DGMP23's objective of a tree on raw rows: over the nodes of the complete tree, |w|^2 / 2 + level cost * slack, and the price of the
/// features beyond the budget, in units of columns scaled to [0, 1]. See objective.cpp for trees that are not complete.
/// Infinite if the tree is deeper than the model, splits by a set of categories, or exceeds the limits of features.
class MargotObjective final : public Objective {
 public:
  std::vector<double> level_costs;            ///< price of slack at each level. Shape (levels).
  std::vector<std::int64_t> feature_budgets;  ///< features that are free at each level; empty = all are. Shape as above.
  std::vector<std::int64_t> feature_limits;   ///< most features of a split at each level; empty = no limit. Shape as above.
  std::vector<std::string> class_codes;       ///< codeword of each class, '1' = right. Shape (classes), or empty: two classes
  double alpha = 0;                           ///< price of a feature beyond its budget
  double gap = 0;                             ///< see gap_tolerance

  /// Reads level_costs, class_codes, ccp_alpha, gap_tolerance, and feature_budgets as feature_selection says.
  static MargotObjective from(const Options& options);
  static const ObjectiveKind kKind;

  std::string_view kind() const override { return kKind.name; }
  double of(const Tree& tree, const Dataset& data) const override;
  std::string formula() const override;
  Parameters parameters() const override;
  double price() const override { return alpha; }
  double gap_tolerance() const override { return gap; }
};

}  // namespace treewright::margot
