// The trade-off between two kinds of errors: an optimal tree for every ratio of what a false positive and a false negative cost.
//
// Idea. For prices a, b > 0 the cost a FP + b FN of a tree is linear in the point (FP, FN). So the trees that are optimal for some prices
// are the corners of the lower left convex hull of the points of all trees within the limits. A fit with class weights a (negative rows)
// and b (positive rows) minimizes exactly this cost. The hull is found as in complexity_path.cpp (the dichotomic scheme of Aneja and Nair
// 1979 for two objectives): between two known neighbors p and q, solve at the prices at which both cost the same,
//   a = FN(p) - FN(q),  b = FP(q) - FP(p).
// If nothing is cheaper, no tree lies below the line through p and q. Otherwise the new tree lies strictly below it.
//
// Ends. The leaf that says no to every row has FP = 0, and the leaf that says yes has FN = 0. They begin the hull without a solve. A tree
// with FN = 0 and fewer false positives lies below some later line, so it is found and replaces the leaf; so does FP = 0.
//
// Number of solves. A solve at prices that are the normal of no edge of the final hull has one corner as its only optimum. That corner was
// not known, since it lies strictly below the line. A solve at the normal of an edge proves that edge, and is not repeated. So k corners
// need at most k + (k - 1) solves. Where rows count in whole numbers, an edge needs no solve if no whole point is left below it.
//
// What is certified. Every solve, also one that a limit stopped, has a lower bound: no tree has a FP + b FN below it. This is a half-plane.
// The certified line bounds the intersection of all of them (certified_line.h). When all edges are proved, its corners are the trees'.
//
// Which solve is next. That between the neighbors whose triangle above the certified line is largest. So a stopped run is certain to about
// the same degree everywhere. It begins with the trees at both ends of its edge: none that is known costs less. A limit gives each solve a
// quarter of the remaining time, and a stopped solve is not repeated.
//
// Exactness. Where row weights are whole multiples of a unit (whole_weights.h), points are counted in these units, and prices are whole
// numbers without a common divisor: all comparisons are exact. Else a sum of n weights is off by n last digits of its own, and sums closer
// than that are equal. Digits of all weights would be too much: some rows may weigh more than all that trees differ by. Bounds are off by
// more, since prices round weights once more. So an edge is proved where the solve at its prices was and found nothing below it. The
// certified line stays that of the bounds where the digits of all weights are more than half a unit.
//
// Which trees. The limits must not depend on the prices: the least weight of a leaf would, so it is refused. The least number of rows of a
// leaf does not. Nor do the sets of levels that split a category of many levels (search/items/split_family.cpp): their order by the share
// of a class is the same for all prices, and so is the part of a class that a level has.

#include "treewright/trade_off.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>

#include "treewright/base/deadline.h"
#include "treewright/base/did_you_mean.h"
#include "treewright/base/error.h"
#include "treewright/data/costs/costs.h"
#include "treewright/data/costs/whole_weights.h"
#include "treewright/fit/registry.h"
#include "treewright/probabilities.h"
#include "treewright/select/certified_line.h"
#include "treewright/select/path_trainer.h"
#include "treewright/select/stated_options.h"
#include "treewright/task/objective.h"
#include "treewright/tree/aligned.h"
#include "treewright/tree/measures.h"

