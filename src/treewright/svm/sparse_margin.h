#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <tuple>
#include <vector>

#include "treewright/svm/active_margin.h"
#include "treewright/svm/feature_shares.h"

namespace treewright::svm {

/// A soft-margin SVM in which each feature is in, out or still open. Its bound never falls as constraints are added and features are
/// decided. See sparse_margin.cpp. Has value semantics; `points` must outlive it.
class FeatureRegion {
 public:
  /// `with_shares`: near the perspective relaxation, which is dearer (feature_shares.h).
  FeatureRegion(const PointMatrix& points, FeaturePrice price, bool with_shares = false);

  /// Solves the SVM. `constraints` must contain those of earlier calls, at least as strict. Stops as soon as `lower` exceeds `cutoff`.
  void solve(const std::vector<MarginConstraint>& constraints, double cutoff);
  /// Prepares a warm start from the constraints that were solved last: each further constraint then takes a few steps.
  void prepare(const std::vector<MarginConstraint>& constraints);
  /// Frees the warm start, which takes most of the memory.
  void forget() {
    active_ = nullptr;
    scaled_ = nullptr;
  }
  /// Takes an open feature in or out. `lower` and `weights` change with the next `solve`.
  void decide(std::size_t feature, bool in);

  double lower() const { return lower_; }  ///< no weights cost less, features included
  bool exact() const { return exact_; }    ///< `lower` is the cost of `weights` and `offset`, features included
  /// Whether `weights` and `offset` solve the SVM; else rounding or a cutoff ended it early.
  bool solved() const { return solved_; }
  const std::vector<double>& weights() const { return weights_; }
  double offset() const { return offset_; }
  double decision_value(std::span<const double> x) const;  ///< weights . x + offset
  /// Estimates what one more constraint adds to the bound, by one step or by `steps`; 0 before `prepare`.
  double first_gain(const MarginConstraint& constraint) const { return active_ ? active_->first_gain(constraint) : 0; }
  double gain(const MarginConstraint& constraint, double cutoff, int steps) const {
    return active_ ? active_->gain(constraint, cutoff, steps) : 0;
  }
  /// Open features whose decision may change the bound, those of largest weight first, or with shares those of the most doubtful; at most
  /// `count`.
  std::vector<std::size_t> undecided(std::size_t count) const;
  /// Features that are not out, ascending.
  std::vector<std::uint32_t> axes() const;
  /// Whether the feature may still be in, or out.
  bool may_be(std::size_t feature, bool in) const { return use_[feature] != (in ? FeatureUse::out : FeatureUse::in); }

 private:
  struct Solution;
  const PointMatrix& space();
  Solution solve_once(const std::vector<MarginConstraint>& constraints, double cutoff);
  void leave_space(Solution& solution) const;
  void accept(Solution solution);
  void use_shares(std::vector<double> shares);

  const PointMatrix* points_;
  FeaturePrice price_;
  bool with_shares_;
  std::vector<FeatureUse> use_;                // Shape (axes).
  std::vector<double> shares_;                 // of the features (feature_shares.h), or empty: 1 each
  std::shared_ptr<const PointMatrix> scaled_;  // the points, each axis times the root of its share
  std::shared_ptr<const ActiveMargin> active_;
  bool again_ = false;  // these features were solved before
  int failures_ = 0;    // of the warm start
  bool exact_ = false, solved_ = true;
  double lower_ = 0, offset_ = 0;
  std::vector<double> weights_;
};

/// A soft-margin SVM with a price on features: the open regions of a branch and bound over features. Its bound is the smallest of theirs.
/// Has value semantics; `points` must outlive it.
class SparseMargin {
 public:
  SparseMargin(const PointMatrix& points, FeaturePrice price, bool with_shares = false)
      : open_(1, {FeatureRegion(points, price, with_shares), 0}) {}

  /// As FeatureRegion::solve; `cutoff` must not rise from call to call. Branches, and solves at most `limit` regions. With a limit of 0 it
  /// does not branch, and solves each region at most once.
  void solve(const std::vector<MarginConstraint>& constraints, double cutoff, int limit);
  /// As FeatureRegion::decide, for a feature that is open in some region; regions in which it is decided otherwise are dropped.
  void decide(std::size_t feature, bool in);
  /// Features that some region may still use, ascending.
  std::vector<std::uint32_t> axes() const;
  void prepare(const std::vector<MarginConstraint>& constraints) { open_.front().region.prepare(constraints); }
  void forget() {
    for (Open& open : open_) open.region.forget();
  }

  double lower() const { return lower_; }  ///< no weights cost less, features included
  bool exact() const { return exact_; }    ///< `lower` is the cost of the weights and the offset of `best_region`
  /// Whether further calls of `solve` with a limit can make it exact.
  bool may_become_exact() const { return !exact_ && (open_.front().call != calls_ || !best_region().undecided(1).empty()); }
  /// The region of the least bound.
  const FeatureRegion& best_region() const { return open_.front().region; }

 private:
  struct Open {
    FeatureRegion region;
    std::int32_t call;  // of `solve` that solved it last; 0 = it has changed since
  };
  // Of equal bounds the one that knows all constraints, and of these an exact one: `best_region` must be the one that `exact` speaks of.
  static bool later(const Open& a, const Open& b) {
    const auto order = [](const Open& open) { return std::tuple(open.region.lower(), -open.call, !open.region.exact()); };
    return order(a) > order(b);
  }

  std::vector<Open> open_;  // a heap, the least bound first; never empty
  std::int32_t calls_ = 0;
  double lower_ = 0;
  bool exact_ = false;
};

/// The SVM of the constraints on some axes only. The weights have the shape of all axes.
SoftMargin solve_on_axes(const PointMatrix& points, const std::vector<MarginConstraint>& constraints, const std::vector<bool>& axes,
                         double cutoff = std::numeric_limits<double>::infinity());

}  // namespace treewright::svm
