#pragma once

#include "treewright/base/deadline.h"
#include "treewright/base/options.h"
#include "treewright/methods/margot/objective.h"
#include "treewright/methods/margot/search.h"
#include "treewright/tree/unit_axes.h"

namespace treewright::margot {

/// What feature_budgets mean: nothing, limits (HFS-MARGOT), or the features that are free (SFS-MARGOT).
enum class Budgets { none, hard, soft };

/// Rows of a Dataset as MARGOT sees them, and the way back.
struct MargotRows {
  std::vector<UnitAxis> axes;
  std::vector<std::size_t> rows;  ///< those of positive weight
  MargotProblem problem;
};

/// The model that options and objective ask for. Throws Error where more than two classes have weight and no codewords, or an option asks for
/// something the model has not.
MargotRows margot_rows(const Dataset& data, const Options& options, const MargotObjective& objective, Budgets budgets = Budgets::none);

/// The tree of some hyperplanes, in raw units and tallied. Nodes whose weights are 0 are left out, and without `keep` those that MARGOT would
/// not pay for.
Tree margot_tree(const MargotRows& from, const MargotTree& planes, const Dataset& data, bool keep = false);

}  // namespace treewright::margot
