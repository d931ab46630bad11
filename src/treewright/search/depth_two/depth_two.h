#pragma once

#include <memory>
#include <span>
#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/search/bounds/subproblem.h"
#include "treewright/search/depth_two/sum_pairs.h"
#include "treewright/search/items/subset.h"

namespace treewright::search {

/// Solves subproblems of depth 1 and 2; holds their scratch memory. One object per thread.
class DepthTwo {
 public:
  DepthTwo(const Problem& problem, const SearchLimits& limits);
  ~DepthTwo();

  /// The best tree of at most `depth` (0 to 2) levels and `splits` splits, if it costs less than `upper`.
  /// `known`: for each ordering a bound from elsewhere on the trees whose root splits by it; may be empty.
  /// The result may hold only the root of its tree. Polls `deadline` once for each ordering.
  SubproblemResult solve(const ItemRange& range, int depth, std::int64_t splits, double upper, std::span<const double> known,
                         Deadline& deadline);

  /// The same for a set of items whose target is a number, which is `range`, without a budget.
  SubproblemResult solve(const SumPairs& pairs, const ItemSet& set, const ItemRange& range, int depth, std::int64_t splits,
                         Deadline& deadline);

  /// Cost of the best tree of at most two levels with each cut of packed items as its root; infinite where the cut leaves a side too small.
  /// A leaf on its own is no such tree. Shape (cuts).
  void root_costs(const Subset& packed, std::vector<double>& costs);

  /// What the sides of one cut cost as leaves and as the best stumps.
  struct RootChildren {
    bool divides = false;  ///< both sides hold some reach; no other cut is better than a leaf or a stump
    double left_leaf = 0, right_leaf = 0, left_stump = 0, right_stump = 0;
  };
  /// The children of each cut of packed items, without a limit on the rows of leaves. Shape (cuts).
  void root_children(const Subset& packed, std::vector<RootChildren>& children);

  /// Turns the root of a result on `range` into a tree. Most results only serve as bounds, and those need no tree.
  void finish(const ItemRange& range, SubproblemResult& result);

 private:
  struct Scratch;
  /// What is asked for.
  struct Task {
    const ItemRange& range;
    int depth;
    std::int64_t splits;
    double upper;
    std::span<const double> known;
    Deadline& deadline;
    /// Whether both children of a root may be stumps.
    bool both() const { return splits >= 3; }
  };
  template <class Roots>
  SubproblemResult solve_with(const Task& task, Roots roots);
  template <class Columns, class Loss>
  SubproblemResult solve_with_kernel(const Task& task, const Loss& loss);
  template <class Bits>
  SubproblemResult solve_with_bit_sets(const Task& task, Bits& bits);
  template <class Roots>
  bool start_with_leaf(const Task& task, const Roots& roots, double leaf, SubproblemResult& result) const;
  bool skip(const Task& task, std::size_t ordering, double best, SubproblemResult& result) const;
  bool lay_out_bits(const Subset& whole);

  const Problem& problem_;
  const SearchLimits& limits_;
  std::unique_ptr<Scratch> scratch_;
};

}  // namespace treewright::search
