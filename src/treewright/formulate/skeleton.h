#pragma once

#include "treewright/formulate/cells.h"
#include "treewright/formulate/formulation.h"
#include "treewright/formulate/placement.h"

namespace treewright::formulate {

/// What the models of BD17 share, whatever a split is: which nodes split (d), which leaf a row reaches (z), which leaves are used (l), what
/// they say
/// (c) and what they lose (L). See the essay in oct.cpp.
class Skeleton : public Formulation {
 protected:
  using Terms = std::vector<mip::MipModel::Term>;

  Skeleton(const Dataset& data, const FormulationOptions& options);

  /// Of the variables and rows below, and of a row for either side of each inner node and cell that names `features` more variables.
  mip::ModelSize size(double features) const;

  /// d_t, with a price for each split, and max_splits.
  void add_splits(double price);
  /// z, l and c. `whole_rows`: z is declared integer. `leaf_splits`: with AHL24 (8). Needs d.
  void add_leaves(bool whole_rows, bool leaf_splits);
  /// L_t, BD17 (20), (22), and V23's form of (21) where the label of a leaf is that of the largest class of its cells.
  void add_losses(bool largest_class = true);

  /// The sum of z over the leaves below node t, for one cell.
  Terms below(int t, std::size_t cell, double coefficient) const;
  /// Sets d (from `splits`, entry 0 unused), z, l, c and L.
  void encode_leaves(const std::vector<bool>& splits, const std::vector<int>& leaf, const std::vector<int>& label,
                     std::vector<double>& values) const;
  /// The leaf that each cell is in.
  std::vector<int> leaves_of(std::span<const double> values) const;

  double weight(std::size_t cell) const;                 ///< of all classes of a cell
  double others(std::size_t cell, std::size_t c) const;  ///< of the classes other than the c-th in use

  FormulationOptions options_;
  Cells cells_;
  CompleteTree shape_;
  double total_ = 0;  ///< weight of all cells
  // Numbers of variables. Shapes: d (inner nodes, entry 0 unused); l, loss (nodes; only leaves are used); c (nodes, classes in use);
  // z (cells, nodes).
  std::vector<int> d_, l_, loss_;
  std::vector<std::vector<int>> c_, z_;
};

}  // namespace treewright::formulate
