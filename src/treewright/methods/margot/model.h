#pragma once

#include "treewright/methods/margot/skeleton.h"

namespace treewright::margot {

/// DGMP23's models MARGOT, HFS-MARGOT and SFS-MARGOT as mixed-integer quadratic programs. See model.cpp.
class MargotFormulation : public MarginSkeleton {
 public:
  /// The paper's constants (sec. 6.2.1). The model excludes trees with a larger slack, a larger weight or a larger decision value.
  static constexpr double kSlack = 50, kWeight = 50, kHeight = 100;

  explicit MargotFormulation(const MargotProblem& problem);

  /// The solution of the model that represents this tree.
  std::vector<double> encode(const MargotTree& tree) const;

  /// The tree of a solution: takes its sides of rows and its features, and solves the hyperplanes again to full precision.
  MargotTree decode(std::span<const double> values) const;

 private:
  struct Features {
    std::vector<int> use;  // variables. Shape (axes).
    int beyond = -1;
  };

  void add_features(std::size_t t);

  std::vector<Features> features_;  // Shape (nodes), or empty if features have neither a budget nor a price.
};

}  // namespace treewright::margot
