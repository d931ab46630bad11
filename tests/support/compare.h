#pragma once

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/brute_force.h"
#include "support/compare_asked.h"
#include "support/compare_auto.h"
#include "support/compare_c.h"
#include "support/compare_fair.h"
#include "support/compare_margot.h"
#include "support/compare_numbers.h"
#include "support/compare_targets.h"
#include "support/compare_top.h"
#include "support/compare_tune.h"
#include "support/compared_fit.h"
#include "support/draw_case.h"
#include "support/random_tree.h"
#include "support/scratch_folder.h"
#include "treewright/base/file.h"
#include "treewright/data/costs/price_grid.h"
#include "treewright/error.h"
#include "treewright/fit/check_proof.h"
#include "treewright/fit/registry.h"
#include "treewright/result.h"
#include "treewright/search/bounds/rules.h"
#include "treewright/search/bounds/subproblem.h"
#include "treewright/task/objective.h"

namespace treewright::testing {

/// Whether what weights without a common unit, and a small price beside them, lose by rounding may be more than "optimal" allows.
inline bool is_blurred(const Case& c, const Result& result) {
  const WholeWeights whole = whole_weights(weighted(c));
  const double scale = result.objective_function->error_scale(), price = result.objective_function->price() * scale / whole.unit;
  const double off = std::abs(price - price_on_grid(price, result.total_weight / whole.unit)) * whole.unit;
  const auto most =
      static_cast<double>(std::min(search::full_splits(static_cast<int>(c.options.max_depth)), static_cast<std::int64_t>(c.data.rows())));
  const double blur = 2 * (whole.rounding + off * most) / scale;
  return blur > 0.5e-6 * result.objective || c.data.has_costs();
}

inline std::string compare_claims(const Case& c, const Result& base) {
  const std::vector<std::string> broken = check_claims(base, weighted(c));
  if (!broken.empty()) return "claims: " + broken.front();
  if (!std::isfinite(base.objective) || !std::isfinite(base.bound)) return "claims: objective or bound is not finite";
  const bool unlimited = c.options.node_limit < 0 && std::isinf(c.options.time_limit) && c.options.min_weight_fraction_leaf == 0;
  if (by_exact_search(c.options) && unlimited && !is_blurred(c, base) && base.status != Status::optimal)
    return "claims: an unlimited search that proves nothing";
  return "";
}

inline bool has_wide_category(const Dataset& data) {
  return std::any_of(data.columns.begin(), data.columns.end(),
                     [](const Column& column) { return std::set(column.codes.begin(), column.codes.end()).size() > 12; });
}

inline int splits_allowed(const Options& options) {
  const int full = (1 << options.max_depth) - 1;
  return options.max_splits < 0 ? full : static_cast<int>(std::min<std::int64_t>(full, options.max_splits));
}

/// What `work` of brute force a case may cost: some 20 ms, and mostly far less.
inline constexpr double kMaxWork = 1e7;

/// The optimum by brute force where that is affordable; nothing elsewhere.
inline std::optional<double> brute_optimum(const Case& c, const Result& base) {
  const Options& options = c.options;
  const bool costs = c.data.has_costs();
  if (!(costs || base.objective_function->of_counts(0, 0)) || c.data.rows() > BruteForce::kMaxRows) return {};
  // Costs split these by shares of gains.
  if (costs && has_wide_category(c.data)) return {};
  if (options.max_depth > BruteForce::kMaxDepth) return {};
  const Dataset data = weighted(c);
  const std::vector<double> totals = data.class_totals();
  const double total = std::accumulate(totals.begin(), totals.end(), 0.0), heaviest = *std::max_element(totals.begin(), totals.end());
  double scale = options.alpha_scale == "rows"               ? total
                 : options.alpha_scale == "baseline-correct" ? heaviest
                                                             : 1,
         alpha = options.ccp_alpha;
  if (options.alpha_scale == "majority-errors") scale = total - heaviest;
  if (costs) scale = base.objective_function->error_scale();
  if (options.method == "partition" && alpha == 0 && options.max_splits >= 0) scale = 1, alpha = base.objective_function->price();
  const double share = options.min_samples_leaf * static_cast<double>(data.rows());
  const auto min_rows =
      static_cast<std::int64_t>(std::ceil(options.min_samples_leaf >= 1 ? options.min_samples_leaf : share - 1e-9 * share));
  BruteForce brute(data, min_rows, options.min_weight_fraction_leaf * total);
  if (brute.work(static_cast<int>(options.max_depth)) > kMaxWork) return {};
  ++counts.brute;
  counts.brute_costs += costs;
  counts.brute_deep += options.max_depth >= 3 && data.features() >= 4;
  counts.brute_wide += has_wide_category(data);
  counts.brute_classes += options.max_depth >= 4 && std::set(data.labels.begin(), data.labels.end()).size() >= 9;
  return brute.best_cost(static_cast<int>(options.max_depth), splits_allowed(options), alpha * scale) / scale;
}

/// Methods whose trees lie in the family that brute force tries.
inline bool is_in_family(const Case& c) {
  const std::string& method = c.options.method;
  if (method == "partition") return c.options.partition_algorithm == "eiia" || !has_wide_category(c.data);
  return method == "oct" || (method == "cart" && !has_wide_category(c.data));
}

inline std::string compare_brute_force(const Case& c, const Result& base) {
  if (!is_in_family(c)) return "";
  const std::optional<double> optimum = brute_optimum(c, base);
  return optimum ? against_optimum(base, *optimum, tolerance_of(weighted(c), base), "brute force") : "";
}

/// What `auto` claims is of the limits that it chose.
inline std::string compare_chosen(const Case& c, const Result& base) {
  if (c.options.method != "auto" || base.method != "oct") return "";
  return compare_brute_force({c.data, options_of(base)}, base);
}

/// A tree that is asked for with other limits on its columns, against every such tree.
inline std::string compare_asked(const Case& c, const Result& base) {
  if (!by_exact_search(c.options) || !base.objective_function->of_counts(0, 0) || has_wide_category(c.data)) return "";
  const double scale = base.objective_function->error_scale(), price = base.objective_function->price() * scale;
  const Dataset data = weighted(c);
  const std::optional<AskedCase> asked =
      asked_case(c, data, min_leaf_rows(c.options.min_samples_leaf, data.rows()), splits_allowed(c.options), price);
  if (!asked) return "";
  const std::string how = "asked columns (first '" + asked->what.options.first_column + "', never '" + asked->what.options.never_columns +
                          "', at most " + std::to_string(asked->what.options.max_columns) + ", prices '" +
                          asked->what.options.column_costs + "')";
  try {
    const Result result = counted_fit(asked->what);
    return against_optimum(result, asked->least / scale, tolerance_of(data, result), how);
  } catch (const Error& error) {
    return std::isinf(asked->least) ? "" : how + ": " + error.what();
  }
}

/// The same optimum without the rules that the case switches off, or, where it switches off none, without one of them.
inline std::string compare_rules(const Case& c, const Result& base) {
  if (!by_exact_search(c.options) || base.status != Status::optimal) return "";
  const auto with = [&](std::string_view disable) {
    Case other = c;
    other.options.disable = disable;
    const Result result = counted_fit(other);
    const std::string how = "rules, without '" + std::string(disable) + "' and without '" + c.options.disable + "'";
    // Which of several optimal trees is found decides whether a limit on the weight of leaves leaves the optimum unproved.
    if (result.status != Status::optimal && c.options.min_weight_fraction_leaf == 0)
      return sentence(how, ": status ", to_string(result.status));
    return against_optimum(result, base.objective, tolerance_of(weighted(c), base), how);
  };
  if (!c.options.disable.empty()) return with("");
  return with(search::rule_table()[(c.data.rows() * 31 + c.data.features()) % search::rule_table().size()].name);
}

/// Any number of threads does the same, under a limit on nodes as well.
inline std::string compare_threads(const Case& c, const Result& base) {
  if (c.options.solver == "mip" || !method_of(c.options).reads_option("n_jobs")) return "";
  for (const int threads : {1, 2, 3, 4}) {
    Case other = c;
    other.options.n_jobs = threads;
    const std::string how = sentence(threads, " and ", c.options.n_jobs, " threads");
    if (const std::string failure = describe_difference(counted_fit(other), base, how); !failure.empty()) return failure;
  }
  return "";
}

/// Stopped after 1, 2, 3, ... nodes: bound never above the optimum, objective never below, every claim true.
inline std::string compare_limits(const Case& c, const Result& base) {
  if (!by_exact_search(c.options) || c.options.node_limit >= 0 || base.status != Status::optimal) return "";
  Case limited = c;
  const double tolerance = tolerance_of(weighted(c), base);
  for (std::int64_t limit = 0; limit < 100'000; limit += 1 + limit / 30) {
    limited.options.node_limit = limit;
    const Result result = counted_fit(limited);
    const std::string how = sentence("limit of ", limit, " nodes");
    if (const std::string failure = against_optimum(result, base.objective, tolerance, how); !failure.empty()) return failure;
    if (const auto broken = check_claims(result, weighted(c)); !broken.empty()) return how + ": " + broken.front();
    if (result.status == Status::optimal) return "";
  }
  return "";
}

/// Any tree as a start leaves the optimum as it is.
inline std::string compare_start(const Case& c, const Result& base) {
  if (!by_exact_search(c.options) || base.status != Status::optimal) return "";
  Random random(c.data.rows());
  for (int splits = 0; splits <= splits_allowed(c.options); splits += 2) {
    const Tree tree = random_tree(random, c.data, splits);
    const bool in_family = std::none_of(tree.nodes().begin(), tree.nodes().end(), [](const Node& node) {
      return node.split &&
             (std::holds_alternative<HyperplaneSplit>(node.split->rule) || std::holds_alternative<CategorySplit>(node.split->rule));
    });
    if (!in_family) continue;
    FitHooks hooks;
    hooks.starts = {&tree};
    const std::string failure =
        against_optimum(counted_fit(c, hooks), base.objective, tolerance_of(weighted(c), base), sentence("start of ", splits, " splits"));
    if (!failure.empty()) return failure;
  }
  return "";
}

/// Whether a proof, which is of all trees of a depth, is of all trees that the case allows. With a least number of rows in a leaf it makes
/// two claims of each side, and takes minutes on large data.
inline bool is_provable(const Case& c) {
  constexpr std::size_t kFewRows = 128;
  const Options& options = c.options;
  bool asks = !options.first_column.empty() || options.max_columns >= 0 || !options.column_costs.empty();
  if (!options.top.empty()) asks |= options.max_splits >= 0 || asks_column(Json::parse(options.top));
  return by_exact_search(options) && (options.max_splits < 0 || c.data.response) && options.min_weight_fraction_leaf <= 0 && !asks &&
         (c.data.rows() <= kFewRows || min_leaf_rows(options.min_samples_leaf, c.data.rows()) <= 1);
}

/// Whether the result says that no proof can hold the digits of its costs: of rewards with 17 digits, or of weights that differ by a factor
/// of a billion.
inline bool is_untold(const Result& result) {
  const auto says = [&](const char* words) { return result.proved.find(words) != std::string::npos; };
  return says("there can be no proof") || says("by the digits of its costs");
}

/// A proof of the bound is written, and it holds.
inline std::string compare_proof(const Case& c, const Result& base) {
  if (!is_provable(c) || base.status != Status::optimal || c.options.node_limit >= 0 || c.data.has_costs()) return "";
  // Weights of 16 digits may be multiples of a unit to their last digits, and as near to the next multiple.
  const bool unequal = base.proved.find("too unequal") != std::string::npos;
  // A top may split a category of many levels in other ways than a search does, at any price.
  for (const char* limit : {"speaks of no split of", "cannot say what the given splits cost"}) {
    if (base.proved.find(limit) != std::string::npos) return "";
  }
  if (is_untold(base)) return c.data.response && is_told(c) && !unequal ? "plain numbers without a proof: " + base.proved : "";
  const ScratchFolder folder;
  Case other = c;
  other.options.proof = folder / "proof";
  const Result result = counted_fit(other);
  ++counts.proofs;
  const ProvedTree proved = check_proof(result, weighted(c), read_file(other.options.proof), "proof");
  if (c.data.response) {
    const auto oracle = TargetOracle::of(c, base);
    return oracle ? oracle->against_proof(proved.loss, is_told(c) && result.verified) : "";
  }
  const bool told = proved.optimal || result.bound <= proved.bound || is_untold(result);
  return told ? "" : sentence("proof of ", proved.bound, ", bound ", result.bound, "; ", result.proved);
}

/// The result as JSON and back.
inline std::string compare_json(const Case& c, const Result& base) {
  const std::string text = to_json(base);
  const Result read = from_json(text, "json");
  if (const std::string failure = describe_difference(read, base, "json and back"); !failure.empty()) return failure;
  if (to_json(read) != text) return "json and back: other text";
  const std::vector<std::string> broken = check_claims(read, weighted(c));
  if (!broken.empty()) return "json and back: " + broken.front();
  return read.tree.predict(c.data) == base.tree.predict(c.data) ? "" : "json and back: other predictions";
}

/// The same rows for another method, with these options of the case and no others.
inline Case for_method(const Case& c, const char* method, std::initializer_list<const char*> kept) {
  Case other = c;
  other.options = Options();
  other.options.method = method;
  for (const char* name : kept) set_option(other.options, name, get_option(c.options, name));
  return other;
}

/// Another method of the same problem against the exact search: neither contradicts the other.
inline std::string compare_oct(const Case& c, const Result& base) {
  if (!is_in_family(c) || by_exact_search(c.options) || c.options.min_weight_fraction_leaf > 0) return "";
  Case other = for_method(c, "oct", {"max_depth", "min_samples_leaf", "class_weight", "max_splits", "ccp_alpha", "alpha_scale"});
  if (c.options.method == "partition" && c.options.ccp_alpha == 0 && c.options.max_splits >= 0) {
    other.options.ccp_alpha = base.objective_function->price();
    other.options.alpha_scale = "errors";
  }
  const Result exact = counted_fit(other);
  // Weights without a common unit leave a gap of their rounding, where "optimal" is not said.
  if (exact.status != Status::optimal) return exact.gap() < 1e-4 || is_blurred(other, exact) ? "" : "oct: no proof";
  return against_optimum(base, exact.objective, tolerance_of(weighted(c), base), "oct");
}

/// The least distance of two values of a column, raw or as a share of its range, whichever is less; 1 without numbers.
inline double least_step(const Dataset& data) {
  double least = 1;
  for (const Column& column : data.columns) {
    std::set<double> values;  // a NaN in it would equal all others
    std::ranges::copy_if(column.values, std::inserter(values, values.end()), [](double x) { return !std::isnan(x); });
    for (auto at = values.begin(); at != values.end() && std::next(at) != values.end(); ++at) {
      const double step = *std::next(at) - *at;
      least = std::min({least, step, step / (*values.rbegin() - *values.begin())});
    }
  }
  return least;
}

/// A bound is of every tree that the method may return, also of those that other methods make: their trees under its objective.
inline std::string compare_rivals(const Case& c, const Result& base) {
  const std::string& name = c.options.method;
  if (by_exact_search(c.options) || name == "auto" || name == "partition" || base.bound <= 0) return "";
  // Models of hyperplanes have none that rows come near to, and say so. That of svm1 has means for missing numbers, and says so.
  constexpr double kNear = 0.02;
  if (name != "oct" && name != "binoct" && least_step(c.data) < kNear) return "";
  const auto lacks_numbers = [](const Column& column) { return column.kind == ColumnKind::numeric && column.has_missing(); };
  if (name == "svm1" && std::ranges::any_of(c.data.columns, lacks_numbers)) return "";
  for (const char* method : {"oct", "cart"}) {
    const Case other = for_method(c, method, {"max_depth", "min_samples_leaf", "min_weight_fraction_leaf", "class_weight", "max_splits"});
    const Tree tree = counted_fit(other).tree;
    const double cost = base.objective_function->of(tree, weighted(c));
    if (cost < base.bound - tolerance_of(weighted(c), base) - 1e-6 * base.bound)
      return sentence("rivals: bound ", base.bound, ", and a tree of ", method, " at ", cost);
  }
  return "";
}

/// A tree of a file is refused, or its result holds: also one that is too deep or has too many splits.
inline std::string compare_file_start(const Case& c, const Result&) {
  const Method& method = method_of(c.options);
  if (!method.reads_option("mip_start") || method.objective != &ErrorObjective::kKind) return "";
  const ScratchFolder folder;
  Case deep = for_method(c, "cart", {"max_depth", "class_weight"});
  ++deep.options.max_depth;
  write_file(folder / "start.json", to_json(counted_fit(deep)));
  Case started = c;
  started.options.mip_start = folder / "start.json";
  try {
    const Result result = counted_fit(started);
    const std::vector<std::string> broken = check_claims(result, weighted(c));
    if (!broken.empty()) return "start of a file: " + broken.front();
  } catch (const Error& error) {
    if (std::string_view(error.what()).find("start.json") == std::string_view::npos) return std::string("start of a file: ") + error.what();
  }
  return "";
}

struct Comparison {
  std::string_view name;
  int share;  ///< in how many of a hundred cases it is drawn
  Compare compare;
};

inline std::span<const Comparison> comparisons() {
  static constexpr Comparison table[] = {
      {"claims", 100, compare_claims},
      {"brute_force", 100, compare_brute_force},
      {"oct", 100, compare_oct},
      {"asked", 15, compare_asked},
      {"rules", 60, compare_rules},
      {"threads", 4, compare_threads},
      {"limits", 3, compare_limits},
      {"start", 5, compare_start},
      {"proof", 10, compare_proof},
      {"json", 10, compare_json},
      {"c", 10, compare_c},
      {"enumeration", 100, compare_enumeration},
      {"fair", 100, compare_fair},
      {"auto", 100, compare_auto},
      {"chosen", 100, compare_chosen},
      {"rivals", 100, compare_rivals},
      {"file_start", 30, compare_file_start},
      {"earlier", 50, compare_earlier},
      {"exact", 100, compare_exact},
      {"targets", 100, compare_targets},
      {"again", 4, compare_again},
      {"worth", 2, compare_worth},
      {"near", 2, compare_near},
      {"path", 2, compare_path},
      {"trade_off", 4, compare_trade_off},
      {"tune", 1, compare_tune},
      {"top", 100, compare_top},
  };
  return table;
}

/// How a case ends: agreement, an Error where one is in place, or one of two kinds of failure.
enum class Outcome { agrees, refused, disagrees, wrong_error };

/// Fits, with the proof of the bound checked where there can be one, and makes the comparisons of the given names; `failure` tells the
/// first that disagrees.
inline Outcome run_case(const Case& c, const std::vector<std::string>& names, std::string& failure) {
  try {
    Case checked = c;
    if (is_provable(c)) checked.options.verify = "yes";
    const Result base = counted_fit(checked);
    const bool untold = is_untold(base);
    counts.untold += untold;
    // A run that is stopped may have a tree without cost, and no proof.
    const bool is_due = checked.options.verify == "yes" && c.options.node_limit < 0 && base.status == Status::optimal;
    failure = base.proved.find("defect") != std::string::npos ? base.proved
              : is_due && !base.verified && !untold           ? "optimal, and not verified"
                                                              : "";
    if (!failure.empty()) return Outcome::disagrees;
    for (const Comparison& comparison : comparisons()) {
      if (std::find(names.begin(), names.end(), comparison.name) == names.end()) continue;
      failure = comparison.compare(c, base);
      if (!failure.empty()) return Outcome::disagrees;
    }
    return Outcome::agrees;
  } catch (const Error& error) {
    failure = error.what();
    const bool must = c.data.response ? must_train_on_numbers(c) : must_train(c) && (c.options.top.empty() || allows_top(c));
    return must ? Outcome::wrong_error : Outcome::refused;
  }
}

}  // namespace treewright::testing
