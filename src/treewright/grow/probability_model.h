#pragma once

#include <optional>
#include <span>
#include <vector>

#include "treewright/data.h"
#include "treewright/tree.h"

namespace treewright::grow {

/// Of the regression behind the probabilities of a tree with hyperplanes, where nobody chooses its cost; see svm::fit_logistic.
inline constexpr double kUsualProbabilityCost = 0.3;

/// Probabilities of a tallied tree that change with the distances to its hyperplanes, by a regression on rows that are aligned to it.
/// Nothing where the tree has no hyperplane, where a leaf's label is not its majority, and where the run is stopped.
std::optional<ProbabilityModel> fit_probability_model(const Tree& tree, const Dataset& data, double cost = kUsualProbabilityCost);
/// One for each cost: the rows are sent through the tree once.
std::vector<std::optional<ProbabilityModel>> fit_probability_models(const Tree& tree, const Dataset& data, std::span<const double> costs);

}  // namespace treewright::grow
