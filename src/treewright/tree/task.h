#pragma once

#include <algorithm>
#include <atomic>
#include <cassert>
#include <string>
#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/options.h"
#include "treewright/progress.h"
#include "treewright/result.h"
#include "treewright/tree/leaf_weight.h"

namespace treewright {

/// A problem to train a tree for: the only argument of every method. What it refers to outlives it.
struct Task {
  const Dataset& data;  ///< class weights are in its row weights
  const Options& options;
  ObjectivePtr objective;
  std::int64_t min_rows = 1;                ///< rows that every leaf must hold
  LeafWeight leaf_weight;                   ///< weight that every leaf must hold
  Deadline& deadline;                       ///< time_limit, node_limit and the stop flag in one
  ProgressListener listener = {};           ///< hears objectives; may be empty
  const std::atomic<bool>* stop = nullptr;  ///< the user's wish to stop; `deadline` listens to it already
  /// Trees to begin from or to beat, of the same columns and classes. They need not be within the limits.
  std::vector<const Tree*> starts = {};

  /// The objective as the class that the method declares.
  template <class Kind>
  const Kind& objective_as() const {
    assert(dynamic_cast<const Kind*>(objective.get()) != nullptr);
    return static_cast<const Kind&>(*objective);
  }
  /// A leaf with fewer rows certainly breaks one of the two limits.
  std::int64_t rows_needed() const { return std::max(min_rows, leaf_weight.rows_needed); }
  /// Tells the listener, if there is one.
  void report(const Progress& progress) const {
    if (listener) listener(progress);
  }
};

/// The optimum where no split can improve on a single leaf; `why` says so in words.
Result single_leaf(const Task& task, std::string why);

}  // namespace treewright
