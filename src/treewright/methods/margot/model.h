#pragma once

#include "treewright/methods/margot/skeleton.h"

namespace treewright {

/// DGMP23's models MARGOT, HFS-MARGOT and SFS-MARGOT as mixed-integer quadratic programs. See margot.cpp.
class MargotFormulation : public MarginSkeleton {
 public:
  /// The paper's constants (sec. 6.2.1). Where a row would need more slack, a weight more size or a row more height, the model
  /// leaves the tree out.
  static constexpr double kSlack = 50, kWeight = 50, kHeight = 100;

  explicit MargotFormulation(const MargotProblem& problem);

  /// The point of the model that is this tree.
  std::vector<double> encode(const MargotTree& tree) const;

  /// The tree of a solution: its sides of rows and its features, the hyperplanes solved again to full precision.
  MargotTree decode(std::span<const double> values) const;

 private:
  struct Features {
    std::vector<int> use;  // variables. Shape (axes).
    int beyond = -1;
  };

  void add_features(std::size_t t);

  std::vector<Features> features_;  // Shape (nodes), or empty where features cost nothing.
};

}  // namespace treewright
