#pragma once

#include <memory>
#include <span>

#include "treewright/base/deadline.h"
#include "treewright/search/plan.h"
#include "treewright/search/subset.h"

namespace treewright {

/// The best single split of a subset, ordering by ordering.
struct Stump {
  double errors = std::numeric_limits<double>::infinity();          ///< with min_rows on both sides
  double relaxed_errors = std::numeric_limits<double>::infinity();  ///< without
  Plan::Step step;
};

/// Solves sub-problems of depth 1 and 2; holds their scratch memory. One object per thread.
class DepthTwo {
 public:
  DepthTwo(const Problem& problem, const SearchLimits& limits, Deadline& deadline);
  ~DepthTwo();

  /// The best tree with at most one split.
  Answer solve_one(const Subset& subset, double upper);

  /// The best tree of depth 2 with at most `splits` (2 or 3) splits, if it costs less than `upper`.
  /// `known`: for each ordering a bound on trees whose root it cuts, from elsewhere; may be empty.
  Answer solve_two(const Subset& subset, std::int64_t splits, double upper, std::span<const double> known);

 private:
  struct Scratch;
  template <class T>
  Answer solve_in_lanes(const Subset& subset, std::int64_t splits, double upper, std::span<const double> known);
  Stump best_stump(const Subset& subset, std::vector<double>* errors_by_ordering);

  const Problem& problem_;
  const SearchLimits& limits_;
  Deadline& deadline_;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace treewright
