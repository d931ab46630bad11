#include "treewright/tree/objective.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <cmath>
#include <numeric>

#include "treewright/base/compensated_sum.h"
#include "treewright/base/error.h"
#include "treewright/tree/margot_objective.h"
#include "treewright/tree/mm_svm_objective.h"
#include "treewright/tree/svm1_objective.h"

namespace treewright {

namespace {

// "1,0.5" as numbers.
template <typename Number>
std::vector<Number> numbers_in(const std::string& text, const char* option) {
  std::vector<Number> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    Number number{};
    const auto [stop, failure] = std::from_chars(text.data() + begin, text.data() + end, number);
    if (failure != std::errc() || stop != text.data() + end || !(number >= 0)) {
      throw Error(fmt::format("option '{}'", option), fmt::format("'{}' is no list of numbers from 0", text),
                  "write numbers with commas between them, one for each level");
    }
    numbers.push_back(number);
    begin = end + 1;
  }
  return numbers;
}

// "00,01,11": words for classes, one letter for each level.
std::vector<std::string> words_in(const std::string& text, std::int64_t levels) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; !text.empty() && begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    if (words.back().size() != static_cast<std::size_t>(levels) || words.back().find_first_not_of("01") != std::string::npos) {
      throw Error("option 'class_codes'", fmt::format("'{}' is no word of 0 and 1 for {} levels", words.back(), levels),
                  "write a word for each class, with a 0 or 1 for each level of the tree");
    }
    begin = end + 1;
  }
  return words;
}

// AHL24's objective, errors + splits / (gamma + 1) with at most gamma splits: the least errors, and of trees with these the smallest.
bool prices_by_budget(const Options& options) {
  return options.method == "partition" && options.ccp_alpha == 0 && options.max_splits >= 0;
}

// One for each level; a single value stands for all of them.
template <typename Number>
std::vector<Number> by_level(const std::string& text, const char* option, std::int64_t levels) {
  std::vector<Number> numbers = numbers_in<Number>(text, option);
  if (numbers.size() == 1) numbers.resize(static_cast<std::size_t>(levels), numbers[0]);
  if (numbers.size() != static_cast<std::size_t>(levels)) {
    throw Error(fmt::format("option '{}'", option), fmt::format("has {} values where max_depth asks for {} levels", numbers.size(), levels),
                "give one value for all levels, or one for each");
  }
  return numbers;
}

}  // namespace

Objective Objective::from(const Options& options) {
  Objective objective;
  const std::string& method = options.method;
  objective.alpha = options.ccp_alpha;
  if (method.starts_with("margot")) {
    objective.kind = ObjectiveKind::margot;
    objective.level_costs = by_level<double>(options.level_costs, "level_costs", options.max_depth);
    objective.class_codes = words_in(options.class_codes, options.max_depth);
    if (method.starts_with("margot-sfs"))
      objective.feature_budgets = by_level<std::int64_t>(options.feature_budgets, "feature_budgets", options.max_depth);
  }
  if (method == "mm-svm") {
    objective.kind = ObjectiveKind::mm_svm;
    if (numbers_in<double>(options.level_costs, "level_costs").size() != 1)
      throw Error("option 'level_costs'", "has several values where mm-svm has one price of slack for all levels", "give one number");
    objective.level_costs = by_level<double>(options.level_costs, "level_costs", options.max_depth);
  }
  if (prices_by_budget(options)) objective.alpha = 1 / (static_cast<double>(options.max_splits) + 1);
  if (method.starts_with("svm1")) {
    objective.kind = ObjectiveKind::svm1;
    objective.alpha = options.alpha2;
    objective.slack_price = options.alpha1;
    objective.margin = options.eps;
  }
  if (objective.kind != ObjectiveKind::errors) objective.gap_tolerance = options.gap_tolerance;
  return objective;
}

double Objective::of(const Tree& tree, const Dataset& data) const {
  if (kind == ObjectiveKind::margot) return margot_objective(tree, data, *this);
  if (kind == ObjectiveKind::mm_svm) return mm_svm_objective(tree, data, *this);
  if (kind == ObjectiveKind::svm1) return svm1_objective(tree, data, margin, slack_price, alpha);
  assert(kind == ObjectiveKind::errors);
  return value(count_errors(tree, data), tree.terms());
}

std::array<double, 3> error_scales(const Dataset& data) {
  const std::vector<double> totals = data.class_totals();
  const auto largest = std::max_element(totals.begin(), totals.end());
  // Without the majority from the start: subtracting it would lose the others where they weigh little.
  const double others = std::accumulate(std::next(largest), totals.end(), std::accumulate(totals.begin(), largest, 0.0));
  return {others, *largest, others + *largest};
}

Objective Objective::from(const Options& options, const Dataset& data) {
  Objective objective = from(options);
  if (objective.kind != ObjectiveKind::errors || prices_by_budget(options)) return objective;
  const auto [majority_errors, majority, total] = error_scales(data);
  if (options.alpha_scale == "majority-errors") objective.error_scale = majority_errors;
  if (options.alpha_scale == "baseline-correct") objective.error_scale = majority;
  if (options.alpha_scale == "rows") objective.error_scale = total;
  return objective;
}

std::int64_t min_leaf_rows(double min_samples_leaf, std::size_t rows) {
  if (min_samples_leaf >= 1) return static_cast<std::int64_t>(std::ceil(min_samples_leaf));
  // 0.07 * 100 rounds to just above 7: a share must not ask for one row more than it says.
  const double wanted = min_samples_leaf * static_cast<double>(rows);
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(wanted - 1e-9 * wanted)));
}

double count_errors(const Tree& tree, const Dataset& data) {
  CompensatedSum errors;
  for (std::size_t row = 0; row < data.labels.size(); ++row) {
    if (tree.node(tree.route(data, row)).label != data.labels[row]) errors += data.weight(row);
  }
  return errors.value();
}

}  // namespace treewright
