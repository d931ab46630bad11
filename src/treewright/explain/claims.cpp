#include "treewright/explain/claims.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <string_view>
#include <vector>

#include "treewright/base/bound_text.h"
#include "treewright/explain/markup.h"
#include "treewright/explain/prediction.h"
#include "treewright/fit/registry.h"
#include "treewright/task/asked_columns.h"
#include "treewright/task/cost_objective.h"

namespace treewright::explain {

namespace {

constexpr double kRounding = 1e-9;  // of a gap that is closed
constexpr std::string_view kNothing = "nothing: ", kClaim = " has an objective below the bound", kColumns = " of axis and category splits";

// "of more than 12 categories ..." where `text` says so behind `word`, up to a sign of punctuation; "" = it does not.
std::string phrase(std::string_view text, std::string_view word) {
  const std::size_t at = text.find(word);
  return std::string(at == text.npos ? "" : text.substr(at, text.find_first_of(",;)", at) - at));
}

// "No tree with at most 2 questions on a path, each about one column,": the trees that the claim is about. What comes before the
// parenthesis of the proof, or before its verb, is their kind.
std::string no_tree(const Result& result) {
  const std::string claimed = result.proved.substr(0, result.proved.find(kClaim));
  std::string kind = claimed.substr(0, claimed.find(" ("));
  if (!kind.starts_with("no tree")) kind = "no tree of this kind";
  kind = kind.substr(0, kind.find(" of depth at most"));  // which the questions say
  const auto takes = [&kind](std::string_view words) {
    const std::size_t at = kind.find(words);
    if (at != kind.npos) kind.erase(at, words.size());
    return at != kind.npos;
  };
  takes(" within the limits");
  const bool of_columns = takes(kColumns);
  std::string out =
      fmt::format("N{} with at most {} question{} on a path", kind.substr(1), result.max_depth, result.max_depth == 1 ? "" : "s");
  if (result.max_splits >= 0) out += fmt::format(" and {} in all", result.max_splits);
  if (of_columns && result.max_depth > 0) out += result.max_depth == 1 ? ", about one column," : ", each about one column,";
  if (const std::string wide = phrase(claimed, "columns of more than "); !wide.empty()) out += fmt::format(" where {},", wide);
  if (result.min_leaf_rows > 1) out += fmt::format(" and at least {} rows in every leaf", result.min_leaf_rows);
  if (const std::string weight = phrase(claimed, "weight at least "); !weight.empty()) out += " and " + weight;
  const std::string asked = AskedColumns::of(result).in_words();
  if (!asked.empty()) out += fmt::format(" that {}", clean(asked));
  return out;
}

// A bound without its sign: of a gain it is rounded up, then.
std::string size_text(double bound, int digits, double scale = 1) {
  const std::string shown = bound_text(bound, digits, scale);
  return bound < 0 ? shown.substr(1) : shown;
}

// "gains more than 365.16", "costs less than 53": negative costs are gains.
std::string beats(double cost) {
  return fmt::format("{} than {}", cost < 0 ? "gains more" : "costs less", size_text(cost, 6));
}

// What a split costs in errors, where trees of splits by one column each minimize errors and that alone; else 0.
double split_in_errors(const Result& result) {
  const Objective& objective = *result.objective_function;
  const bool alone = objective.of_counts(0, 0).has_value() && !result.cost && !result.weighted() &&
                     objective.formula().starts_with("errors") && !column_prices_of(objective.parameters()).any();
  return alone && result.proved.find(kColumns) != std::string::npos ? objective.split_price() : 0;
}

// Rounded up, so that what is said to lie above it does not.
std::string at_least(double share) {
  constexpr double kDigits = 1e6;
  return plain(std::ceil(share * kDigits - 1e-6) / kDigits);
}

// "has an R2 above 0.8124 on these 1503 rows", "makes fewer than 28.36 errors on these 569 rows, each split counted as 2.12 more", or
// "has errors / 212 + 0.01 × splits below 0.13 on these 569 rows".
std::string falls_below(const Result& result, double objective) {
  if (const double price = split_in_errors(result); price > 0) {
    constexpr double kLastDigits = 1e-12;  // that products of doubles lose
    return fmt::format("makes fewer than {} errors on these {} rows, each split counted as {} more",
                       bound_text(objective * result.objective_function->error_scale() * (1 + kLastDigits), 6), result.rows,
                       size_text(-price * (1 - kLastDigits), 6));
  }
  if (result.loss && result.objective_function->price() == 0)
    return fmt::format("{} {} above {} on these {} rows", result.tree.loss == Loss::squared ? "has an" : "explains a",
                       explained_name(*result.tree.loss), at_least(1 - objective), result.rows);
  std::string formula = result.objective_function->formula();
  const auto replace = [&formula](std::string_view words, std::string_view by) {
    for (std::size_t at = formula.find(words); at != formula.npos; at = formula.find(words)) formula.replace(at, words.size(), by);
  };
  const std::string rows = fmt::format("below {} on these {} rows", bound_text(objective, 6), result.rows);
  if (result.loss) return fmt::format("has {} {}", formula, rows);
  if (!formula.starts_with("errors") && !formula.starts_with("cost"))
    return fmt::format("has an objective {} (which is not errors, but {})", rows, formula);
  // Where a split asks about one column, its terms are one.
  if (result.proved.find(kColumns) != std::string::npos) replace("× terms", "× splits");
  replace(" / 1 ", " ");
  if (formula.ends_with(" / 1")) formula.resize(formula.size() - 4);
  return fmt::format("has {} {}", formula, rows);
}

// Why nobody has checked the proof of an optimum.
std::string unverified(const Result& result) {
  for (const char* name : {"first_column", "max_columns", "column_costs"}) {
    if (result.option(name) != nullptr) return "there is no proof of trees that ask such columns";
  }
  const AskedColumns columns = AskedColumns::of(result);
  if (columns.top() != nullptr && !columns.top()->asked().empty()) return "there is no proof of trees that ask such columns";
  if (result.cost && result.option("top") != nullptr) return "there is no proof of costs below given splits";
  const auto says = [&](const char* words) { return result.proved.find(words) != std::string::npos; };
  if (says("by the digits of its costs")) return "its proof falls short by digits";
  if (says("there can be no proof in a file")) return "there can be no proof of its digits";
  if (says("before a proof could be written")) return "the run was stopped before that";
  const Method* const method = method_of(result);
  return method != nullptr && method->reads_option("verify") ? "--verify, mostly about as long again" : "the method writes no proof";
}

std::string fewer_than(const Result& result, double errors) {
  return fmt::format("{} makes fewer than {} error{} on these {} rows", no_tree(result), plain(errors), errors == 1 ? "" : "s",
                     result.rows);
}

}  // namespace

bool counts_alone(const Objective& objective) {
  const CostObjective* const costs = as_costs(objective);
  const bool alone = costs != nullptr ? !costs->column_prices().any() : objective.of_counts(0, 0).has_value();
  return alone && objective.price() == 0;
}

const char* loss_name(const Result& result) {
  return result.cost ? "cost" : result.weighted() ? "errors by weight" : "errors";
}

bool bounded(const Result& result) {
  return result.bound > 0 || result.status == Status::optimal || (result.stopped() && !result.proved.starts_with("nothing"));
}

std::optional<double> errors_to_save(const Result& result) {
  const Objective& objective = *result.objective_function;
  const bool known = result.bound > 0 || result.status == Status::optimal;
  if (!known || result.weighted() || result.cost || !counts_alone(objective)) return std::nullopt;
  // Sums of shares of errors are off by their last digits.
  constexpr double kSlack = 1e-6;
  return std::floor((result.objective - result.bound) * objective.error_scale() + kSlack);
}

std::string counted(const Result& result) {
  return result.weighted() || result.cost || !counts_alone(*result.objective_function) ? "cost" : "errors";
}

std::string status(const Result& result) {
  const std::string said(to_string(result.status));
  if (result.status != Status::optimal) return said;
  return said + (result.verified ? " (verified)" : fmt::format(" (not verified: {})", unverified(result)));
}

std::string leaves_of_few_rows(const Tree& tree) {
  constexpr std::int64_t kFewRows = 2, kRows = 20;  // of fewer rows all leaves are small
  const std::vector<Node>& nodes = tree.nodes();
  const auto few = std::count_if(nodes.begin(), nodes.end(), [](const Node& node) { return node.is_leaf() && node.rows <= kFewRows; });
  if (few == 0 || nodes.front().rows < kRows) return "";
  return fmt::format("{} of {} leaves hold{} one or two training rows, which may be chance", few, tree.splits() + 1, few == 1 ? "s" : "");
}

std::string never_predicted(const Result& result) {
  if (result.tree.loss) return "";
  const std::vector<Node>& nodes = result.tree.nodes();
  const std::vector<double>& weight = nodes.front().class_weight;
  std::vector<char> predicted(result.tree.class_names.size(), 0);
  for (const Node& node : nodes) {
    if (node.is_leaf()) predicted[static_cast<std::size_t>(node.label)] = 1;
  }
  constexpr std::size_t kMostNames = 5;
  std::vector<std::string> names;
  for (std::size_t k = 0; k < weight.size(); ++k) {
    if (weight[k] > 0 && !predicted[k]) names.push_back(fmt::format("'{}'", result.tree.class_names[k]));
  }
  if (names.empty()) return "";
  const std::size_t others = names.size() - std::min(names.size(), kMostNames);
  names.resize(names.size() - others);
  std::string out = fmt::format("the tree never predicts {}", fmt::join(names, ", "));
  if (others > 0) out += fmt::format(" and {} other{}", others, others == 1 ? "" : "s");
  const auto classes = std::count_if(weight.begin(), weight.end(), [](double w) { return w > 0; });
  const double by_depth = std::ldexp(1.0, static_cast<int>(result.max_depth));
  const double leaves = result.max_splits < 0 ? by_depth : std::min(by_depth, static_cast<double>(result.max_splits) + 1);
  if (leaves < static_cast<double>(classes))
    out += fmt::format("; at most {} {} allowed for {} classes", leaves, leaves == 1 ? "leaf is" : "leaves are", classes);
  return out;
}

bool is_useless(double saved, double errors) {
  constexpr double kNearlyAll = 0.9;
  return saved > kNearlyAll * errors;
}

std::string headline(const Result& result) {
  const std::optional<double> saved = errors_to_save(result);
  const bool optimal = result.status == Status::optimal;
  if (result.errors == 0 && !result.cost && !result.loss && (saved || result.status == Status::heuristic))
    return fmt::format("The tree makes no error on these {} rows", result.rows);
  if (optimal && saved) return fewer_than(result, result.errors);
  const bool by_cost = result.cost && counts_alone(*result.objective_function);
  const auto cheaper = [&](double cost) { return fmt::format("{} {} on these {} rows", no_tree(result), beats(cost), result.rows); };
  if (optimal && by_cost) {
    return cheaper(*result.cost) +
           fmt::format(" ({} a {})", size_text(*result.cost, 3, result.total_weight), result.weighted() ? "unit of weight" : "row");
  }
  const bool by_weight = !result.cost && counts_alone(*result.objective_function);
  const auto weigh_less = [&](double errors) {
    return fmt::format("{} makes errors that weigh less than {} on these {} rows, which weigh {}", no_tree(result), bound_text(errors, 6),
                       result.rows, plain(result.total_weight));
  };
  if (optimal && by_weight) return weigh_less(result.errors);
  if (optimal && result.loss && result.objective == 0)
    return fmt::format("The tree leaves nothing to explain on these {} rows", result.rows);
  // Sums of real numbers are closed to a tolerance.
  const double proved = result.gap() < kRounding ? result.objective : result.bound;
  if (optimal) return fmt::format("{} {}", no_tree(result), falls_below(result, proved));
  if (result.status == Status::heuristic) return "Other trees may be better";
  if (by_cost && bounded(result) && result.bound < 0)
    return fmt::format("{}; this one {} {}", cheaper(result.bound * result.objective_function->error_scale()),
                       *result.cost < 0 ? "gains" : "costs", plain(std::abs(*result.cost)));
  if (saved && *saved == 0) return fewer_than(result, result.errors);
  if (saved && !is_useless(*saved, result.errors))
    return fewer_than(result, result.errors - *saved) + fmt::format("; this one makes {}", plain(result.errors));
  if (!saved && bounded(result) && result.bound > 0 && !is_useless(result.objective - result.bound, result.objective)) {
    if (by_weight)
      return fmt::format("{}; those of this one weigh {}", weigh_less(result.bound * result.objective_function->error_scale()),
                         plain(result.errors));
    if (result.loss && result.objective_function->price() == 0)
      return fmt::format("{} {}; this one has {}", no_tree(result), falls_below(result, result.bound), plain(result.explained()));
    const double unit = split_in_errors(result) > 0 ? result.objective_function->error_scale() : 1;
    return fmt::format("{} {}; this one has {}", no_tree(result), falls_below(result, result.bound), plain(result.objective * unit));
  }
  return bounded(result) ? "There is no useful bound yet: a much better tree may exist" : "Nothing is proved: other trees may be better";
}

std::string gap_text(double gap, int digits) {
  return gap < kRounding ? "0 %" : fmt::format("{:.{}g} %", 100 * gap, digits);
}

std::string gap_text(const Result& result) {
  const std::string gap = gap_text(result.gap());
  const bool of_choice = gap == gap_text(0) && result.stopped() && !result.selection.empty();
  return gap + (of_choice ? " (of trees with the chosen options; the comparison that chose them was stopped)" : "");
}

std::string proof(const Result& result) {
  if (bounded(result) && result.bound == 0 && result.status != Status::optimal)
    return "only that no objective is below 0: the run ended before more was proved";
  if (result.proved.starts_with(kNothing)) return "none: " + result.proved.substr(kNothing.size());
  // What trees of hyperplanes are compared with takes more words.
  const bool plain_kind =
      result.proved.starts_with(fmt::format("no tree{}", kColumns)) || result.proved.starts_with("no tree of depth at most");
  const std::size_t claim = result.proved.find(kClaim);
  if (claim == std::string::npos || !plain_kind || !bounded(result)) return result.proved;
  std::string words = headline(result);
  words.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(words.front())));
  return words + result.proved.substr(claim + kClaim.size());
}

}  // namespace treewright::explain
