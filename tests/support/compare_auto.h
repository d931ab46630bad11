#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "support/compared_fit.h"

namespace treewright::testing {

/// What one line of the table of `auto` says, beside what such a line can say; "" = nothing is wrong.
inline std::string wrong_in(const CandidateScore& line, const Case& c) {
  const double numbers[] = {line.accuracy, line.behind,  line.standard_error,   line.splits,
                            line.features, line.seconds, line.cost.value_or(0), line.score.value_or(0)};
  if (!std::ranges::all_of(numbers, [](double x) { return std::isfinite(x); })) return "a number that is none";
  if (line.accuracy < 0 || line.accuracy > 1) return sentence("an accuracy of ", line.accuracy);
  if (line.standard_error < 0 || line.splits < 0 || line.features < 0 || line.parts < 0) return "a size below zero";
  // A tree of any depth is compared as well, CART's, but no limit on splits is broken.
  if (c.options.max_splits >= 0 && line.splits > static_cast<double>(c.options.max_splits)) return sentence(line.splits, " splits");
  if (line.reason.empty()) return "no reason";
  const bool needs_cost = c.data.has_costs(), needs_score = !needs_cost && c.options.scoring != "accuracy";
  if (line.parts > 0 && (line.cost.has_value() != needs_cost || line.score.has_value() != needs_score)) return "another measure";
  return "";
}

/// The table of `auto`: one candidate is chosen, it is within one standard error of the first, and no reason contradicts a number.
inline std::string compare_auto(const Case& c, const Result& base) {
  if (c.options.method != "auto" || base.candidates.empty()) return "";
  constexpr double kRounding = 1e-9;
  const CandidateScore* chosen = nullptr;
  for (const CandidateScore& line : base.candidates) {
    if (const std::string wrong = wrong_in(line, c); !wrong.empty()) return "auto: " + line.method + ": " + wrong;
    if (line.reason != "chosen") continue;
    if (chosen != nullptr) return "auto: two candidates are chosen";
    chosen = &line;
  }
  if (chosen == nullptr) return base.stopped() ? "" : "auto: none is chosen";
  const CandidateScore& first = base.candidates.front();
  if (first.parts > 0 && std::abs(first.behind) > kRounding) return sentence("auto: the first is ", first.behind, " behind itself");
  if (chosen->behind > chosen->standard_error + kRounding) return sentence("auto: chosen at ", chosen->behind, " behind");
  for (const CandidateScore& line : base.candidates) {
    const bool is_behind = line.behind > line.standard_error + kRounding;
    if (line.reason == "more than one standard error behind" && !is_behind) return "auto: not behind: " + line.method;
    if (line.reason == "more splits" && std::round(line.splits) <= std::round(chosen->splits))
      return "auto: not more splits: " + line.method;
    const bool stayed = line.parts == chosen->parts && (line.reason == "more splits" || line.reason.starts_with("about as many splits"));
    if (stayed && is_behind) return "auto: behind, and not for that: " + line.method;
    if (stayed && std::round(line.splits) < std::round(chosen->splits)) return "auto: a simpler one as good: " + line.method;
  }
  return "";
}

}  // namespace treewright::testing
