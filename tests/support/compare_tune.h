#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "support/compare_numbers.h"

namespace treewright::testing {

/// The trees of one path: below none of all trees, and all corners where the path is proved.
inline std::string wrong_in_path(const std::vector<const TunedTree*>& path, const NumberOracle& oracle, const Result& some) {
  std::vector<std::pair<Whole, Whole>> points;
  const std::vector<Whole> losses = oracle.losses(oracle.all_columns());
  for (std::size_t k = 0; k < losses.size(); ++k) points.emplace_back(static_cast<Whole>(k), losses[k]);
  // The least sum that has the digits of the path's own: that of the leaf, which costs most of all its trees.
  const long double digits = oracle.digits(some);
  for (const TunedTree* tree : path) {
    if (static_cast<std::size_t>(tree->scored.splits) >= losses.size()) return sentence("a tree of ", tree->scored.splits, " splits");
    if (tree->fitted < oracle.points().value(losses[static_cast<std::size_t>(tree->scored.splits)]) - digits)
      return sentence("a tree of ", tree->scored.splits, " splits at ", tree->fitted, ", below all");
  }
  const bool is_proved = std::ranges::all_of(path, [](const TunedTree* tree) { return tree->status == Status::optimal; });
  if (!is_proved || !oracle.tells_prices()) return "";
  const auto hull = hull_of(points);
  if (path.size() != hull.size()) return sentence(path.size(), " corners, in truth ", hull.size());
  for (std::size_t i = 0; i < hull.size(); ++i) {
    if (static_cast<Whole>(path[i]->scored.splits) != hull[i].first ||
        std::abs(path[i]->fitted - oracle.points().value(hull[i].second)) > digits)
      return sentence("a corner of ", path[i]->scored.splits, " splits at ", path[i]->fitted);
  }
  return "";
}

/// The step of the curve that is chosen scores as much as any, and each step the mean of its folds' trees.
inline std::string wrong_in_choice(const TuneResult& tuned, std::size_t folds) {
  constexpr double kRounding = 1e-9;
  double best = tuned.curve.front().score;
  for (const CurveStep& step : tuned.curve) {
    best = std::max(best, step.score);
    const double inside = std::isfinite(step.alpha_high) ? (step.alpha_low + step.alpha_high) / 2 : 2 * step.alpha_low + 1;
    double sum = 0;
    std::size_t found = 0;
    for (const TunedTree& tree : tuned.trees) {
      const ScoredTree& of = tree.scored;
      if (of.setting != step.setting || inside < of.alpha_low || inside >= of.alpha_high) continue;
      sum += of.score;
      ++found;
    }
    if (found != folds) return sentence(found, " trees for one step of ", folds, " folds");
    if (std::abs(sum / static_cast<double>(folds) - step.score) > kRounding * std::max(1.0, std::abs(step.score)))
      return sentence("a step scores ", step.score, ", its trees ", sum / static_cast<double>(folds));
  }
  const Choice& choice = tuned.choice;
  if (choice.step.score < best - kRounding * std::max(1.0, std::abs(best))) return sentence("chosen at ", choice.step.score, " of ", best);
  const bool is_inside = choice.alpha >= choice.step.alpha_low && choice.alpha <= choice.step.alpha_high;
  return is_inside ? "" : sentence("alpha ", choice.alpha, " beside its step");
}

/// What `tune` claims: the path of each fold and depth, the choice, and the final tree.
inline std::string compare_tune(const Case& given, const Result&) {
  Case c = without_asked(given);
  c.options.ccp_alpha = c.options.min_weight_fraction_leaf = 0;
  c.options.alpha_scale = "errors";
  c.options.node_limit = -1;
  c.options.max_depth = std::min<std::int64_t>(c.options.max_depth, 2);
  // A leaf of a part has as many rows as one of all rows.
  if (c.data.rows() < 6 || c.options.max_depth < 1 || c.options.min_samples_leaf < 1) return "";
  if (c.options.min_samples_leaf > static_cast<double>(c.data.rows() / 2)) return "";
  TunePlan plan;
  plan.axes = {{"max_depth", {"1", std::to_string(c.options.max_depth)}}};
  if (c.options.max_depth == 1) plan.axes.clear();
  RowNumbers parts[2];
  for (std::size_t row = 0; row < c.data.rows(); ++row) parts[row % 2].push_back(static_cast<std::int32_t>(row));
  plan.folds = {{parts[0], parts[1]}, {parts[1], parts[0]}};
  std::vector<std::pair<NumberOracle, Result>> oracles;  // setting after setting, fold after fold
  for (std::int64_t depth = plan.axes.empty() ? c.options.max_depth : 1; depth <= c.options.max_depth; ++depth) {
    for (const RowNumbers& part : parts) {
      Case one{c.data.subset(part), c.options};
      one.options.max_depth = depth;
      const std::vector<double> totals = one.data.class_totals();
      if (std::ranges::count_if(totals, [](double of) { return of > 0; }) < 2) return "";
      Case leaf = one;
      leaf.options.max_depth = 0;
      Result all_in_one = counted_fit(leaf);
      auto oracle = NumberOracle::of(one, all_in_one);
      if (!oracle) return "";
      oracles.emplace_back(std::move(*oracle), std::move(all_in_one));
    }
  }
  const TuneResult tuned = tune(c.data, c.options, plan);
  ++counts.tunes;
  for (std::size_t at = 0; at < oracles.size(); ++at) {
    std::vector<const TunedTree*> path;
    for (const TunedTree& tree : tuned.trees) {
      if (static_cast<std::size_t>(tree.scored.setting) * 2 + static_cast<std::size_t>(tree.scored.fold) == at) path.push_back(&tree);
    }
    if (std::string wrong = wrong_in_path(path, oracles[at].first, oracles[at].second); !wrong.empty())
      return sentence("tune, path ", at, ": ", wrong);
  }
  if (std::string wrong = wrong_in_choice(tuned, plan.folds.size()); !wrong.empty()) return "tune: " + wrong;
  Case last{c.data, tuned.options};
  const auto oracle = NumberOracle::of(last, tuned.result);
  if (!oracle) return "";
  const std::string failure = oracle->against(tuned.result, oracle->least(oracle->all_columns()));
  return failure.empty() ? "" : "tune: the final tree: " + failure;
}

}  // namespace treewright::testing
