#pragma once

#include <optional>
#include <string>
#include <vector>

#include "treewright/tree.h"

namespace treewright::report {

/// Rows that reach a split on two numeric columns, counted in the cells of a grid. Single rows are not shown: a report may be given away.
struct PlaneCells {
  double low[2] = {}, high[2] = {};         ///< outer edges by term of the split; the outermost cells also hold rows beyond them
  std::vector<std::vector<double>> weight;  ///< shape (classes, cells); cells from left to right, from the bottom up
};

/// Nothing where the split is not on two numeric columns, or its rows do not differ in both.
std::optional<PlaneCells> plane_cells(const Split& split, const Dataset& data, const std::vector<std::size_t>& rows);

/// The cells as squares, as large as their weight and parted by class, and the line between the two sides; <svg> element.
std::string plane_chart(const PlaneCells& cells, const Split& split, const Tree& tree);

}  // namespace treewright::report
