#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/base/events.h"
#include "treewright/tree/objective.h"
#include "treewright/tree/tree.h"

namespace treewright {

/// A tree, and everything claimed of it.
struct Result {
  Tree tree;
  Status status = Status::heuristic;
  ObjectivePtr objective_function = std::make_shared<ErrorObjective>();  ///< never null
  double objective = 0;                                                  ///< objective_function of the tree, recounted on the raw rows
  double bound = 0;                                                      ///< no tree within the limits has a smaller objective
  double errors = 0;                                                     ///< weight of the training rows labeled wrongly
  double total_weight = 0;
  std::int64_t rows = 0;
  std::string proved;     ///< what was proved, in words
  std::string selection;  ///< what the method chose and why, or its rounds, in words and as a table; may be empty
  std::string method;
  double seconds = 0;
  std::int64_t seed = 0;
  std::int64_t threads = 1;
  std::int64_t min_leaf_rows = 1;
  double min_leaf_weight = 0;
  std::int64_t max_depth = 0;
  std::int64_t max_splits = -1;
  std::vector<std::pair<std::string, std::string>> options;  ///< name and value of every option that was not at its default
  std::vector<Progress> history;  ///< incumbent and bound over time: every new incumbent, and bounds as `record` thins them

  /// Whether rows have weights (of their own or of their classes), so that `errors` is a sum of weights and not a number of rows.
  bool weighted() const;
  double accuracy() const { return total_weight > 0 ? 1 - errors / total_weight : 0; }
  /// (objective - bound) / max(|objective|, 1e-10); never negative.
  double gap() const;
};

/// Appends a line of the log to a history: every better incumbent, and bounds that rise by a hundredth of the incumbent or more, so that a
/// history stays short however long the run.
void record(std::vector<Progress>& history, const Progress& progress);

/// Recounts the claims on the rows the result was trained on: errors, objective, depth, splits, rows per leaf.
/// Returns one sentence for each claim that does not hold; empty = all hold.
std::vector<std::string> check_claims(const Result& result, const Dataset& data);

}  // namespace treewright
