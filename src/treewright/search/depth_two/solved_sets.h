#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "treewright/search/bounds/subproblem.h"
#include "treewright/search/depth_two/sum_pairs.h"
#include "treewright/search/items/set_table.h"
#include "treewright/search/items/subset.h"

namespace treewright::search {

/// What is known of sets of items that were solved to depth one or two. See solved_sets.cpp. Its functions may be called from several
/// threads at once.
class SolvedSets {
 public:
  static constexpr std::size_t kMostBytes = std::size_t{256} << 20;

  /// `all`: the columns of all items; must stay valid. `most_bytes`: about how much memory it takes.
  explicit SolvedSets(const BitColumns& all, std::size_t most_bytes = kMostBytes)
      : all_(all), known_(most_bytes, all.first_cut.size() - 1) {}
  /// Of items whose target is a number. `cuts`: bits_of_items; `limits`: of leaves.
  SolvedSets(const Problem& problem, const SearchLimits& limits, const Subset& ranked, BitColumns cuts);

  /// What solves the sets, if not the layout of their items; may be null.
  const SumPairs* pairs() const { return pairs_ ? &*pairs_ : nullptr; }
  ItemSet all() const { return all_items(all_); }
  /// The items of `set` on one side of a cut of `ordering`. `low`: the highest rank left of the cut. `out` may be `set`.
  void side(const ItemSet& set, std::size_t ordering, std::uint32_t low, bool right, ItemSet& out) const;

  /// The optimum of the set, if it is known: a leaf, and the root of a better tree. `splits`: at most three.
  std::optional<SubproblemResult> find(const ItemSet& set, int depth, std::int64_t splits) const;
  /// `optimum`: of the set, found without a budget and without bounds from elsewhere.
  void add(const ItemSet& set, int depth, std::int64_t splits, const SubproblemResult& optimum);

 private:
  struct Optimum {
    Bound lower;
    double cost;
    SubproblemResult::Root root;
    bool by_ordering;  // whether the numbers are the bounds by ordering
  };

  const BitColumns own_;
  const BitColumns& all_;
  SetTable<Optimum> known_;
  std::optional<SumPairs> pairs_;
};

/// Makes `sets` where the rules have them: of all items, which are `packed` or whose target is a number.
void keep_repeated_sets(const Problem& problem, const SearchLimits& limits, const Subset& ranked, const std::optional<Subset>& packed,
                        std::optional<SolvedSets>& sets);

}  // namespace treewright::search
