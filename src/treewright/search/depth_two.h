#pragma once

#include <memory>
#include <span>

#include "treewright/base/deadline.h"
#include "treewright/search/plan.h"
#include "treewright/search/subset.h"

namespace treewright {

/// Solves sub-problems of depth 1 and 2; holds their scratch memory. One object per thread.
class DepthTwo {
 public:
  DepthTwo(const Problem& problem, const SearchLimits& limits);
  ~DepthTwo();

  /// The best tree of at most `depth` (1 or 2) levels and `splits` splits, if it costs less than `upper`.
  /// `known`: for each ordering a bound on the trees whose root it cuts, from elsewhere; may be empty.
  /// The answer may hold only the root of its tree. Polls `deadline` once for each ordering.
  Answer solve(const Part& part, int depth, std::int64_t splits, double upper, std::span<const double> known, Deadline& deadline);

  /// Turns the root of an answer on `part` into a plan. Most answers only serve as bounds, and those need no plan.
  void finish(const Part& part, Answer& answer);

 private:
  struct Scratch;
  template <class T>
  Answer solve_in(const Part& part, int depth, std::int64_t splits, double upper, std::span<const double> known, Deadline& deadline);

  const Problem& problem_;
  const SearchLimits& limits_;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace treewright
