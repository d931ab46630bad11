#pragma once

#include <atomic>
#include <string_view>
#include <vector>

#include "treewright/options.h"
#include "treewright/result.h"
#include "treewright/search_task.h"

namespace treewright {

/// How a caller follows, stops and helps a run. Each member may be empty.
struct FitHooks {
  /// Receives objectives, not errors: every news of the run, and the last ones again when half a second went by without any. It is called
  /// from whichever thread has news, never from two at once, and not after `fit` has returned. It may set `stop`. What it throws ends the
  /// run, and `fit` throws it.
  ProgressListener listener;
  const std::atomic<bool>* stop = nullptr;  ///< set it (from a signal handler, another thread) to get the best tree so far
  /// Start trees with the same columns and classes. Those outside the limits are ignored.
  std::vector<const Tree*> starts;
  /// Results of `fit` on the same rows with other options. Their trees are start trees too, and a method may derive bounds from theirs.
  std::vector<const Result*> earlier;
  /// Other machines that solve parts of the search. Only for the method oct.
  Elsewhere elsewhere;
};

/// Trains the tree that `options.method` asks for. `data`: at least two rows, and two classes or numbers that differ
/// (Dataset::validate_for_training). The status of the Result tells about limits and interruptions. Throws Error on bad options or data,
/// and on an option that is not at its default and that the method does not read. Several threads may call it at once, also with the same
/// data.
Result fit(const Dataset& data, const Options& options, const FitHooks& hooks = {});

/// One line of the list of methods.
struct MethodInfo {
  std::string_view name, family, description;
  bool exact;  ///< proves its result, given time
};

/// All methods, in the order of the documentation.
const std::vector<MethodInfo>& method_table();

}  // namespace treewright
