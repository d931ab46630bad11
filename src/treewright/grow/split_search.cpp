// Best cut of one node along one feature.
//
// Numeric features. The node's rows come sorted; the cut moves through the gaps between different values
// while the class weights on its left are kept up to date: O(rows + gaps * classes). Rows without the value
// go to the side where they help more: the scan runs once with them on the right and once with them on the
// left.
//
// Categorical features, two classes in the node (Breiman, Friedman, Olshen & Stone 1984, sec. 4.2.2 and
// theorem 4.5). Order the levels by their share of class 1; some cut of this order is best among all
// 2^(levels-1) - 1 ways to part the levels. Proof for all three criteria at once: the score is a convex
// function of the left side's class weights (w_0, w_1), so over all sets of levels its maximum lies at a
// vertex of the hull of the reachable points. A vertex maximises some linear function a*w_0 + b*w_1, which is
// done by taking the levels with a*w_0 + b*w_1 > 0; as the w are non-negative that is a beginning or an end
// of the order. Rows that lack the value shift all points by a constant, so nothing changes with them fixed
// on one side. It is not proved, and not true, once min_leaf_rows forbids some of the sets: then the best
// allowed cut of the order is a heuristic.
//
// Categorical features, more classes. No such order exists. With up to five levels in the node all 15 ways to
// part them are tried; beyond that each level is parted from the rest.

#include "treewright/grow/split_search.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>

