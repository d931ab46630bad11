#pragma once

#include "treewright/formulate/cells.h"
#include "treewright/formulate/formulation.h"
#include "treewright/formulate/placement.h"

namespace treewright::binoct {

/// BinOCT (Verwer & Zhang 2019): the complete tree of a given depth with the fewest errors. See model.cpp.
class BinoctFormulation final : public formulate::Formulation {
 public:
  /// Uses only depth and rules of the options. `data` must outlive the formulation.
  BinoctFormulation(const Dataset& data, const formulate::FormulationOptions& options);

  std::optional<std::vector<double>> encode(const Tree& tree) const override;
  Tree decode(std::span<const double> values) const override;

 private:
  using Terms = std::vector<mip::MipModel::Term>;

  mip::ModelSize size() const;
  void add_splits();
  void add_leaves();
  Terms below(int t, std::size_t cell) const;
  int bits_of(std::size_t ordering) const;

  formulate::Cells cells_;
  formulate::CompleteTree shape_;
  // Numbers of variables. Shapes: f (inner nodes, orderings), bit (inner nodes, bits, the most significant first); z (cells, nodes), p and
  // loss (nodes, classes in use), of which only leaves are used.
  std::vector<std::vector<int>> f_, bit_, z_, p_, loss_;
};

}  // namespace treewright::binoct
