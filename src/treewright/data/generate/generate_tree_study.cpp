// Data from a random tree: the synthetic study of Bertsimas & Dunn 2017 (BD17), section 5, after Murthy & Salzberg 1995.
//
// BD17: a ground-truth tree of depth D gets random splits. Its leaves are labeled such that no two adjacent leaves share a label. Points
// are uniform random vectors labeled by the tree. With p features, test sets have 2^D (p-1) 500 points. Label noise adds 1 to the label of
// a random k% of the training points. Feature noise adds an independent U(-0.1, 0.1) to every feature of a random k%.
//
// Choices where the paper is open:
// - A node splits a uniformly drawn feature at a uniform place of its box, with at least a fifth of the box on either side. So every leaf
//   holds at least 5^-D of the volume and none is empty. (The paper's trees have 3.9 leaves where 4 are possible, so some had empty
//   leaves.)
// - "Adjacent" means next to each other from left to right, which includes siblings. Otherwise a split could be dropped (siblings), or two
//   leaves that meet on one feature could be joined by a smaller tree.
// - Labels: the first leaf draws one of K, each further leaf one of the K-1 that its left neighbor does not have. K is the number of leaves
//   unless `classes` says otherwise ("per distinct label" in the paper implies that K varies). Labels are renumbered so that all classes
//   occur.
// - Both kinds of noise change exactly round(k n / 100) points. Label noise is cyclic (the last label becomes the first). Points moved out
//   of [0,1] by feature noise stay there, and keep the label of their original place.
// - "100 training points per distinct label" is read as 100 times the number of labels, drawn uniformly, not 100 of each.
//
// Tree, training points, test points and noise use separate random streams. More noise changes a superset of the same points, so noise
// levels are comparable.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "treewright/base/error.h"
#include "treewright/base/random.h"
#include "treewright/data/generate/generators.h"

