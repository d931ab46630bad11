// Best cut of one node along one feature, where the target is a number (Breiman, Friedman, Olshen & Stone 1984, ch. 8).
//
// A set of rows has A = sum of weight * exposure and B = sum of weight * value; its leaf predicts B / A. A cut takes g(left) + g(right) -
// g(node) from the loss, with g(A, B) = B^2 / A for squared error and B log(B / A) for half the deviance. Squared error is counted from the
// mean of the node: B of the node is 0 then, the gain is B_left^2 * A / (A_left * A_right), and no digits are lost where a node's numbers
// are close together.
//
// Categories. g is convex and the gain a convex function of the left side's (A, B), so that its largest value over all sets of levels is
// that of a beginning or an end of their order by B / A: the proof of split_search.cpp for two classes, with A and B as the two sums. Rows
// that lack the value are a level of their own there: fixed on one side, the best set might be no such beginning.
//
// Cost: O(rows) of a node and feature, with one division a cut for squared error and two logarithms for the deviance.

#include "treewright/grow/number_search.h"

#include <algorithm>
#include <cassert>
#include <cmath>

#include "treewright/base/compensated_sum.h"
#include "treewright/data/losses.h"

namespace treewright::grow {

namespace {

double of_rate(double exposure, double events) {
  return events > 0 ? events * std::log(events / exposure) : 0.0;
}

template <Loss loss>
double gain_of(double exposure, double value, double total, double total_value, double of_node) {
  if constexpr (loss == Loss::squared) return value * value * total / (exposure * (total - exposure));
  return of_rate(exposure, value) + of_rate(total - exposure, std::max(0.0, total_value - value)) - of_node;
}

}  // namespace

NumberSearch::NumberSearch(const Dataset& data, std::int64_t min_leaf_rows)
    : data_(data), loss_kind_(data.response->loss), min_leaf_rows_(std::max<std::int64_t>(min_leaf_rows, 1)) {
  const Response& seen = *data.response;
  CompensatedSum exposure, value, loss;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    exposure += data.weight(row) * seen.at_risk(row);
    value += data.weight(row) * seen.values[row];
  }
  const double mean = value.value() / exposure.value(), from = loss_kind_ == Loss::squared ? mean : 0;
  const bool unit = data.weights.empty() && seen.exposure.empty();
  for (std::size_t row = 0; row < data.rows(); ++row) {
    values_.push_back(data.weight(row) * (seen.values[row] - from));
    if (!unit) exposure_.push_back(data.weight(row) * seen.at_risk(row));
    loss += data.weight(row) * row_loss(loss_kind_, seen.values[row], seen.at_risk(row), mean);
  }
  loss_ = loss.value() > 0 ? loss.value() : 1;
}

void NumberSearch::add(Sums& sums, std::uint32_t row) const {
  const double exposure = data_.response->at_risk(row), rate = exposure > 0 ? data_.response->values[row] / exposure : 0;
  sums.exposure += exposure_.empty() ? 1.0 : exposure_[row];
  sums.value += values_[row];
  sums.least = std::min(sums.least, rate);
  sums.largest = std::max(sums.largest, rate);
}

NumberSums NumberSearch::of_all(const Dataset& data) const {
  Sums sums;
  for (std::uint32_t row = 0; row < data.rows(); ++row) {
    if (data.weight(row) > 0) add(sums, row);
  }
  return sums;
}

void NumberSearch::enter(const Sums& node) {
  assert(node.exposure > 0);
  const bool squared = loss_kind_ == Loss::squared;
  mean_ = squared ? node.value / node.exposure : 0;
  total_ = node.exposure;
  total_value_ = squared ? 0 : node.value;
  const double range = node.largest - node.least, of_node = of_rate(node.exposure, node.value);
  margin_ = 1e-12 * (squared ? node.exposure * range * range : node.value + std::abs(of_node));
}

NumberSearch::Pair NumberSearch::pair(std::uint32_t row) const {
  const double exposure = exposure_.empty() ? 1.0 : exposure_[row];
  return {exposure, values_[row] - mean_ * exposure};
}

double NumberSearch::gain(const Pair& left) const {
  return loss_kind_ == Loss::squared
             ? gain_of<Loss::squared>(left.exposure, left.value, total_, 0, 0)
             : gain_of<Loss::poisson>(left.exposure, left.value, total_, total_value_, of_rate(total_, total_value_));
}

NumberSearch::Pair NumberSearch::sum(std::span<const RankedRow> rows) const {
  Pair sum;
  for (const RankedRow& entry : rows) sum += pair(entry.row);
  return sum;
}

