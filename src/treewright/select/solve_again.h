#pragma once

#include <string>
#include <vector>

#include "treewright/fit.h"

namespace treewright::select {

/// The outcome of solving a problem again.
struct SecondSolve {
  std::vector<std::string> broken;  ///< one sentence for each claim of the result that it refutes; empty = none
  Result result;                    ///< result of the second solve, in units of errors; it may have been stopped
};

/// Solves the problem of `result` again in another way: one thread, columns in reverse order, no start tree, and all pruning rules off
/// except the interval bounds (without these no search ends). Then compares both results: no bound may exceed the other's objective, and
/// two optima must be equal. `data`: the rows of the result, with their class weights. Throws Error if the exact search does not solve the
/// result's problem.
SecondSolve solve_again(const Result& result, const Dataset& data, double time_limit, const FitHooks& hooks = {});

}  // namespace treewright::select
