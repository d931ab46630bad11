#pragma once

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "support/compared_fit.h"
#include "support/draw_case.h"
#include "support/error_pairs.h"
#include "support/exact_trees.h"
#include "treewright/base/round_down.h"
#include "treewright/column_worth.h"
#include "treewright/data/costs/price_grid.h"
#include "treewright/error.h"
#include "treewright/near_trees.h"
#include "treewright/select/solve_again.h"
#include "treewright/task/asked_columns.h"
#include "treewright/task/column_prices.h"
#include "treewright/task/cost_objective.h"
#include "treewright/trade_off.h"
#include "treewright/tune.h"

namespace treewright::testing {

/// `data`: with class weights.
inline ExactLimits exact_limits(const Case& c, const Dataset& data) {
  const int full = (1 << c.options.max_depth) - 1;
  return {static_cast<int>(c.options.max_depth),
          c.options.max_splits < 0 ? full : static_cast<int>(std::min<std::int64_t>(full, c.options.max_splits)),
          min_leaf_rows(c.options.min_samples_leaf, data.rows()),
          static_cast<long double>(c.options.min_weight_fraction_leaf) * static_cast<long double>(data.total_weight())};
}

/// Every number that is claimed, against all trees in whole numbers (exact_trees.h). A claim is a double: it may differ from the truth by
/// the last digits of its own sum, and by nothing of the scale of other costs.
class NumberOracle {
 public:
  using Value = long double;
  static constexpr Value kNone = std::numeric_limits<Value>::infinity();

  /// Nothing where that takes long, or has many digits.
  static std::optional<NumberOracle> of(const Case& c, const Result& base, double most_work = 3e5) {
    const Dataset data = weighted(c);
    for (const Column& column : data.columns) {
      if (std::set(column.codes.begin(), column.codes.end()).size() > 12) return {};
    }
    if (!by_exact_search(c.options) || c.options.max_depth > 4 || data.features() > 5 || data.features() == 0) return {};
    std::optional<ExactPoints> points = ExactPoints::of(data);
    if (!points) return {};
    const Objective& objective = *base.objective_function;
    NumberOracle oracle{data, std::move(*points)};
    oracle.limits_ = exact_limits(c, data);
    oracle.scale_ = objective.error_scale();
    oracle.price_ = static_cast<Value>(objective.price()) * oracle.scale_;
    if (ExactTrees(oracle.points_, oracle.limits_, ~0u).work() > most_work) return {};
    const Dataset rows = data.has_costs() ? gains_table(data).rows : data;
    const WholeWeights whole = whole_weights(rows);
    const bool is_exact = whole.rounding == 0 && (!data.has_costs() || gains_table(data).grid.off() == 0);
    if (!is_exact) oracle.known_ = objective.known_sums(data).rounding;
    oracle.last_digits_ = objective.known_sums(data).last_digits;
    const double step = price_on_grid(std::numeric_limits<double>::min(), rows.total_weight() / whole.unit) * whole.unit;
    oracle.grid_ = step * oracle.limits_.splits;
    oracle.tells_prices_ =
        is_exact && static_cast<double>(data.rows()) * step * static_cast<double>(oracle.limits_.splits) <= whole.unit / 2;
    return oracle;
  }

  const ExactPoints& points() const { return points_; }
  const ExactLimits& limits() const { return limits_; }
  Value price() const { return price_; }
  Value scale() const { return scale_; }
  /// Whether every sum of the search is exact.
  bool is_exact() const { return known_ == 0; }
  /// Whether the search tells apart all prices at which the best tree changes: beside losses of 1e14 it does not.
  bool tells_prices() const { return tells_prices_; }
  Value known() const { return known_; }
  /// What a tree may cost more than the search says while it runs: prices on a grid, sums as large as the dearest label.
  Value news_off() const { return grid_ + known_ + last_digits_; }
  std::size_t features() const { return points_.points.features(); }
  unsigned all_columns() const { return (1u << features()) - 1; }

  /// The least loss of the trees with at most k splits.
  std::vector<Whole> losses(unsigned columns) const { return ExactTrees(points_, limits_, columns).losses(); }

