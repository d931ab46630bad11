#pragma once

#include <limits>
#include <vector>

#include "treewright/select/complexity_path.h"

namespace treewright {

/// What is trained on one fold.
struct FoldPlan {
  std::vector<Options> settings;
  /// One tree a setting, at its own alpha. So it is anyway for a method without a path (`has_path`).
  bool fixed_alpha = false;
  /// Seconds for all settings together; the settings' own limits are not read.
  double time_limit = std::numeric_limits<double>::infinity();
  /// How the trees of a setting are trained; empty = `fit`.
  std::function<Result(std::size_t setting, const Dataset&, const Options&, const FitHooks&)> train;
  /// Hears of each path as soon as it is there.
  std::function<void(std::size_t setting, const ComplexityPath& path)> listener;
};

/// The path of each setting on the training rows of a fold, in the order of the settings: the part of tuning (tune.h) that folds do
/// independently of each other. Strict limits come first, and every tree found is one to beat in the solves that follow. Throws Error as
/// `fit` does; every setting is checked before the first is trained.
std::vector<ComplexityPath> fold_paths(const Dataset& train, const FoldPlan& plan, const FitHooks& hooks = {});

}  // namespace treewright
