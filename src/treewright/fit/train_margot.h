#pragma once

#include "treewright/base/deadline.h"
#include "treewright/base/events.h"
#include "treewright/base/options.h"
#include "treewright/margin/margot.h"
#include "treewright/tree/result.h"
#include "treewright/tree/unit_axes.h"

namespace treewright {

/// Rows of a Dataset as MARGOT sees them, and the way back.
struct MargotRows {
  std::vector<UnitAxis> axes;
  std::vector<std::size_t> rows;  ///< those of positive weight
  MargotProblem problem;
};

/// Margot, margot-hfs and margot-sfs: the model that the options ask for. Throws Error where more than two classes have weight and no words, or an option
/// asks for something the model has not.
MargotRows margot_rows(const Dataset& data, const Options& options, const Objective& objective);

/// The tree of some hyperplanes, in raw units and tallied. Nodes whose weights are 0 are left out, and without `keep` those that MARGOT would
/// not pay for.
Tree margot_tree(const MargotRows& from, const MargotTree& planes, const Dataset& data, bool keep = false);

/// The optimum where no split tells the rows apart, or none is allowed.
Result a_leaf(const Dataset& data, const Objective& objective);

/// Trains margot, margot-hfs or margot-sfs (DGMP23). `objective` is what Objective::from(options) says.
/// `starts` are trees to begin from besides Local SVM's.
Result train_margot(const Dataset& data, const Options& options, const Objective& objective, const std::vector<const Tree*>& starts,
                    Deadline& deadline, const ProgressListener& listener);

/// The same by the models of formulate/margot.h: margot-mip, margot-hfs-mip, margot-sfs-mip. The solver must take quadratic objectives.
Result train_margot_mip(const Dataset& data, const Options& options, const Objective& objective, Deadline& deadline,
                        const ProgressListener& listener);

}  // namespace treewright
