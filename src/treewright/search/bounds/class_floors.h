#pragma once

#include <cstdint>
#include <vector>

#include "treewright/search/bounds/intervals.h"
#include "treewright/search/items/subset.h"
#include "treewright/search/loss/label_sets.h"

namespace treewright::search {

/// The floors of a ranked subset whose children may have so many leaves. See class_floors.cpp. Refers to problem and subset.
class ClassFloors {
 public:
  ClassFloors(const Problem& problem, const Subset& subset, std::int64_t left_leaves, std::int64_t right_leaves);
  /// Of all cuts of the ordering. Shape (cuts).
  std::vector<ClassFloor> of(std::size_t ordering) const;

 private:
  // What equal rows gain at most under the sets of labels that a side can have.
  struct Gains {
    std::size_t sets = 0;
    std::vector<double> of_rows, total;  // shapes (groups of equal rows x sets), (sets)
  };
  Gains gains(const LabelSets& sets, std::size_t rows) const;
  std::vector<ClassFloor> by_sets(std::size_t ordering) const;

  const Problem& problem_;
  const Subset& subset_;
  const std::int64_t left_leaves_, right_leaves_;
  std::vector<std::uint32_t> number_;  // among the groups of equal rows, of their first items; kAbsent for the others. Shape (items).
  Gains left_, right_;                 // without sets where least_cost is asked
};

}  // namespace treewright::search
