#pragma once

#include <vector>

#include "treewright/reduce/data_partition.h"
#include "treewright/task/objective.h"
#include "treewright/task/task.h"

namespace treewright::partition {

/// One round of Algorithm 4 or 7, or of the proof that follows.
struct RefineRound {
  std::size_t clusters = 0;  ///< number of rows on which the round was solved
  bool proof = false;        ///< a round of the proof on a subset of rows (draw_rows.h)
  double model = 0;          ///< cost of the round's tree on these rows
  bool proved = false;       ///< whether this is the smallest possible cost on them
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

/// AHL24 Algorithms 4 and 7 from given clusters: see refine.cpp. The listener receives objectives. Throws Error if the options ask for a
/// MIP model that does not fit the algorithm.
Refinement refine(const Task& task, reduce::DataPartition partition);

/// If max_splits is set and alpha is not: AHL24's objective, errors + splits / (gamma + 1) with at most gamma splits. It means the fewest
/// errors and, of these trees, the smallest. Otherwise errors and alpha as in the other methods.
extern const ObjectiveKind kPartitionObjective;

}  // namespace treewright::partition
