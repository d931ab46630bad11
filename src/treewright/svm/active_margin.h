#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/svm/soft_margin.h"

namespace treewright::svm {

/// A soft-margin machine to which constraints are added one after another: each costs a few steps of an active-set method instead of
/// a new solution. See active_margin.cpp. A value; `points` must outlive it.
class ActiveMargin {
 public:
  /// On some axes of the points; the others have weight 0.
  ActiveMargin(const PointMatrix& points, std::vector<std::uint32_t> axes);

  /// Adds those of the constraints that it does not have; one of finite and one of infinite cost may stand for each row. Stops once `lower` passes
  /// `cutoff`, after which the machine is of no more use. False when the hard constraints contradict each other, or
  /// the numbers allow no answer.
  bool extend(std::span<const MarginConstraint> constraints, double cutoff);

  double lower() const { return lower_; }  ///< no weights cost less
  /// What one more constraint adds to `lower`, at least, as far as the first step towards it shows: a fraction of the time of adding it.
  double first_gain(const MarginConstraint& constraint) const;
  /// The same as far as `steps` steps show, or until `lower` passes `cutoff`.
  double gain(const MarginConstraint& constraint, double cutoff, int steps) const;
  /// Over all axes of the points. Shape (axes).
  std::vector<double> weights() const;
  double offset() const { return b_; }

 private:
  enum class At : std::uint8_t { zero, free, cost };

  const double* x(std::size_t i) const { return points_->x.data() + constraints_[i].row * points_->axes; }
  double along(std::size_t i, const std::vector<double>& direction) const;
  double between(std::size_t i, std::size_t j) const;
  std::vector<double> response(std::size_t i) const;
  double curvature(std::size_t i, const std::vector<double>& response) const;
  double room(std::size_t i) const { return constraints_[i].cost - a_[i]; }

  bool add(const MarginConstraint& constraint, double cutoff, int limit);
  bool enter(std::size_t i);
  void free_up(std::size_t i, const std::vector<double>& response, double curvature);
  bool leave(std::size_t position, At at);
  void refresh();
  bool rebuild();
  bool closed() const;

  const PointMatrix* points_;
  std::vector<std::uint32_t> axes_;
  std::vector<MarginConstraint> constraints_;
  std::vector<double> a_, surplus_, goal_;  // multipliers; sign * (w . x + b) - goal. Shape (constraints).
  std::vector<At> at_;
  std::vector<std::uint32_t> free_;    // constraints whose multiplier is between its limits
  std::vector<double> inverse_;        // of the matrix of the free ones, bordered by their signs. Shape (1 + free, 1 + free).
  std::vector<std::uint8_t> present_;  // bit 0: the row's soft constraint, bit 1: its hard one. Shape (rows).
  std::vector<double> w_;
  double b_ = 0, lower_ = 0;
  int changes_ = 0;
};

}  // namespace treewright::svm