namespace treewright {

namespace {

constexpr double kLeastShare = 0.2;
constexpr double kFeatureNoise = 0.1;

void check(const GenerateOptions& options) {
  const auto require = [](bool holds, const char* option, double value, const char* range) {
    if (!holds) throw option_error(option, fmt::format("{} is out of range", value), fmt::format("use a value in {}", range));
  };
  require(options.sample >= 0 && options.sample <= 1000000, "sample", options.sample, "0..1e6");
  require(options.depth >= 1 && options.depth <= 12, "depth", options.depth, "1..12");
  require(options.features >= 2 && options.features <= 10000, "features", options.features, "2..10000");
  require(options.rows >= 1 && options.rows <= 10000000, "rows", options.rows, "1..1e7");
  require(options.classes == 0 || options.classes >= 2, "classes", options.classes, "2.. (or 0 for one per leaf)");
  // Written so that a NaN fails.
  require(options.label_noise >= 0 && options.label_noise <= 1, "label_noise", options.label_noise, "0..1");
  require(options.feature_noise >= 0 && options.feature_noise <= 1, "feature_noise", options.feature_noise, "0..1");
}

void split_boxes(GroundTruth& truth, std::size_t node, std::vector<double>& low, std::vector<double>& high, Random& random) {
  if (node >= truth.features.size()) return;
  const auto feature = static_cast<std::int32_t>(random.below(low.size()));
  const double threshold = low[feature] + (high[feature] - low[feature]) * random.uniform(kLeastShare, 1 - kLeastShare);
  truth.features[node] = feature;
  truth.thresholds[node] = threshold;
  const double old_low = low[feature], old_high = high[feature];
  high[feature] = threshold;
  split_boxes(truth, 2 * node + 1, low, high, random);
  high[feature] = old_high;
  low[feature] = threshold;
  split_boxes(truth, 2 * node + 2, low, high, random);
  low[feature] = old_low;
}

/// Labels the leaves; returns the number of labels used.
int label_leaves(GroundTruth& truth, int classes, Random& random) {
  std::vector<std::int32_t>& labels = truth.leaf_labels;
  labels[0] = static_cast<std::int32_t>(random.below(classes));
  for (std::size_t leaf = 1; leaf < labels.size(); ++leaf) {
    labels[leaf] = static_cast<std::int32_t>(random.below(classes - 1));
    labels[leaf] += labels[leaf] >= labels[leaf - 1];
  }
  std::vector<std::int32_t> used = labels;
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  for (std::int32_t& label : labels) {
    label = static_cast<std::int32_t>(std::lower_bound(used.begin(), used.end(), label) - used.begin());
  }
  return static_cast<int>(used.size());
}

Dataset draw(const GroundTruth& truth, int labels, std::size_t rows, int features, Random random) {
  Dataset data;
  data.columns.resize(features);
  for (int j = 0; j < features; ++j) {
    data.columns[j].name = fmt::format("x{}", j + 1);
    data.columns[j].values.resize(rows);
  }
  for (int k = 1; k <= labels; ++k) data.class_names.push_back(std::to_string(k));
  std::vector<double> x(features);
  for (std::size_t row = 0; row < rows; ++row) {
    for (int j = 0; j < features; ++j) data.columns[j].values[row] = x[j] = random.uniform();
    data.labels.push_back(truth.label(x));
  }
  return data;
}

/// The first round(share * rows) rows of a shuffled order.
std::vector<std::int32_t> pick(std::size_t rows, double share, Random& random) {
  std::vector<std::int32_t> order(rows);
  std::iota(order.begin(), order.end(), 0);
  random.shuffle(order);
  order.resize(static_cast<std::size_t>(std::llround(share * static_cast<double>(rows))));
  return order;
}

}  // namespace

std::int32_t GroundTruth::label(std::span<const double> x) const {
  std::size_t node = 0;
  while (node < features.size()) node = 2 * node + (x[features[node]] < thresholds[node] ? 1 : 2);
  return leaf_labels[node - features.size()];
}

TreeStudy generate_tree_study(const GenerateOptions& options) {
  check(options);
  const std::size_t leaves = std::size_t{1} << options.depth;
  const double test_rows = static_cast<double>(leaves) * (options.features - 1) * 500.0;
  if (test_rows * options.features > 5e8) {
    throw option_error("features", fmt::format("a test set of {:.0f} rows does not fit into memory", test_rows),
                       "use fewer features or less depth");
  }
  Random root(options.seed);
  Random tree_random(root.next()), samples(root.next());
  for (int i = 0; i < options.sample; ++i) samples.next();
  Random sample(samples.next());
  const std::uint64_t train_seed = sample.next(), test_seed = sample.next();
  Random label_random(sample.next()), feature_random(sample.next());

  TreeStudy study;
  GroundTruth& truth = study.truth;
  truth.depth = options.depth;
  truth.features.resize(leaves - 1);
  truth.thresholds.resize(leaves - 1);
  truth.leaf_labels.resize(leaves);
  std::vector<double> low(options.features, 0.0), high(options.features, 1.0);
  split_boxes(truth, 0, low, high, tree_random);
  const int labels = label_leaves(truth, options.classes == 0 ? static_cast<int>(leaves) : options.classes, tree_random);

  const std::size_t rows = static_cast<std::size_t>(options.rows) * (options.rows_per_label ? labels : 1);
  study.train = draw(truth, labels, rows, options.features, Random(train_seed));
  study.test = draw(truth, labels, static_cast<std::size_t>(test_rows), options.features, Random(test_seed));
  for (const std::int32_t row : pick(rows, options.label_noise, label_random)) {
    study.train.labels[row] = (study.train.labels[row] + 1) % labels;
  }
  for (const std::int32_t row : pick(rows, options.feature_noise, feature_random)) {
    for (Column& column : study.train.columns) column.values[row] += feature_random.uniform(-kFeatureNoise, kFeatureNoise);
  }
  return study;
}

}  // namespace treewright
