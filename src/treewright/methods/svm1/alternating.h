#pragma once

#include <cstdint>
#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/base/random.h"
#include "treewright/grow/draft.h"
#include "treewright/grow/points.h"
#include "treewright/tree/unit_axes.h"

namespace treewright {

/// Z20's problem: rows with prices, on a fixed scale. The data's weights are the prices of errors.
struct Svm1Problem {
  const Dataset& data;
  std::vector<UnitAxis> axes;       ///< the scale: of these rows, or of the data they were selected from
  std::vector<double> slack_price;  ///< alpha1 times the row's weight. Shape (rows).
  double alpha2 = 0, eps = 0;
  int max_depth = 2;
  std::int64_t max_splits = -1;  ///< -1 = no limit
  std::int64_t min_rows = 1;     ///< rows of positive weight that each leaf holds at least
};

/// The data with every category made a constant: what hyperplanes of SVM1-ODT see.
Dataset without_categories(const Dataset& data);

/// The dedicated primal method: improves a tree until no node can be improved. See svm1_alternating.cpp.
class Svm1Alternation {
 public:
  Svm1Alternation(const Svm1Problem& problem, Deadline& deadline);

  /// Errors + slack + alpha2 |h|_1 on the rows of the problem, leaves predicting their majority.
  double cost(const Draft& draft) const;

  /// Thresholds become hyperplanes, and hyperplanes lose terms that are on no axis; what is too deep or too small is cut. Every row is then at
  /// most 1 from every hyperplane (M = 1).
  Draft admitted(Draft draft) const;

  /// Never raises the cost. `draft` must be admitted.
  void descend(Draft& draft) const;

  /// Replaces the split of one node by a random one and descends; keeps the result if it costs less.
  void kick(Draft& draft, Random& random) const;

 private:
  class Revision;

  // Price of the slack of each row on its way down. Shape (rows).
  std::vector<double> slack_below(const Draft& draft, std::span<const std::uint32_t> rows) const;
  double cost(const Draft& draft, std::span<const std::uint32_t> rows) const;
  Draft admitted(Draft draft, std::span<const std::uint32_t> rows, int depth) const;
  bool within_unit(UnitPlane& plane) const;
  bool pass(Draft& node, std::span<const std::uint32_t> rows, int depth, std::int64_t& splits_left) const;
  bool revise(Draft& node, std::span<const std::uint32_t> rows) const;
  bool shorten(Draft& node, std::span<const std::uint32_t> rows, std::int64_t& splits_left) const;
  bool grow(Draft& leaf, std::span<const std::uint32_t> rows, std::int64_t& splits_left) const;

  const Svm1Problem& problem_;
  Deadline& deadline_;
  RowList all_;
  Points points_;          // standardized, for the support vector machines
  std::vector<double> u_;  // scaled columns. Shape (rows x axes), row after row.
};

}  // namespace treewright
