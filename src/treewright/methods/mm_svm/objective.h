#pragma once

#include "treewright/task/objective.h"

namespace treewright::mm_svm {

/// The objective of MM-SVM-OCT (Blanco, Japon & Puerto 2022 as DGMP23 uses it) of a tree on raw rows: half the square of its longest
/// weights, c1 times the slacks, c3 for each split, in units of columns scaled to [0, 1]. See objective.cpp for leaves above the last
/// level; a threshold counts as weight 1 on its scaled column. Infinite if the tree is deeper than the model, or splits by a set of
/// categories.
class MmSvmObjective final : public Objective {
 public:
  double slack_cost = 1;   ///< c1
  double split_price = 0;  ///< c3
  std::int64_t levels = 0;
  double gap = 0;  ///< see gap_tolerance

  /// Reads level_costs (one value), ccp_alpha, max_depth, gap_tolerance.
  static MmSvmObjective from(const Options& options);
  static const ObjectiveKind kKind;

  std::string_view kind() const override { return kKind.name; }
  double of(const Tree& tree, const Dataset& data) const override;
  std::string formula() const override;
  Parameters parameters() const override;
  double price() const override { return split_price; }
  double gap_tolerance() const override { return gap; }
};

}  // namespace treewright::mm_svm
