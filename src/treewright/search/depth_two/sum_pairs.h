#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "treewright/search/bounds/subproblem.h"
#include "treewright/search/depth_two/depth_two_roots.h"
#include "treewright/search/items/item_sets.h"
#include "treewright/search/items/subset.h"
#include "treewright/search/loss/two_sums.h"

namespace treewright::search {

/// All items of a problem whose target is a number, by the cuts that have them on their smaller side. See sum_pairs.cpp.
class SumPairs {
 public:
  static constexpr std::size_t kMostCuts = 64;

  /// `cuts`: of `ranked`, a bit for each item; must stay valid. At most kMostCuts.
  SumPairs(const Subset& ranked, const TwoSums& loss, const BitColumns& cuts);
  /// Whether this takes less time than the kernel of sum_stumps.cpp. Counted, not measured: the same on every machine.
  static bool pays(const Subset& ranked, const BitColumns& cuts);

  struct Item {
    std::uint64_t cuts;  ///< one bit for each cut whose smaller side the item is on
    double exposure, amount, loss;
  };
  struct Sums {
    double exposure = 0, amount = 0;
  };
  struct Side {
    Sums sums;
    double loss = 0;  ///< of its items by themselves
    std::size_t items = 0;
  };

 private:
  friend class SumPairRoots;
  const TwoSums& loss_;
  const BitColumns& cuts_;
  std::vector<Item> items_;
};

/// Memory of SumPairRoots, kept from one subproblem to the next.
struct SumPairScratch {
  std::vector<SumPairs::Sums> pairs;  ///< of the items on the smaller sides of both cuts. Shape (cuts, cuts).
  std::vector<SumPairs::Side> sides;  ///< the smaller one of each cut. Shape (cuts).
  SumPairs::Side all;
  std::vector<std::size_t> sequence;
};

/// Evaluates every root of a depth-two tree by the sums of pairs of cuts. It answers as KernelRoots does.
class SumPairRoots {
 public:
  /// `both`: both children may be stumps (three splits); otherwise only one of them (two splits).
  SumPairRoots(const SumPairs& of, const ItemSet& set, SumPairScratch& scratch, double price, bool both);

  double leaf_errors() const { return leaf_of(scratch_.all); }
  double weight() const { return scratch_.all.loss; }
  double reach() const { return scratch_.all.loss; }
  double rows() const { return 0; }
  SingleSplit best_single(std::size_t g) const;
  std::uint32_t single_rank(std::size_t, const SingleSplit& single) const { return rank(0, single.place); }
  std::uint32_t rank(std::size_t, std::size_t cut) const { return of_.cuts_.high[cut]; }
  const std::vector<std::size_t>& sequence(const std::vector<double>&, std::size_t best) const;
  RootsOfOrdering search(std::size_t f, const ShallowOptima& all, double best) const;

 private:
  double leaf_of(const SumPairs::Side& side) const;
  bool divides(std::size_t cut) const { return scratch_.sides[cut].items > 0 && scratch_.sides[cut].items < scratch_.all.items; }
  SumPairs::Side other_side(std::size_t cut) const;
  double best_stump(const SumPairs::Side& side, std::size_t cut, bool smaller) const;

  const SumPairs& of_;
  SumPairScratch& scratch_;
  const double price_;
  const bool both_;
};

}  // namespace treewright::search