namespace treewright {

namespace {

// Whole points and prices stay exact in doubles up to this total, and the weights of rows times prices within what training accepts.
constexpr double kLargestWhole = 1e6;
// Prices that differ more, times the total weight, are no weights to train with (Dataset::validate_for_training).
constexpr double kLargestRatio = 0.5e12;

// Prices of a false positive and of a false negative.
struct Prices {
  double a = 1, b = 1;
  bool operator<(const Prices& other) const { return a != other.a ? a < other.a : b < other.b; }
  double of(const ErrorPair& p) const { return a * p.false_positives + b * p.false_negatives; }
};

// The prices at which both ends of an edge of the hull cost the same, and this cost.
struct Edge {
  Prices prices;
  double level;
};

struct Point {
  ErrorPair errors;                      // in units
  std::shared_ptr<const Result> result;  // none: a leaf that was not trained
  Prices prices = {};                    // of its solve
};

class TradeOffSearch {
 public:
  TradeOffSearch(const Dataset& data, std::int32_t positive, const Options& options, const FitHooks& hooks, const TradeOffListener& told)
      : data_(data),
        positive_(positive),
        options_(unverified(only_read(options))),
        hooks_(hooks),
        told_(told),
        weights_(whole_weights(data)) {
    options_ = with_depth(options_, data);
    const double total = data.total_weight() / weights_.unit;
    whole_ = weights_.rounding == 0 && total <= kLargestWhole;
    unit_ = whole_ ? weights_.unit : 1;
    constexpr double kOfPrices = 8;  // last digits
    last_digits_ = (static_cast<double>(data.rows()) + kOfPrices) * std::numeric_limits<double>::epsilon();
    tells_units_ = weights_.rounding == 0 && last_digits_ * data.total_weight() < 0.5 * weights_.unit;
    double least = std::numeric_limits<double>::infinity();
    for (const double weight : data.weights) least = weight > 0 ? std::min(least, weight) : least;
    const double smallest = data.weights.empty() ? 1 : least;
    most_ratio_ = kLargestRatio * smallest / data.total_weight();
    for (const bool yes : {false, true}) points_.push_back({leaf_errors(yes), nullptr, {}});
  }

  TradeOff find() {
    while (going()) {
      const std::optional<Edge> next = largest_gap();
      if (!next) break;
      solve(next->prices, next->level);
      if (told_) told_(solves_, points_.size());
    }
    return stated();
  }

 private:
  ErrorPair leaf_errors(bool yes) const {
    ErrorPair errors;
    for (std::size_t row = 0; row < data_.rows(); ++row) {
      const bool is = data_.labels[row] == positive_;
      if (is != yes) (yes ? errors.false_positives : errors.false_negatives) += weight(row);
    }
    return errors;
  }

  double weight(std::size_t row) const { return whole_ ? weights_.of(row) : data_.weight(row); }

  ErrorPair count(const Tree& tree) const {
    const std::vector<std::int32_t> predicted = tree.predict(data_);
    ErrorPair errors;
    for (std::size_t row = 0; row < data_.rows(); ++row) {
      if (predicted[row] == data_.labels[row]) continue;
      (data_.labels[row] == positive_ ? errors.false_negatives : errors.false_positives) += weight(row);
    }
    return errors;
  }

  // What sums or costs differ by at least that are not equal to this one.
  double digits(double of) const {
    if (whole_) return 0.5;
    return weights_.rounding == 0 ? std::min(0.5 * weights_.unit, last_digits_ * of) : last_digits_ * of;
  }

  bool going() {
    if (clock_.elapsed() >= options_.time_limit && stopped_ == Status::optimal) stopped_ = Status::time_limit;
    return stopped_ != Status::interrupted && clock_.elapsed() < options_.time_limit;
  }

  // The prices at which two neighbors cost the same.
  Prices tie(const ErrorPair& p, const ErrorPair& q) const {
    const double a = p.false_negatives - q.false_negatives, b = q.false_positives - p.false_positives;
    const double divisor =
        whole_ ? static_cast<double>(std::gcd(static_cast<std::int64_t>(a), static_cast<std::int64_t>(b))) : std::max(a, b);
    return {a / divisor, b / divisor};
  }

  // The prices to solve at next: of the open edges, that with most room between it and the certified line. None: all are proved or were
  // tried.
  std::optional<Edge> largest_gap() {
    std::optional<Edge> next;
    double largest = 0;
    const std::vector<ErrorPair> corners = line_.corners();
    for (std::size_t i = 0; i + 1 < points_.size(); ++i) {
      const ErrorPair &p = points_[i].errors, &q = points_[i + 1].errors;
      const Prices prices = tie(p, q);
      if (bounds_.count(prices) > 0 || is_proved(p, q)) continue;
      // Twice the area of the triangle: as if the prices were not divided by their divisor.
      const double height = prices.of(p) - select::least_cost(corners, prices.a, prices.b);
      const double area = height * (q.false_positives - p.false_positives) / prices.b;
      if (!next || area > largest) largest = area, next = Edge{prices, prices.of(p)};
    }
    return next;
  }

