#pragma once

#include <memory>
#include <span>

#include "treewright/base/deadline.h"
#include "treewright/search/bit_stumps.h"
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
  /// What is asked for.
  struct Task {
    const Part& part;
    int depth;
    std::int64_t splits;
    double upper;
    std::span<const double> known;
    Deadline& deadline;
  };
  template <class T>
  Answer solve_in_lanes(const Task& task);
  template <class T>
  Answer solve_in_bits(const Task& task, BitStumps<T>& bits);
  bool start_with_leaf(const Task& task, double leaf, double weight, double rows, Answer& answer) const;
  bool skip(const Task& task, std::size_t ordering, double best, Answer& answer) const;
  bool lay_out_bits(const Subset& whole);

  const Problem& problem_;
  const SearchLimits& limits_;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace treewright
