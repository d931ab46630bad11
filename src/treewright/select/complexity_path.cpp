// The complexity path: the trees that are optimal for some price of a term (Tree::terms: a split, or a feature of a hyperplane). BD17 finds
// them with one model for each number of splits C = 1, 2, ..., 2^D - 1 (sec. 3), and for hyperplanes with one for each number of features
// 1, 2, ..., p (2^D - 1) (sec. 4.3).
//
// Idea. For every tree, errors + price * terms is linear in the price. So its minimum over all trees is concave and piecewise linear in
// the price. The trees that attain it are the corners of the lower convex hull of the points (terms, errors). Between two known corners a
// and b, solve at the price at which both cost the same. If nothing is cheaper, a and b are neighboring corners. Otherwise the new tree
// lies strictly below the line through a and b, and the search continues on both sides of it. Every solve finds a corner or shows that two
// corners are neighbors, so there are at most twice as many solves as corners. BD17 needs as many solves as a full tree has terms. Corners
// that differ by one term need no solve: a tree below their line would need a number of terms between theirs.
//
// Ends. At a price above the errors of the root alone, no split pays. At price 0 the errors are smallest. That tree may have terms it does
// not need; then the corner with equal errors and fewer terms lies below a later line and replaces it. If all weights are whole numbers, a
// price so low that all terms together cost less than one error finds that corner at once.
//
// A heuristic (oct-h) may miss corners. Then the path is the hull of the trees that it found, and each interval of alpha is the one in
// which no other tree of the path is better.
//
// Costs. Where labels have costs, a tree's cost takes the place of its errors. Nothing above asks what it counts: for every tree, cost +
// price * terms is linear in the price. Costs of two trees differ by a sum of gains (data/costs), so they are whole where the gains
// are.
//
// Numbers. The loss of a tree that predicts numbers takes the place of its errors in the same way, and the price is a share of what the
// tree without splits loses. Losses are known to a billionth of that.
//
// Every tree found is a start of the later solves (BD17's pool of warm starts).
//
// Under a time limit a solve may take a quarter of the remaining time. Then the path continues with the best tree of that solve, so one
// difficult price does not cost the path all others.

#include "treewright/tune.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "treewright/base/deadline.h"
#include "treewright/base/error.h"
#include "treewright/data/costs/costs.h"
#include "treewright/data/costs/whole_weights.h"
#include "treewright/data/scaling.h"
#include "treewright/fit/registry.h"
#include "treewright/fit/training_rows.h"
#include "treewright/grow/cost_complexity.h"
#include "treewright/select/path_trainer.h"
#include "treewright/select/stated_options.h"
#include "treewright/task/loss_objective.h"
#include "treewright/task/objective.h"
#include "treewright/tree/aligned.h"

namespace treewright {

namespace {

struct Corner {
  std::int64_t terms;
  double loss;  // errors, or the cost of the labels, or what a tree of numbers loses
  Result result;

  explicit Corner(Result from)
      : terms(static_cast<std::int64_t>(from.tree.terms())),
        loss(from.loss.value_or(from.cost.value_or(from.errors))),
        result(std::move(from)) {}
};

// How the loss of trees on these rows is added up.
struct LossOfRows {
  double tolerance = 0;  // losses closer than this are equal
  bool whole = false;    // losses of two trees differ by whole numbers

  LossOfRows(const Dataset& data, double scale) {
    if (data.response) {
      tolerance = 2 * LossObjective::kOptimal * scale;
      return;
    }
    if (!data.has_costs()) {
      tolerance = sum_tolerance(data, whole_weights(data));
      whole = are_whole(data);
      return;
    }
    const GainsTable table = gains_table(data);
    tolerance = table.rounding;
    whole = are_whole(table.rows);
  }

  // A price beside weights without a common unit may vanish.
  static bool are_whole(const Dataset& rows) {
    return whole_weights(rows).rounding == 0 &&
           std::ranges::all_of(rows.weights, [](double weight) { return weight == std::floor(weight); });
  }
};

// What an alpha of 1 costs in units of the loss.
double scale_of(const Options& options, const Dataset& data) {
  if (data.response) return LossObjective::kind_of(data.response->loss).from_options(options, data)->error_scale();
  return loss_scale(options, data);
}

// The price at which both cost the same.
double tie(const Corner& fewer, const Corner& more) {
  return (fewer.loss - more.loss) / static_cast<double>(more.terms - fewer.terms);
}

class Path {
 public:
  Path(const Dataset& data, const Options& options, const FitHooks& hooks, const select::PathTrainer& train)
      : data_(data), options_(options), alpha_scale_(options.alpha_scale), hooks_(hooks), train_(train), scale_(scale_of(options, data)) {
    options_.class_weight.clear();
    if (!data.response) options_ = unverified(options_);
    // In units of what the best single label loses, every relevant price lies within 0..1, and so within the option's range.
    options_.alpha_scale = "majority-errors";
    root_errors_ = scale_of(options_, data);
    const LossOfRows loss(data, root_errors_);
    tolerance_ = loss.tolerance;
    if (loss.whole) least_price_ = 0.5 / (static_cast<double>(data.rows()) * static_cast<double>(method_of(options).most_terms(data)));
  }

