#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "treewright/svm/active_margin.h"

namespace treewright::svm {

/// What a machine's features cost: `budget` of them are free, each further one `price`; an infinite price makes the budget hard.
struct FeaturePrice {
  std::size_t budget = std::numeric_limits<std::size_t>::max();
  double price = std::numeric_limits<double>::infinity();

  double of(std::size_t features) const { return features <= budget ? 0 : price * static_cast<double>(features - budget); }
  double of(const std::vector<double>& weights) const;
  /// Whether any number of `axes` features is free.
  bool none(std::size_t axes) const { return budget >= axes || price <= 0; }
};

/// A soft-margin machine some of whose features are in, some out and some open: as rows and constraints are added and features decided,
/// its bound rises. See sparse_margin.cpp. A value; `points` must outlive it.
class FeatureRegion {
 public:
  FeatureRegion(const PointMatrix& points, FeaturePrice price);

  /// Solves it on the constraints, which must hold all those of earlier calls, at least as strict. Stops once `lower` passes `cutoff`.
  void solve(const std::vector<MarginConstraint>& constraints, double cutoff);
  /// Makes ready to go on from the constraints it was solved on, so that a few more cost a few steps each.
  void prepare(const std::vector<MarginConstraint>& constraints);
  /// Undoes `prepare`, which takes most of the memory.
  void forget() { grown_ = nullptr; }
  /// An open feature in or out. What that costs is known after the next `solve`.
  void decide(std::size_t feature, bool in);

  double lower() const { return lower_; }    ///< no weights cost less, features included
  bool settled() const { return settled_; }  ///< `lower` is what `weights` and `offset` cost
  const std::vector<double>& weights() const { return weights_; }
  double offset() const { return offset_; }
  double height(std::span<const double> x) const;  ///< weights . x + offset
  /// What one more constraint adds to the bound, roughly: by a first step, or by so many; 0 before `prepare`.
  double first_gain(const MarginConstraint& constraint) const { return grown_ ? grown_->first_gain(constraint) : 0; }
  double gain(const MarginConstraint& constraint, double cutoff, int steps) const {
    return grown_ ? grown_->gain(constraint, cutoff, steps) : 0;
  }
  /// Open features whose choice would move the bound, the heaviest first.
  std::vector<std::size_t> doubtful(std::size_t count) const;
  /// Features that are not out.
  std::vector<std::uint32_t> axes() const;
  /// Whether the feature may still be in, or out.
  bool may_be(std::size_t feature, bool in) const { return use_[feature] != (in ? Use::out : Use::in); }

 private:
  enum class Use : std::uint8_t { open, in, out };

  const PointMatrix* points_;
  FeaturePrice price_;
  std::vector<Use> use_;  // Shape (axes).
  std::shared_ptr<const ActiveMargin> grown_;
  bool again_ = false, rigid_ = false;  // solved before on these features; growing it failed
  bool settled_ = false;
  double lower_ = 0, offset_ = 0;
  std::vector<double> weights_;
};

/// A soft-margin machine with few features whose open regions are kept: its bound is the least of theirs. A value; `points` must outlive it.
class SparseMargin {
 public:
  SparseMargin(const PointMatrix& points, FeaturePrice price) : open_(1, {FeatureRegion(points, price), 0}) {}

  /// As FeatureRegion::solve; regions are split and solved `limit` times. With a limit of 0 each is solved once and none is split.
  void solve(const std::vector<MarginConstraint>& constraints, double cutoff, int limit);
  /// As FeatureRegion::decide, for a feature that is open in some region; those in which it is decided otherwise are dropped.
  void decide(std::size_t feature, bool in);
  /// Features that are not out in all regions.
  std::vector<std::uint32_t> axes() const;
  void prepare(const std::vector<MarginConstraint>& constraints) { open_.front().region.prepare(constraints); }
  void forget() {
    for (Open& open : open_) open.region.forget();
  }

  double lower() const { return lower_; }    ///< no weights cost less, features included
  bool settled() const { return settled_; }  ///< `lower` is what the weights and the offset of `likely` cost
  /// Whether further calls of `solve` with a limit may settle it.
  bool may_settle() const { return !settled_ && (open_.front().call != calls_ || !likely().doubtful(1).empty()); }
  /// The region of the least bound.
  const FeatureRegion& likely() const { return open_.front().region; }

 private:
  struct Open {
    FeatureRegion region;
    std::int32_t call;  // that solved it last
  };
  static bool later(const Open& a, const Open& b) { return a.region.lower() > b.region.lower(); }

  std::vector<Open> open_;  // a heap, the least bound first; never empty
  std::int32_t calls_ = 0;
  double lower_ = 0;
  bool settled_ = false;
};

/// The constraints' machine on some axes alone; weights come back on all of them.
SoftMargin solve_on_axes(const PointMatrix& points, const std::vector<MarginConstraint>& constraints, const std::vector<bool>& axes,
                         double cutoff = std::numeric_limits<double>::infinity());

}  // namespace treewright::svm
