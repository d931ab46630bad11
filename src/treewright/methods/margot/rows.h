#pragma once

#include <memory>

#include "treewright/methods/margot/objective.h"
#include "treewright/methods/margot/problem.h"
#include "treewright/options.h"
#include "treewright/svm/row_space.h"
#include "treewright/tree/scaled_plane.h"

namespace treewright::margot {

/// Rows of a Dataset as a problem for the search, and what is needed to convert hyperplanes back.
struct MargotRows {
  std::vector<Axis> axes;
  std::vector<std::size_t> rows;  ///< those of positive weight
  MargotProblem problem;
  std::shared_ptr<const svm::RowSpace> row_space;  ///< the coordinates of the problem's points; null: those on the axes
};

/// Throws Error if no tree has so many levels.
void check_depth(const Options& options);

/// The problem that options and objective describe. Throws Error if more than two classes have weight but there are no codewords, or if an
/// option does not fit the model.
MargotRows margot_rows(const Dataset& data, const Options& options, const MargotObjective& objective);

/// The row space of the points (svm/row_space.h) if it has fewer dimensions than there are axes and features have no price. Else null.
std::shared_ptr<const svm::RowSpace> row_space_of(const MargotRows& rows);

/// Gives the problem these coordinates; null changes nothing. The optimum is the same.
void use_row_space(MargotRows& rows, std::shared_ptr<const svm::RowSpace> space);

/// Hyperplanes of the complete tree, as far as the tree has such nodes; without weights elsewhere. Shape (2^depth - 1).
std::vector<Hyperplane> planes_of(const Tree& tree, const MargotRows& rows);

/// The tree of some hyperplanes, in raw units and tallied. Leaves out nodes whose weights are 0 or rounding and, without `keep`, nodes that
/// do not lower the objective.
Tree margot_tree(const MargotRows& from, const MargotTree& planes, const Dataset& data, bool keep = false);

}  // namespace treewright::margot
