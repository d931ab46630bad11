#pragma once

#include <vector>

#include "treewright/reduce/data_partition.h"
#include "treewright/tree/objective.h"
#include "treewright/tree/task.h"

namespace treewright::partition {

/// One round of Algorithm 4 or 7, or of the proof behind it.
struct RefineRound {
  std::size_t clusters = 0;  ///< rows that the round was solved on
  bool proof = false;        ///< rows were drawn (draw_rows.h) instead of represented
  double model = 0;          ///< what the round's tree costs on them
  bool proved = false;       ///< that is the least cost on them
  double errors = 0;         ///< of the tree on all rows
  bool intersects = false;   ///< the tree sends rows of one cluster to different leaves
  double seconds = 0;        ///< since the start of the run
  Tree tree;
};

struct Refinement {
  Tree tree;         ///< the best on all rows, tallied
  double lower = 0;  ///< no tree within the limits has a smaller errors + split_price * splits
  Status status = Status::heuristic;
  std::vector<RefineRound> rounds;
};

/// AHL24 Algorithms 4 and 7 from a given data-partition: see refine.cpp. The listener hears objectives. Throws Error where the options ask for a
/// MIP model that does not belong to the algorithm.
Refinement refine(const Task& task, reduce::DataPartition partition);

/// AHL24's objective, errors + splits / (gamma + 1) with at most gamma splits, where max_splits is set and alpha is not: the least errors, and
/// of trees with these the smallest. Else errors and alpha as everywhere.
extern const ObjectiveKind kPartitionObjective;

}  // namespace treewright::partition
