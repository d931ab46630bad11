#pragma once

#include "treewright/formulate/skeleton.h"
#include "treewright/mip/solve.h"

namespace treewright::oct_mip {

/// The hyperplane tree as a MIP: BD17 (28). See oct_h.cpp.
class OctHFormulation final : public formulate::Skeleton {
 public:
  /// `options.price`: price of a feature in a split. `mu`: smallest distance of a left row from a hyperplane, on features scaled to [0, 1].
  OctHFormulation(const Dataset& data, const formulate::FormulationOptions& options, double mu);
  /// Of some rows of `whole`, which says what the axes are and how they are scaled.
  OctHFormulation(const Dataset& data, const formulate::FormulationOptions& options, double mu, const Dataset& whole);

  /// Empty if the tree has an axis that these data do not have. A split with a smaller distance than mu gives a point outside the model.
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
  /// A split as weights on the axes, left = smaller; empty if that is impossible.
  std::vector<double> weights_of(const SplitRule& rule) const;
  double project(const std::vector<double>& weights, std::size_t cell) const;

  struct Sides {
    std::vector<std::size_t> left, right;  ///< cells
    double threshold = 0;                  ///< the least projection on the right
  };
  /// The sides of the model that are nearest to those that `goes_left` tells: the threshold stands where at least mu is free, each side
  /// has the rows that a leaf needs, and the least weight changes sides. Empty where no place is free.
  template <class Predicate>
  std::optional<Sides> sides_of(const std::vector<double>& weights, const std::vector<std::size_t>& here, Predicate goes_left) const;
  /// A hyperplane in raw units, its threshold halfway between the nearest rows of both sides. Weights below 1e-9 are dropped.
  HyperplaneSplit plane_of(std::span<const double> weights, double threshold, const std::vector<std::size_t>& left,
                           const std::vector<std::size_t>& right) const;
  /// The tree with its thresholds moved (sides_of); a split without a place is left out. Empty if the model has no such splits.
  std::optional<Tree> with_room(const Tree& original) const;

  double mu_;
  std::vector<Axis> axes_;
  // Numbers of variables. Shapes: b (inner nodes, entry 0 unused), a, size (|a|), s (inner nodes, axes).
  std::vector<int> b_;
  std::vector<std::vector<int>> a_, size_, s_;
};

/// BD17 sec. 5 gives the greedy tree a minute; here it has a tenth of what time there is, too.
constexpr double kStartSeconds = 60, kStartShare = 0.1;

/// BD17 sec. 4.2: from the root down, solves (28) with a single split for the rows of each node. The solver starts each node from CART's
/// split, if that leaves the distance mu. The nodes of a full tree share kStartSeconds, or kStartShare of the time left, evenly. The tree
/// is tallied. Stops when `deadline` says so.
Tree greedy_oct_h(const Dataset& data, const formulate::FormulationOptions& options, double mu, const mip::MipOptions& solver,
                  Deadline& deadline);

}  // namespace treewright::oct_mip