  ComplexityPath find() {
    const Corner root(solve(2 * root_errors_));
    corners_.push_back(root);
    if (going()) {
      const Corner full(solve(least_price_));
      if (full.loss < root.loss - tolerance_) {
        corners_.push_back(full);
        if (going()) close_gap(root, full);
      }
    }
    keep_hull();
    return stated();
  }

 private:
  Result solve(double price) {
    options_.ccp_alpha = price / root_errors_;
    Options limited = options_;
    const double left = options_.time_limit - clock_.elapsed();
    limited.time_limit = std::max(0.0, left / 4);
    FitHooks hooks = hooks_;
    const auto cost = [price](const Corner& corner) { return corner.loss + price * static_cast<double>(corner.terms); };
    const auto best = std::min_element(corners_.begin(), corners_.end(), [&](auto& x, auto& y) { return cost(x) < cost(y); });
    if (best != corners_.end()) hooks.starts.push_back(&best->result.tree);
    Result result = train_(data_, limited, hooks);
    if (result.status != Status::optimal && status_ != Status::interrupted) status_ = result.status;
    return result;
  }

  // A solve that reached its own limit leaves the path incomplete, but does not end it.
  bool going() {
    const bool over = clock_.elapsed() >= options_.time_limit;
    if (over && status_ == Status::optimal) status_ = Status::time_limit;
    return status_ != Status::interrupted && !over;
  }

  // Adds the corners strictly between two corners.
  void close_gap(const Corner& a, const Corner& b) {
    if (b.terms - a.terms < 2) return;
    const double price = tie(a, b);
    const Corner found(solve(price));
    const double line = a.loss + price * static_cast<double>(a.terms);
    const bool below = found.loss + price * static_cast<double>(found.terms) < line - tolerance_;
    if (!below || found.terms <= a.terms || found.loss >= a.loss) return;
    corners_.push_back(found);
    if (going()) close_gap(a, found);
    if (going() && found.terms < b.terms && found.loss > b.loss + tolerance_) close_gap(found, b);
  }

  // Removes points that are not on the hull: the tree of price 0 if it has unnecessary terms and, after a stop or with a heuristic,
  // trees that later trees improve on.
  void keep_hull() {
    std::vector<Corner> hull;
    std::stable_sort(corners_.begin(), corners_.end(),
                     [](const Corner& x, const Corner& y) { return x.terms != y.terms ? x.terms < y.terms : x.loss < y.loss; });
    for (Corner& corner : corners_) {
      if (!hull.empty() && corner.loss >= hull.back().loss - tolerance_) continue;
      while (hull.size() >= 2 && tie(hull[hull.size() - 2], hull.back()) <= tie(hull.back(), corner)) hull.pop_back();
      hull.push_back(std::move(corner));
    }
    corners_ = std::move(hull);
  }

  ComplexityPath stated() {
    ComplexityPath path;
    path.status = status_;
    for (std::size_t i = 0; i < corners_.size(); ++i) {
      PathPoint& point = path.points.emplace_back();
      const bool first = i == 0, last = i + 1 == corners_.size();
      const double high = first ? std::numeric_limits<double>::infinity() : tie(corners_[i - 1], corners_[i]);
      const double low = last ? 0 : tie(corners_[i], corners_[i + 1]);
      point.splits = static_cast<std::int64_t>(corners_[i].result.tree.splits());
      point.errors = corners_[i].result.errors;
      point.alpha_low = low / scale_;
      point.alpha_high = high / scale_;
      point.result = std::move(corners_[i].result);
      Result& result = point.result;
      // Optimal at both ends of the interval, so by linearity within.
      const bool proved = status_ == Status::optimal;
      const double price = first ? 2 * low : (low + high) / 2;
      const double alpha = proved ? price / scale_ : result.objective_function->price() * (root_errors_ / scale_);
      state_objective(result, alpha);
      result.bound = proved ? result.objective : result.bound * (root_errors_ / scale_);
      state_price(result, alpha);
    }
    return path;
  }

  void state_objective(Result& result, double alpha) const {
    if (result.loss) {
      const LossObjective objective(*result.tree.loss, alpha, scale_);
      result.objective = objective.value(*result.loss, result.tree.splits());
      result.objective_function = std::make_shared<LossObjective>(objective);
      return;
    }
    if (!result.cost) {
      const ErrorObjective objective(alpha, scale_);
      result.objective = objective.value(result.errors, result.tree.terms());
      result.objective_function = std::make_shared<ErrorObjective>(objective);
      return;
    }
    const auto objective = std::make_shared<CostObjective>(alpha, scale_, data_.costs);
    result.objective = objective->value(*result.cost, result.tree);
    result.objective_function = objective;
  }