  // Whether no tree lies strictly below the line from p to q.
  bool is_proved(const ErrorPair& p, const ErrorPair& q) {
    const Prices prices = tie(p, q);
    const double level = prices.of(p);
    const auto solved = bounds_.find(prices);
    if (solved != bounds_.end() && solved->second >= level - digits(level)) return true;
    if (!whole_) return level - select::least_cost(line_.corners(), prices.a, prices.b) <= digits(level);
    const std::array<double, 4> edge = {p.false_positives, p.false_negatives, q.false_positives, q.false_negatives};
    if (empty_.count(edge) == 0 && !whole_point_below(p, q)) empty_.insert(edge);
    return empty_.count(edge) > 0;
  }

  // Whether a whole point may lie above the certified line and strictly below the line from p to q.
  bool whole_point_below(const ErrorPair& p, const ErrorPair& q) const {
    const Prices prices = tie(p, q);
    const double level = prices.of(p);
    for (double x = p.false_positives; x <= q.false_positives; ++x) {
      const double y = std::ceil(line_.least_false_negatives(x) - 1e-9);
      if (prices.a * x + prices.b * y < level) return true;
    }
    return false;
  }

  std::string class_weights(const Prices& prices) const {
    const std::size_t yes = static_cast<std::size_t>(positive_), no = 1 - yes;
    return fmt::format("{}={},{}={}", data_.class_names[no], prices.a, data_.class_names[yes], prices.b);
  }

  void solve(const Prices& prices, double level) {
    double& bound = bounds_[prices];
    if (std::max(prices.a, prices.b) > most_ratio_ * std::min(prices.a, prices.b)) {
      if (stopped_ == Status::optimal) stopped_ = Status::heuristic;
      unsolved_ =
          fmt::format("a ratio of {:.3g} cannot be trained at: beside these row weights, class weights may differ by a factor of {:.3g}",
                      prices.b / prices.a, most_ratio_);
      return;
    }
    Options limited = options_;
    limited.class_weight = class_weights(prices);
    limited.time_limit = std::max(0.0, options_.time_limit - clock_.elapsed()) / 4;
    FitHooks hooks = hooks_;
    for (const Point& point : points_) {  // the two ends of the edge are the cheapest trees known
      const bool is_end = std::abs(prices.of(point.errors) - level) <= digits(level);
      if (point.result && is_end) hooks.starts.push_back(&point.result->tree);
    }
    const auto result = std::make_shared<const Result>(fit(data_, limited, hooks));
    ++solves_;
    const Point found{count(result->tree), result, prices};
    const bool optimal = result->status == Status::optimal;
    if (!optimal && stopped_ != Status::interrupted) stopped_ = result->status;
    const double certain = result->bound * result->objective_function->error_scale() / unit_ * (1 - 1e-12);
    bound = optimal ? prices.of(found.errors) : certain;
    line_.add(prices.a, prices.b, whole_ ? bound : certain);
    points_.push_back(found);
    keep_hull();
  }

  // Sorts the points and keeps the corners of their hull.
  void keep_hull() {
    std::stable_sort(points_.begin(), points_.end(), [](const Point& x, const Point& y) {
      const ErrorPair &p = x.errors, &q = y.errors;
      return p.false_positives != q.false_positives ? p.false_positives < q.false_positives : p.false_negatives < q.false_negatives;
    });
    std::vector<Point> hull;
    for (Point& point : points_) {
      const double positives = point.errors.false_positives, negatives = point.errors.false_negatives;
      const auto has_fewer = [&](const ErrorPair& left) { return negatives < left.false_negatives - digits(left.false_negatives); };
      const auto is_right_of = [&](const ErrorPair& left) { return positives > left.false_positives + digits(positives); };
      if (!hull.empty() && !has_fewer(hull.back().errors)) continue;
      while (!hull.empty() && !is_right_of(hull.back().errors)) hull.pop_back();
      while (hull.size() >= 2 && !is_below(hull[hull.size() - 2].errors, hull.back().errors, point.errors)) hull.pop_back();
      hull.push_back(std::move(point));
    }
    points_ = std::move(hull);
  }

