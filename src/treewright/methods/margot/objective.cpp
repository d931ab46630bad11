// The objective of MARGOT (D'Onofrio, Grani, Monaci & Palagi 2023, DGMP23), recounted from the tree and the raw rows alone.
//
// A split of the tree asks sum < threshold. h = sum - threshold is the functional margin h_t(x) of the paper, in any units. A raw weight
// times the range of its column is the weight w_t on columns scaled to [0, 1]. So a node at level l costs
//
//     |w|^2 / 2 + C_l * sum of weight_i * max(0, 1 - y_i h_i) + alpha * max(0, features - B_l),      y_i = +1 for the later class.
//
// With more than two classes y_i at level l is the l-th bit of the class's codeword (codewords.cpp).
//
// A missing value is the column's mean, whatever the tree says: a split that sends a row elsewhere is none of the model. Nor is one with a
// column that is constant, or with a column twice, whose parts would cost less than their sum.
//
// The paper's tree is complete; ours leaves out nodes with w = 0. Such a node splits nothing, its best offset is b = the label of the
// majority, and each row of the minority costs 2 C_l (sec. 3: "the misclassification cost is 2 C_t"). A leaf has this cost at each level
// below it. A subtree may stand lower in the complete tree, below nodes with w = 0; it counts at the level where it is cheapest.
//
// Cost: rows x levels^2 x features.

#include "treewright/methods/margot/objective.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <set>

#include "treewright/base/error.h"
#include "treewright/base/infinity.h"
#include "treewright/methods/margot/problem.h"
#include "treewright/tree/scaled_plane.h"

namespace treewright::margot {

namespace {

constexpr double kRounding = 1e-9;  // of a decision value

using Rows = std::vector<std::size_t>;

class Recount {
 public:
  Recount(const Tree& tree, const Dataset& data, const MargotObjective& objective) : tree_(tree), data_(data), objective_(objective) {
    for (const Axis& axis : scaled_axes(data, Scaling::unit)) axes_[{+axis.feature, axis.level}] = axis;
    for (std::size_t row = 0; row < data.rows(); ++row) {
      if (data.weight(row) > 0) positive_ = std::max(positive_, data.labels[row]);
    }
  }

  double cost(NodeId id, const Rows& rows, std::size_t level) const {
    const Node& node = tree_.node(id);
    if (level == objective_.level_costs.size()) return node.is_leaf() ? 0 : kInfinity;
    double side[2] = {0, 0};
    for (const std::size_t row : rows) side[wants_right(row, level)] += data_.weight(row);
    const double unsplit = objective_.level_costs[level] * 2 * std::min(side[0], side[1]) + cost(id, rows, level + 1);
    if (node.is_leaf()) return unsplit;
    Rows left, right;
    double here = plane_cost(*node.split, rows, level, left, right);
    here += cost(node.left, left, level + 1) + cost(node.right, right, level + 1);
    return std::min(unsplit, here);
  }

 private:
  // The side on which the row's class belongs.
  bool wants_right(std::size_t row, std::size_t level) const {
    const std::int32_t label = data_.labels[row];
    return objective_.class_codes.empty() ? label == positive_ : objective_.class_codes[static_cast<std::size_t>(label)][level] == '1';
  }