namespace treewright::grow {

namespace {

constexpr std::size_t kExhaustiveLevels = 5;

double x_log2_x(double x) {
  return x > 0 ? x * std::log2(x) : 0.0;
}

// Purity of a left side plus purity of what remains of the total. Right sides come by subtraction, whose
// rounding may leave a little below zero where nothing remains.
template <Criterion criterion>
double score_of(const double* left, const double* total, std::size_t classes) {
  double weight_left = 0, weight_right = 0, sum_left = 0, sum_right = 0;
  for (std::size_t k = 0; k < classes; ++k) {
    const double l = left[k], r = std::max(total[k] - l, 0.0);
    if constexpr (criterion == Criterion::misclassification) {
      sum_left = std::max(sum_left, l);
      sum_right = std::max(sum_right, r);
    } else {
      weight_left += l;
      weight_right += r;
      sum_left += criterion == Criterion::gini ? l * l : x_log2_x(l);
      sum_right += criterion == Criterion::gini ? r * r : x_log2_x(r);
    }
  }
  if constexpr (criterion == Criterion::gini) {
    return (weight_left > 0 ? sum_left / weight_left : 0.0) + (weight_right > 0 ? sum_right / weight_right : 0.0);
  } else if constexpr (criterion == Criterion::entropy) {
    return sum_left + sum_right - x_log2_x(weight_left) - x_log2_x(weight_right);
  } else {
    return sum_left + sum_right;
  }
}

}  // namespace

SplitSearch::SplitSearch(Criterion criterion, std::size_t classes, std::span<const std::int32_t> labels, std::span<const double> weights,
                         std::int64_t min_leaf_rows, std::span<const std::int32_t> counts)
    : criterion_(criterion),
      classes_(classes),
      labels_(labels),
      weights_(weights),
      min_leaf_rows_(std::max<std::int64_t>(min_leaf_rows, 1)),
      counts_(min_leaf_rows > 1 ? counts : std::span<const std::int32_t>()),
      total_(classes),
      left_(classes),
      missing_(classes),
      with_missing_(classes) {}

std::pair<std::size_t, std::size_t> range_of_cuts(std::size_t rows, std::size_t present, bool missing_left, std::size_t min_leaf) {
  const std::size_t missing = rows - present, extra_left = missing_left ? missing : 0, extra_right = missing - extra_left;
  const std::size_t first = min_leaf > extra_left ? min_leaf - extra_left : 1;
  const std::size_t need_right = min_leaf > extra_right ? min_leaf - extra_right : 1;
  return {first, need_right > present ? 0 : present - need_right};
}

std::size_t present_rows(std::span<const RankedRow> list) {
  std::size_t present = list.size();
  while (present > 0 && list[present - 1].rank == kMissingRank) --present;
  return present;
}

SplitSearch::Sums SplitSearch::of_all(const Dataset& data) {
  weight_of_all_ = data.total_weight();
  return data.class_totals();
}

void SplitSearch::enter(const Sums& class_weight) {
  total_ = class_weight;
  total_weight_ = 0;
  for (const double weight : total_) total_weight_ += weight;
}

double SplitSearch::score(const double* left) const {
  switch (criterion_) {
    case Criterion::gini:
      return score_of<Criterion::gini>(left, total_.data(), classes_);
    case Criterion::entropy:
      return score_of<Criterion::entropy>(left, total_.data(), classes_);
    case Criterion::misclassification:
      return score_of<Criterion::misclassification>(left, total_.data(), classes_);
  }
  return 0;
}

double SplitSearch::purity_of_node() const {
  // All on the left, nothing on the right.
  return score(total_.data());
}

std::size_t SplitSearch::count_missing(std::span<const RankedRow> list) {
  const std::size_t present = present_rows(list);
  std::fill(missing_.begin(), missing_.end(), 0.0);
  for (std::size_t i = list.size(); i-- > present;) add(missing_, list[i].row);
  return list.size() - present;
}

std::int64_t SplitSearch::counted(std::span<const RankedRow> list) const {
  std::int64_t rows = 0;
  for (const RankedRow& entry : list) rows += count(entry.row);
  return rows;
}

// range_of_cuts, where rows may count for several.
std::pair<std::size_t, std::size_t> SplitSearch::enough_rows(std::span<const RankedRow> list, std::size_t present,
                                                             bool missing_left) const {
  if (counts_.empty()) return range_of_cuts(list.size(), present, missing_left, static_cast<std::size_t>(min_leaf_rows_));
  std::size_t first = 1, last = present - 1;
  const std::int64_t of_missing = counted(list.subspan(present));
  std::int64_t left = missing_left ? of_missing : 0, right = of_missing - left;
  for (first = 0; first < present && (first < 1 || left < min_leaf_rows_); ++first) left += count(list[first].row);
  for (last = present; last > 0 && (last == present || right < min_leaf_rows_); --last) right += count(list[last - 1].row);
  return left < min_leaf_rows_ || right < min_leaf_rows_ ? std::pair<std::size_t, std::size_t>{1, 0} : std::pair{first, last};
}

template <Criterion criterion, bool unit_weights>
void SplitSearch::scan(std::span<const RankedRow> list, std::size_t present, bool missing_left, RankSplit& best) {
  const std::int32_t* const labels = labels_.data();
  const double* const weights = weights_.data();
  const double* const total = total_.data();
  double* const left = left_.data();
  const std::size_t classes = classes_;
  const double margin_of_node = margin();
  double best_score = best.score;

  for (std::size_t k = 0; k < classes; ++k) left[k] = missing_left ? missing_[k] : 0.0;
  const auto [first, last] = enough_rows(list, present, missing_left);
  const RankedRow* const rows = list.data();
  for (std::size_t i = 0; i < last; ++i) {
    const std::uint32_t row = rows[i].row;
    left[labels[row]] += unit_weights ? 1.0 : weights[row];
    if (rows[i].rank == rows[i + 1].rank || i + 1 < first) continue;
    const double candidate = score_of<criterion>(left, total, classes);
    if (candidate > best_score + margin_of_node) {
      best_score = candidate;
      best.score = candidate;
      best.missing_left = missing_left;
      best.first_right = rows[i + 1].rank;
      best.last_left_row = row;
      best.first_right_row = rows[i + 1].row;
    }
  }
}

void SplitSearch::scan(std::span<const RankedRow> list, std::size_t present, bool missing_left, RankSplit& best) {
  const auto with = [&](auto criterion) {
    if (weights_.empty()) {
      scan<criterion.value, true>(list, present, missing_left, best);
    } else {
      scan<criterion.value, false>(list, present, missing_left, best);
    }
  };
  switch (criterion_) {
    case Criterion::gini:
      return with(std::integral_constant<Criterion, Criterion::gini>());
    case Criterion::entropy:
      return with(std::integral_constant<Criterion, Criterion::entropy>());
    case Criterion::misclassification:
      return with(std::integral_constant<Criterion, Criterion::misclassification>());
  }
}

RankSplit SplitSearch::best_numeric(std::span<const RankedRow> list, double to_beat, bool& constant) {
  RankSplit best;
  const std::size_t missing_rows = count_missing(list), present = list.size() - missing_rows;
  constant = present == 0 || list[0].rank == list[present - 1].rank;
  if (constant) return best;
  best.score = to_beat;
  scan(list, present, false, best);
  if (missing_rows > 0) scan(list, present, true, best);
  if (!(best.score > to_beat)) best = RankSplit();
  return best;
}

void SplitSearch::collect_levels(std::span<const RankedRow> present) {
  levels_.clear();
  level_weight_.clear();
  for (const RankedRow& entry : present) {
    if (levels_.empty() || levels_.back().code != entry.rank) {
      levels_.push_back({entry.rank, 0});
      level_weight_.resize(level_weight_.size() + classes_, 0.0);
    }
    levels_.back().rows += count(entry.row);
    level_weight_[(levels_.size() - 1) * classes_ + labels_[entry.row]] += weight(entry.row);
  }
}

void SplitSearch::clear_left() {
  rows_left_ = 0;
  std::fill(left_.begin(), left_.end(), 0.0);
}

void SplitSearch::add_left(std::uint32_t level) {
  rows_left_ += levels_[level].rows;
  for (std::size_t k = 0; k < classes_; ++k) left_[k] += level_weight_[level * classes_ + k];
}

// Ascending by the share of the second of the two classes that occur: one minus that of the first, whatever the number of classes
// elsewhere.
std::vector<std::uint32_t> SplitSearch::levels_by_share() const {
  const auto first = std::find_if(total_.begin(), total_.end(), [](double weight) { return weight > 0; }) - total_.begin();
  std::vector<std::uint32_t> order(levels_.size());
  std::vector<double> share(levels_.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    order[i] = i;
    const auto weight = level_weight_.begin() + static_cast<std::ptrdiff_t>(i * classes_);
    share[i] = 1 - weight[first] / std::accumulate(weight, weight + static_cast<std::ptrdiff_t>(classes_), 0.0);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return share[a] < share[b]; });
  return order;
}

