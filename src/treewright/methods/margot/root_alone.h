#pragma once

#include <functional>

#include "treewright/base/deadline.h"
#include "treewright/methods/margot/problem.h"

namespace treewright::margot {

/// A bound on the objective from the root's hyperplane alone, where features have a price. `known`: a bound; ends as soon as it is clear
/// that this one will not be larger, or at `cutoff`. Each region of the root's features counts as one node of the deadline.
double bound_of_root_alone(const MargotProblem& problem, double known, double cutoff, Deadline& deadline,
                           const std::function<void(double bound)>& better);

}  // namespace treewright::margot
