#pragma once

#include <atomic>
#include <string>

#include "treewright/base/deadline.h"
#include "treewright/base/events.h"
#include "treewright/base/options.h"
#include "treewright/tree/objective.h"
#include "treewright/tree/tree.h"

namespace treewright {

/// A tree, and what a solver has proved of it.
struct Svm1Fit {
  Tree tree;  ///< tallied; within depth, splits and min_rows
  Status status = Status::heuristic;
  double bound = 0;  ///< of the objective on all rows
  std::string proved;
};

/// Methods `svm1`, by the primal method (grow/svm1_alternating.h), and `svm1-mip`, by a solver that starts from there (formulate/svm1.h), for
/// Z20's (1a). `data` have class weights in their row weights, `listener` hears objectives. Throws Error where the solver is missing or fails.
Svm1Fit fit_svm1(const Dataset& data, const Options& options, const Objective& objective, std::int64_t min_rows, Deadline& deadline,
                 const ProgressListener& listener, const std::atomic<bool>* stop = nullptr);

}  // namespace treewright
