#pragma once

#include "treewright/formulate/oct.h"

namespace treewright::fair {

/// The disparate impact of a tree on the groups of a column (Aghaei, Azizi & Vayanos 2019): the sum over groups and classes of |share of
/// all rows predicted as the class - share of the group's rows predicted as it|. By weight; missing values form a group. 0 = every class is
/// predicted equally often for every group.
double discrimination_index(const Tree& tree, const Dataset& data, FeatureId column);

/// The classification tree of Aghaei et al. 2019: errors + fairness * total weight * discrimination index. See model.cpp.
class FairFormulation final : public formulate::OctFormulation {
 public:
  FairFormulation(const Dataset& data, const formulate::FormulationOptions& options, FeatureId column, double fairness, Deadline& deadline);

  std::optional<std::vector<double>> encode(const Tree& tree) const override;
  Tree decode(std::span<const double> values) const override;

 private:
  struct Impact {
    std::int32_t group;
    std::size_t c;  ///< the class, in the order of cells_.classes
    int variable;
  };

  /// Share of the weight of a group, or of all rows (the last group), that is predicted as the c-th class.
  double share(const std::vector<double>& values, std::size_t c, std::int32_t group) const;

  std::vector<std::int32_t> group_;   ///< of each cell
  std::vector<double> group_weight_;  ///< weight of each group; the last entry is that of all
  std::vector<std::vector<std::vector<int>>>
      given_;  ///< variables: cell i is given class c in leaf t. Shape (cells, nodes, classes in use).
  std::vector<Impact> impacts_;
};

}  // namespace treewright::fair
