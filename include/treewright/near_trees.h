#pragma once

#include <cstddef>
#include <vector>

#include "treewright/data.h"
#include "treewright/fit.h"

namespace treewright {

/// Which trees near the best one are wanted.
struct NearTreeOptions {
  double within = 0;         ///< costs of at most so much more, in errors by weight, or in what labels cost
  std::size_t count = 1000;  ///< of more trees the cheapest
  bool only_sets = false;    ///< of the trees that ask the same columns the cheapest one only
};

/// Trees that cost nearly as little as the best one.
struct NearTrees {
  /// The cheapest first. Each with claims of its own: what is proved of the best tree bounds them all.
  std::vector<Result> trees;
  Status status = Status::optimal;  ///< of the best tree, or what stopped the listing
  double best = 0;                  ///< its errors, by weight, or its cost, plus the price of its splits
  double within = 0;                ///< as it was asked for
  /// No other tree costs so much more than the best one, or less; negative = not even of its own cost is that known. `within`: `trees` are
  /// all of them.
  double complete_within = -1;

  bool complete() const { return complete_within >= within; }
};

/// The trees within the limits of `options` whose errors, by weight, or costs, plus the price of their splits are nearly as low as those of
/// the best one. Rows count, but for rows of equal values that together cost the same under every label. Two trees are the same if they ask
/// the same columns and part the rows that count in the same way. A tree is left out if one of its splits has two leaves that cost as much
/// as one leaf in its place would, or a side without rows that count: there is a smaller tree for it, within the same limits.
/// `options.time_limit` limits the whole run. Throws Error as `fit` does, on another method than oct, and on options that serve the
/// training of one tree, min_weight_fraction_leaf and node_limit, and unless `within` >= 0 and `count` >= 1.
NearTrees near_trees(const Dataset& data, const Options& options, const NearTreeOptions& wanted, const FitHooks& hooks = {});

}  // namespace treewright
