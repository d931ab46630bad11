#pragma once

#include <optional>
#include <span>
#include <string>

#include "treewright/data.h"
#include "treewright/tree.h"

namespace treewright::grow {

/// Which probabilities a tree gets.
struct ProbabilityChoice {
  double shrinkage = 1;        ///< of its leaves, as a multiple of the usual one
  std::optional<double> cost;  ///< of the regression that gives them instead (probability_model.h); nothing = the leaves give them
};

/// The choice of the least log loss on rows that trees had not seen. `trees[i]` was trained on the rows of `folds[i].train` and is
/// validated on those of `folds[i].test`; there may be fewer trees than folds.
ProbabilityChoice choose_probabilities(const Dataset& data, std::span<const Fold> folds, std::span<const Tree> trees);

/// Sets them in a tree that was trained on `data`.
void give_probabilities(const ProbabilityChoice& choice, const Dataset& data, Tree& tree);

/// A line for people. `data`: that the tree was trained on.
std::string in_words(const ProbabilityChoice& choice, const Dataset& data);

}  // namespace treewright::grow
