#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "treewright/search/items/rank_tree.h"
#include "treewright/search/items/subset.h"

namespace treewright::search {

/// A few items whose optimum bounds that of all items from below, and grows with them: of rows with equal features all or none. See
/// core_items.cpp.
class CoreItems {
 public:
  /// `all`: ranked; must stay valid. `classes`: of the problem.
  CoreItems(const Subset& all, std::int32_t classes);

  /// Adds at most `pairs` items that `tree` labels wrongly, each with its nearest neighbor of another class, and the items of rows equal to
  /// either. Returns whether there were any.
  bool add(const RankTree& tree, std::size_t pairs);

  std::uint32_t size() const { return size_; }
  /// The items so far, in the order of their numbers.
  Subset subset() const;

  /// Whether there are few enough items in few enough orderings for this.
  static bool are_worth_it(const Subset& all);

 private:
  struct Pair {
    double distance;
    std::uint32_t wrong, neighbor;
  };

  bool may_raise(std::uint32_t item) const;
  void take(std::uint32_t item);
  std::vector<char> wrong_by(const RankTree& tree) const;
  Pair pair_of(std::uint32_t item, const std::vector<char>& wrong) const;

  const Subset& all_;
  std::int32_t classes_;
  std::size_t orderings_;
  std::vector<float> position_;  // share of the items below the item in each ordering. Shape (size, orderings).
  std::vector<char> taken_;      // Shape (size).
  std::uint32_t size_ = 0;
};

}  // namespace treewright::search
