#pragma once

#include <functional>

#include "treewright/tune.h"

namespace treewright::select {

/// How the trees of a path are trained: `fit`, or something around it.
using PathTrainer = std::function<Result(const Dataset&, const Options&, const FitHooks&)>;

/// Throws Error on options that serve the training of one tree: a checkpoint, and what its columns are asked.
void check_serves_many(const Options& options);
/// The same, and throws Error on options that `fit` would refuse and on another method than oct. `why` trees that are proved are needed.
void check_proves_many(const Options& options, const char* why);

/// `complexity_path` with trees trained so.
ComplexityPath path_by(const Dataset& data, const Options& options, const FitHooks& hooks, const PathTrainer& train);

/// The one tree of `options`, as a path that has it for every alpha.
ComplexityPath single_tree(const Dataset& data, const Options& options, const FitHooks& hooks, const PathTrainer& train);

}  // namespace treewright::select
