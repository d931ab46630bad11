#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "treewright/svm/point_columns.h"
#include "treewright/svm/soft_margin.h"

namespace treewright::svm {

/// A soft-margin SVM to which constraints are added one by one. Each takes a few steps of an active-set method instead of a new solution.
/// See active_margin.cpp. Has value semantics; `points` must outlive it.
class ActiveMargin {
 public:
  /// On some axes of the points; the others have weight 0.
  ActiveMargin(const PointMatrix& points, std::vector<std::uint32_t> axes);

  /// Adds the constraints that are new. Each row may have one soft and one hard constraint. After stopping because `lower` exceeds
  /// `cutoff`, discard the object. False if the hard constraints contradict each other, or on numerical failure.
  bool extend(std::span<const MarginConstraint> constraints, double cutoff);

  double lower() const { return lower_; }  ///< no weights cost less
  /// A lower bound on what one more constraint adds to `lower`, from the first step only: a fraction of the time of adding it.
  double first_gain(const MarginConstraint& constraint) const;
  /// The same from `steps` steps, or until `lower` exceeds `cutoff`.
  double gain(const MarginConstraint& constraint, double cutoff, int steps) const;
  /// Shape (axes of the points).
  std::vector<double> weights() const;
  double offset() const { return b_; }

 private:
  enum class At : std::uint8_t { zero, free, cost };

  // The sign of the surplus of a constraint that does not hold exactly.
  static double towards_room(At at) { return at == At::zero ? 1 : at == At::cost ? -1 : 0; }

  const double* x(std::size_t i) const { return points_->x.data() + constraints_[i].row * points_->axes; }
  double along(std::size_t i, const std::vector<double>& direction) const;
  double between(std::size_t i, std::size_t j) const;
  std::vector<double> response(std::size_t i) const;
  double curvature(std::size_t i, const std::vector<double>& response) const;
  double room(std::size_t i) const { return constraints_[i].cost - a_[i]; }

  // A move of the dual point along which the multiplier of a new constraint grows.
  struct Move {
    std::vector<double> response, weights, surplus;  // per unit of the multiplier: of offset and free multipliers; of w_; of surplus_
    std::vector<double> products;                    // of each row with `weights`
    std::vector<double> closing;                     // by how much a constraint comes nearer to holding exactly, per unit; < 0: it leaves
    double step = 0, bend = 0;                       // how far it goes; the curvature of the dual objective
    bool at_cost = false;                            // the multiplier reaches its cost
    std::size_t event = 0;                           // the constraint that becomes exact
    std::size_t blocked = 0;                         // position in free_ of the multiplier that reaches a limit; free_.size() = none
    At blocked_at = At::zero;                        // that limit
  };
  void aim(std::size_t k, Move& move) const;
  void limit(std::size_t k, Move& move) const;
  void take(std::size_t k, const Move& move);
  bool add(const MarginConstraint& constraint, double cutoff, int most_steps);
  bool enter(std::size_t i);
  void free_up(std::size_t i, const std::vector<double>& response, double curvature);
  bool leave(std::size_t position, At at);
  void refresh();
  std::vector<double> residuals() const;
  void refine();
  bool rebuild();
  bool closed() const;

  const PointMatrix* points_;
  std::vector<std::uint32_t> axes_;
  std::shared_ptr<const PointColumns> columns_;  // of these axes
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
