#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "treewright/data/points.h"
#include "treewright/svm/soft_margin.h"
#include "treewright/tree/scaled_plane.h"

namespace treewright::svm1 {

/// The linear program of one node once the sides of its rows are known:
///
///   minimize  alpha2 * |h|_1 + sum of cost_k * slack_k,   sign_k * d_k >= margin_k - slack_k,   |d_i| <= 1 for all points,
///
/// with d_i = h . u_i - g; constraints of infinite cost have no slack. Constraints are added one by one, and `solve` continues from the
/// last solution. See node_program.cpp. Has value semantics; `points` must outlive it.
class NodeProgram {
 public:
  /// `alpha2` > 0. `most`: costs above it are of no interest; it limits |h|_1, and so what rounding can do to a bound.
  NodeProgram(const PointMatrix& points, double alpha2, double most);

  void require(const svm::MarginConstraint& constraint);
  /// Solves until the bound passes `cutoff`.
  void solve(double cutoff);
  /// By how much one step of the simplex method raises the bound if a point has to go to this side, with slack at `price`.
  double rise(std::size_t point, bool right, double eps, double price) const;

  /// No hyperplane costs less; if none meets the constraints, it passes any cutoff.
  double lower() const { return lower_; }
  /// h and g of the last solution; they meet the constraints if it was not cut off.
  const ScaledPlane& plane() const { return plane_; }
  double distance(std::size_t point) const;

 private:
  // A variable of the dual program that is not basic is at one of its bounds.
  struct Entering {
    std::size_t variable = 0;
    double rate = 0;
  };

  std::size_t rows() const { return points_->axes + 1; }
  double upper(std::size_t variable) const;
  double lower_end(std::size_t variable) const;
  double price(std::size_t variable) const;
  double coefficient(std::size_t row, std::size_t variable) const;
  void column(std::size_t variable, std::vector<double>& entries) const;
  void multipliers();
  Entering best_entering() const;
  bool add_far_points();
  void pivot(const Entering& entering, double enough);
  void refactor();
  void update_lower();

  const PointMatrix* points_;
  double alpha2_, most_;
  std::vector<svm::MarginConstraint> constraints_;
  ScaledPlane plane_;
  double lower_ = 0;
  // Variables: one for each row of the dual program, then one for each constraint. Shapes: at_ (variables); basic_ (rows); inverse_ (rows x
  // rows); place_ (variables), the row in which a variable is basic, or -1.
  std::vector<double> at_, inverse_;
  std::vector<std::uint32_t> basic_;
  std::vector<std::int32_t> place_;
  int since_refactor_ = 0;
};

}  // namespace treewright::svm1
