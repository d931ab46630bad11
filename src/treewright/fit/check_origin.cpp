// Compares what a result says of its making with itself and with the rows. A forger, or a merge of two files, can change one and forget
// the other.

#include "treewright/fit/check_origin.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>

#include "treewright/base/equal_sums.h"
#include "treewright/error.h"
#include "treewright/fit/registry.h"
#include "treewright/task/asked_columns.h"
#include "treewright/task/cost_objective.h"
#include "treewright/task/leaf_weight.h"
#include "treewright/task/loss_objective.h"
#include "treewright/task/objective.h"

namespace treewright {

namespace {

bool equal(const Parameters& a, const Parameters& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto *x = std::get_if<double>(&a[i].second), *y = std::get_if<double>(&b[i].second);
    if (a[i].first != b[i].first || !(x != nullptr && y != nullptr ? equal_sums(*x, *y) : a[i].second == b[i].second)) return false;
  }
  return true;
}

class Origin {
 public:
  Origin(const Result& result, const Dataset& data) : result_(result), data_(data) {}

  std::vector<std::string> contradictions() {
    const bool known = std::ranges::any_of(methods(), [&](const Method& m) { return m.name == result_.method && m.objective != nullptr; });
    if (!known) {
      claim(false, fmt::format("no method '{}' trains trees", result_.method));
      return std::move(broken_);
    }
    set_options();
    Options by = options_;
    by.method = result_.method;
    const Method& method = method_of(by);
    for (const auto& [name, value] : result_.options)
      claim(name == "method" || method.reads_option(name), fmt::format("method '{}' has no option '{}'", method.label(), name));
    if (broken_.empty()) compare(method);
    compare_proof(method);
    return std::move(broken_);
  }

 private:
  void claim(bool holds, std::string sentence) {
    if (!holds) broken_.push_back(std::move(sentence));
  }

  void set_options() {
    std::set<std::string> seen;
    for (const auto& [name, value] : result_.options) {
      claim(seen.insert(name).second, fmt::format("option '{}' is named twice", name));
      try {
        set_option(options_, name, value);
      } catch (const Error& error) {
        claim(false, fmt::format("{}: {}", error.where(), error.problem()));
      }
    }
    claim(options_.method == result_.method, fmt::format("the tree is by '{}', its options name '{}'", result_.method, options_.method));
  }

  void compare(const Method& method) {
    claim(options_.random_state == result_.seed, fmt::format("the seed is {}, the options say {}", result_.seed, options_.random_state));
    options_ = with_depth(options_, data_);
    claim(options_.max_depth == result_.max_depth,
          fmt::format("a depth of {} is allowed, the options say {}", result_.max_depth, options_.max_depth));
    claim(options_.max_splits == result_.max_splits,
          fmt::format("{} splits are allowed, the options say {}", result_.max_splits, options_.max_splits));
    const std::int64_t rows = method.empty_leaves ? 0 : min_leaf_rows(options_.min_samples_leaf, data_.rows());
    claim(rows == result_.min_leaf_rows, fmt::format("{} rows are required in a leaf, the options say {}", result_.min_leaf_rows, rows));
    const double weight = LeafWeight::from(options_.min_weight_fraction_leaf, data_).least;
    claim(equal_sums(weight, result_.min_leaf_weight),
          fmt::format("a weight of {} is required in a leaf, the options say {}", result_.min_leaf_weight, weight));
    compare_columns();
    const CostObjective* const costs = as_costs(*result_.objective_function);
    claim(!result_.tree.loss || std::ranges::find(method.losses, *result_.tree.loss) != method.losses.end(),
          fmt::format("method '{}' cannot predict numbers", method.label()));
    claim(costs == nullptr || method.takes_costs, fmt::format("method '{}' cannot minimize costs", method.label()));
    if (const std::string fault = costs == nullptr ? "" : costs->unfit_for(data_); !fault.empty()) {
      claim(false, fault);
      return;
    }
    const std::optional<Loss> loss = result_.tree.loss;
    const ObjectiveKind& kind = loss ? LossObjective::kind_of(*loss) : *method.objective;
    const ObjectivePtr asked = costs == nullptr ? kind.from_options(options_, data_)
                                                : std::make_shared<CostObjective>(CostObjective::from(options_, data_, costs->costs()));
    claim(asked->kind() == result_.objective_function->kind() && equal(asked->parameters(), result_.objective_function->parameters()),
          "the objective is not the one that the options ask for on these rows");
  }

  // Which columns are asked, and whether the proof says what the options say.
  void compare_columns() {
    try {
      const AskedColumns asked(options_, Tree(data_).features);
      const std::string words = asked.in_words();
      claim(asked.hold(result_.tree), fmt::format("the options ask for a tree that {}, and this one does not", words));
      // Bounds by the weights of rows and classes speak of all trees, those by a search name the kind of splits.
      const bool by_search = result_.proved.find("axis and category splits") != std::string::npos;
      claim(!by_search || result_.proved.find(words) != std::string::npos,
            fmt::format("the options ask for a tree that {}, and the proof does not say so", words));
    } catch (const Error& error) {
      claim(false, fmt::format("{}: {}", error.where(), error.problem()));
    }
  }

  // `proved` is a sentence for people. Two of its statements can be compared: the kind of splits, and the depth, where it names one.
  void compare_proof(const Method& method) {
    claim(method.exact || result_.status != Status::optimal,
          fmt::format("method '{}' proves nothing, and optimal is claimed", method.label()));
    const auto& nodes = result_.tree.nodes();
    const bool planes = std::any_of(nodes.begin(), nodes.end(), [](const Node& node) { return node.plane() != nullptr; });
    claim(!planes || result_.proved.find("axis and category splits") == std::string::npos,
          "the proof speaks of axis and category splits, and the tree splits by hyperplanes");
    const std::string depth = "depth at most ";
    const std::size_t at = result_.proved.find(depth);
    claim(at == std::string::npos || std::atoll(result_.proved.c_str() + at + depth.size()) == result_.max_depth,
          fmt::format("the proof speaks of another depth than {}", result_.max_depth));
  }

  const Result& result_;
  const Dataset& data_;
  Options options_;
  std::vector<std::string> broken_;
};

}  // namespace

std::vector<std::string> check_origin(const Result& result, const Dataset& data) {
  return Origin(result, data).contradictions();
}

std::vector<std::string> check_all_claims(const Result& result, const Dataset& data) {
  std::vector<std::string> broken = check_claims(result, data);
  for (std::string& sentence : check_origin(result, data)) broken.push_back(std::move(sentence));
  return broken;
}

}  // namespace treewright
