#pragma once

#include "treewright/formulate/axis_skeleton.h"

namespace treewright::partition {

/// (DP') of AHL24 sec. 4.2: the tree for clusters of rows in which the model chooses each cluster's representative. See dp_prime.cpp.
/// ((DP), with given representatives, is OctFormulation on one weighted row for each cluster.)
class DpPrimeFormulation : public formulate::AxisSkeleton {
 public:
  /// `clusters`: rows of `data`, each row in one of them. `representatives`: one row for each cluster, of its weight and class; its columns
  /// are not read. Both data must outlive the formulation.
  DpPrimeFormulation(const Dataset& data, const std::vector<std::vector<std::int32_t>>& clusters, const Dataset& representatives,
                     const formulate::FormulationOptions& options);

  std::optional<std::vector<double>> encode(const Tree& tree) const override;
  /// Tallied on all rows.
  Tree decode(std::span<const double> values) const override;
  /// The representative of each cluster.
  std::vector<std::int32_t> chosen(std::span<const double> values) const;
  /// The objective of the model for a tree: weight of the clusters whose rows are all misclassified, plus the price of the splits.
  double cost_of(const Tree& tree) const;

 private:
  const formulate::Cells& routed() const override { return rows_; }
  /// r, and the rows that the splits send to a side.
  std::vector<RoutedRow> add_representatives(bool merge_rows);

  const std::vector<std::vector<std::int32_t>>& clusters_;
  formulate::Cells rows_;  // one for each row of the data
  // Numbers of variables, one for each row; -1 = the only one of its cluster, or like one before it.
  std::vector<int> r_;
};

}  // namespace treewright::partition
