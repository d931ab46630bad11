#pragma once

#include <limits>
#include <vector>

#include "treewright/tune.h"

namespace treewright::select {

/// What to train on one fold.
struct FoldPlan {
  std::vector<Options> settings;
  /// Train one tree for each setting, at its own alpha. Always so for a method without a path (`has_path`).
  bool fixed_alpha = false;
  /// Seconds for all settings together; the time limits of the settings are ignored.
  double time_limit = std::numeric_limits<double>::infinity();
  /// Whether settings are left out once the time is over or the stop flag is set, all but the strictest: their paths have no points.
  bool may_end_early = false;
  /// How the trees of a setting are trained; empty = `fit`.
  std::function<Result(std::size_t setting, const Dataset&, const Options&, const FitHooks&)> train;
  /// Called with each path as soon as it is there.
  std::function<void(std::size_t setting, const ComplexityPath& path)> listener;
};

/// The path of each setting on the training rows of a fold, in the order of the settings: the part of tuning (tune.h) that folds do
/// independently of each other. Settings with strict limits come first, and every tree found is a start of the later solves. Throws Error
/// as `fit` does; every setting is checked before the first is trained.
std::vector<ComplexityPath> fold_paths(const Dataset& train, const FoldPlan& plan, const FitHooks& hooks = {});

}  // namespace treewright::select
