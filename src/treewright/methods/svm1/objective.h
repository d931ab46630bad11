#pragma once

#include <span>

#include "treewright/task/objective.h"
#include "treewright/tree/scaled_plane.h"

namespace treewright::svm1 {

/// The three parts of Z20's (1a), for a tree on its training rows.
struct Svm1Cost {
  double errors = 0;   ///< weight of the misclassified rows
  double slack = 0;    ///< sum over rows and the splits on their paths of weight * max(0, eps - distance)
  double weights = 0;  ///< sum over the splits of |h|_1
  double total(double alpha1, double alpha2) const { return errors + alpha1 * slack + alpha2 * weights; }
};

/// Signed distance of the row from the split's hyperplane (left is negative), in the scale of the hyperplane over columns scaled to [0, 1].
/// Infinite for sets of levels and for a row whose value is missing.
double svm1_distance(const Split& split, const Dataset& data, std::size_t row, std::span<const Axis> axes);

/// |h|_1 of a split; 1 for a threshold or a set of levels.
double svm1_length(const Split& split, std::span<const Axis> axes);

/// Counted by routing. `axes`: the scale, computed from all training rows.
Svm1Cost svm1_cost(const Tree& tree, const Dataset& data, double eps, std::span<const Axis> axes);

/// Z20's (1a): errors + slack_price * slack + weight_price * |h|_1, on the scale of the data.
class Svm1Objective final : public Objective {
 public:
  double slack_price = 0;   ///< alpha_1
  double weight_price = 0;  ///< alpha_2
  double margin = 0;        ///< epsilon
  double gap = 0;           ///< see gap_tolerance

  /// Reads slack_price, weight_price, margin, gap_tolerance.
  static Svm1Objective from(const Options& options);
  static const ObjectiveKind kKind;

  std::string_view kind() const override { return kKind.name; }
  double of(const Tree& tree, const Dataset& data) const override;
  std::string formula() const override;
  Parameters parameters() const override;
  double price() const override { return weight_price; }
  double gap_tolerance() const override { return gap; }
};

}  // namespace treewright::svm1
