#pragma once

#include <string>
#include <vector>

#include "treewright/result.h"

namespace treewright {

/// Compares what a result says of its making: method, options, seed, limits, objective, and the trees that its proof speaks of. `data`: the
/// training rows with their class weights. Returns one sentence for each contradiction; empty = none. What `check_claims` recounts is not
/// compared here.
std::vector<std::string> check_origin(const Result& result, const Dataset& data);

/// `check_claims` and then `check_origin`.
std::vector<std::string> check_all_claims(const Result& result, const Dataset& data);

}  // namespace treewright
