#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "treewright/margin/active_margin.h"

namespace treewright {

/// What a machine's features cost: `budget` of them are free, each further one `price`; an infinite price makes the budget hard.
struct FeaturePrice {
  std::size_t budget = std::numeric_limits<std::size_t>::max();
  double price = std::numeric_limits<double>::infinity();

  double of(std::size_t features) const { return features <= budget ? 0 : price * static_cast<double>(features - budget); }
  double of(const std::vector<double>& weights) const;
};

/// A soft-margin machine with few features, solved by branch and bound over the features. What is open of that search is kept, so that
/// the same machine with more rows or more constraints is solved again from there. See sparse_margin.cpp.
class SparseMargin {
 public:
  SparseMargin(std::size_t axes, FeaturePrice price);

  /// Searches on until the least cost is known to 1e-8 or passes `cutoff`, at most `limit` soft-margin problems far. The constraints must
  /// hold all those of earlier calls, at least as strict.
  void solve(const PointMatrix& points, const std::vector<MarginConstraint>& constraints, double cutoff, int limit);

  double lower() const { return lower_; }  ///< no weights cost less, features included
  bool exact() const { return exact_; }    ///< `lower` is what `weights` and `offset` cost
  const std::vector<double>& weights() const { return weights_; }
  double offset() const { return offset_; }

 private:
  enum class Use : std::uint8_t { open, in, out };
  struct Region {
    std::vector<Use> use;  // Shape (axes).
    double lower = 0;
    std::int32_t asked = -1;                    // the call that solved it last
    SoftMargin solved;                          // on the axes that are not out; kept while it is of use
    std::shared_ptr<const ActiveMargin> grown;  // the same, to go on from
    bool again = false;                         // solved in an earlier call
  };

  bool grow(Region& region, const std::vector<bool>& axes, const PointMatrix& points, const std::vector<MarginConstraint>& constraints,
            double cutoff);
  void assess(Region& region, const PointMatrix& points, const std::vector<MarginConstraint>& constraints, double cutoff);
  std::optional<std::size_t> unsettled(const Region& region) const;
  void split(Region region, std::size_t feature);
  void push(Region region);
  static bool later(const Region& a, const Region& b) { return a.lower > b.lower; }

  FeaturePrice price_;
  std::vector<Region> open_;  // a heap, the least bound first
  std::int32_t call_ = 0;
  double lower_ = 0, offset_ = 0;
  bool exact_ = false;
  std::vector<double> weights_;
};

/// The constraints' machine on some axes alone; weights come back on all of them.
SoftMargin solve_on_axes(const PointMatrix& points, const std::vector<MarginConstraint>& constraints, const std::vector<bool>& axes,
                         double cutoff = std::numeric_limits<double>::infinity());

/// Weights within the budget, or worth their price, by dropping the smallest from `start`'s again and again, one by one or half of those beyond the
/// budget at a time. `upper` has the price of the
/// features in it and is infinite where nothing that satisfies the hard constraints was found.
SoftMargin thin_out(const PointMatrix& points, const std::vector<MarginConstraint>& constraints, FeaturePrice price,
                    const SoftMargin& start, bool one_by_one);

/// The same by adding the feature that helps most again and again, while that pays.
SoftMargin build_up(const PointMatrix& points, const std::vector<MarginConstraint>& constraints, FeaturePrice price);

}  // namespace treewright
