// The choice of alpha: BD17 sec. 3, step 4, extended from one validation set to k folds.
//
// A path (complexity_path.h) gives each fold a tree for every alpha. So the mean score over the folds is a step function of alpha, which
// changes only where the tree of some fold changes. Unlike a grid of alphas, it misses nothing. BD17 takes the middle of the interval of
// the best tree; for equally good trees, the middle of the union of their intervals.
//
// The paper leaves two cases open. If the best steps are not neighbors, the middle of their union may lie on a worse step, so the widest
// run of neighbors is taken. The last step, where no split pays, has no end; it counts as long as the distance from zero to its beginning,
// which needs no unit. (BD17's loop begins at one split; here the tree without splits is on the path like the others.)
//
// The sparse rule is that of DGMP23 sec. 6.2.3. The rule of one standard error is that of Breiman et al. 1984, sec. 3.4.3: beside the noise
// of the folds, smaller trees are as good. Its standard error is that of the mean over the folds at the best step.

#include "treewright/tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <map>
#include <set>

#include "treewright/base/error.h"
#include "treewright/base/infinity.h"

namespace treewright {

namespace {

constexpr double kSparseShare = 0.975;
// Means of equal scores may be added in another order. Of sizes; of scores, which have any unit, a share of the largest.
constexpr double kTolerance = 1e-12;

double tolerance_of_scores(const std::vector<CurveStep>& curve) {
  double largest = 0;
  for (const CurveStep& step : curve) {
    const double extent = std::abs(step.score) + (std::isfinite(step.standard_error) ? step.standard_error : 0);
    if (std::isfinite(extent)) largest = std::max(largest, extent);
  }
  return kTolerance * largest;
}

using FoldTrees = std::vector<const ScoredTree*>;  // highest alpha first

const ScoredTree& tree_at(const FoldTrees& fold, double alpha) {
  return **std::find_if(fold.begin(), fold.end(), [alpha](const ScoredTree* tree) { return tree->alpha_low <= alpha; });
}

// The unbounded step ends at twice its beginning.
double end_of(const CurveStep& step) {
  if (std::isfinite(step.alpha_high)) return step.alpha_high;
  return step.alpha_low > 0 ? 2 * step.alpha_low : 1;
}

// A share of a negative score, which is a loss, would not be smaller. Of means that people know, such as costs, some more is allowed.
double enough_for_sparse(double highest, Scoring scoring) {
  if (highest > 0) return kSparseShare * highest;
  return is_loss(scoring) ? highest / kSparseShare : highest;
}

std::string best_in_words(double highest, Scoring scoring) {
  return is_loss(scoring) ? fmt::format("the least mean {} ({:.6g})", name_of(scoring), shown_score(scoring, highest))
                          : fmt::format("the highest mean score ({:.6g})", highest);
}

std::string enough_in_words(double highest, Scoring scoring) {
  if (is_loss(scoring)) {
    return fmt::format("{0} at most {1:.6g}, where the least mean {0} is {2:.6g}", name_of(scoring),
                       shown_score(scoring, enough_for_sparse(highest, scoring)), shown_score(scoring, highest));
  }
  return highest > 0 ? fmt::format("score at least {} of the highest mean score {:.6g}", kSparseShare, highest)
                     : "have " + best_in_words(highest, scoring);
}

// Of the mean of so many scores; NaN of one.
double standard_error(const std::vector<double>& scores, double mean) {
  double squares = 0;
  for (const double score : scores) squares += (score - mean) * (score - mean);
  const auto n = static_cast<double>(scores.size());
  return std::sqrt(squares / (n - 1) / n);
}

}  // namespace

std::vector<CurveStep> validation_curve(const std::vector<ScoredTree>& trees) {
  std::map<std::int64_t, std::map<std::int64_t, FoldTrees>> settings;
  for (const ScoredTree& tree : trees) settings[tree.setting][tree.fold].push_back(&tree);
  std::vector<CurveStep> curve;
  for (auto& [setting, folds] : settings) {
    std::set<double> breaks{0.0};
    for (auto& [number, fold] : folds) {
      std::sort(fold.begin(), fold.end(), [](const ScoredTree* x, const ScoredTree* y) { return x->alpha_low > y->alpha_low; });
      if (!(fold.back()->alpha_low <= 0)) {
        throw Error(fmt::format("fold {} of setting {}", number, setting), "has no tree for alpha = 0", "give complete paths");
      }
      for (const ScoredTree* tree : fold) breaks.insert(std::max(0.0, tree->alpha_low));
    }
    for (auto begin = breaks.begin(); begin != breaks.end(); ++begin) {
      const auto end = std::next(begin);
      CurveStep step{setting, *begin, end == breaks.end() ? kInfinity : *end};
      std::vector<double> scores;
      const double inside = (step.alpha_low + end_of(step)) / 2;
      for (const auto& [number, fold] : folds) {
        const ScoredTree& tree = tree_at(fold, inside);
        step.score += tree.score / static_cast<double>(folds.size());
        step.features += tree.features / static_cast<double>(folds.size());
        step.splits += tree.splits / static_cast<double>(folds.size());
        scores.push_back(tree.score);
      }
      step.standard_error = standard_error(scores, step.score);
      curve.push_back(step);
    }
  }
  return curve;
}

ChoiceRule choice_rule_named(std::string_view name) {
  if (name == "best") return ChoiceRule::best;
  if (name == "sparse") return ChoiceRule::sparse;
  if (name == "one-se") return ChoiceRule::one_se;
  throw option_error("rule", fmt::format("'{}' is not known", name), "use best or sparse, or one-se");
}

Choice choose(const std::vector<CurveStep>& curve, ChoiceRule rule, Scoring scoring) {
  assert(!curve.empty());
  double highest = -kInfinity, error = 0;
  for (const CurveStep& step : curve) {
    if (std::isnan(step.score)) throw Error("score", "the mean score of a tree is no number", "use a score that every fold can compute");
    if (step.score > highest) highest = step.score, error = step.standard_error;
  }
  if (rule == ChoiceRule::one_se && !std::isfinite(error))
    throw option_error("rule", "one-se needs the standard error of a mean over folds, and there is none", "use two folds or more");
  const double enough = rule == ChoiceRule::sparse   ? enough_for_sparse(highest, scoring)
                        : rule == ChoiceRule::one_se ? highest - error
                                                     : highest;
  const double tolerance = tolerance_of_scores(curve);
  const auto size = [rule](const CurveStep& step) {
    return rule == ChoiceRule::sparse ? step.features : rule == ChoiceRule::one_se ? step.splits : 0;
  };
  const auto better = [&](const CurveStep& x, const CurveStep& y) {
    if (std::abs(size(x) - size(y)) > kTolerance) return size(x) < size(y);
    return x.score > y.score + tolerance;
  };
  const CurveStep* best = nullptr;
  for (const CurveStep& step : curve) {
    if (step.score >= enough - tolerance && (best == nullptr || better(step, *best))) best = &step;
  }

  Choice choice;
  double widest = -1;
  std::size_t runs = 0;
  for (std::size_t i = 0; i < curve.size(); ++i) {
    const auto as_good = [&](const CurveStep& step) {
      return step.setting == best->setting && step.score >= enough - tolerance && !better(*best, step);
    };
    if (!as_good(curve[i])) continue;
    CurveStep run = curve[i];
    while (i + 1 < curve.size() && as_good(curve[i + 1])) run.alpha_high = curve[++i].alpha_high;
    ++runs;
    const double width = end_of(curve[i]) - run.alpha_low;
    if (width <= widest) continue;
    widest = width;
    choice.step = run;
    choice.alpha = run.alpha_low + width / 2;
  }
  switch (rule) {
    case ChoiceRule::best:
      choice.why = best_in_words(highest, scoring);
      break;
    case ChoiceRule::sparse:
      choice.why =
          fmt::format("the fewest features ({:.4g}) among the settings that {}", choice.step.features, enough_in_words(highest, scoring));
      break;
    case ChoiceRule::one_se:
      choice.why = fmt::format("the fewest splits ({:.4g}) within one standard error ({:.4g}) of {}", choice.step.splits, error,
                               best_in_words(highest, scoring));
  }
  if (choice.step.alpha_low == 0 && choice.step.alpha_high == kInfinity) return choice;  // alpha decides nothing
  choice.why +=
      runs > 1 ? fmt::format("; the middle of the widest of {} such intervals of alpha", runs) : "; the middle of its interval of alpha";
  return choice;
}

}  // namespace treewright
