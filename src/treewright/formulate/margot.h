#pragma once

#include "treewright/margin/margot.h"
#include "treewright/mip/model.h"

namespace treewright {

/// DGMP23's models MARGOT, HFS-MARGOT and SFS-MARGOT as mixed-integer quadratic programmes. See margot.cpp.
class MargotFormulation {
 public:
  /// The paper's constants (sec. 6.2.1). Where a row would need more slack, a weight more size or a row more height, the model
  /// leaves the tree out.
  static constexpr double kSlack = 50, kWeight = 50, kHeight = 100;

  explicit MargotFormulation(const MargotProblem& problem);

  const MipModel& model() const { return model_; }

  /// The point of the model that is this tree.
  std::vector<double> encode(const MargotTree& tree) const;

  /// The tree of a solution: its sides of rows and its features, the hyperplanes solved again to full precision.
  MargotTree decode(std::span<const double> values) const;

 private:
  struct TreeNode {
    std::vector<int> w, slack, use;  // variables. Shapes (axes), (rows), (axes where features have a price, else 0).
    int b = -1, beyond = -1;
  };

  bool last(std::size_t t) const { return 2 * t + 1 >= nodes_.size(); }
  std::vector<MipModel::Term> height(std::size_t t, std::size_t row) const;
  void add_below(std::size_t t, std::size_t row, double coefficient, std::vector<MipModel::Term>& terms) const;
  void add_margins(std::size_t t);
  void add_features(std::size_t t, const FeaturePrice& price);

  const MargotProblem& problem_;
  MipModel model_;
  std::vector<TreeNode> nodes_;
  std::vector<std::vector<int>> z_;  // row goes to this node of the last level. Shape (rows, nodes; -1 above the last level).
};

}  // namespace treewright
