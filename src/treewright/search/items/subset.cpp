#include "treewright/search/items/subset.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <numeric>
#include <utility>

#include "treewright/base/memory.h"
#include "treewright/base/stop_point.h"
#include "treewright/search/loss/costs.h"

namespace treewright::search {

namespace {

// Whose ranks in one ordering are worth the time of giving them back.
constexpr std::uint32_t kManyItems = 100'000;

// For the numbers of the items of one range at a time.
thread_local std::vector<std::uint32_t> numbers_in_range;

}  // namespace

Subset Subset::all(const Problem& problem) {
  Problem copy = problem;
  return take(copy);
}

Subset Subset::take(Problem& problem) {
  Subset subset;
  subset.give_stamp();
  subset.size = static_cast<std::uint32_t>(problem.items());
  subset.label = std::exchange(problem.label, {});
  subset.weight = std::exchange(problem.weight, {});
  subset.reach = std::exchange(problem.reach, {});
  subset.count = std::exchange(problem.count, {});
  subset.exposure = std::exchange(problem.exposure, {});
  subset.amount = std::exchange(problem.amount, {});
  subset.total_weight = problem.total_weight;
  subset.total_reach = problem.total_reach;
  subset.rows = problem.total_rows;
  subset.order.reserve(problem.orderings.size() * subset.size);
  subset.rank.reserve(subset.order.capacity());
  for (Ordering& ordering : problem.orderings) {
    stop_point();
    subset.add_ordering(ordering);
    std::vector<std::uint32_t>().swap(ordering.rank);
    if (subset.size >= kManyItems) return_freed_memory();
  }
  return subset;
}

// Counting sort: stable and linear.
void Subset::add_ordering(const Ordering& ordering) {
  std::vector<std::uint32_t> next(ordering.ranks + 1, 0);
  for (const std::uint32_t r : ordering.rank) ++next[r + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  const std::size_t base = order.size();
  order.resize(base + size);
  rank.resize(base + size);
  for (std::uint32_t i = 0; i < size; ++i) {
    const std::uint32_t r = ordering.rank[i];
    const std::size_t at = base + next[r]++;
    order[at] = i;
    rank[at] = r;
  }
}

void ItemRange::number_items(std::vector<std::uint32_t>& renamed) const {
  assert(first <= last && last <= whole.size && !whole.is_packed());
  if (is_whole()) {  // also where there is no ordering at all
    renamed.resize(whole.size);
    std::iota(renamed.begin(), renamed.end(), std::uint32_t{0});
    return;
  }
  renamed.assign(whole.size, kAbsent);
  const std::span<const std::uint32_t> order = whole.order_of(ordering);
  for (std::uint32_t at = first; at < last; ++at) renamed[order[at]] = 0;
  std::uint32_t next = 0;
  for (std::uint32_t& name : renamed) {
    if (name != kAbsent) name = next++;
  }
}

std::size_t ItemRange::number_rows(std::vector<std::uint32_t>& renamed) const {
  number_items(renamed);
  std::uint32_t next = 0;
  for (std::uint32_t i = 0; i < whole.size; ++i) {
    if (renamed[i] != kAbsent) renamed[i] = whole.starts_rows(i) ? next++ : kAbsent;
  }
  return next;
}

double ItemRange::total_reach() const {
  assert(is_whole() || !whole.is_packed());
  if (is_whole()) return whole.total_reach;
  const std::vector<double>& reach = whole.reach_or_weight();
  double sum = 0;
  for (const std::uint32_t item : whole.order_of(ordering).subspan(first, size())) sum += reach[item];
  return sum;
}

void ItemRange::copy_to(Subset& to) const {
  if (whole.is_packed()) return copy_bits_to(to);
  number_items(numbers_in_range);
  whole.copy_items(numbers_in_range, size(), to);
}

void Subset::copy_items(const std::vector<std::uint32_t>& renamed, std::uint32_t n, Subset& to) const {
  const std::size_t orderings = size == 0 ? 0 : order.size() / size;
  to.give_stamp();
  to.size = n;
  to.label.resize(n);
  to.weight.resize(n);
  to.reach.resize(reach.empty() ? 0 : n);
  to.count.resize(n);
  to.exposure.resize(exposure.empty() ? 0 : n);
  to.amount.resize(to.exposure.size());
  // One place more than needed: see below.
  to.order.resize(orderings * n + 1);
  to.rank.resize(orderings * n + 1);
  to.total_weight = 0;
  to.rows = 0;
  for (std::uint32_t i = 0; i < size; ++i) {
    const std::uint32_t name = renamed[i];
    if (name == kAbsent) continue;
    to.label[name] = label[i];
    to.weight[name] = weight[i];
    to.count[name] = count[i];
    to.total_weight += weight[i];
    to.rows += count[i];
  }
  to.total_reach = reach.empty() ? to.total_weight : 0;
  for (std::uint32_t i = 0; i < reach.size(); ++i) {
    if (renamed[i] == kAbsent) continue;
    to.reach[renamed[i]] = reach[i];
    to.total_reach += reach[i];
  }
  for (std::uint32_t i = 0; i < exposure.size(); ++i) {
    if (renamed[i] == kAbsent) continue;
    to.exposure[renamed[i]] = exposure[i];
    to.amount[renamed[i]] = amount[i];
  }
  if (to.total_reach == to.total_weight) to.reach.clear();  // no item's reach is less than its weight
  for (std::size_t g = 0; g < orderings; ++g) {
    const std::uint32_t* from = order.data() + g * size;
    const std::uint32_t* from_rank = rank.data() + g * size;
    std::uint32_t* out = to.order.data() + g * n;
    std::uint32_t* out_rank = to.rank.data() + g * n;
    // Every item is written, and only those asked for advance `filled`: no branch to mispredict. The item after the last one
    // lands on the first place of the next ordering, which is written afterwards.
    std::uint32_t filled = 0;
    for (std::uint32_t at = 0; at < size && filled < n; ++at) {
      const std::uint32_t name = renamed[from[at]];
      out[filled] = name;
      out_rank[filled] = from_rank[at];
      filled += name != kAbsent;
    }
  }
  assert(to.total_reach <= to.total_weight);
  to.order.resize(orderings * n);
  to.rank.resize(orderings * n);
}

void ItemRange::copy_bits_to(Subset& to) const {
  static thread_local std::vector<BitColumns::Word> mask;
  whole.bits.mask(ordering, first, last, mask);
  to.give_stamp();
  to.bits.assign(whole.bits, mask);
  to.size = to.bits.size();
  to.total_weight = 0;
  for (std::size_t k = 0; k < to.bits.classes; ++k) to.total_weight += to.bits.weight(k);
  to.total_reach = to.total_weight - to.bits.lost();
  assert(0 <= to.total_reach && to.total_reach <= to.total_weight);
  to.rows = static_cast<std::int64_t>(to.bits.rows());
}

std::uint32_t ItemRange::rank_at(std::size_t f, std::size_t place, bool by_rows) const {
  std::vector<std::uint32_t>& renamed = numbers_in_range;
  by_rows ? static_cast<void>(number_rows(renamed)) : number_items(renamed);
  const std::span<const std::uint32_t> order = whole.order_of(f);
  std::size_t at = 0;
  for (std::size_t seen = 0; renamed[order[at]] == kAbsent || seen++ < place;) ++at;
  return whole.ranks_of(f)[at];
}

std::pair<std::uint32_t, std::uint32_t> ItemRange::ranks_around(std::size_t f, std::uint32_t rank) const {
  std::vector<std::uint32_t>& renamed = numbers_in_range;
  number_items(renamed);
  const std::span<const std::uint32_t> order = whole.order_of(f), ranks = whole.ranks_of(f);
  std::uint32_t low = 0;
  for (std::size_t at = 0;; ++at) {
    if (renamed[order[at]] == kAbsent) continue;
    if (ranks[at] >= rank) return {low, ranks[at]};
    low = ranks[at];
  }
}

void Subset::give_stamp() {
  static std::atomic<std::uint64_t> last{0};
  stamp = last.fetch_add(1, std::memory_order_relaxed) + 1;
}

std::vector<double> Subset::class_weights(std::int32_t classes) const {
  std::vector<double> totals(classes, 0.0);
  if (is_packed()) {
    for (std::size_t k = 0; k < totals.size(); ++k) totals[k] = bits.weight(k);
    return totals;
  }
  for (std::uint32_t i = 0; i < size; ++i) totals[label[i]] += weight[i];
  return totals;
}

double Subset::leaf_errors(std::int32_t classes) const {
  return search::leaf_cost(total_reach, class_weights(classes));
}

double Subset::leaf_cost(const Problem& problem) const {
  if (!problem.sums) return leaf_errors(problem.classes);
  const double a = std::accumulate(exposure.begin(), exposure.end(), 0.0), b = std::accumulate(amount.begin(), amount.end(), 0.0);
  return problem.sums->of_leaves(total_weight, problem.sums->gain(a, b));
}

double Subset::least_cost(const Problem& problem, std::int64_t leaves) const {
  if (!problem.sums) return search::least_cost(total_reach, class_weights(problem.classes), leaves);
  return 0;
}

std::size_t Cuts::below(std::uint32_t rank) const {
  return static_cast<std::size_t>(first_where(0, size_, [&](std::size_t c) { return high(c) >= rank; }));
}

void Cuts::assign(const Subset& subset, std::size_t f) {
  places_.clear();
  reach_.clear();
  rows_.clear();
  ranks_ = {};
  if (subset.is_packed()) {
    const auto copy = [&](const auto& all, auto& to) {
      to.assign(all.begin() + static_cast<std::ptrdiff_t>(subset.bits.first_cut[f]),
                all.begin() + static_cast<std::ptrdiff_t>(subset.bits.first_cut[f + 1]));
    };
    copy(subset.bits.place, places_);
    copy(subset.bits.low, low_);
    copy(subset.bits.high, high_);
    copy(subset.bits.reach_left, reach_);
    copy(subset.bits.rows_left, rows_);
    size_ = static_cast<std::int64_t>(places_.size());
    assert(std::ranges::is_sorted(places_) && std::ranges::is_sorted(reach_));
    return;
  }
  ranks_ = subset.ranks_of(f);
  const auto changes = [&](std::uint32_t at) { return at > 0 && ranks_[at] != ranks_[at - 1]; };
  size_ = 0;
  for (std::uint32_t at = 0; at < subset.size; ++at) size_ += changes(at);
  const bool ties = size_ + 1 < subset.size;
  const std::vector<double>& of_item = subset.reach_or_weight();
  const bool unit_reach = std::all_of(of_item.begin(), of_item.end(), [](double reach) { return reach == 1; });
  const bool unit_rows = std::all_of(subset.count.begin(), subset.count.end(), [](std::int32_t rows) { return rows == 1; });
  if (!ties && unit_reach && unit_rows) return;
  const std::span<const std::uint32_t> order = subset.order_of(f);
  double reach = 0;
  std::int64_t rows = 0;
  for (std::uint32_t at = 0; at < subset.size; ++at) {
    if (changes(at)) {
      if (ties) places_.push_back(at);
      if (!unit_reach) reach_.push_back(reach);
      if (!unit_rows) rows_.push_back(rows);
    }
    if (!unit_reach) reach += of_item[order[at]];
    if (!unit_rows) rows += subset.count[order[at]];
  }
  assert(unit_reach || reach == subset.total_reach);
}

}  // namespace treewright::search
