#pragma once

#include <atomic>

#include "treewright/base/deadline.h"
#include "treewright/fit/fit.h"
#include "treewright/formulate/formulation.h"

namespace treewright {

/// What the methods by a MIP solver are given, besides the options.
struct MipTask {
  const Dataset& data;  ///< with class weights in its row weights
  const Options& options;
  Objective objective;
  std::int64_t min_rows = 1;
  double min_weight = 0;
  Tree cart;  ///< within the limits
  const std::atomic<bool>* stop = nullptr;
};

/// Builds the method's model, writes it where asked, solves it, and makes a tree of the solution: tree, status, bound and `proved` of the
/// result. The caller recounts. Throws Error on a start that does not fit, or where the solver fails.
Result train_mip(const MipTask& task, Deadline& deadline, const ProgressListener& listener);

}  // namespace treewright