  /// The least loss and price of splits; infinite where there is no such tree.
  Value least_at(Value price, unsigned columns, std::optional<std::size_t> first = {}) const {
    ExactTrees trees(points_, limits_, columns);
    return least_of(first ? trees.losses_first(*first) : trees.losses(), price);
  }
  Value least(unsigned columns, std::optional<std::size_t> first = {}) const { return least_at(price_, columns, first); }

  /// Of the trees that begin so.
  Value least_below(const Json& top) const { return least_of(ExactTrees(points_, limits_, all_columns()).losses_below(top), price_); }

  /// The same under all that the options say of columns, with the prices of these.
  Value least_asked(const Options& options) const {
    const AskedColumns asked(options, Tree(points_.points).features);
    const ColumnPrices prices = ColumnPrices::from(options.column_costs, points_.points);
    unsigned allowed = all_columns();
    for (const FeatureId never : asked.never()) allowed &= ~(1u << +never);
    std::optional<std::size_t> first;
    if (asked.first()) first = static_cast<std::size_t>(+*asked.first());
    Value best = kNone;
    for (unsigned columns = 0; columns <= all_columns(); ++columns) {
      if ((columns & ~allowed) != 0 || (first && (columns >> *first & 1) == 0)) continue;
      if (options.max_columns >= 0 && std::popcount(columns) > options.max_columns) continue;
      if (options.max_columns < 0 && !prices.any() && columns != allowed) continue;
      Value price = 0;
      for (std::size_t f = 0; f < features(); ++f) {
        if ((columns >> f & 1) != 0) price += static_cast<Value>(prices.of(FeatureId{static_cast<std::int32_t>(f)}));
      }
      best = std::min(best, least(columns, first) + price);
    }
    return best;
  }

  /// The last digits of a number that is the sum of the losses of this tree.
  Value digits(const Result& result) const {
    const CostObjective* const costs = as_costs(*result.objective_function);
    const Value of = costs != nullptr ? costs->magnitude(result.tree, data_) : result.objective * scale_;
    return 2 * static_cast<Value>(kRoundingOfSum) * std::abs(of);
  }

  /// Of a number beside which a price was added.
  Value price_digits(Value price) const { return 2 * static_cast<Value>(kRoundingOfSum) * price * limits_.splits; }

  /// A claim, in units of loss: `bound` and `cost` of a tree, of all trees whose least one is `least`.
  std::string against(Value bound, Value cost, bool optimal, Value least, Value digits) const {
    const auto show = [](Value x) { return fmt::format("{:.17g}", static_cast<double>(x)); };
    if (bound > least + digits) return "bound " + show(bound) + ", optimum " + show(least);
    if (cost < least - digits) return "cost " + show(cost) + " below the optimum " + show(least);
    if (optimal && cost > least + digits + known_) return "'optimal' at " + show(cost) + ", optimum " + show(least);
    if (optimal && is_exact() && bound < cost - digits - grid_) return "'optimal' at " + show(cost) + " with bound " + show(bound);
    return "";
  }
  std::string against(const Result& result, Value least, Value price) const { return against(result, least, price, digits(result)); }
  std::string against(const Result& result, Value least, Value price, Value digits) const {
    return against(static_cast<Value>(result.bound) * scale_, static_cast<Value>(result.objective) * scale_,
                   result.status == Status::optimal, least, digits + price_digits(price));
  }
  std::string against(const Result& result, Value least) const { return against(result, least, price_); }

 private:
  Value least_of(const std::vector<Whole>& losses, Value price) const {
    Value best = kNone;
    for (std::size_t k = 0; k < losses.size(); ++k) {
      if (losses[k] < kNoTree) best = std::min(best, points_.value(losses[k]) + price * static_cast<Value>(k));
    }
    return best;
  }

  NumberOracle(Dataset data, ExactPoints points) : data_(std::move(data)), points_(std::move(points)) {}

