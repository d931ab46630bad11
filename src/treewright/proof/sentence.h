#pragma once

#include <string>

#include "treewright/proof/proof.h"
#include "treewright/proof/table.h"

namespace treewright::proof {

/// What a verified proof says of its table, in the words of docs/proof-format.md. `bound`: no tree costs less; `price`: of a split.
std::string sentence(const Proof& proof, const Dataset& data, const Table& table, double bound, double price);

/// The number with twelve decimals at most, rounded down, or up: what is said of a bound must not be more than was shown.
std::string rounded_down(double number);
std::string rounded_up(double number);

}  // namespace treewright::proof
