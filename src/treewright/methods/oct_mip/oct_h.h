#pragma once

#include <atomic>

#include "treewright/formulate/skeleton.h"
#include "treewright/mip/solve.h"

namespace treewright::oct_mip {

/// The tree of hyperplanes as a MIP: BD17 (28). The essay is in oct_h.cpp.
class OctHFormulation final : public formulate::Skeleton {
 public:
  /// `options.price` is that of a feature in a split. `mu`: how far a row must lie left of a plane, on features scaled to [0, 1].
  OctHFormulation(const Dataset& data, const formulate::FormulationOptions& options, double mu);

  /// Empty where the tree has an axis this data has not. Splits that leave less room than mu give a point outside the model.
  std::optional<std::vector<double>> encode(const Tree& tree) const override;
  Tree decode(std::span<const double> values) const override;

 private:
  /// One coordinate: a numeric column or one level of a category, scaled to [0, 1] over the training rows. Missing values sit at the mean.
  struct Axis {
    FeatureId feature{};
    std::int32_t level = -1;
    double low = 0, range = 1, mean = 0;
    std::vector<double> x;  ///< of each cell
  };

  void add_planes();
  /// A split as weights on the axes, empty where it cannot be said; left is smaller.
  std::vector<double> weights_of(const SplitRule& rule) const;
  double project(const std::vector<double>& weights, std::size_t cell) const;

  double mu_;
  std::vector<Axis> axes_;
  // Numbers of variables. Shapes: b (inner nodes, entry 0 unused), a, size (|a|), s (inner nodes, axes).
  std::vector<int> b_;
  std::vector<std::vector<int>> a_, size_, s_;
};

/// BD17 sec. 4.2: from the root down, each split the solution of (28) with that split alone for the rows of its node. The solver begins
/// each node with CART's split, where it leaves room for mu. `seconds` is shared out evenly among the nodes of a full tree. Tallied; stops
/// where `deadline` or the flag `stop` says.
Tree greedy_oct_h(const Dataset& data, const formulate::FormulationOptions& options, double mu, const mip::MipOptions& solver,
                  double seconds, Deadline& deadline, const std::atomic<bool>* stop = nullptr);

}  // namespace treewright::oct_mip
