#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "treewright/tree.h"

namespace treewright {

/// 1 where the row goes left, as goes_left says, but for many rows at once. Shape (rows).
std::vector<std::uint8_t> sides(const Split& split, const Dataset& data, std::span<const std::uint32_t> rows);

/// weight . x of each row in the arithmetic of goes_left: a row goes left iff its sum is below the threshold. NaN where a value is missing
/// and nothing stands in. Shape (rows).
std::vector<double> plane_sums(const HyperplaneSplit& plane, const Dataset& data, std::span<const std::uint32_t> rows);

/// Tells `visit` of every node and the rows that reach it, a block of rows at a time: the rows of a node ascend, and so do the blocks.
void visit_nodes(const Tree& tree, const Dataset& data, const std::function<void(NodeId, std::span<const std::uint32_t>)>& visit);

/// The rows that reach each node, ascending. Shape (nodes).
std::vector<RowNumbers> rows_of_nodes(const Tree& tree, const Dataset& data);

}  // namespace treewright
