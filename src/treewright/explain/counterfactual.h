#pragma once

#include <optional>
#include <vector>

#include "treewright/tree/tree.h"

namespace treewright {

/// One change of a value.
struct Change {
  FeatureId feature{};
  double from = 0, to = 0;      ///< numeric: values in raw units; categorical: level codes
  std::optional<double> below;  ///< the new value is anything below this threshold; `to` is the nearest double
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

/// The smallest change to the row after which the tree predicts another class; nothing if there is none. The length of a change is
/// sqrt(sum ((new - old) / scale)^2 + number of levels changed); missing values stay missing. Exact for every kind of split.
/// `data` must be aligned to the tree. Shape of `scale`: (features), positive.
std::optional<Counterfactual> nearest_change(const Tree& tree, const Dataset& data, std::size_t row, const std::vector<double>& scale);

/// min ||z|| subject to G z >= h. Shapes: G (m, n), h (m). Nothing if no z keeps all conditions.
std::optional<std::vector<double>> least_distance(const std::vector<std::vector<double>>& G, const std::vector<double>& h);

}  // namespace treewright
