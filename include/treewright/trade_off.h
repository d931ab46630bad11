#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "treewright/data.h"
#include "treewright/fit.h"

namespace treewright {

/// The errors of a tree of two classes, by weight of the rows: false alarms, and rows of the positive class that it misses.
struct ErrorPair {
  double false_positives = 0, false_negatives = 0;
};

/// Counts both kinds of errors on labeled rows of two classes. `positive`: the index of the positive class.
ErrorPair error_pair(const Tree& tree, const Dataset& data, std::int32_t positive);

/// A tree that is optimal for a whole interval of ratios.
struct TradeOffCorner {
  ErrorPair errors;  ///< on the training rows
  /// What a false negative costs, in false positives, where no tree is better; the last one is infinite.
  double ratio_low = 0, ratio_high = 0;
  ErrorPair prices = {1, 1};  ///< the class weights of `result`: of the other class, and of the positive one; inside the interval
  Result result;              ///< for these class weights, so that it may be checked like any other
};

struct TradeOff {
  std::vector<TradeOffCorner> corners;  ///< fewest false positives first; false negatives fall strictly
  /// The corners of the certified line, fewest false positives first: no tree within the limits lies below it. Those of `corners` if the
  /// status is optimal, unless the last digits of the total weight are more than what sums of weights differ by; then a little lower.
  std::vector<ErrorPair> frontier;
  /// optimal: every corner is proved and none is missing; else what stopped the search. Where weights are no whole multiples of a unit, or
  /// more than 10^6 of them in all, a corner may be missing that is nearer to its edge than the last digits of sums of weights.
  Status status = Status::optimal;
  std::string unsolved;       ///< where no limit stopped it and the status is heuristic, why: a sentence without its period
  std::int64_t solves = 0;    ///< how many problems were solved
  bool whole = true;          ///< weights are whole numbers, so both kinds of errors are
  std::int32_t positive = 1;  ///< index of the positive class
};

/// Called after every solve with the number of corners so far.
using TradeOffListener = std::function<void(std::int64_t solves, std::size_t corners)>;

/// An optimal tree for every ratio of the prices of the two kinds of errors: one for each corner of the lower convex hull of (false
/// positives, false negatives) over all trees within the limits of `options`. `data`: two classes; `positive` names one of them, "" = the
/// second. `options.time_limit` limits the whole run, `node_limit` each solve. Throws Error as `fit` does, on another method than oct, and
/// on options that change what is compared: ccp_alpha, class_weight, min_weight_fraction_leaf.
TradeOff trade_off(const Dataset& data, std::string_view positive, const Options& options, const FitHooks& hooks = {},
                   const TradeOffListener& told = {});

/// The corner of the fewest false positives among those that miss at most this much.
std::size_t corner_at_most(const TradeOff& trade_off, double most_false_negatives);

/// The corner that is optimal where a false negative costs so many false positives.
std::size_t corner_at_ratio(const TradeOff& trade_off, double ratio);

/// What no tree with at most so many false negatives can have fewer of: the false positives on the certified line, rounded up where
/// weights are whole. A tree between two corners, which is optimal for no ratio, may come that low; no tree comes lower.
double least_false_positives(const TradeOff& trade_off, double most_false_negatives);

/// To compare with: the errors of the greedy tree (cart) within the same limits, for a ratio of every corner. Fewest false
/// positives first; trees that another one is as good as in both are left out. `data`: the rows of the trade-off.
std::vector<ErrorPair> greedy_errors(const Dataset& data, const TradeOff& trade_off);

}  // namespace treewright
