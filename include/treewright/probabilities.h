#pragma once

#include <span>
#include <vector>

#include "treewright/tree.h"

namespace treewright {

/// In rows: docs/results/shrinkage.md has what it gains.
inline constexpr double kUsualShrinkage = 10;
/// Of a tree that `fit` returns, in weight: so many rows of weight 1. Weights that were scaled to a small sum are no counts of rows: where
/// the mean of the positive ones is below 1, so many rows of that weight.
double usual_shrinkage(const Dataset& data);

/// Class probabilities of every node, each step of its path weighted less the fewer rows stand behind it: hierarchical shrinkage (Agarwal
/// et al. 2022). `shrinkage`: their lambda, in rows (a row of weight 2 counts as two). 0 = the shares of the classes in the node; infinite
/// = the shares of the root in every node. A node without weight has the probabilities of its parent if shrinkage > 0, else all on its
/// label. Expects a tallied tree. Shape of the result: (nodes x classes), node after node. Throws Error on a negative shrinkage.
std::vector<double> node_probabilities(const Tree& tree, double shrinkage);

/// The probabilities of the leaf that each row reaches; Tree::predict_proba takes the tree's own shrinkage. Labels do not follow them: a
/// tree predicts the majority of the leaf, with any shrinkage. `data` must be aligned to the tree (`align` in tree.h), else Error. Shape of
/// the result: (rows x classes), row after row.
std::vector<double> predict_proba(const Tree& tree, const Dataset& data, double shrinkage);

/// How well probabilities fit the labels, as means over the weight of the rows; small is good, and 0 on rows without weight. Shape of
/// `probabilities`: (rows x classes). Both are strictly proper: the true probabilities have the smallest expected score.
struct ProbabilityScores {
  /// Brier 1950: squared distance between the probabilities and the 0/1 vector of the true class; with two classes half of it, as
  /// scikit-learn.
  double brier = 0;
  /// log_loss_of the true class.
  double log_loss = 0;
};
/// -ln(probability). Probabilities below 2^-52 count as 2^-52, as in scikit-learn.
double log_loss_of(double probability);
/// Throws Error on rows without labels and on another number of probabilities.
ProbabilityScores score_probabilities(std::span<const double> probabilities, const Dataset& data);

}  // namespace treewright
