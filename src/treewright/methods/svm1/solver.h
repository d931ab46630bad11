#pragma once

#include <atomic>

#include "treewright/base/deadline.h"
#include "treewright/methods/svm1/alternating.h"
#include "treewright/mip/solve.h"
#include "treewright/options.h"

namespace treewright::svm1 {

/// What a solver makes of SVM1-ODT's model.
struct Svm1Solution {
  grow::EditableTree draft;           ///< the better of the start and of the solution after routing and a last descent
  double cost = 0;                    ///< its, by Svm1Alternation::cost
  Status status = Status::heuristic;  ///< the solver's, or heuristic where its objective is none of a tree
  double bound = 0;                   ///< no tree within the model costs less
};

/// Builds the model, writes it where asked, and solves it from `start`. Throws Error if the solver is missing or fails.
Svm1Solution solve_svm1(const Svm1Problem& problem, grow::EditableTree start, const Options& options, Deadline& deadline,
                        const ProgressListener& listener);

}  // namespace treewright::svm1