template <bool unit, Loss loss>
void NumberSearch::scan(std::span<const RankedRow> list, std::size_t present, bool missing_left, const Pair& missing,
                        RankSplit& best) const {
  const RankedRow* const rows = list.data();
  const double *const values = values_.data(), *const exposures = exposure_.data();
  const double mean = mean_, total = total_, total_value = total_value_, of_node = of_rate(total_, total_value_);
  const auto [first, last] = range_of_cuts(list.size(), present, missing_left, static_cast<std::size_t>(min_leaf_rows_));
  Pair left = missing_left ? missing : Pair();
  double to_beat = best.score + margin_;
  for (std::size_t i = 0; i < last; ++i) {
    const std::uint32_t row = rows[i].row;
    const double exposure = unit ? 1.0 : exposures[row];
    left.exposure += exposure;
    left.value += values[row] - mean * exposure;
    if (rows[i].rank == rows[i + 1].rank || i + 1 < first) continue;
    const double candidate = gain_of<loss>(left.exposure, left.value, total, total_value, of_node);
    if (!(candidate > to_beat)) continue;
    to_beat = candidate + margin_;
    best.score = candidate;
    best.missing_left = missing_left;
    best.first_right = rows[i + 1].rank;
    best.last_left_row = row;
    best.first_right_row = rows[i + 1].row;
  }
}

void NumberSearch::scan(std::span<const RankedRow> list, std::size_t present, bool missing_left, const Pair& missing,
                        RankSplit& best) const {
  const bool unit = exposure_.empty();
  if (loss_kind_ == Loss::squared) {
    return unit ? scan<true, Loss::squared>(list, present, missing_left, missing, best)
                : scan<false, Loss::squared>(list, present, missing_left, missing, best);
  }
  return unit ? scan<true, Loss::poisson>(list, present, missing_left, missing, best)
              : scan<false, Loss::poisson>(list, present, missing_left, missing, best);
}

RankSplit NumberSearch::best_numeric(std::span<const RankedRow> list, double to_beat, bool& constant) {
  const std::size_t present = present_rows(list);
  constant = present == 0 || list[0].rank == list[present - 1].rank;
  if (constant) return {};
  RankSplit best;
  best.score = to_beat;
  const Pair missing = sum(list.subspan(present));
  scan(list, present, false, missing, best);
  if (present < list.size()) scan(list, present, true, missing, best);
  return best.score > to_beat ? best : RankSplit();
}

RankSplit NumberSearch::best_categorical(std::span<const RankedRow> list, double to_beat, const std::vector<bool>* alone, bool& constant) {
  struct Level {
    std::uint32_t code;
    std::int64_t rows;
    Pair sum;
    double mean() const { return sum.value / sum.exposure; }
  };
  std::vector<Level> levels;
  for (const RankedRow& entry : list) {
    if (levels.empty() || levels.back().code != entry.rank) levels.push_back({entry.rank, 0, {}});
    ++levels.back().rows;
    levels.back().sum += pair(entry.row);
  }
  constant = levels.size() < 2;
  if (constant) return {};
  std::stable_sort(levels.begin(), levels.end(), [](const Level& a, const Level& b) { return a.mean() < b.mean(); });
  const auto rows = static_cast<std::int64_t>(list.size());
  RankSplit best;
  best.score = to_beat;
  std::span<const Level> chosen;
  Pair left;
  std::int64_t rows_left = 0;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (alone != nullptr) left = Pair(), rows_left = 0;
    left += levels[i].sum;
    rows_left += levels[i].rows;
    // Missing is the first of the levels that may be alone.
    if (alone != nullptr && !(*alone)[levels[i].code == kMissingRank ? 0 : levels[i].code + 1]) continue;
    if (rows_left < min_leaf_rows_ || rows - rows_left < min_leaf_rows_) continue;
    const double candidate = gain(left);
    if (!(candidate > best.score + margin_)) continue;
    best.score = candidate;
    chosen = alone != nullptr ? std::span<const Level>(levels).subspan(i, 1) : std::span<const Level>(levels).first(i + 1);
  }
  if (chosen.empty()) return {};
  // Some level is on the left, so that the split can be asked in words.
  const bool swapped = chosen.size() == 1 && chosen.front().code == kMissingRank;
  for (const Level& level : levels) {
    const bool is_chosen = &level >= chosen.data() && &level < chosen.data() + chosen.size();
    if (is_chosen == swapped) continue;
    if (level.code == kMissingRank) {
      best.missing_left = true;
    } else {
      best.left_levels.push_back(level.code);
    }
  }
  std::sort(best.left_levels.begin(), best.left_levels.end());
  return best;
}

}  // namespace treewright::grow
