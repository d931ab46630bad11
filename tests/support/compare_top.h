#pragma once

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "support/compare_numbers.h"
#include "support/random_top.h"
#include "treewright/column_worth.h"
#include "treewright/search/bounds/rules.h"

namespace treewright::testing {

/// Where the row is below the splits of a top: 2p and 2p + 1 are the sides of p, the root is 1.
inline std::pair<int, bool> place_of(const Json& top, const Dataset& data, std::size_t row) {
  const Json* at = &top;
  int place = 1;
  while (at->is_object() && !is_asked(*at)) {
    const bool left = goes_left(*at, data, row);
    place = 2 * place + (left ? 0 : 1);
    at = &(*at)[left ? "left" : "right"];
  }
  return {place, *at == "leaf"};
}

/// Whether the leaves keep rows of different places apart, and those of a leaf that stays together.
inline bool parts_rows_so(const Tree& tree, const Json& top, const Dataset& data) {
  std::map<NodeId, int> of_leaf;
  std::map<int, NodeId> of_place;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const NodeId leaf = tree.route(data, row);
    const auto [place, stays] = place_of(top, data, row);
    if (of_leaf.emplace(leaf, place).first->second != place) return false;
    if (stays && of_place.emplace(place, leaf).first->second != leaf) return false;
  }
  return true;
}

/// Whether some tree begins with the splits of the case, within its limits.
inline bool allows_top(const Case& c) {
  const Dataset data = weighted(c);
  const std::optional<ExactPoints> points = ExactPoints::of(data);
  if (!points || points->size() == 0) return false;
  // With leaves in the free places it has as few levels and splits as a tree that begins so can have.
  Json top = Json::parse(c.options.top);
  const auto close = [](const auto& self, Json& at) -> void {
    if (at == "...") at = "leaf";
    if (at.is_object() && !is_asked(at)) self(self, at["left"]), self(self, at["right"]);
  };
  close(close, top);
  return ExactTrees(*points, exact_limits(c, data), ~0u).losses_below(top).back() < kNoTree;
}

/// The figures of `column_splits` for one of the free places, in turn by the case.
inline std::string compare_splits_there(const Case& c, const NumberOracle& oracle, const Result& base) {
  const bool refused = c.options.max_splits >= 0 || c.options.min_weight_fraction_leaf > 0;
  if (refused) return "";
  Json top = Json::parse(c.options.top);
  std::vector<Json*> places;
  const auto collect = [&](const auto& self, Json& at) -> void {
    if (at == "...") places.push_back(&at);
    if (at.is_object() && !is_asked(at)) self(self, at["left"]), self(self, at["right"]);
  };
  collect(collect, top);
  if (places.empty()) return "";
  Json& place = *places[c.data.rows() % places.size()];
  const auto least_with = [&](const Json& part) {
    place = part;
    return oracle.least_below(top);
  };
  Case marked = c;
  place = "?";
  marked.options.top = top.dump();
  const ColumnSplits found = column_splits(c.data, marked.options);
  const auto check = [&](const LeastCost& least, long double truth, const std::string& what) -> std::string {
    if (least.status == Status::infeasible) return std::isinf(truth) ? "" : what + ": said to be none";
    if (std::isinf(truth)) return std::isinf(least.cost) ? "" : what + ": there is no such tree";
    const auto digits = oracle.digits(least.result ? *least.result : base) + oracle.price_digits(oracle.price());
    const std::string failure = oracle.against(least.bound, least.cost, least.status == Status::optimal, truth, digits);
    return failure.empty() ? "" : what + ": " + failure;
  };
  if (std::string failure = check(found.leaf, least_with("leaf"), "splits there, leaf"); !failure.empty()) return failure;
  for (const ColumnSplit& split : found.columns) {
    const auto truth = least_with({{"column", split.name}});
    if (std::string failure = check(split.least, truth, "splits there, " + split.name); !failure.empty()) return failure;
    if (split.least.result && !split.split) return "splits there, " + split.name + ": a tree, and no split";
  }
  return "";
}

/// The best tree that begins with given splits: bound, cost and status of the run, of shorter ones and their news, with threads and without
/// a rule; and what the splits cost beside the best tree without them.
inline std::string compare_top(const Case& c, const Result& base) {
  if (c.options.top.empty()) return "";
  const auto oracle = NumberOracle::of(c, base);
  if (!oracle) return "";
  const Json top = Json::parse(c.options.top);
  const auto least = oracle->least_below(top);
  ++counts.tops;
  const auto check = [&](const Result& result, const std::string& how) -> std::string {
    if (!parts_rows_so(result.tree, top, c.data)) return how + ": the tree begins otherwise";
    const std::string failure = oracle->against(result, least);
    return failure.empty() ? "" : how + ": " + failure;
  };
  if (std::isinf(least)) return "top: a tree, where none begins so";
  if (std::string failure = check(base, "top"); !failure.empty()) return failure;
  if (std::string failure = unproved(c, *oracle, base); !failure.empty()) return "top: " + failure;
  const auto heard = [&](const Progress& news) -> std::string {
    const long double digits = digits_of_news(*oracle, base, news) + oracle->price_digits(oracle->price());
    if (news.incumbent * oracle->scale() < least - digits - oracle->news_off())
      return sentence("top: news of a tree of ", news.incumbent, ", optimum ", static_cast<double>(least / oracle->scale()));
    const std::string failure = bound_above(*oracle, news, least, digits);
    return failure.empty() ? "" : "top: " + failure;
  };
  const auto stopped = compare_stopped(c, {-1, 0, 1, 3, 9, 40}, heard, [&](const Result& result) { return check(result, "top"); });
  if (!stopped.empty()) return stopped;
  const std::size_t pick = c.data.rows() * 31 + c.data.features();
  Case other = c;
  other.options.n_jobs = 3;
  if (pick % 4 == 0) {
    if (std::string failure = describe_difference(counted_fit(other), base, "top, 3 threads"); !failure.empty()) return failure;
  }
  other = c;
  other.options.disable = search::rule_table()[pick % search::rule_table().size()].name;
  if (std::string failure = check(counted_fit(other), "top, without '" + other.options.disable + "'"); !failure.empty()) return failure;
  other = c;
  other.options.top.clear();
  const Result free = counted_fit(other);
  const auto least_free = oracle->least(oracle->all_columns());
  if (std::string failure = oracle->against(free, least_free); !failure.empty()) return "without the top: " + failure;
  if (base.status == Status::optimal && free.status == Status::optimal) {
    const auto more = (static_cast<long double>(base.objective) - free.objective) * oracle->scale(), truth = least - least_free;
    const auto off = oracle->digits(base) + oracle->digits(free) + 2 * (oracle->known() + oracle->price_digits(oracle->price()));
    if (std::abs(more - truth) > off)
      return sentence("top: costs ", static_cast<double>(more), " more than the best tree, in truth ", static_cast<double>(truth));
  }
  return compare_splits_there(c, *oracle, base);
}

}  // namespace treewright::testing
