#pragma once

#include <functional>
#include <string>
#include <vector>

#include "treewright/data/splits.h"
#include "treewright/select/complexity_path.h"
#include "treewright/select/validation_curve.h"

namespace treewright {

/// Values to try for one option, as text that `set_option` reads.
struct TuneAxis {
  std::string option;
  std::vector<std::string> values;
};

/// A tree that was trained while tuning.
struct TunedTree {
  ScoredTree scored;  ///< score: share of the weight of the validation rows that is labeled rightly
  std::int64_t splits = 0;
  double errors = 0;  ///< weight of the training rows labeled wrongly
  Status status = Status::heuristic;
};

/// The corner of a path, trained on a fold under a setting, with its score on the rows left out.
TunedTree scored_tree(const PathPoint& point, std::int64_t setting, std::int64_t fold, double score);

struct TunePlan {
  /// Options to choose besides alpha, in any number; all combinations are tried. Of equally good ones the first wins. A method without a path
  /// (`has_path`) has its alpha chosen only by an axis `ccp_alpha`; with such an axis no path is computed.
  std::vector<TuneAxis> axes;
  /// Rows to train and to validate on: one fold for BD17's procedure, k for cross-validation. The final tree is trained on all of them.
  std::vector<Fold> folds;
  ChoiceRule rule = ChoiceRule::best;
  /// File that gets every solve as soon as it is done; "" = none.
  std::string checkpoint;
  /// Take the solves that the checkpoint has. Otherwise it is begun anew.
  bool resume = false;
  /// Hears of each tree that enters the choice.
  std::function<void(const std::string& setting, const TunedTree&)> listener;
};

struct TuneResult {
  std::vector<std::string> settings;  ///< "max_depth=3 min_samples_leaf=5", ...; one "" without axes
  std::vector<TunedTree> trees;       ///< setting after setting, fold after fold, fewest splits first
  std::vector<CurveStep> curve;
  Choice choice;
  Options options;                  ///< what the final tree was trained with
  Result result;                    ///< the final tree
  Status status = Status::optimal;  ///< optimal: every path and the final tree are proved; else the first thing that was not
  double seconds = 0;               ///< with those before a resumed run was killed
};

/// Chooses options on validation rows and trains the final tree with them: BD17 sec. 3. `options.time_limit` bounds the whole run,
/// `node_limit` each solve. Throws Error as `fit` does, on an unknown axis, and on a checkpoint of another run.
TuneResult tune(const Dataset& data, const Options& options, const TunePlan& plan, const FitHooks& hooks = {});

}  // namespace treewright