  // Cost of the split itself; also sends the rows to its two sides. Infinite where the model has no such hyperplane: a term on no axis of
  // the model, or two on one, and rows that go to the other side than with means for missing values.
  double plane_cost(const Split& split, const Rows& rows, std::size_t level, Rows& left, Rows& right) const {
    using Plane = std::optional<HyperplaneSplit>;
    Plane in_model = match(
        split.rule,
        [](const AxisSplit& axis) -> Plane {
          return HyperplaneSplit{{{axis.feature, 1, -1, {}}}, axis.threshold};
        },
        [](const HyperplaneSplit& given) -> Plane { return given; }, [](const CategorySplit&) -> Plane { return std::nullopt; });
    if (!in_model) return kInfinity;
    HyperplaneSplit& plane = *in_model;
    const auto features = static_cast<std::int64_t>(plane.terms.size());
    if (!objective_.feature_limits.empty() && features > objective_.feature_limits[level]) return kInfinity;
    double total = 0;
    std::set<std::pair<std::int32_t, std::int32_t>> used;
    for (auto& term : plane.terms) {
      const std::pair place{+term.feature, term.level};
      const auto axis = axes_.find(place);
      if (axis == axes_.end() || !used.insert(place).second) return kInfinity;
      total += std::pow(term.weight * axis->second.scale, 2) / 2;
      term.if_missing = axis->second.mean;
    }
    for (const std::size_t row : rows) {
      double sum = 0;
      for (const auto& term : plane.terms) sum += term.weight * term_value(term, data_, row);
      const double h = sum - plane.threshold;
      const bool to_left = goes_left(split, data_, row);
      if (to_left != (h < 0) && std::abs(h) > kRounding) return kInfinity;
      const double y = wants_right(row, level) ? 1 : -1;
      total += objective_.level_costs[level] * data_.weight(row) * std::max(0.0, 1 - y * h);
      (to_left ? left : right).push_back(row);
    }
    if (objective_.feature_budgets.empty()) return total;
    const std::int64_t beyond = features - objective_.feature_budgets[level];
    return total + objective_.alpha * static_cast<double>(std::max<std::int64_t>(0, beyond));
  }

  const Tree& tree_;
  const Dataset& data_;
  const MargotObjective& objective_;
  std::map<std::pair<std::int32_t, std::int32_t>, Axis> axes_;
  std::int32_t positive_ = 0;
};

// "00,01,11": codewords of classes, one bit for each level.
std::vector<std::string> codewords_in(const std::string& text, std::int64_t levels) {
  std::vector<std::string> codewords;
  for (std::size_t begin = 0; !text.empty() && begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string& word = codewords.emplace_back(text.substr(begin, end - begin));
    if (word.size() != static_cast<std::size_t>(levels) || word.find_first_not_of("01") != std::string::npos) {
      throw option_error("class_codes", fmt::format("'{}' is not a codeword of {} bits", word, levels),
                         "write one codeword for each class, with a 0 or 1 for each level of the tree");
    }
    begin = end + 1;
  }
  return codewords;
}

std::vector<std::int64_t> counts(const std::vector<double>& numbers) {
  return {numbers.begin(), numbers.end()};
}

std::vector<std::int64_t> feature_budgets_in(const Options& options) {
  const std::vector<double> budgets = values_by_level(options.feature_budgets, "feature_budgets", options.max_depth);
  if (std::ranges::any_of(budgets, [](double budget) { return budget != std::floor(budget); })) {
    throw option_error("feature_budgets", fmt::format("'{}' is not a list of whole numbers >= 0", options.feature_budgets),
                       "write whole numbers with commas between them, one for each level");
  }
  return counts(budgets);
}

ObjectivePtr from_parameters(const Parameters& p) {
  auto objective = std::make_shared<MargotObjective>();
  objective->level_costs = parameter<std::vector<double>>(p, "level_costs");
  objective->alpha = parameter<double>(p, "alpha");
  objective->gap = parameter<double>(p, "gap_tolerance");
  for (const auto& [name, value] : p) {
    if (name == "class_codes") objective->class_codes = parameter<std::vector<std::string>>(p, name);
    if (name == "feature_budgets") objective->feature_budgets = counts(parameter<std::vector<double>>(p, name));
    if (name == "feature_limits") objective->feature_limits = counts(parameter<std::vector<double>>(p, name));
  }
  const std::size_t levels = objective->level_costs.size();
  const auto& codewords = objective->class_codes;
  const auto one_each = [levels](const std::vector<std::int64_t>& numbers) { return numbers.empty() || numbers.size() == levels; };
  const bool fits = levels <= kMaxMargotDepth && one_each(objective->feature_budgets) && one_each(objective->feature_limits) &&
                    std::all_of(codewords.begin(), codewords.end(), [&](const std::string& word) { return word.size() == levels; });
  if (!fits) throw std::out_of_range("the objective's levels do not fit each other");
  return objective;
}

}  // namespace

std::vector<double> values_in(const std::string& text, const char* option) {
  constexpr double kMost = 1e100;  // far from where sums of costs are infinite
  std::vector<double> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    double number = 0;
    const auto [stop, failure] = std::from_chars(text.data() + begin, text.data() + end, number);
    if (failure != std::errc() || stop != text.data() + end || !(number >= 0 && number <= kMost)) {
      throw option_error(option, fmt::format("'{}' is not a list of numbers from 0 to {:g}", text, kMost),
                         "write numbers with commas between them, one for each level");
    }
    numbers.push_back(number);
    begin = end + 1;
  }
  return numbers;
}

