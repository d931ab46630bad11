#pragma once

#include <algorithm>
#include <atomic>
#include <cassert>
#include <optional>
#include <string>
#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/options.h"
#include "treewright/progress.h"
#include "treewright/result.h"
#include "treewright/search_task.h"
#include "treewright/task/asked_columns.h"
#include "treewright/task/incumbent.h"
#include "treewright/task/leaf_weight.h"
#include "treewright/task/relaxation.h"

namespace treewright {

/// A training problem: the only argument of every method. Everything it refers to must outlive it.
struct Task {
  const Dataset& data;  ///< class weights are in its row weights; where labels have costs, this is the table of gains (data/costs/costs.h)
  const Options& options;
  ObjectivePtr objective;
  std::int64_t min_rows = 1;                ///< smallest number of rows in a leaf
  LeafWeight leaf_weight;                   ///< smallest weight of a leaf
  Deadline& deadline;                       ///< time_limit, node_limit and the stop flag in one
  ProgressListener listener = {};           ///< receives objectives; may be empty
  const std::atomic<bool>* stop = nullptr;  ///< the user's stop flag; `deadline` already polls it
  /// Start trees with the same columns and classes. They need not be within the limits.
  std::vector<const Tree*> starts = {};
  /// Results on the same rows with other options; their trees are among the start trees.
  std::vector<const Result*> earlier = {};
  Elsewhere elsewhere = {};        ///< other machines that solve parts of the search; may be empty
  Incumbent* incumbent = nullptr;  ///< of the whole run; null in a part of it whose objective is another one
  AskedColumns asked = {};         ///< those that are never asked are constant in `data`
  std::optional<Relaxation> wider = {};
  const Dataset* with_costs = nullptr;  ///< the rows of which `data` are the gains; null = `data` itself
  /// All training rows where `data` are some of them: whose shares of the classes say how wide categories are split. Null = `data`.
  const Dataset* all_rows = nullptr;

  /// The objective as the class that the method declares.
  template <class Kind>
  const Kind& objective_as() const {
    assert(dynamic_cast<const Kind*>(objective.get()) != nullptr);
    return static_cast<const Kind&>(*objective);
  }
  /// The rows as the user knows them.
  const Dataset& raw() const { return with_costs == nullptr ? data : *with_costs; }
  /// The rows that the family of splits follows from.
  const Dataset& family_rows() const { return all_rows == nullptr ? data : *all_rows; }
  /// A leaf with fewer rows certainly breaks one of the two limits.
  std::int64_t rows_needed() const { return std::max(min_rows, leaf_weight.rows_needed); }
  /// Calls the listener, if there is one.
  void report(const Progress& progress) const {
    if (listener) listener(progress);
  }
  /// The same for a better tree, which is within the limits and has the objective `progress.incumbent`. It becomes the result of a run that
  /// is broken off before the method returns.
  void report(const Progress& progress, const Tree& tree) const {
    if (incumbent != nullptr) incumbent->offer(tree, progress.incumbent);
    report(progress);
  }
};

/// The optimum if no split can improve on a single leaf; `why` gives the reason in words.
Result single_leaf(const Task& task, std::string why);

}  // namespace treewright
