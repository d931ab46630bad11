#pragma once

#include <cstdint>
#include <vector>

#include "treewright/search/items/problem.h"

namespace treewright::formulate {

/// Rows that every axis tree sends to the same leaf.
struct RowCell {
  std::vector<std::uint32_t> rank;   ///< in each ordering
  std::vector<double> class_weight;  ///< less the lightest class's, which is lost or won whatever the label. Shape (classes).
  double weight = 0;                 ///< of all its rows
  std::int64_t rows = 0;
  std::uint32_t first_row = 0;  ///< one of them, in the data
};

/// The training rows as the models of axis trees see them. Every ordering is one "feature" with ranks 0..ranks-1, so that missing values
/// and categories need no rows or variables of their own.
struct Cells {
  explicit Cells(const Dataset& of) : data(&of), family(of) {}

  const Dataset* data;
  search::SplitFamily family;
  search::Problem problem;                  ///< one item for each row of the data, in their order
  std::vector<std::vector<double>> values;  ///< of each rank of an ordering; empty unless it is numeric without missing values
  std::vector<RowCell> cells;
  std::vector<std::int32_t> classes;  ///< those with any weight, ascending
  std::vector<double> totals;         ///< weight of each class in the cells. Shape (all classes).
  double base_errors = 0;             ///< errors of a tree = base_errors + weight of the cells under other labels

  std::size_t size() const { return cells.size(); }
  /// The numbers of all cells.
  std::vector<std::size_t> all() const;
  const std::vector<search::Ordering>& orderings() const { return problem.orderings; }

  /// `merge`: false keeps one cell for each row. `data` must outlive the cells.
  static Cells from(const Dataset& data, bool merge);
};

}  // namespace treewright::formulate
