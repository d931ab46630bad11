#pragma once

#include <functional>
#include <string_view>

#include "treewright/fit/fit.h"

namespace treewright {

/// A tree that is optimal for a whole interval of prices of a split.
struct PathPoint {
  std::int64_t splits = 0;
  double errors = 0;                     ///< weight of the misclassified training rows
  double alpha_low = 0, alpha_high = 0;  ///< the interval, in units of options.alpha_scale; alpha_high is infinite for the single leaf
  Result result;                         ///< for an alpha inside the interval
};

struct ComplexityPath {
  std::vector<PathPoint> points;    ///< fewest splits first; errors fall strictly
  Status status = Status::optimal;  ///< optimal: every point is proved and none is missing; else what stopped the search
};

/// Whether `complexity_path` can compute a path for this method. For other methods each alpha needs a tree of its own.
bool has_path(std::string_view method);

/// How the trees of a path are trained: `fit`, or something around it.
using PathTrainer = std::function<Result(const Dataset&, const Options&, const FitHooks&)>;

/// All trees that are optimal for some alpha: the corners of the lower convex hull of (splits, errors). All options apply except
/// `ccp_alpha`; `time_limit` limits the whole path, `node_limit` each tree on it. For method "cart", whose alpha is a price of impurity,
/// the result holds the prunings of one grown tree (Breiman et al. 1984, ch. 3), and the status is heuristic. For a method without a path
/// it holds the one tree of `options`, for every alpha. Throws Error as `fit` does.
ComplexityPath complexity_path(const Dataset& data, const Options& options, const FitHooks& hooks = {}, const PathTrainer& train = fit);

/// The one tree of `options`, as a path that has it for every alpha.
ComplexityPath single_tree(const Dataset& data, const Options& options, const FitHooks& hooks = {}, const PathTrainer& train = fit);

}  // namespace treewright
