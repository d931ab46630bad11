#include "treewright/search/subset.h"

#include <algorithm>
#include <atomic>
#include <numeric>

namespace treewright::search {

Subset Subset::all(const Problem& problem) {
  Subset subset;
  subset.give_stamp();
  subset.size = static_cast<std::uint32_t>(problem.items());
  subset.label = problem.label;
  subset.weight = problem.weight;
  subset.count = problem.count;
  subset.total_weight = problem.total_weight;
  subset.rows = problem.total_rows;
  subset.order.resize(problem.orderings.size() * subset.size);
  subset.rank.resize(subset.order.size());
  for (std::size_t f = 0; f < problem.orderings.size(); ++f) {
    const Ordering& ordering = problem.orderings[f];
    // Counting sort: stable and linear.
    std::vector<std::uint32_t> next(ordering.ranks + 1, 0);
    for (const std::uint32_t r : ordering.rank) ++next[r + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    for (std::uint32_t i = 0; i < subset.size; ++i) {
      const std::uint32_t r = ordering.rank[i];
      const std::uint32_t at = next[r]++;
      subset.order[f * subset.size + at] = i;
      subset.rank[f * subset.size + at] = r;
    }
  }
  return subset;
}

void ItemRange::number_items(std::vector<std::uint32_t>& renamed) const {
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

void ItemRange::copy_to(Subset& to) const {
  if (whole.is_packed()) return copy_bits_to(to);
  const std::uint32_t n = size();
  const std::size_t orderings = whole.size == 0 ? 0 : whole.order.size() / whole.size;
  static thread_local std::vector<std::uint32_t> renamed;
  number_items(renamed);
  to.give_stamp();
  to.size = n;
  to.label.resize(n);
  to.weight.resize(n);
  to.count.resize(n);
  // One place more than needed: see below.
  to.order.resize(orderings * n + 1);
  to.rank.resize(orderings * n + 1);
  to.total_weight = 0;
  to.rows = 0;
  for (std::uint32_t i = 0; i < whole.size; ++i) {
    const std::uint32_t name = renamed[i];
    if (name == kAbsent) continue;
    to.label[name] = whole.label[i];
    to.weight[name] = whole.weight[i];
    to.count[name] = whole.count[i];
    to.total_weight += whole.weight[i];
    to.rows += whole.count[i];
  }
  for (std::size_t g = 0; g < orderings; ++g) {
    const std::uint32_t* from = whole.order.data() + g * whole.size;
    const std::uint32_t* from_rank = whole.rank.data() + g * whole.size;
    std::uint32_t* out = to.order.data() + g * n;
    std::uint32_t* out_rank = to.rank.data() + g * n;
    // Every item is written, and only those of the range advance `filled`: no branch to mispredict. The item after the last of the range
    // lands on the first place of the next ordering, which is written afterwards.
    std::uint32_t filled = 0;
    for (std::uint32_t at = 0; at < whole.size && filled < n; ++at) {
      const std::uint32_t name = renamed[from[at]];
      out[filled] = name;
      out_rank[filled] = from_rank[at];
      filled += name != kAbsent;
    }
  }
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
  for (std::size_t k = 0; k < to.bits.classes; ++k) to.total_weight += to.bits.class_weight(k);
  to.rows = static_cast<std::int64_t>(to.bits.rows());
}

std::uint32_t ItemRange::rank_at(std::size_t f, std::size_t place) const {
  static thread_local std::vector<std::uint32_t> renamed;
  number_items(renamed);
  const std::span<const std::uint32_t> order = whole.order_of(f);
  std::size_t at = 0;
  for (std::size_t seen = 0; renamed[order[at]] == kAbsent || seen++ < place;) ++at;
  return whole.ranks_of(f)[at];
}

void Subset::give_stamp() {
  static std::atomic<std::uint64_t> last{0};
  stamp = last.fetch_add(1, std::memory_order_relaxed) + 1;
}

std::vector<double> Subset::class_weights(std::int32_t classes) const {
  std::vector<double> totals(classes, 0.0);
  if (is_packed()) {
    for (std::size_t k = 0; k < totals.size(); ++k) totals[k] = bits.class_weight(k);
    return totals;
  }
  for (std::uint32_t i = 0; i < size; ++i) totals[label[i]] += weight[i];
  return totals;
}

double Subset::leaf_errors(std::int32_t classes) const {
  const std::vector<double> totals = class_weights(classes);
  return std::accumulate(totals.begin(), totals.end(), 0.0) - *std::max_element(totals.begin(), totals.end());
}

std::size_t Cuts::below(std::uint32_t rank) const {
  return static_cast<std::size_t>(std::lower_bound(high.begin(), high.end(), rank) - high.begin());
}

void Cuts::assign(const Subset& subset, std::size_t f) {
  if (subset.is_packed()) {
    const auto copy = [&](const auto& all, auto& to) {
      to.assign(all.begin() + static_cast<std::ptrdiff_t>(subset.bits.first_cut[f]),
                all.begin() + static_cast<std::ptrdiff_t>(subset.bits.first_cut[f + 1]));
    };
    copy(subset.bits.place, place);
    copy(subset.bits.low, low);
    copy(subset.bits.high, high);
    copy(subset.bits.weight_left, weight_left);
    copy(subset.bits.rows_left, rows_left);
    return;
  }
  place.clear();
  low.clear();
  high.clear();
  weight_left.clear();
  rows_left.clear();
  const std::span<const std::uint32_t> order = subset.order_of(f), rank = subset.ranks_of(f);
  double weight = 0;
  std::int64_t rows = 0;
  for (std::uint32_t at = 0; at < subset.size; ++at) {
    if (at > 0 && rank[at] != rank[at - 1]) {
      place.push_back(at);
      low.push_back(rank[at - 1]);
      high.push_back(rank[at]);
      weight_left.push_back(weight);
      rows_left.push_back(rows);
    }
    weight += subset.weight[order[at]];
    rows += subset.count[order[at]];
  }
}

}  // namespace treewright::search
