#pragma once

#include <functional>
#include <string_view>

#include "treewright/fit/fit.h"

namespace treewright {

/// A tree that is optimal for a whole interval of prices of a split.
struct PathPoint {
  std::int64_t splits = 0;
  double errors = 0;                     ///< weight of the training rows labeled wrongly
  double alpha_low = 0, alpha_high = 0;  ///< the interval, in units of options.alpha_scale; infinite at the root alone
  Result result;                         ///< stated at an alpha inside the interval
};

struct ComplexityPath {
  std::vector<PathPoint> points;    ///< fewest splits first; errors fall strictly
  Status status = Status::optimal;  ///< optimal: every point is proved and none is missing; else what stopped the search
};

/// Whether alpha prices what `complexity_path` can turn into a path for this method; others are one tree for each alpha.
bool has_path(std::string_view method);

/// How the trees of a path are trained: `fit`, or something around it.
using PathTrainer = std::function<Result(const Dataset&, const Options&, const FitHooks&)>;

/// All trees that are optimal for some alpha: the corners of the lower convex hull of (splits, errors). Everything in `options` holds
/// but `ccp_alpha`; `time_limit` bounds the whole path, `node_limit` each tree on it. For method "cart", whose alpha prices impurity, these
/// are the prunings of one grown tree (Breiman et al. 1984, ch. 3), and the status is heuristic. A method without a path gives the one tree
/// of `options` for every alpha. Throws Error as `fit` does.
ComplexityPath complexity_path(const Dataset& data, const Options& options, const FitHooks& hooks = {}, const PathTrainer& train = fit);

/// The one tree of `options`, as a path that has it for every alpha.
ComplexityPath single_tree(const Dataset& data, const Options& options, const FitHooks& hooks = {}, const PathTrainer& train = fit);

}  // namespace treewright
