#pragma once

#include <cstdint>
#include <optional>
#include <queue>
#include <vector>

#include "treewright/reduce/clusters.h"
#include "treewright/reduce/kd_tree.h"

namespace treewright::reduce {

/// Pairs of rows of one class, one after the other, by distance over scale: AHL24's lists D and D', without ever holding them. See
/// near_pairs.cpp.
class NearPairs {
 public:
  struct Pair {
    double ratio2 = 0;          ///< squared distance over the smaller of the two rows' squared scales
    double distance2 = 0;       ///< ties of the ratio go by distance, then by the rows
    std::int32_t a = 0, b = 0;  ///< a < b
    auto operator<=>(const Pair&) const = default;
  };

  /// `scale2`: one positive or zero number for each row (zero: the row is in no pair). `limit`: pairs have a ratio below it. `clusters`:
  /// pairs that share a cluster by the time they would come are left out. All references must outlive this object.
  NearPairs(const ScaledPoints& points, const std::vector<std::int32_t>& labels, const std::vector<double>& scale2, double limit,
            const Clusters& clusters);

  /// The next pair; empty at the end.
  std::optional<Pair> next();

 private:
  // What a row still has to offer: its neighbors, a few at a time.
  struct Owner {
    std::vector<Neighbor> coming;  // nearest last
    Neighbor last{-1, -1};         // everything up to this was offered
    std::size_t batch = 4;
  };
  struct Head {
    Pair pair;
    std::int32_t owner = 0;
    bool operator>(const Head& other) const { return pair > other.pair; }
  };

  void offer(std::int32_t row);
  bool all_in(std::int32_t label, std::int32_t node, std::int32_t cluster);

  const ScaledPoints& points_;
  const std::vector<std::int32_t>& labels_;
  const std::vector<double>& scale2_;
  const double limit_;
  const Clusters& clusters_;
  std::vector<KdTree> trees_;                       // one for each class
  std::vector<std::vector<std::int32_t>> one_row_;  // of each node of each tree: a row, once all its rows share a cluster; else -1
  std::vector<Owner> owners_;
  std::priority_queue<Head, std::vector<Head>, std::greater<>> heads_;
};

}  // namespace treewright::reduce