  // The options say what the objective has, as after a single fit.
  void state_price(Result& result, double alpha) const {
    Options stated = options_;
    stated.ccp_alpha = alpha;
    stated.alpha_scale = alpha_scale_;
    select::state_options(result, stated, {"ccp_alpha", "alpha_scale"});
  }

  const Dataset& data_;
  Options options_;
  const std::string alpha_scale_;  // the caller's
  const FitHooks& hooks_;
  const select::PathTrainer& train_;
  const Deadline clock_;
  double scale_;  // unit of the alpha that the caller sees
  double root_errors_ = 0;
  double tolerance_ = 0;    // sums of real weights closer than this are equal
  double least_price_ = 0;  // below every price at which two trees of different loss tie
  Status status_ = Status::optimal;
  std::vector<Corner> corners_;
};

// Alphas of impurity that are nearer are equal but for rounding.
constexpr double kAlphaRounding = 1e-12;

// The prunings of one grown tree: one fit inside each interval of alpha.
ComplexityPath cart_path(const Dataset& data, Options options, const FitHooks& hooks, const select::PathTrainer& train) {
  options.class_weight.clear();
  Options full = options;
  full.ccp_alpha = 0;
  full.max_splits = -1;
  Tree grown = train(data, full, hooks).tree;
  if (data.has_costs()) grown.tally(gains_table(data).rows);  // as it was grown
  std::vector<double> alphas = grow::cost_complexity_path(grown, grow::criterion_named(options.criterion)).ccp_alphas;
  alphas.push_back(std::numeric_limits<double>::infinity());
  ComplexityPath path;
  path.status = Status::heuristic;
  for (std::size_t i = alphas.size() - 1; i-- > 0;) {
    const double low = std::max(0.0, alphas[i]), high = alphas[i + 1];
    if (!(high - low > kAlphaRounding)) {
      if (!path.points.empty()) path.points.back().alpha_low = low;
      continue;
    }
    options.ccp_alpha = std::isfinite(high) ? (low + high) / 2 : std::max(1.0, 2 * low);
    PathPoint point;
    point.result = train(data, options, hooks);
    point.splits = static_cast<std::int64_t>(point.result.tree.splits());
    point.errors = point.result.errors;
    point.alpha_low = low;
    point.alpha_high = high;
    if (!path.points.empty() && point.splits == path.points.back().splits) {
      path.points.back().alpha_low = low;  // max_splits trims both to one tree
    } else {
      path.points.push_back(std::move(point));
    }
  }
  return path;
}

}  // namespace

bool has_path(std::string_view method) {
  return method_named(method).path != AlphaPath::none;
}

ComplexityPath complexity_path(const Dataset& data, const Options& options, const FitHooks& hooks) {
  return select::path_by(data, options, hooks, fit);
}

void select::check_serves_many(const Options& options) {
  const auto refuse = [](const std::string& value, const char* name, const char* fix) {
    if (!value.empty()) throw option_error(name, "serves the training of one tree, and here many are trained", fix);
  };
  refuse(options.checkpoint, "checkpoint", "leave it out; tune has a checkpoint of its own");
  refuse(options.first_column, "first_column", "leave it out");
  refuse(options.top, "top", "leave it out");
  refuse(options.never_columns, "never_columns", "leave the columns out of the data");
  refuse(options.column_costs, "column_costs", "leave it out");
  if (options.max_columns >= 0) throw option_error("max_columns", "cannot be used where many trees are trained", "leave it out");
}

void select::check_proves_many(const Options& options, const char* why) {
  check_options(options);
  if (!method_of(options).reads_option("proof")) throw option_error("method", why, "use oct, the exact search");
  check_read(options, {"time_limit"});
  check_serves_many(options);
}

ComplexityPath select::path_by(const Dataset& data, const Options& options, const FitHooks& hooks, const select::PathTrainer& train) {
  check_options(options);
  check_read(options, {"time_limit"});
  check_serves_many(options);
  data.validate_for_training();
  const Method& method = method_of(options);
  if (data.has_costs()) check_takes_costs(data, options, method);
  if (data.response) check_takes_numbers(*data.response, options, method);
  Dataset weighted;
  const Dataset* used = &data;
  if (!options.class_weight.empty()) {
    weighted = data;
    apply_class_weights(weighted, options.class_weight);
    weighted.validate_for_training();
    used = &weighted;
  }
  const Options read = only_read(decided(options));
  if (method.path == AlphaPath::none) return select::single_tree(data, read, hooks, train);
  return method.path == AlphaPath::pruned ? cart_path(*used, read, hooks, train) : Path(*used, read, hooks, train).find();
}

ComplexityPath select::single_tree(const Dataset& data, const Options& options, const FitHooks& hooks, const select::PathTrainer& train) {
  PathPoint point;
  point.result = train(data, options, hooks);
  point.splits = static_cast<std::int64_t>(point.result.tree.splits());
  point.errors = point.result.errors;
  point.alpha_high = std::numeric_limits<double>::infinity();
  ComplexityPath path;
  path.status = point.result.status;
  path.points.push_back(std::move(point));
  return path;
}

}  // namespace treewright
