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
// The error of a concordance is that of the infinitesimal jackknife (Therneau and Atkinson 2020): the root of the sum of squares of what
// each row moves.
//
// Cost: a sort of the rows. Concordance: rows times different numbers, which are as many as leaves.

#include "treewright/data/survival.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "treewright/data/costs/whole_weights.h"

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

// An estimate has no use for its last digits. Without them hazards are whole multiples of one unit: so a search adds them, as often as
// whole weights say, in any order, and no bound is lowered for what they were rounded by (data/costs/response_grid.h). They stay as they
// are where that would take more than a thousandth from the least one, as weights far apart do, and where weights have no common unit.
void round_to_exact_sums(Dataset& data) {
  constexpr int kBitsOfSum = 50;
  constexpr double kLeastInUnits = 0x1p10;
  const WholeWeights weights = whole_weights(data);
  double total = 0, least = std::numeric_limits<double>::infinity();
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const double hazard = data.response->exposure[row];
    total += weights.of(row) * hazard;
    if (hazard > 0) least = std::min(least, hazard);
  }
  if (!(total > 0) || !std::isfinite(total) || weights.rounding > 0) return;
  const double unit = std::ldexp(1.0, std::ilogb(total) + 1 - kBitsOfSum);
  if (least < kLeastInUnits * unit) return;
  for (double& hazard : data.response->exposure) hazard = std::round(hazard / unit) * unit;
}

}  // namespace

void set_hazards(Dataset& data) {
  Response& seen = *data.response;
  seen.exposure.assign(data.rows(), 0.0);
  const bool weighable = std::ranges::all_of(data.weights, [](double weight) { return weight >= 0 && std::isfinite(weight); });
  if (seen.times.size() != data.rows() || (!data.weights.empty() && data.weights.size() != data.rows()) || !weighable)
    return;  // `validate` says so
  RowNumbers rows(data.rows());
  std::iota(rows.begin(), rows.end(), 0);
  double hazard = 0;
  std::size_t at = 0;
  for (const AtTime& here : by_time(data, rows)) {
    if (here.events > 0) hazard += here.events / here.observed;
    for (; at < here.end; ++at) seen.exposure[rows[at]] = hazard;
  }
  round_to_exact_sums(data);
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

namespace {

// Weights of the rows that a row can be compared with, and of those among them whose numbers are in the right order.
struct Compared {
  double pairs = 0, right = 0;

  Compared() = default;
  // With rows of these numbers, all of which had the event later, or all of them earlier.
  Compared(const std::map<double, double>& others, double number, bool later) {
    for (const auto& [other, weight] : others) {
      pairs += weight;
      right += weight * (other == number ? 0.5 : (other < number) == later ? 1 : 0);
    }
  }
};

// Calls `note(row, compared)` for each row with an event and the rows that outlast it.
template <class Note>
void with_later_rows(std::span<const double> predicted, const Dataset& data, const RowNumbers& rows, const std::vector<AtTime>& times,
                     const Note& note) {
  std::map<double, double> later;  // weight by their numbers
  std::size_t end = rows.size();
  for (std::size_t k = times.size(); k-- > 0;) {
    const std::size_t begin = k == 0 ? 0 : times[k - 1].end;
    const std::span here = std::span(rows).subspan(begin, end - begin);
    for (const bool events : {false, true}) {
      for (const std::int32_t row : here) {
        if (events && data.response->values[row] != 0) note(row, Compared(later, predicted[row], true));
      }
      for (const std::int32_t row : here) {
        if ((data.response->values[row] != 0) == events) later[predicted[row]] += data.weight(row);
      }
    }
    end = begin;
  }
}

// The same for each row and the events that it outlasts.
template <class Note>
void with_earlier_events(std::span<const double> predicted, const Dataset& data, const RowNumbers& rows, const std::vector<AtTime>& times,
                         const Note& note) {
  std::map<double, double> earlier;
  std::size_t begin = 0;
  for (const AtTime& at : times) {
    const std::span here = std::span(rows).subspan(begin, at.end - begin);
    for (const bool events : {true, false}) {
      for (const std::int32_t row : here) {
        if ((data.response->values[row] != 0) == events) note(row, Compared(earlier, predicted[row], false));
      }
      for (const std::int32_t row : here) {
        if (events && data.response->values[row] != 0) earlier[predicted[row]] += data.weight(row);
      }
    }
    begin = at.end;
  }
}

}  // namespace

std::optional<double> concordance(std::span<const double> predicted, const Dataset& data) {
  RowNumbers rows(data.rows());
  std::iota(rows.begin(), rows.end(), 0);
  const std::vector<AtTime> times = by_time(data, rows);
  double pairs = 0, right = 0;
  with_later_rows(predicted, data, rows, times, [&](std::int32_t row, const Compared& compared) {
    pairs += data.weight(row) * compared.pairs;
    right += data.weight(row) * compared.right;
  });
  return pairs > 0 ? std::optional(right / pairs) : std::nullopt;
}

// C = R / P, where each pair adds the product of its weights to P and, if it is in the right order, to R. A row's weight w has the
// derivative (r - C p) / P, where p and r are what the row's own pairs add by a unit of w.
std::optional<double> concordance_error(std::span<const double> predicted, const Dataset& data) {
  RowNumbers rows(data.rows());
  std::iota(rows.begin(), rows.end(), 0);
  const std::vector<AtTime> times = by_time(data, rows);
  std::vector<Compared> own(data.rows());
  const auto add = [&](std::int32_t row, const Compared& compared) {
    own[row].pairs += compared.pairs;
    own[row].right += compared.right;
  };
  double pairs = 0, right = 0;
  with_later_rows(predicted, data, rows, times, [&](std::int32_t row, const Compared& compared) {
    add(row, compared);
    pairs += data.weight(row) * compared.pairs;
    right += data.weight(row) * compared.right;
  });
  if (!(pairs > 0)) return std::nullopt;
  with_earlier_events(predicted, data, rows, times, add);
  const double share = right / pairs;
  double squares = 0;
  for (std::size_t row = 0; row < own.size(); ++row)
    squares += std::pow(data.weight(row) * (own[row].right - share * own[row].pairs) / pairs, 2);
  return std::sqrt(squares);
}

}  // namespace treewright
