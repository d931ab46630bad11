#include "treewright/result.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "treewright/base/equal_sums.h"
#include "treewright/data/costs/costs.h"
#include "treewright/task/cost_objective.h"
#include "treewright/task/loss_objective.h"
#include "treewright/task/objective.h"
#include "treewright/tree/aligned.h"
#include "treewright/tree/measures.h"
#include "treewright/tree/split_columns.h"

namespace treewright {

ObjectivePtr plain_errors() {
  return std::make_shared<ErrorObjective>();
}

const std::string* Result::option(std::string_view name) const {
  const auto found = std::find_if(options.begin(), options.end(), [&](const auto& option) { return option.first == name; });
  return found == options.end() ? nullptr : &found->second;
}

bool Result::weighted() const {
  return unequal_weights || total_weight != static_cast<double>(rows) || option("class_weight") != nullptr;
}

double Result::explained() const {
  const double of_root = tree.node(Tree::root()).estimate.loss;
  return loss && of_root > 0 ? 1 - *loss / of_root : 0;
}

double Result::gap() const {
  return std::max(0.0, objective - bound) / std::max(std::abs(objective), 1e-10);
}

namespace {

bool all_equal(const std::vector<double>& a, const std::vector<double>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), equal_sums);
}

// The claims of a result against a recount; what does not hold is collected.
class Recount {
 public:
  Recount(const Result& result, const Dataset& data)
      : result_(result), data_(data), function_(*result.objective_function), costs_(as_costs(function_)) {}

  std::vector<std::string> broken() && {
    check_origin();
    if (result_.tree.loss) {
      check_loss();
    } else {
      check_errors();
    }
    if (std::string fault = costs_ == nullptr ? "" : costs_->unfit_for(data_); !fault.empty()) {
      broken_.push_back(std::move(fault));
      return std::move(broken_);
    }
    check_objective();
    check_limits();
    Tree recounted = result_.tree;
    recounted.tally(data_);
    set_curves(recounted, data_);
    for (std::size_t i = 0; i < recounted.nodes().size(); ++i) check_node(i, recounted.nodes()[i], recounted.nodes().size() == 1);
    return std::move(broken_);
  }

 private:
  void claim(bool holds, std::string sentence) {
    if (!holds) broken_.push_back(std::move(sentence));
  }

  void check_origin() {
    const double total = data_.total_weight();
    claim(!result_.edited, "the file was changed after it was written: its checksum does not match");
    claim(static_cast<std::int64_t>(data_.rows()) == result_.rows,
          fmt::format("the data have {} rows, but the tree was trained on {}", data_.rows(), result_.rows));
    claim(equal_sums(total, result_.total_weight),
          fmt::format("the total weight is {}, but it was {} in training", total, result_.total_weight));
    claim(result_.weighted() || !data_.is_weighted(), "rows weigh more or less than 1, which the tree file does not say");
  }

  void check_errors() {
    const double errors = count_errors(result_.tree, data_);
    claim(equal_sums(errors, result_.errors), fmt::format("errors are {} by recount, but {} are claimed", errors, result_.errors));
    if (!function_.of_counts(errors, result_.tree.terms())) return;
    const double scale = function_.error_scale();
    const auto scales = error_scales(data_);
    const bool known =
        scale == 1 || std::any_of(scales.begin(), scales.end(), [&](double possible) { return equal_sums(scale, possible); });
    claim(known, fmt::format("errors are divided by {}, which is not a scale that alpha_scale gives on these rows", scale));
  }

  void check_loss() {
    const double loss = total_loss(result_.tree, data_);
    claim(result_.loss && equal_sums(loss, *result_.loss),
          fmt::format("the loss is {} by recount, but {} is claimed", loss, result_.loss.value_or(0)));
    const double of_root = LossObjective::scale_of(data_), scale = function_.error_scale();
    claim(equal_sums(scale, of_root), fmt::format("the loss is divided by {}, but the tree without splits loses {}", scale, of_root));
  }

  void check_objective() {
    claim((costs_ != nullptr) == result_.cost.has_value(), "costs and the cost of the tree are not both there");
    claim(costs_ != nullptr || !data_.has_costs(), "the rows have costs of their labels, and the tree was trained on none");
    if (costs_ != nullptr && result_.cost) {
      const double cost = costs_->cost(result_.tree, data_);
      claim(equal_sums(cost, *result_.cost), fmt::format("the cost is {} by recount, but {} is claimed", cost, *result_.cost));
    }
    const double objective = function_.of(result_.tree, data_);
    claim(equal_sums(objective, result_.objective),
          fmt::format("the objective is {} by recount, but {} is claimed", objective, result_.objective));
    claim(result_.bound <= result_.objective || equal_sums(result_.bound, result_.objective),
          fmt::format("the bound {} lies above the objective {}", result_.bound, result_.objective));
    claim(result_.status != Status::optimal || closes_gap(function_, result_.objective, result_.bound, data_),
          fmt::format("the status is optimal, but the gap is {}", result_.gap()));
  }

