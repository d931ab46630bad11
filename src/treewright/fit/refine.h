#pragma once

#include <atomic>
#include <vector>

#include "treewright/fit/fit.h"
#include "treewright/fit/leaf_weight.h"
#include "treewright/reduce/data_partition.h"

namespace treewright {

/// What the method `partition` is given, besides the options.
struct RefineTask {
  const Dataset& data;  ///< with class weights in its row weights
  const Options& options;
  Objective objective;
  std::int64_t min_rows = 1;
  const LeafWeight& leaf_weight;
  const std::atomic<bool>* stop = nullptr;
};

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

/// AHL24 Algorithms 4 and 7 from a given data-partition: see refine.cpp. `listener` hears objectives. Throws Error where the options ask for a
/// MIP model that does not belong to the algorithm.
Refinement refine(const RefineTask& task, DataPartition partition, Deadline& deadline, const ProgressListener& listener);

/// The method `partition`: a data-partition by options.partition, refined. Tree, status, bound, `proved` and the rounds as a table in
/// `selection`; the caller recounts.
Result train_partition(const RefineTask& task, Deadline& deadline, const ProgressListener& listener);

}  // namespace treewright
