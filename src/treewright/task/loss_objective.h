#pragma once

#include "treewright/task/objective.h"

namespace treewright {

/// loss / scale + alpha * splits, where the scale is what the tree without splits loses on the training rows: for squared error 1 - R2 +
/// alpha * splits. Every tree that predicts numbers is trained for it.
class LossObjective final : public Objective {
 public:
  LossObjective(Loss loss, double alpha, double scale) : loss_(loss), alpha_(alpha), scale_(scale) {}

  /// How the objectives of this loss are made. Reads ccp_alpha; `data` has a response of this loss.
  static const ObjectiveKind& kind_of(Loss loss);

  /// What the tree without splits loses; 1 where that is nothing but the last digits of its logarithms.
  static double scale_of(const Dataset& data);

  std::string_view kind() const override { return kind_of(loss_).name; }
  double of(const Tree& tree, const Dataset& data) const override;
  std::string formula() const override;
  Parameters parameters() const override { return {{"alpha", alpha_}, {"scale", scale_}}; }
  double price() const override { return alpha_; }
  double error_scale() const override { return scale_; }
  /// Optimal means: to this share of what the tree without splits loses on the rows of a search.
  static constexpr double kOptimal = 1e-9;
  KnownSums known_sums(const Dataset& data) const override { return {kOptimal * scale_of(data), kOptimal * scale_of(data)}; }

  double value(double loss, std::size_t splits) const { return loss / scale_ + alpha_ * static_cast<double>(splits); }
  Loss loss() const { return loss_; }

 private:
  Loss loss_;
  double alpha_, scale_;
};

}  // namespace treewright
