#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "treewright/tree.h"

namespace treewright {

/// The tree as indented rules, one line for each node, with rows and class weights. `digits`: significant digits of thresholds.
std::string to_text(const Tree& tree, int digits = 6);

/// What a predicted number is to become; neither = any other number.
struct WantedNumber {
  std::optional<double> below, above;
};

/// The prediction for one row and the reasons for it: its path in words, the nearest change of label, the Shapley values of the probability
/// of its label (trees without hyperplanes), and the errors that each split on the path saves. With `train`, labeled and aligned: distances
/// are in standard deviations of its columns, and permutation importances are added. `data` must be aligned to the tree, which must be
/// tallied. Of a number the nearest changes are those to a lower and to a higher one, or the one to what is wanted.
std::string explain_row(const Tree& tree, const Dataset& data, std::size_t row, const Dataset* train = nullptr,
                        const WantedNumber& wanted = {});

/// One change of a value.
struct Change {
  FeatureId feature{};
  double from = 0, to = 0;      ///< numeric: values in raw units; categorical: level codes
  std::optional<double> below;  ///< the new value is anything below this threshold; `to` is a short number close to it
};

struct Counterfactual {
  NodeId leaf{};                ///< the leaf of the changed row
  double distance = 0;          ///< infimum of the lengths of all changes that alter the label; see nearest_change
  std::vector<Change> changes;  ///< applied to the row, they lead it to `leaf`
};

/// The one row of `row` with the changes made.
Dataset changed(Dataset row, const std::vector<Change>& changes);

/// Standard deviation of a numeric column (missing values left out); 1 if it is 0 and for categorical columns.
double column_scale(const Column& column);

/// The smallest change to the row after which the tree predicts another class, or a number as wanted; nothing if there is none. The length
/// of a change is sqrt(sum ((new - old) / scale)^2 + number of levels changed); missing values stay missing. Exact for every kind of
/// split. `data` must be aligned to the tree. Shape of `scale`: (features), positive. `train` (nullptr = not at hand): a column of whole
/// numbers there that no hyperplane of the path asks for changes to a number that occurs, and a level to one that occurs.
std::optional<Counterfactual> nearest_change(const Tree& tree, const Dataset& data, std::size_t row, const std::vector<double>& scale,
                                             const Dataset* train = nullptr, const WantedNumber& wanted = {});

/// Mean increase of the error rate (by weight) when the values of one feature are shuffled among the rows (Breiman,
/// "Random forests", 2001). 0 for features the tree does not ask for. Shape (features). `data` must be aligned and labeled; same seed, same
/// numbers.
std::vector<double> permutation_importance(const Tree& tree, const Dataset& data, int repeats = 10, std::uint64_t seed = 0);

/// Increase of the training errors (by weight) when a split and everything below it become a leaf. Shape (nodes); 0 for leaves. Expects
/// a tallied tree.
std::vector<double> drop_split_importance(const Tree& tree);

/// How much each feature moves the class probabilities of one row away from the average.
struct ShapleyValues {
  std::vector<std::vector<double>> values;  ///< shape (features, classes)
  std::vector<double> average;              ///< probabilities when nothing is known of the row. Shape (classes).
};

/// Exact Shapley values, path-dependent: a split whose feature is not known sends a row to both sides by the weight of the training rows
/// there. For each class they add up to the row's probability less the average. `data` must be aligned to the tree, which must be tallied.
/// Throws Error on a tree with hyperplanes, whose splits belong to no single feature.
ShapleyValues shapley_values(const Tree& tree, const Dataset& data, std::size_t row);

}  // namespace treewright
