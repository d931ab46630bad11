// Times to an event that is not seen for every row.
//
// Sources: Nelson (1972) and Aalen (1978): the cumulative hazard; Kaplan and Meier (1958): the curve; LeBlanc and Crowley (1992):
// "Relative risk trees for censored survival data"; Harrell et al. (1982): concordance.
//
// Idea. At each time with events, the events are a share of the rows that are still observed. The sum of these shares up to t is the
// cumulative hazard H(t) of all rows. A row that was observed up to its time t expects H(t) events if it is like all rows. A leaf whose
// rows have B events and expect A of them has the relative hazard B / A, and what it loses is half the deviance of B events at the exposure
// A. So a survival tree is a tree of rates, with H at the row's time for its exposure (LeBlanc and Crowley, one step of their full
// likelihood). Among rows with events and with censoring at the same time, the events come first.
//
// The hazard is that of the rows at hand: a part of a Dataset has its own. So trees are trained without a look at the rows that test them.
//
// Cost: a sort of the rows. Concordance: rows times different numbers, which are as many as leaves.

#include "treewright/data/survival.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace treewright {

namespace {

// Rows of the same time.
struct AtTime {
  double time = 0, observed = 0, events = 0;  // weight of the rows of that time and later; of the events
  std::size_t end = 0;                        // of its rows in the order by time
};

// The times of these rows, ascending; `rows` are put in that order.
std::vector<AtTime> by_time(const Dataset& data, RowNumbers& rows) {
  const Response& seen = *data.response;
  std::stable_sort(rows.begin(), rows.end(), [&](std::int32_t a, std::int32_t b) { return seen.times[a] < seen.times[b]; });
  std::vector<AtTime> times;
  for (std::size_t at = 0; at < rows.size(); ++at) {
    const std::int32_t row = rows[at];
    if (times.empty() || times.back().time < seen.times[row]) times.push_back({seen.times[row], 0, 0, at});
    times.back().observed += data.weight(row);
    times.back().events += data.weight(row) * seen.values[row];
    times.back().end = at + 1;
  }
  for (std::size_t k = times.size(); k-- > 1;) times[k - 1].observed += times[k].observed;
  return times;
}

}  // namespace

void set_hazards(Dataset& data) {
  Response& seen = *data.response;
  seen.exposure.assign(data.rows(), 0.0);
  if (seen.times.size() != data.rows() || (!data.weights.empty() && data.weights.size() != data.rows())) return;  // `validate` says so
  RowNumbers rows(data.rows());
  std::iota(rows.begin(), rows.end(), 0);
  double hazard = 0;
  std::size_t at = 0;
  for (const AtTime& here : by_time(data, rows)) {
    if (here.events > 0) hazard += here.events / here.observed;
    for (; at < here.end; ++at) seen.exposure[rows[at]] = hazard;
  }
}

std::vector<SurvivalStep> survival_curve(const Dataset& data, std::span<const std::int32_t> rows) {
  RowNumbers sorted(rows.begin(), rows.end());
  std::vector<SurvivalStep> curve;
  double share = 1;
  for (const AtTime& here : by_time(data, sorted)) {
    if (!(here.events > 0)) continue;
    share *= std::max(0.0, 1 - here.events / here.observed);
    curve.push_back({here.time, share});
  }
  return curve;
}

std::optional<double> median_time(std::span<const SurvivalStep> curve) {
  constexpr double kHalf = 0.5 * (1 + 1e-12);  // a product of shares may have lost its last digits
  const auto half = std::find_if(curve.begin(), curve.end(), [](const SurvivalStep& step) { return step.share <= kHalf; });
  return half == curve.end() ? std::nullopt : std::optional(half->time);
}

std::optional<double> concordance(std::span<const double> predicted, const Dataset& data) {
  const Response& seen = *data.response;
  RowNumbers rows(data.rows());
  std::iota(rows.begin(), rows.end(), 0);
  const std::vector<AtTime> times = by_time(data, rows);
  std::map<double, double> later;  // weight of the rows that are observed longer, by their numbers
  double pairs = 0, concordant = 0;
  std::size_t end = rows.size();
  for (std::size_t k = times.size(); k-- > 0;) {
    const std::size_t begin = k == 0 ? 0 : times[k - 1].end;
    const std::span here = std::span(rows).subspan(begin, end - begin);
    for (const std::int32_t row : here) {
      if (seen.values[row] == 0) later[predicted[row]] += data.weight(row);
    }
    for (const std::int32_t row : here) {
      if (seen.values[row] == 0) continue;
      for (const auto& [number, weight] : later) {
        pairs += data.weight(row) * weight;
        concordant += data.weight(row) * weight * (number < predicted[row] ? 1 : number == predicted[row] ? 0.5 : 0);
      }
    }
    for (const std::int32_t row : here) {
      if (seen.values[row] != 0) later[predicted[row]] += data.weight(row);
    }
    end = begin;
  }
  return pairs > 0 ? std::optional(concordant / pairs) : std::nullopt;
}

}  // namespace treewright
