#pragma once

#include "treewright/base/deadline.h"
#include "treewright/formulate/axis_skeleton.h"

namespace treewright::formulate {

/// The axis tree as a MIP: BD17 (24) with V23's corrections, or (P) of AHL24 (sec. 2.1), which counts the losses otherwise. The essay is in
/// oct.cpp.
class OctFormulation : public AxisSkeleton {
 public:
  enum class Losses { oct, p };

  /// `data` must outlive the formulation and pass validate_for_training. `deadline` bounds the search behind split_bounds. Throws Error
  /// where the model would be too large.
  OctFormulation(const Dataset& data, const FormulationOptions& options, Losses losses, Deadline& deadline);

  std::optional<std::vector<double>> encode(const Tree& tree) const override;
  Tree decode(std::span<const double> values) const override;

 protected:
  /// Features and leaves of a solution.
  Placement placement_of(std::span<const double> values) const;
  mip::ModelSize size(Losses losses) const;

 private:
  void add_split_bounds(Deadline& deadline);
};

}  // namespace treewright::formulate