  void check_limits() {
    const Tree& tree = result_.tree;
    claim(tree.depth() <= result_.max_depth, fmt::format("the tree has depth {}, but {} is allowed", tree.depth(), result_.max_depth));
    claim(result_.max_splits < 0 || static_cast<std::int64_t>(tree.splits()) <= result_.max_splits,
          fmt::format("the tree has {} splits, but {} are allowed", tree.splits(), result_.max_splits));
    check_terms();
  }

  void check_terms() {
    const std::string* const allowed = result_.option("max_terms");
    if (allowed == nullptr) return;
    for (std::size_t i = 0; i < result_.tree.nodes().size(); ++i) {
      const Node& node = result_.tree.nodes()[i];
      if (node.is_leaf()) continue;
      const std::size_t columns = columns_of(node.split->rule).size();
      claim(columns <= static_cast<std::size_t>(std::strtoull(allowed->c_str(), nullptr, 10)),
            fmt::format("the split of node {} asks about {} columns, but max_terms allows {}", i, columns, *allowed));
    }
  }

  void check_node(std::size_t i, const Node& counted, bool alone) {
    const Node& stored = result_.tree.nodes()[i];
    const bool limited = counted.is_leaf() && !alone;
    claim(!limited || counted.rows >= result_.min_leaf_rows,
          fmt::format("leaf {} holds {} rows, but {} are required", i, counted.rows, result_.min_leaf_rows));
    const double weight = counted.weight();
    claim(!limited || weight >= result_.min_leaf_weight || equal_sums(weight, result_.min_leaf_weight),
          fmt::format("leaf {} has weight {}, but {} is required", i, weight, result_.min_leaf_weight));
    claim(stored.rows == counted.rows, fmt::format("node {} holds {} rows by recount, but {} are stored", i, counted.rows, stored.rows));
    if (result_.tree.loss) {
      check_estimate(i, stored.estimate, counted);
    } else {
      check_label(i, stored, counted);
    }
  }

  void check_estimate(std::size_t i, const Estimate& stored, const Node& counted) {
    const auto compare = [&](const char* what, double a, double b, double close) {
      claim(equal_sums(a, b) || std::abs(a - b) <= close, fmt::format("the {} of node {} is {} by recount, {} is stored", what, i, b, a));
    };
    const Estimate& root = result_.tree.node(Tree::root()).estimate;
    compare("weight", stored.weight, counted.estimate.weight, 0);
    constexpr double kLastDigits = 1e-9;  // weights may be added in another order
    const auto alike = [&](const SurvivalStep& a, const SurvivalStep& b) {
      return a.time == b.time && std::abs(a.share - b.share) <= kLastDigits;
    };
    claim(std::ranges::equal(stored.survival, counted.estimate.survival, alike),
          fmt::format("the survival curve of node {} is another one by recount", i));
    compare("exposure", stored.exposure, counted.estimate.exposure, 0);
    compare("loss", stored.loss, counted.estimate.loss, 1e-12 * root.loss);
    // A node that no row reaches predicts what its method says. A mean may be near 0 where the numbers are not.
    if (counted.rows > 0)
      compare("value", stored.value, counted.estimate.value, 1e-12 * std::sqrt(root.loss / std::max(root.weight, 1e-300)));
  }

  void check_label(std::size_t i, const Node& stored, const Node& counted) {
    claim(all_equal(stored.label_cost, counted.label_cost),
          fmt::format("what labels cost in node {} is {} by recount, {} is stored", i, fmt::join(counted.label_cost, " "),
                      fmt::join(stored.label_cost, " ")));
    // A node that no row reaches predicts what its method says.
    const std::vector<double> gains = function_.label_gains(counted);
    const auto best = std::max_element(gains.begin(), gains.end());
    const bool is_best =
        stored.label >= 0 && static_cast<std::size_t>(stored.label) < gains.size() && equal_sums(gains[stored.label], *best);
    claim(is_best || counted.rows == 0,
          costs_ == nullptr
              ? fmt::format("node {} predicts class {}, most of its weight is of class {}", i, stored.label, best - gains.begin())
              : fmt::format("node {} predicts class {}, and class {} costs less", i, stored.label, best - gains.begin()));
    claim(all_equal(stored.class_weight, counted.class_weight),
          fmt::format("node {} has class weights {} by recount, {} are stored", i, fmt::join(counted.class_weight, " "),
                      fmt::join(stored.class_weight, " ")));
  }

  const Result& result_;
  const Dataset& data_;
  const Objective& function_;
  const CostObjective* const costs_;
  std::vector<std::string> broken_;
};

}  // namespace

std::vector<std::string> check_claims(const Result& result, const Dataset& data) {
  need_aligned(result.tree, data);
  need_target(result.tree, data);
  return Recount(result, data).broken();
}

}  // namespace treewright
