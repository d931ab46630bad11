#pragma once

#include "treewright/base/deadline.h"
#include "treewright/formulate/cells.h"
#include "treewright/formulate/formulation.h"
#include "treewright/formulate/placement.h"

namespace treewright {

/// The axis tree as a MIP: BD17 (24) with V23's corrections, or (P) of AHL24 (sec. 2.1), which counts the losses otherwise. The essay is in
/// oct.cpp.
class OctFormulation final : public Formulation {
 public:
  enum class Losses { oct, p };

  /// `data` must outlive the formulation and pass validate_for_training. `deadline` bounds the search behind split_bounds. Throws Error where
  /// the model would be too large.
  OctFormulation(const Dataset& data, const FormulationOptions& options, Losses losses, Deadline& deadline);

  std::optional<std::vector<double>> encode(const Tree& tree) const override;
  Tree decode(std::span<const double> values) const override;

 private:
  using Terms = std::vector<MipModel::Term>;

  void add_structure();
  void add_leaves();
  void add_big_m_splits();
  void add_threshold_splits();
  void add_oct_losses();
  void add_p_losses();
  void add_split_bounds(Deadline& deadline);
  /// The sum of z over the leaves below node t, for one cell.
  Terms below(int t, std::size_t cell, double coefficient) const;
  /// x_ij of BD17: the scaled value of a rank.
  double scaled(std::size_t ordering, std::uint32_t rank) const;
  double epsilon(std::size_t ordering) const;

  FormulationOptions options_;
  Losses losses_;
  Cells cells_;
  CompleteTree shape_;
  // Numbers of variables. Shapes: d, b (inner nodes, entry 0 unused); a (inner nodes, orderings); g (inner nodes, orderings, ranks); l, loss
  // (leaves); c (leaves, classes in use); z (cells, leaves); theta (cells, leaves, classes in use; -1 = costs nothing).
  std::vector<int> d_, b_, l_, loss_;
  std::vector<std::vector<int>> a_, c_, z_;
  std::vector<std::vector<std::vector<int>>> g_, theta_;
};

}  // namespace treewright
