#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace treewright {

/// A tree trained on one fold under one setting of the options, and how it did on the rows left out.
struct ScoredTree {
  std::int64_t setting = 0, fold = 0;
  double alpha_low = 0, alpha_high = 0;  ///< where it is the tree to take; the last tree of a fold has alpha_low = 0
  double score = 0;                      ///< accuracy, or whatever is to be large
  double features = 0;                   ///< features the tree uses
};

/// A setting and an interval of alpha on which every fold keeps its tree: means over the folds.
struct CurveStep {
  std::int64_t setting = 0;
  double alpha_low = 0, alpha_high = 0;  ///< infinite on the last step of a setting
  double score = 0, features = 0;
};

/// The mean score as a step function of alpha, setting after setting, alpha ascending. Throws Error when a fold of a setting has no tree
/// for some alpha.
std::vector<CurveStep> validation_curve(const std::vector<ScoredTree>& trees);

/// best: the highest score. sparse: DGMP23 sec. 6.2.3, the fewest features among the steps that score at least 0.975 of the highest,
/// then the highest score.
enum class ChoiceRule { best, sparse };

/// Throws Error on anything but "best" and "sparse".
ChoiceRule choice_rule_named(std::string_view name);

struct Choice {
  CurveStep step;    ///< the interval is the union of neighboring steps that are as good
  double alpha = 0;  ///< its middle
  std::string why;   ///< in words
};

/// The setting and the alpha to take. Among settings that are equally good the first wins. `curve` is not empty.
Choice choose(const std::vector<CurveStep>& curve, ChoiceRule rule);

}  // namespace treewright
