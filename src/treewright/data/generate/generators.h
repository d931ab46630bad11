#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "treewright/data.h"

namespace treewright {

/// What to generate. Each generator says which of these it looks at; the others must keep their defaults.
struct GenerateOptions {
  std::uint64_t seed = 1;
  int sample = 0;               ///< which data set to draw from the same ground truth, 0..1e6
  int depth = 2;                ///< of the ground truth, 1..12
  int features = 2;             ///< 2..10000
  int rows = 100;               ///< training rows, 1..1e7
  bool rows_per_label = false;  ///< `rows` counts for each label of the ground truth
  int classes = 0;              ///< labels to draw from, >= 2; 0 = as many as leaves
  double label_noise = 0;       ///< share of rows whose label is changed, 0..1
  double feature_noise = 0;     ///< share of rows whose features are changed, 0..1
};

/// A full binary tree of axis splits in heap order: the children of node t are 2t+1 (x < threshold) and 2t+2.
struct GroundTruth {
  int depth = 0;
  std::vector<std::int32_t> features;     ///< shape (2^depth - 1)
  std::vector<double> thresholds;         ///< shape (2^depth - 1)
  std::vector<std::int32_t> leaf_labels;  ///< from left to right. Shape (2^depth).

  /// Label of a point. Shape of x: (features).
  std::int32_t label(std::span<const double> x) const;
};

struct TreeStudy {
  Dataset train, test;  ///< features x1, x2, ... in [0, 1) (noise may lead outside); classes "1", "2", ...
  GroundTruth truth;
};

/// The synthetic study of BD17 sec. 5: a random tree, a training set with noise as asked for, and a clean
/// test set of 2^depth (features - 1) 500 rows. `seed` decides the tree, `seed` and `sample` the data. Throws
/// Error as `generate`.
TreeStudy generate_tree_study(const GenerateOptions& options);

/// The other generators behind `generate`, which checks the options.
Dataset generate_partitions(int regions, const GenerateOptions& options);
Dataset generate_balance_scale();
Dataset generate_tic_tac_toe();
Dataset generate_monks(int problem, const GenerateOptions& options);

}  // namespace treewright
