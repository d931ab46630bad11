#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "treewright/data.h"
#include "treewright/fit.h"

namespace treewright {

/// A tree that is optimal for a whole interval of prices of a split, or of a feature in a hyperplane.
struct PathPoint {
  std::int64_t splits = 0;
  double errors = 0;                     ///< weight of the misclassified training rows; 0 of a tree that predicts numbers
  double alpha_low = 0, alpha_high = 0;  ///< the interval, in units of options.alpha_scale; alpha_high is infinite for the single leaf
  Result result;                         ///< for an alpha inside the interval

  /// What falls along a path: the loss of a tree that predicts numbers, the cost of the labels where they have costs, else the errors.
  double loss() const { return result.loss.value_or(result.cost.value_or(errors)); }
};

struct ComplexityPath {
  std::vector<PathPoint> points;    ///< fewest splits (features in hyperplanes) first; errors, or costs, fall strictly
  Status status = Status::optimal;  ///< optimal: every point is proved and none is missing; else what stopped the search
};

/// Whether `complexity_path` can compute a path for this method: oct, oct-h and cart. For other methods each alpha needs a tree of its own.
bool has_path(std::string_view method);

/// All trees that are optimal for some alpha: the corners of the lower convex hull of (splits, errors), for oct-h of (features summed over
/// the splits, errors). Where labels have costs, these take the place of errors, and so does what a tree of numbers loses. The search of
/// oct-h is a heuristic: its path is the hull of the trees it found. All options apply except `ccp_alpha`; `time_limit` limits the whole
/// path, `node_limit` each tree on it. For method "cart", whose alpha is a price of impurity, the result holds the prunings of one grown
/// tree (Breiman et al. 1984, ch. 3), and the status is heuristic. For a method without a path it holds the one tree of `options`, for
/// every alpha. Throws Error as `fit` does.
ComplexityPath complexity_path(const Dataset& data, const Options& options, const FitHooks& hooks = {});

/// A tree trained on one fold with one setting of the options, and its score on the validation rows.
struct ScoredTree {
  std::int64_t setting = 0, fold = 0;
  double alpha_low = 0, alpha_high = 0;  ///< the interval for which this tree is used; the last tree of a fold has alpha_low = 0
  double score = 0;                      ///< accuracy, or another score to maximize
  double features = 0;                   ///< features the tree uses
  double splits = 0;
};

/// A setting and an interval of alpha in which no fold changes its tree, with means over the folds.
struct CurveStep {
  std::int64_t setting = 0;
  double alpha_low = 0, alpha_high = 0;  ///< infinite on the last step of a setting
  double score = 0, features = 0, splits = 0;
  double standard_error = 0;  ///< of the score; NaN with one fold
};

/// The mean score as a step function of alpha, setting after setting, alpha ascending. Throws Error when a fold of a setting has no tree
/// for some alpha.
std::vector<CurveStep> validation_curve(const std::vector<ScoredTree>& trees);

/// best: the highest score. sparse: DGMP23 sec. 6.2.3, the fewest features among the steps that score at least 0.975 of the highest,
/// then the highest score. one_se: Breiman et al. 1984, sec. 3.4.3, the fewest splits among the steps whose score is within one standard
/// error of the highest, then the highest score.
enum class ChoiceRule { best, sparse, one_se };

/// Throws Error on anything but "best", "sparse" and "one-se".
ChoiceRule choice_rule_named(std::string_view name);

struct Choice {
  CurveStep step;    ///< its interval is the union of neighboring steps that are equally good
  double alpha = 0;  ///< its middle
  std::string why;   ///< in words
};

/// What `tune` makes as large as it can on the validation rows. All are weighted by row and class. accuracy: the share that is right.
/// balanced_accuracy: the mean of the classes' shares. f1: the mean F1 of the classes. log_loss: minus the mean of -ln(probability of the
/// true class). auc: the area under the ROC curve, of more than two classes the mean of each against the others; undefined where a fold's
/// validation rows are of one class. cost: minus the mean of what the labels cost. Of numbers: r2, minus the root mean squared error,
/// minus the mean absolute error; of events minus the mean deviance (infinite where one is seen and the rate of its leaf is 0); of times to
/// an event the concordance (undefined where no validation row of a fold is known to outlast the event of another one), or minus the mean
/// deviance by the hazard of the validation rows.
enum class Scoring { accuracy, balanced_accuracy, f1, log_loss, auc, cost, concordance, r2, rmse, mae, deviance };

/// "accuracy", "balanced-accuracy", "f1", "log-loss", "auc", "cost", "concordance", "r2", "rmse", "mae", "deviance". Throws Error on any
/// other name.
Scoring scoring_named(std::string_view name);
std::string_view name_of(Scoring scoring);
/// cost where the labels have costs, else accuracy; r2 of squared error, deviance of events, concordance of times to an event.
Scoring usual_scoring(const Dataset& data);
/// Whether the score is minus a mean loss in units that people know, so that it is shown without its minus.
bool is_loss(Scoring scoring);
/// A score as people read it.
double shown_score(Scoring scoring, double score);

/// The setting and the alpha to use. Of equally good settings the first wins. `curve` is not empty. `scoring`: of the words in `why`.
/// Throws Error where the rule needs a standard error and there is one fold.
Choice choose(const std::vector<CurveStep>& curve, ChoiceRule rule, Scoring scoring = Scoring::accuracy);

/// Values to try for one option, as text that `set_option` reads.
struct TuneAxis {
  std::string option;
  std::vector<std::string> values;
};

/// A tree that was trained while tuning.
struct TunedTree {
  ScoredTree scored;  ///< score: by TunePlan::scoring
  double fitted = 0;  ///< on the training rows: errors, or the cost of the labels, or the share of the loss that a tree of numbers explains
  Status status = Status::heuristic;
  bool on_a_path = true;  ///< false: the interval is 0..infinity, and the tree is that of the alpha of its setting
};

/// What `fitted` is called: "errors", "cost" or "explained".
std::string_view fitted_name(const Result& result);

/// The corner of a path, trained on a fold under a setting, with its score on the rows left out.
TunedTree scored_tree(const PathPoint& point, std::int64_t setting, std::int64_t fold, double score);

struct TunePlan {
  /// Options to choose besides alpha; all combinations are tried. Of equally good ones the first wins. For a method without a path
  /// (`has_path`), alpha is chosen only by an axis `ccp_alpha`; with such an axis no path is computed.
  std::vector<TuneAxis> axes;
  /// Rows to train and to validate on: one fold for BD17's procedure, k for cross-validation. The final tree is trained on all of them.
  std::vector<Fold> folds;
  ChoiceRule rule = ChoiceRule::best;
  std::optional<Scoring> scoring = {};  ///< nothing: usual_scoring
  /// File that gets every solve as soon as it is done; "" = none. It is locked during the run.
  std::string checkpoint;
  /// What becomes of a checkpoint that exists: "error", "resume" (its solves are taken) or "overwrite".
  std::string on_existing = "error";
  /// Called with each tree that enters the choice.
  std::function<void(const std::string& setting, const TunedTree&)> listener;
};

struct TuneResult {
  std::vector<std::string> settings;  ///< "max_depth=3 min_samples_leaf=5", ...; one "" without axes
  std::vector<TunedTree> trees;       ///< setting after setting, fold after fold, fewest terms first
  std::vector<CurveStep> curve;
  Choice choice;
  Options options;                   ///< what the final tree was trained with
  Result result;                     ///< the final tree
  Status status = Status::optimal;   ///< optimal: every path and the final tree are proved; else the first thing that was not
  double seconds = 0;                ///< with those before a resumed run was killed
  std::string not_tried;             ///< settings or folds for which there was no time, in words; "" = all were tried
  bool dropped_a_torn_line = false;  ///< the checkpoint ended in the middle of a line, whose solve was repeated
};

/// Chooses options on validation rows and trains the final tree with them: BD17 sec. 3. `options.time_limit` bounds the whole run,
/// `node_limit` each solve. Throws Error as `fit` does, on an unknown axis, and on a checkpoint of another run.
TuneResult tune(const Dataset& data, const Options& options, const TunePlan& plan, const FitHooks& hooks = {});

}  // namespace treewright
