// The pool of `auto`: kinds of trees, depths, and what limits their complexity.
//
// All depths up to the user's take part, because a deep tree is not always better than a shallow one on new rows. A tree without splits
// takes part too. Costs of hyperplane trees are a decade apart. No range fits all data, so the grid has no end: if its first or last cost
// leads, `beyond` gives the next one. A logistic regression written as a tree has one depth: as many levels as its comparisons of two
// classes may take, within the user's.

#include "treewright/methods/auto/pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "treewright/grow/logistic_tree.h"
#include "treewright/methods/method.h"

namespace treewright::automatic {

namespace {

// Deeper trees are compared only by the greedy method, unless the classes need more leaves: there is one level more than they need, because
// a tree whose leaves are just enough has to give each class exactly one.
constexpr std::int64_t kDeepest = 4;
// Limit on subproblems of an exact search while settings are compared. Ten times as many cost five times as long and hardly change the
// tree.
constexpr std::int64_t kNodesToCompare = 2000;
// Up to so many classes one start of tao is enough: more find trees of fewer training errors, which were worse on new rows. With more
// classes the greedy start does not try all groups of classes, and often splits off one class after another; the second start is CART's
// tree.
constexpr std::size_t kFewClasses = 5;
constexpr double kLeastCost = 1e-6, kMostCost = 1e6;
constexpr double kWideCosts[] = {0.001, 0.01, 0.1, 1.0, 10.0};

}  // namespace

std::int64_t usual_depth(std::size_t classes) {
  return std::max(depth_for(classes, kDeepest), grow::comparison_levels(classes));
}

std::vector<Options> pool(const Options& base, std::size_t classes) {
  std::vector<Options> settings;
  const auto add = [&](const char* method, std::int64_t depth, double alpha, double cost, double least_leaf) {
    Options options = base;
    options.method = method;
    options.max_depth = depth;
    // The price of cart has another unit than the user's.
    if (base.ccp_alpha == 0 || options.method == "cart") options.ccp_alpha = alpha;
    options.svm_cost = cost;
    if (base.min_samples_leaf == 1) options.min_samples_leaf = least_leaf;
    options.restarts = std::min<std::int64_t>(base.restarts, options.method == "tao" && classes <= kFewClasses ? 0 : 1);
    if (options.method == "oct" && base.node_limit < 0) options.node_limit = kNodesToCompare;
    options.n_jobs = 1;
    if (base.split_kind == "axis" && !has_axis_splits(options)) return;
    const std::string name = name_of(options);
    if (std::none_of(settings.begin(), settings.end(), [&](const Options& other) { return name_of(other) == name; })) {
      settings.push_back(std::move(options));
    }
  };
  const std::int64_t deepest = std::min(base.max_depth, depth_for(classes, kDeepest));
  add("cart", base.max_depth, 0, 1, 1);
  if (deepest == 0) return settings;
  add("cart", base.max_depth, 0, 1, 5);
  add("cart", 0, 0, 1, 1);
  for (const double cost : kWideCosts) add("logistic-h", std::min(base.max_depth, grow::comparison_levels(classes)), 0, cost, 1);
  for (std::int64_t depth = 1; depth <= deepest; ++depth) {
    for (const double cost : kWideCosts) add("tao", depth, 0, cost, 1);
  }
  for (std::int64_t depth = 1; depth <= deepest; ++depth) {
    for (const double alpha : {0.0, 0.01, 0.03}) add("oct", depth, alpha, 1, 1);
    for (const double alpha : {0.0, 0.01}) add("oct", depth, alpha, 1, 5);
  }
  for (std::int64_t depth = 1; depth <= deepest; ++depth) {
    for (const double cost : {0.01, 0.1, 1.0, 10.0}) add("oct-h", depth, 0.01, cost, 1);
  }
  return settings;
}

bool has_axis_splits(const Options& setting) {
  return setting.method == "oct" || setting.method == "cart";
}

bool has_restarts(const Options& setting) {
  return !has_axis_splits(setting) && setting.method != "logistic-h";
}

std::optional<Options> beyond(const std::vector<Options>& settings, const Options& winner) {
  if (has_axis_splits(winner)) return {};
  double low = winner.svm_cost, high = winner.svm_cost;
  for (const Options& other : settings) {
    if (other.method != winner.method || other.max_depth != winner.max_depth || other.ccp_alpha != winner.ccp_alpha) continue;
    low = std::min(low, other.svm_cost);
    high = std::max(high, other.svm_cost);
  }
  Options next = winner;
  if (winner.svm_cost == low && low > kLeastCost) {
    next.svm_cost = low / 10;
  } else if (winner.svm_cost == high && high < kMostCost) {
    next.svm_cost = high * 10;
  } else {
    return {};
  }
  return next;
}

bool are_neighbors(const Options& a, const Options& b) {
  if (a.method != b.method) return false;
  constexpr double kRounding = 1e-6;
  const double distance = static_cast<double>(std::abs(a.max_depth - b.max_depth)) + std::abs(std::log10(a.svm_cost / b.svm_cost)) +
                          (a.ccp_alpha != b.ccp_alpha) + (a.min_samples_leaf != b.min_samples_leaf);
  return std::abs(distance - 1) < kRounding;
}

std::vector<std::pair<std::string, std::string>> differing(const Options& setting) {
  std::vector<std::string> names = {"max_depth", "min_samples_leaf", "ccp_alpha"};
  if (!has_axis_splits(setting)) names.push_back("svm_cost");
  if (has_restarts(setting)) names.push_back("restarts");
  std::vector<std::pair<std::string, std::string>> options;
  for (std::string& name : names) {
    std::string value = get_option(setting, name);
    options.emplace_back(std::move(name), std::move(value));
  }
  return options;
}

std::string name_of(const Options& setting) {
  std::string name = fmt::format("{} depth {}", setting.method, setting.max_depth);
  if (setting.ccp_alpha != 0) name += fmt::format(" alpha {:g}", setting.ccp_alpha);
  if (setting.min_samples_leaf != 1) name += fmt::format(" leaves of {:g}", setting.min_samples_leaf);
  return has_axis_splits(setting) ? name : name + fmt::format(" cost {:g}", setting.svm_cost);
}

}  // namespace treewright::automatic
