#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "treewright/data.h"
#include "treewright/data/costs/whole_weights.h"
#include "treewright/data/wide_category.h"
#include "treewright/tree.h"

namespace treewright::search {

/// A sequence of groups of levels of a category, -1 = missing. Levels of no group come last. A split sends the first groups to one side.
using LevelOrder = std::vector<std::vector<std::int32_t>>;

/// The splits that the exact search tries: every threshold, and of each category the sets of levels that split_family.cpp names. They
/// follow from the training rows. A search on some of these rows, or with other weights, must be given the family of all for its bound to
/// hold for all.
class SplitFamily {
 public:
  explicit SplitFamily(const Dataset& data);

  /// Orders of the `present` levels such that the splits by this category are the beginnings of them.
  std::vector<LevelOrder> orders(std::size_t feature, const std::vector<std::int32_t>& present) const;

  /// Whether some category is not split by every set of levels, so that an optimum is one of this family only.
  bool is_restricted() const { return !wide_.empty(); }

  /// Of a wide category, which levels are split from the rest; else null. Missing first. Shape (levels + 1).
  const std::vector<bool>* alone(std::size_t feature) const;

  /// Whether a tree of the family sends the rows of `data` to the same leaves as `tree`.
  bool holds(const Tree& tree, const Dataset& data) const;

 private:
  struct Wide {
    Wide(const Column& column, const Dataset& data, const WholeWeights& weights);
    Wide(const Column& column, const Dataset& data);
    bool is_alone(std::int32_t level) const { return alone[static_cast<std::size_t>(level + 1)]; }

    std::vector<LevelOrder> by_share;
    std::vector<bool> alone;  // missing first. Shape (levels + 1).
  };

  std::map<std::size_t, Wide> wide_;
};

/// The end of a sentence on the trees of the family of `data` if some category is not split by every set of levels, so that an optimum is
/// one of this family only; else "".
std::string restriction_of_family(const Dataset& data);

}  // namespace treewright::search