  // Whether a point lies strictly below the line through p and q.
  bool is_below(const ErrorPair& p, const ErrorPair& point, const ErrorPair& q) const {
    const Prices prices = tie(p, q);
    return prices.of(point) < prices.of(p) - digits(prices.of(p));
  }

  TradeOff stated() {
    TradeOff out;
    bool proved = true;
    for (std::size_t i = 0; i + 1 < points_.size(); ++i) proved = proved && is_proved(points_[i].errors, points_[i + 1].errors);
    status_ = out.status = proved ? Status::optimal : stopped_ == Status::optimal ? Status::heuristic : stopped_;
    if (status_ == Status::heuristic) out.unsolved = unsolved_;
    out.solves = solves_;
    out.whole = whole_ && unit_ == std::floor(unit_);
    out.positive = positive_;
    out.frontier = line_.corners();
    for (ErrorPair& corner : out.frontier) corner.false_positives *= unit_, corner.false_negatives *= unit_;
    const double inf = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const bool first = i == 0, last = i + 1 == points_.size();
      const Prices low = first ? Prices{1, 0} : tie(points_[i - 1].errors, points_[i].errors);
      const Prices high = last ? Prices{0, 1} : tie(points_[i].errors, points_[i + 1].errors);
      TradeOffCorner& corner = out.corners.emplace_back();
      corner.errors = {points_[i].errors.false_positives * unit_, points_[i].errors.false_negatives * unit_};
      corner.ratio_low = low.b / low.a;
      corner.ratio_high = last ? inf : high.b / high.a;
      const bool restated = status_ == Status::optimal || !points_[i].result;
      const Prices prices = restated ? trainable(within(low, high)) : points_[i].prices;
      corner.prices = {prices.a, prices.b};
      corner.result = stated(points_[i], prices);
    }
    if (status_ == Status::optimal && tells_units_) {
      out.frontier.clear();
      for (const TradeOffCorner& corner : out.corners) out.frontier.push_back(corner.errors);
    }
    return out;
  }

  // Prices between two others, where the tree between two edges costs less than all others. The ends have no edge on one side: there a
  // ratio of half or twice that of the edge.
  Prices within(const Prices& low, const Prices& high) const {
    Prices sum{low.a + high.a, low.b + high.b};
    if (low.b == 0 && high.a > 0) sum = {2 * high.a, high.b};
    if (high.a == 0 && low.b > 0) sum = {low.a, 2 * low.b};
    if (!whole_) return sum;
    const auto divisor = static_cast<double>(std::gcd(static_cast<std::int64_t>(sum.a), static_cast<std::int64_t>(sum.b)));
    return {sum.a / divisor, sum.b / divisor};
  }

  // The nearest prices that are weights to train with. Those of proved edges are, so between two of them nothing changes.
  Prices trainable(Prices prices) const {
    prices.a = std::max(prices.a, prices.b / most_ratio_);
    prices.b = std::max(prices.b, prices.a / most_ratio_);
    return prices;
  }

  // The result of a point, with claims at these prices where all is proved, or else at those of its solve.
  Result stated(const Point& point, const Prices& prices) const {
    if (!point.result) return stated_leaf(prices);
    return status_ == Status::optimal ? proved_at(*point.result, prices) : *point.result;
  }

  // A leaf that was not trained: without splits it is the best tree at these prices.
  Result stated_leaf(const Prices& prices) const {
    Options leaf = options_;
    leaf.max_splits = 0;
    leaf.time_limit = std::numeric_limits<double>::infinity();
    leaf.class_weight = class_weights(prices);
    Result result = fit(data_, leaf);
    result.max_splits = options_.max_splits;
    if (status_ == Status::optimal) return proved_at(std::move(result), prices);
    state_options(result, leaf.class_weight);
    const double bound = select::least_cost(line_.corners(), prices.a, prices.b) * unit_ * (1 - 1e-12);
    result.bound = std::min(result.objective, bound / result.objective_function->error_scale());
    result.status = stopped_;
    result.proved = "no tree within the limits has an objective below the bound, by bounds for other class weights";
    return result;
  }