  Dataset data_;
  ExactPoints points_;
  ExactLimits limits_;
  Value price_ = 0, scale_ = 1, known_ = 0, last_digits_ = 0;
  bool tells_prices_ = false;
  Value grid_ = 0;  // what a price may be off on its grid, for all splits of a tree
};

inline bool is_unlimited(const Options& options) {
  return options.node_limit < 0 && options.min_weight_fraction_leaf == 0;
}

/// The same without what is said of columns, which the commands of many solves refuse.
inline Case without_asked(const Case& c) {
  Case other = c;
  other.options.first_column.clear();
  other.options.never_columns.clear();
  other.options.column_costs.clear();
  other.options.max_columns = -1;
  return other;
}

/// A search without limits ends with a proof where the oracle can tell.
inline std::string unproved(const Case& c, const NumberOracle& oracle, const Result& base) {
  const bool is_told = c.options.ccp_alpha > 0 ? oracle.tells_prices() : oracle.is_exact();
  if (!is_unlimited(c.options) || !is_told || base.status == Status::optimal) return "";
  return std::string("an unlimited search ends ") + std::string(to_string(base.status));
}

/// The last digits of what these news of a run like `base` say.
inline auto digits_of_news(const NumberOracle& oracle, const Result& base, const Progress& news) {
  return oracle.digits(base) + 2 * kRoundingOfSum * std::abs(news.incumbent) * oracle.scale();
}

/// What is false about the bound of news; `digits`: what it may be above the optimum.
inline std::string bound_above(const NumberOracle& oracle, const Progress& news, long double least, long double digits) {
  if (!std::isfinite(news.bound) || news.bound * oracle.scale() <= least + digits) return "";
  return sentence("news of bound ", news.bound, ", optimum ", static_cast<double>(least / oracle.scale()));
}

/// Runs that end after so many nodes, -1 = by themselves. `heard`: what is false about news; `check`: about a result.
template <class Heard, class Check>
std::string compare_stopped(const Case& c, std::initializer_list<std::int64_t> limits, const Heard& heard, const Check& check) {
  for (const std::int64_t limit : limits) {
    Case limited = c;
    limited.options.node_limit = limit;
    std::string failure;
    FitHooks hooks;
    hooks.listener = [&](const Progress& news) {
      if (std::string wrong = heard(news); !wrong.empty()) failure = wrong;
    };
    const Result result = counted_fit(limited, hooks);
    if (failure.empty()) failure = check(result);
    if (!failure.empty()) return sentence("node limit ", limit, ": ", failure);
  }
  return "";
}

/// Tree, bound and all news on the way.
inline std::string compare_exact(const Case& c, const Result& base) {
  const auto oracle = NumberOracle::of(c, base);
  if (!oracle) return "";
  const auto least = oracle->least_asked(c.options);
  ++counts.exact;
  if (std::string failure = oracle->against(base, least); !failure.empty()) return "exact: " + failure;
  if (std::string failure = unproved(c, *oracle, base); !failure.empty()) return "exact: " + failure;
  const auto heard = [&](const Progress& news) { return bound_above(*oracle, news, least, digits_of_news(*oracle, base, news)); };
  const auto check = [&](const Result& result) {
    std::string failure = oracle->against(result, least);
    for (const Progress& news : result.history) {
      if (news.bound > result.objective + oracle->digits(result) / oracle->scale())
        failure = sentence("history has bound ", news.bound, ", objective ", result.objective);
    }
    return failure;
  };
  const std::string failure = compare_stopped(c, {c.options.node_limit, 0, 1, 3, 9, 40}, heard, check);
  return failure.empty() ? "" : "exact: " + failure;
}

/// check --again refutes nothing that is true.
inline std::string compare_again(const Case& c, const Result& base) {
  if (!by_exact_search(c.options) || c.options.max_depth > 3) return "";
  const auto broken = select::solve_again(base, weighted(c), std::numeric_limits<double>::infinity()).broken;
  return broken.empty() ? "" : "again: " + broken.front();
}

inline std::string compare_worth(const Case& given, const Result&) {
  Case c = without_asked(given);
  c.options.min_weight_fraction_leaf = 0;
  const Result base = counted_fit(c);
  const auto oracle = NumberOracle::of(c, base);
  if (!oracle) return "";
  const std::size_t pick = c.data.rows() + c.data.features();
  const double most_more = pick % 3 == 0 ? 0.1 * static_cast<double>(pick % 40) : std::numeric_limits<double>::infinity();
  const ColumnWorths worths = column_worth(c.data, c.options, {}, most_more);
  ++counts.worths;
  // A price beside sums of 10^13 and more has digits that a narrow window does not.
  const bool answers = is_unlimited(c.options) && oracle->is_exact() && (oracle->price() == 0 || std::isinf(most_more));
  const auto best = oracle->least(oracle->all_columns());
  const auto digits_of = [&](const LeastCost& least) {
    return least.result ? oracle->digits(*least.result) : oracle->digits(*worths.best.result);
  };
  const auto check = [&](const LeastCost& least, long double truth, const std::string& what) -> std::string {
    if (least.status == Status::infeasible) return std::isinf(truth) ? "" : what + ": said to be none";
    if (std::isinf(truth)) return std::isinf(least.cost) ? "" : what + ": there is no such tree";
    if (least.bound > least.cost) return sentence(what, ": bound ", least.bound, " above cost ", least.cost);
    if (least.beyond && truth - best <= most_more - digits_of(least) - oracle->known()) return what + ": said to be beyond";
    if (answers && !least.is_known()) return what + ": not answered";
    const std::string failure = oracle->against(least.bound, least.cost, least.status == Status::optimal, truth, digits_of(least));
    return failure.empty() ? "" : what + ": " + failure;
  };
  if (std::string failure = check(worths.best, best, "worth, best"); !failure.empty()) return failure;
  for (const ColumnWorth& column : worths.columns) {
    const auto f = static_cast<std::size_t>(+column.column);
    const auto never = oracle->least(oracle->all_columns() & ~(1u << f)), first = oracle->least(oracle->all_columns(), f);
    if (std::string failure = check(column.never, never, "never " + column.name); !failure.empty()) return failure;
    if (std::string failure = check(column.first, first, "first " + column.name); !failure.empty()) return failure;
    const long double loss = least_loss(worths, column), truth = never - best;
    const long double off = oracle->is_exact() && oracle->price() == 0 ? kRoundingOfSum * truth + 1e-18L * std::abs(best)
                                                                       : digits_of(column.never) + digits_of(worths.best);
    if (loss > truth + off)
      return sentence("worth ", column.name, ": loss ", least_loss(worths, column), ", truth ", static_cast<double>(truth));
    if (column.never.status == Status::optimal && worths.best.status == Status::optimal && oracle->is_exact() &&
        loss < truth - digits_of(column.never) - digits_of(worths.best))
      return sentence("worth ", column.name, ": loss ", least_loss(worths, column), " of two optima, truth ", static_cast<double>(truth));
  }
  return "";
}

/// The list of trees near the best one, with an amount that is the distance of one of them.
inline std::string compare_near(const Case& given, const Result&) {
  Case c = without_asked(given);
  c.options.min_weight_fraction_leaf = 0;
  c.options.node_limit = -1;
  c.options.max_depth = std::min<std::int64_t>(c.options.max_depth, 2);
  const Result base = counted_fit(c);
  const auto oracle = NumberOracle::of(c, base, 2e4);
  if (!oracle || oracle->points().size() > 14 || !oracle->is_exact()) return "";
  const int places = oracle->points().places;
  const auto scaled = oracle->price() * std::pow(10.0L, places);
  if (std::abs(scaled - std::round(scaled)) > 1e-9L || (scaled < 0.5L && oracle->price() > 0)) return "";
  const auto price = static_cast<Whole>(std::round(scaled));
  ExactTrees trees(oracle->points(), oracle->limits(), oracle->all_columns());
  const auto all = trees.near(price, kNoTree);
  if (!all) return "";
  std::set<Whole> steps;
  for (const auto& [kind, loss] : *all) steps.insert(loss);
  auto end = steps.begin();
  std::advance(end, static_cast<std::ptrdiff_t>((c.data.rows() * 7 + c.data.features()) % std::min<std::size_t>(steps.size(), 6)));
  const Whole least = *steps.begin(), most = *end;
  const double within = static_cast<double>(oracle->points().value(most - least));
  std::vector<long double> truth, found;
  for (const auto& [kind, loss] : *all) {
    if (loss <= most) truth.push_back(oracle->points().value(loss));
  }
  const NearTrees near = near_trees(c.data, c.options, {within, 10'000, false});
  ++counts.nears;
  if (!near.complete()) return near.trees.size() >= 10'000 ? "" : "near: not complete";
  for (const Result& result : near.trees) {
    found.push_back(static_cast<long double>(result.objective) * oracle->scale());
    // The bound is that of the best tree.
    const auto digits = std::max(oracle->digits(result), oracle->digits(base));
    const std::string failure = oracle->against(result, oracle->points().value(least), oracle->price(), digits);
    if (!failure.empty()) return "near: " + failure;
  }
  if (found.size() != truth.size()) return sentence("near: ", found.size(), " trees within ", within, ", in truth ", truth.size());
  std::sort(truth.begin(), truth.end());
  std::sort(found.begin(), found.end());
  for (std::size_t i = 0; i < truth.size(); ++i) {
    if (std::abs(found[i] - truth[i]) > 1e-9L * (1 + std::abs(truth[i])))
      return sentence("near: a tree of ", static_cast<double>(found[i]), ", in truth ", static_cast<double>(truth[i]));
  }
  return "";
}

/// Corners of the lower left hull of whole points, by comparing all triples; the first number ascends, the second falls.
inline std::vector<std::pair<Whole, Whole>> hull_of(std::vector<std::pair<Whole, Whole>> points) {
  std::sort(points.begin(), points.end());
  std::vector<std::pair<Whole, Whole>> hull;
  for (const auto& point : points) {
    if (!hull.empty() && point.second >= hull.back().second) continue;
    while (hull.size() >= 2) {
      const auto &p = hull[hull.size() - 2], &q = hull.back();
      if ((q.second - p.second) * (point.first - p.first) < (point.second - p.second) * (q.first - p.first)) break;
      hull.pop_back();
    }
    hull.push_back(point);
  }
  return hull;
}

/// The complexity path, and the trees at its prices and one unit in the last place beside them.
inline std::string compare_path(const Case& given, const Result&) {
  Case c = without_asked(given);
  c.options.ccp_alpha = 0;
  c.options.alpha_scale = "errors";
  const Result base = counted_fit(c);
  const auto oracle = NumberOracle::of(c, base);
  if (!oracle) return "";
  const ComplexityPath path = complexity_path(c.data, c.options);
  ++counts.paths;
  const std::vector<Whole> losses = oracle->losses(oracle->all_columns());
  std::vector<std::pair<Whole, Whole>> points;
  for (std::size_t k = 0; k < losses.size(); ++k) points.emplace_back(static_cast<Whole>(k), losses[k]);
  const auto hull = hull_of(points);
  for (const PathPoint& point : path.points) {
    const long double price = static_cast<long double>(point.result.objective_function->price()) * oracle->scale();
    if (std::string failure = oracle->against(point.result, oracle->least_at(price, oracle->all_columns()), price); !failure.empty())
      return sentence("path at ", point.splits, " splits: ", failure);
  }
  if (path.status == Status::optimal && oracle->is_exact()) {
    if (path.points.size() != hull.size()) return sentence("path of ", path.points.size(), " corners, in truth ", hull.size());
    for (std::size_t i = 0; i < hull.size(); ++i) {
      const long double loss = path.points[i].result.cost.value_or(path.points[i].errors), truth = oracle->points().value(hull[i].second);
      if (path.points[i].splits != static_cast<std::int64_t>(hull[i].first) ||
          std::abs(loss - truth) > oracle->digits(path.points[i].result))
        return sentence("path: corner of ", path.points[i].splits, " splits at ", static_cast<double>(loss));
    }
  }
  if (is_unlimited(c.options) && oracle->tells_prices() && path.status != Status::optimal) return "path: not proved";
  for (std::size_t i = 0; i + 1 < hull.size() && i < 3; ++i) {
    const double tie = static_cast<double>(oracle->points().value(hull[i].second - hull[i + 1].second) /
                                           static_cast<long double>(hull[i + 1].first - hull[i].first));
    for (const double price : {tie, std::nextafter(tie, 0.0), std::nextafter(tie, 2 * tie)}) {
      c.options.ccp_alpha = price;
      const Result result = counted_fit(c);
      if (std::string failure = oracle->against(result, oracle->least_at(price, oracle->all_columns()), price); !failure.empty())
        return sentence("price ", price, " at a tie: ", failure);
      if (is_unlimited(c.options) && oracle->tells_prices() && result.status != Status::optimal)
        return sentence("price ", price, " at a tie: not proved");
    }
  }
  return "";
}

/// The trade-off between two kinds of errors: all corners where it is proved, and the certified line in any case.
inline std::string compare_trade_off(const Case& given, const Result&) {
  Case c = without_asked(given);
  c.options.ccp_alpha = c.options.min_weight_fraction_leaf = 0;
  if (!by_exact_search(c.options) || c.data.classes() != 2 || c.data.has_costs() || c.data.rows() > 40 || c.options.max_depth > 3)
    return "";
  if (!c.options.class_weight.empty()) return "";
  const std::optional<int> places = decimals(c.data.weights);
  if (!places || BruteForce(c.data).work(static_cast<int>(c.options.max_depth)) > 1e5) return "";
  const int full = (1 << c.options.max_depth) - 1;
  const int splits = c.options.max_splits < 0 ? full : static_cast<int>(std::min<std::int64_t>(full, c.options.max_splits));
  ErrorPairs pairs(c.data, 1, min_leaf_rows(c.options.min_samples_leaf, c.data.rows()));
  std::vector<std::pair<Whole, Whole>> points;
  for (int k = 0; k <= splits; ++k) {
    for (const ErrorPair& pair : pairs.best(static_cast<int>(c.options.max_depth), k))
      points.emplace_back(whole_of(pair.false_positives, *places), whole_of(pair.false_negatives, *places));
  }
  const auto hull = hull_of(points);
  const TradeOff found = trade_off(c.data, c.data.class_names[1], c.options);
  ++counts.trade_offs;
  const double last = 1e-9;
  for (std::size_t i = 0; i + 1 < found.frontier.size(); ++i) {
    const ErrorPair &p = found.frontier[i], &q = found.frontier[i + 1];
    const double a = p.false_negatives - q.false_negatives, b = q.false_positives - p.false_positives;
    for (const auto& [x, y] : hull) {
      const double at = a * (static_cast<double>(x) / std::pow(10, *places) - p.false_positives) +
                        b * (static_cast<double>(y) / std::pow(10, *places) - p.false_negatives);
      if (at < -last * (a * p.false_positives + b * p.false_negatives))
        return sentence("trade-off: a tree below the certified line, side ", i + 1);
    }
  }
  if (found.status != Status::optimal)
    return is_unlimited(c.options) && found.unsolved.empty() ? "trade-off: not proved, and it does not say why" : "";
  const double unit = std::pow(10, -*places);
  const bool is_exact = c.data.total_weight() / unit <= 1e6;  // else corners may be missing that are as near to an edge as last digits
  if (is_exact && found.corners.size() != hull.size())
    return sentence("trade-off of ", found.corners.size(), " corners, in truth ", hull.size());
  for (std::size_t i = 0; i < found.corners.size(); ++i) {
    const ErrorPair& errors = found.corners[i].errors;
    const std::pair<Whole, Whole> at(whole_of(errors.false_positives, *places), whole_of(errors.false_negatives, *places));
    if (is_exact ? at != hull[i] : std::find(points.begin(), points.end(), at) == points.end())
      return sentence("trade-off: corner ", i + 1, " at ", errors.false_positives, ", ", errors.false_negatives);
  }
  return "";
}

}  // namespace treewright::testing
