#pragma once

#include <string>
#include <vector>

#include "treewright/fit/fit.h"

namespace treewright::select {

/// What solving a problem anew showed.
struct SecondSolve {
  std::vector<std::string> broken;  ///< one sentence for each claim of the result that it refutes; empty = none
  Result result;                    ///< of the second solve, in units of errors; it may have been stopped
};

/// Solves the problem of `result` anew and by other means: one thread, the columns in reverse order, no start tree from the result, and every
/// pruning rule switched off but the interval bounds, without which nothing ends. Then holds both results against each other: no bound may
/// lie above the other's objective, and two optima must be equal.
/// `data`: the rows of the result, with their class weights. Throws Error where the exact search does not solve the result's problem.
SecondSolve solve_again(const Result& result, const Dataset& data, double time_limit, const std::atomic<bool>* stop = nullptr);

}  // namespace treewright::select
