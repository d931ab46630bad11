#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <string>

#include "support/compared_fit.h"
#include "support/sum_brute_force.h"
#include "treewright/data/wide_category.h"
#include "treewright/search/bounds/rules.h"

namespace treewright::testing {

/// What is claimed of trees that predict numbers, against every tree, with losses in long doubles (sum_brute_force.h).
class TargetOracle {
 public:
  using Value = long double;

  /// Nothing where that takes long.
  static std::optional<TargetOracle> of(const Case& c, const Result& base) {
    constexpr std::size_t kMostRows = 18;
    if (c.data.rows() > kMostRows || c.options.max_depth > 4) return {};
    TargetOracle oracle;
    oracle.scale_ = base.objective_function->error_scale();
    oracle.price_ = static_cast<Value>(base.objective_function->price()) * oracle.scale_;
    const int depth = static_cast<int>(c.options.max_depth);
    const std::int64_t full = (std::int64_t{1} << depth) - 1,
                       splits = c.options.max_splits < 0 ? full : std::min(full, c.options.max_splits);
    SumBruteForce all(c.data, min_leaf_rows(c.options.min_samples_leaf, c.data.rows()), oracle.price_);
    if (!c.options.top.empty())
      oracle.least_ = all.best_below(Json::parse(c.options.top), depth, splits);
    else if (const std::optional<FeatureId> first = first_of(c))
      oracle.least_ = all.best_with_first(*first, depth, splits);
    else
      oracle.least_ = all.best(depth, splits);
    const Value root = all.best(0, 0);
    Value magnitude = 0, weight = 0, mean = 0, terms = 0;
    for (std::size_t row = 0; row < c.data.rows(); ++row) {
      if (c.data.weight(row) == 0) continue;
      weight += c.data.weight(row);
      mean = std::max(mean, std::abs(static_cast<Value>(c.data.response->values[row])));
      terms += c.data.weight(row) * std::abs(c.data.response->values[row]);
    }
    const Value last = std::numeric_limits<double>::epsilon();
    // A leaf's mean is a double, and so is the loss of a row.
    if (c.data.response->loss == Loss::squared)
      magnitude = weight * (last * mean) * (last * mean) + 8 * last * root;
    else
      magnitude = 64 * last * terms;
    oracle.digits_ = magnitude;
    oracle.own_digits_ = c.data.response->loss == Loss::squared ? 1e-14L * root : 1e-16L * terms;
    oracle.optimal_ = 1.1e-9L * std::max(root, oracle.least_) + magnitude;  // a first column may cost more than it saves
    return oracle;
  }

  std::string against(const Result& result, const std::string& how) const {
    const Value bound = result.bound * scale_, cost = result.objective * scale_;
    const auto show = [](Value x) { return fmt::format("{:.17g}", static_cast<double>(x)); };
    if (bound > least_ + own_digits_) return how + ": bound " + show(bound) + ", optimum " + show(least_);
    if (cost < least_ - digits_) return how + ": cost " + show(cost) + " below the optimum " + show(least_);
    if (result.status == Status::optimal && cost > least_ + optimal_)
      return how + ": 'optimal' at " + show(cost) + ", optimum " + show(least_);
    if (result.status == Status::optimal && bound < cost - optimal_)
      return how + ": 'optimal' at " + show(cost) + " with bound " + show(bound);
    return "";
  }
  /// `bound`: in loss. `told`: it is to be the optimum, but for rounding.
  std::string against_proof(double bound, bool told) const {
    if (bound > least_ + own_digits_ || (told && bound < least_ - optimal_))
      return fmt::format("a proof of {:.17g}, optimum {:.17g}", bound, static_cast<double>(least_));
    return "";
  }
  bool is_above(double bound) const { return bound * scale_ > least_ + own_digits_; }

 private:
  static std::optional<FeatureId> first_of(const Case& c) {
    for (std::size_t f = 0; f < c.data.features(); ++f) {
      if (c.data.columns[f].name == c.options.first_column) return FeatureId{static_cast<std::int32_t>(f)};
    }
    return {};
  }

  TargetOracle() = default;