  // Optimal at the prices of both neighboring edges, so by linearity between them.
  Result proved_at(Result result, const Prices& prices) const {
    Options options = options_;
    options.class_weight = class_weights(prices);
    Dataset weighted = data_;
    apply_class_weights(weighted, options.class_weight);
    const ErrorObjective objective = ErrorObjective::from(options, weighted);
    state_options(result, options.class_weight);
    result.tree.tally(weighted);
    result.tree.shrinkage = usual_shrinkage(weighted);
    result.total_weight = weighted.total_weight();
    result.errors = count_errors(result.tree, weighted);
    result.objective = result.bound = objective.value(result.errors, result.tree.terms());
    result.objective_function = std::make_shared<ErrorObjective>(objective);
    result.status = Status::optimal;
    result.proved = "no tree within the limits costs less, for all ratios of class weights up to both neighbors on the trade-off";
    result.history.clear();
    return result;
  }

  // The options that differ from those of a solve: as the caller gave them.
  void state_options(Result& result, const std::string& class_weight) const {
    Options stated = options_;
    stated.class_weight = class_weight;
    select::state_options(result, stated, {"max_splits", "time_limit", "class_weight"});
  }

  const Dataset& data_;
  const std::int32_t positive_;
  Options options_;
  const FitHooks& hooks_;
  const TradeOffListener& told_;
  const WholeWeights weights_;
  const Deadline clock_;
  bool whole_ = true;         // points are whole multiples of unit_
  double unit_ = 1;           // what a point's count of 1 weighs
  double last_digits_ = 0;    // by so large a share of itself a sum of weights may be off
  bool tells_units_ = false;  // no sum of weights is off by half a unit
  double most_ratio_ = 1;     // of prices to train with
  std::int64_t solves_ = 0;
  Status stopped_ = Status::optimal;  // what stopped a solve, or the run
  std::string unsolved_;              // why prices were not solved at
  Status status_ = Status::optimal;   // of the whole
  std::vector<Point> points_;         // corners of the hull, fewest false positives first
  select::CertifiedLine line_;
  std::map<Prices, double> bounds_;        // of the solves
  std::set<std::array<double, 4>> empty_;  // edges with no whole point left below them
};

std::int32_t positive_class(const Dataset& data, const std::string& name) {
  if (name.empty()) return 1;
  const auto found = std::find(data.class_names.begin(), data.class_names.end(), name);
  if (found != data.class_names.end()) return static_cast<std::int32_t>(found - data.class_names.begin());
  throw Error(fmt::format("target '{}'", data.target_name), fmt::format("has no class '{}'{}", name, did_you_mean(name, data.class_names)),
              fmt::format("the classes are '{}' and '{}'", data.class_names[0], data.class_names[1]));
}

void refuse(bool wrong, const char* option, const char* problem, const char* fix) {
  if (wrong) throw option_error(option, problem, fix);
}

}  // namespace

TradeOff trade_off(const Dataset& data, std::string_view positive, const Options& options, const FitHooks& hooks,
                   const TradeOffListener& told) {
  select::check_proves_many(options, "the trade-off needs trees that are proved, for any weights of the classes");
  refuse(options.ccp_alpha != 0, "ccp_alpha", "the trade-off has no price of a split", "leave it out, or limit splits with max_splits");
  refuse(!options.class_weight.empty(), "class_weight", "the trade-off goes through all ratios of class weights", "leave it out");
  refuse(options.min_weight_fraction_leaf != 0, "min_weight_fraction_leaf", "the weight of a leaf depends on the ratio of class weights",
         "use min_samples_leaf");
  data.validate_for_training();
  need_classes(data);
  refuse_costs(data, "the trade-off");
  if (data.classes() != 2) {
    throw Error(fmt::format("target '{}'", data.target_name), fmt::format("has {} classes, and a trade-off has two", data.classes()),
                "merge all classes but one with one_against_rest");
  }
  return TradeOffSearch(data, positive_class(data, std::string(positive)), options, hooks, told).find();
}

}  // namespace treewright