std::vector<double> values_by_level(const std::string& text, const char* option, std::int64_t levels) {
  std::vector<double> numbers = values_in(text, option);
  if (numbers.size() == 1) numbers.resize(static_cast<std::size_t>(levels), numbers[0]);
  if (numbers.size() != static_cast<std::size_t>(levels)) {
    throw option_error(option, fmt::format("has {} values, but max_depth gives {} levels", numbers.size(), levels),
                       "give one value for all levels, or one for each");
  }
  return numbers;
}

const ObjectiveKind MargotObjective::kKind = {
    "margot",
    [](const Options& options, const Dataset& /*data*/) -> ObjectivePtr { return std::make_shared<MargotObjective>(from(options)); },
    from_parameters};

MargotObjective MargotObjective::from(const Options& options) {
  MargotObjective objective;
  objective.level_costs = values_by_level(options.level_costs, "level_costs", options.max_depth);
  objective.class_codes = codewords_in(options.class_codes, options.max_depth);
  objective.alpha = options.ccp_alpha;
  objective.gap = options.gap_tolerance;
  if (options.feature_selection == "soft") objective.feature_budgets = feature_budgets_in(options);
  if (options.feature_selection == "hard") objective.feature_limits = feature_budgets_in(options);
  return objective;
}

double MargotObjective::of(const Tree& tree, const Dataset& data) const {
  // Other classes occur only in a damaged file.
  if (!class_codes.empty() && class_codes.size() != data.class_names.size()) return kInfinity;
  Rows rows;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    if (data.weight(row) > 0) rows.push_back(row);
  }
  return Recount(tree, data, *this).cost(Tree::root(), rows, 0);
}

std::string MargotObjective::formula() const {
  return fmt::format("over the splits |w|² / 2 + C × slack, C by level: {:g}{}{}{}", fmt::join(level_costs, ", "),
                     feature_limits.empty() ? "" : fmt::format("; most features of a split: {}", fmt::join(feature_limits, ", ")),
                     feature_budgets.empty() ? "" : fmt::format(" + {:.9g} × features beyond {}", alpha, fmt::join(feature_budgets, ", ")),
                     class_codes.empty() ? "" : fmt::format("; class codewords {}", fmt::join(class_codes, ", ")));
}

Parameters MargotObjective::parameters() const {
  Parameters parameters{{"alpha", alpha}, {"level_costs", level_costs}, {"gap_tolerance", gap}};
  if (!feature_budgets.empty())
    parameters.emplace_back("feature_budgets", std::vector<double>(feature_budgets.begin(), feature_budgets.end()));
  if (!feature_limits.empty()) parameters.emplace_back("feature_limits", std::vector<double>(feature_limits.begin(), feature_limits.end()));
  if (!class_codes.empty()) parameters.emplace_back("class_codes", class_codes);
  return parameters;
}

}  // namespace treewright::margot