  Value scale_ = 1, price_ = 0, least_ = 0;
  Value digits_ = 0, own_digits_ = 0, optimal_ = 0;  // of a loss as counted, of the oracle, and what "optimal" allows
};

/// Whether weights, exposures and events, and targets are such that the search tells losses apart to 1e-9.
inline bool is_told(const Case& c) {
  const Response& seen = *c.data.response;
  Dataset numbers;
  numbers.response = seen;
  numbers.weights = c.data.weights;
  if (whole_weights(numbers).rounding > 0) return false;
  double least = std::numeric_limits<double>::infinity(), most = 0, all = 0;
  for (std::size_t row = 0; row < c.data.rows(); ++row) {
    const double weight = c.data.weight(row);
    if (weight == 0) continue;
    const double value = seen.loss == Loss::squared ? seen.values[row] : seen.at_risk(row);
    least = std::min(least, value);
    most = std::max(most, value);
    all += weight;
  }
  for (const double weight : c.data.weights) {
    if (weight > 0 && weight * 1e4 < all) return false;
  }
  if (seen.loss == Loss::squared) return std::max(std::abs(least), std::abs(most)) <= 1e5 * (most - least) && most - least > 1e-80;
  const auto is_whole = [](double x) { return x == std::floor(x); };
  return most <= 1e3 * least && std::ranges::all_of(seen.values, is_whole) && std::ranges::all_of(seen.exposure, is_whole) &&
         std::ranges::all_of(c.data.weights, is_whole);
}

inline std::string compare_targets(const Case& c, const Result& base) {
  if (!c.data.response) return "";
  // The greedy tree splits a wide category by other sets of levels, too.
  if (c.options.method == "cart" && std::ranges::any_of(c.data.columns, is_wide_category)) return "";
  const auto oracle = TargetOracle::of(c, base);
  if (!oracle) return "";
  ++counts.targets;
  if (std::string failure = oracle->against(base, c.options.method); !failure.empty()) return failure;
  if (const auto broken = check_claims(base, c.data); !broken.empty()) return "claims: " + broken.front();
  const std::string text = to_json(base);
  const Result read = from_json(text, "json");
  if (std::string failure = describe_difference(read, base, "json and back"); !failure.empty()) return failure;
  if (to_json(read) != text) return "json and back: other text";
  if (read.tree.predict_values(c.data) != base.tree.predict_values(c.data)) return "json and back: other predictions";
  if (!by_exact_search(c.options)) return "";
  const bool unlimited = c.options.node_limit < 0;
  if (unlimited && is_told(c) && base.status != Status::optimal)
    return std::string("an unlimited search ends ") + std::string(to_string(base.status)) + ": " + base.proved;
  for (const std::int64_t limit : {0, 1, 3, 9, 40}) {
    Case limited = c;
    limited.options.node_limit = limit;
    std::string failure;
    FitHooks hooks;
    hooks.listener = [&](const Progress& news) {
      if (std::isfinite(news.bound) && oracle->is_above(news.bound)) failure = sentence("news of bound ", news.bound);
    };
    const Result result = counted_fit(limited, hooks);
    if (failure.empty()) failure = oracle->against(result, sentence("node limit ", limit));
    if (!failure.empty()) return failure;
  }
  const std::size_t pick = c.data.rows() * 31 + c.data.features();
  for (const std::int64_t threads : {1, 2, 8}) {
    Case other = c;
    other.options.n_jobs = threads;
    if (pick % 4 > 0 || threads == c.options.n_jobs) continue;
    if (std::string failure = describe_difference(counted_fit(other), base, sentence(threads, " threads")); !failure.empty())
      return failure;
  }
  Case other = c;
  other.options.disable = c.options.disable.empty() ? std::string(search::rule_table()[pick % search::rule_table().size()].name) : "";
  return oracle->against(counted_fit(other), "without '" + other.options.disable + "'");
}

/// Whether training on numbers must succeed.
inline bool must_train_on_numbers(const Case& c) {
  const Response& seen = *c.data.response;
  double least = std::numeric_limits<double>::infinity(), most = -least, lightest = least, all = 0, events = 0;
  for (std::size_t row = 0; row < c.data.rows(); ++row) {
    const double weight = c.data.weight(row);
    if (weight == 0) continue;
    least = std::min(least, seen.values[row]);
    most = std::max(most, seen.values[row]);
    lightest = std::min(lightest, weight);
    all += weight;
    events += seen.values[row];
  }
  if (c.data.rows() < 2 || c.data.features() == 0 || !(all < 1e11 * lightest)) return false;
  if (c.options.min_samples_leaf > static_cast<double>(c.data.rows()) || !c.options.first_column.empty() || !c.options.top.empty())
    return false;
  if (seen.loss != Loss::squared) return events > 0;
  const double largest = std::max(std::abs(least), std::abs(most));
  return most > least && largest < 1e99 && largest < 1e11 * (most - least) && most - least > 1e-99;
}

}  // namespace treewright::testing