RankSplit SplitSearch::best_categorical(std::span<const RankedRow> list, double to_beat, const std::vector<bool>* alone, bool& constant) {
  RankSplit best;
  const std::size_t missing_rows = count_missing(list), present = list.size() - missing_rows;
  collect_levels(list.first(present));
  constant = levels_.size() < 2;
  if (constant) return best;
  best.score = to_beat;
  const std::int64_t rows = counted(list), rows_missing = counted(list.subspan(present));
  // Whether the levels that were added to the left are the best set so far.
  const auto is_best = [&] {
    bool better = false;
    for (const bool missing_left : {false, true}) {
      if (missing_left && (missing_rows == 0 || alone != nullptr)) break;
      if (!enough(rows_left_ + (missing_left ? rows_missing : 0), rows)) continue;
      for (std::size_t k = 0; k < classes_; ++k) with_missing_[k] = left_[k] + (missing_left ? missing_[k] : 0);
      const double candidate = score(with_missing_.data());
      if (!(candidate > best.score + margin())) continue;
      best.score = candidate;
      best.missing_left = missing_left;
      better = true;
    }
    return better;
  };
  const auto count = static_cast<std::uint32_t>(levels_.size());
  std::vector<std::uint32_t> chosen;
  if (alone == nullptr && std::ranges::count_if(total_, [](double weight) { return weight > 0; }) <= 2) {
    chosen = levels_by_share();
    std::size_t length = 0;
    clear_left();
    for (std::size_t i = 0; i + 1 < count; ++i) {
      add_left(chosen[i]);
      if (is_best()) length = i + 1;
    }
    chosen.resize(length);
  } else if (alone == nullptr && count <= kExhaustiveLevels) {
    // The last level stays on the right: a set and its complement part the levels alike.
    for (std::uint32_t mask = 1; mask < 1u << (count - 1); ++mask) {
      std::vector<std::uint32_t> set;
      clear_left();
      for (std::uint32_t i = 0; i + 1 < count; ++i) {
        if (mask >> i & 1) set.push_back(i), add_left(i);
      }
      if (is_best()) chosen = set;
    }
  } else {
    for (std::uint32_t i = 0; i < count; ++i) {
      if (alone != nullptr && !(*alone)[levels_[i].code + 1]) continue;
      clear_left();
      add_left(i);
      if (is_best()) chosen.assign(1, i);
    }
  }
  if (!(best.score > to_beat)) return RankSplit();
  for (const std::uint32_t i : chosen) best.left_levels.push_back(levels_[i].code);
  std::sort(best.left_levels.begin(), best.left_levels.end());
  return best;
}

}  // namespace treewright::grow
