// Lays out the items of a range as the kernel reads them (stump_kernel.cpp): one ordering after the other, its boundaries, its blocks, and
// the sums of weights and rows up to each place.

#include "treewright/search/depth_two/kernel_columns.h"

#include <hwy/base.h>

#include <algorithm>
#include <cassert>
#include <functional>
#include <limits>
#include <numeric>

#include "treewright/base/stop_point.h"
#include "treewright/search/loss/label_sets.h"

namespace treewright::search {

namespace {

// With so many items an ordering takes a tenth of a millisecond or more.
constexpr std::size_t kManyItems = 10'000;

// The items of a range in their new numbers, and what one ordering needs at a time. Kept from call to call.
template <class T>
struct Gathered {
  std::vector<std::uint32_t> renamed;  // as ItemRange::number_items, or number_rows where there is a table
  std::vector<T> weight, rows;         // two classes: negative weights for class 1
  std::vector<T> reach;                // empty where it is the weight
  std::vector<std::uint16_t> label;    // more classes
  std::vector<std::uint32_t> rank;     // of the items in the ordering at hand
  std::vector<T> sum;                  // wide, two classes: KernelColumns::boundary_sum of the ordering at hand
  std::vector<T> class_weight;         // more classes: up to the place at hand
};

}  // namespace

template <class T>
void KernelColumns<T>::assign(const ItemRange& range, std::int32_t class_count, std::int64_t least_rows) {
  const Subset& whole = range.whole;
  assert((range.size() > 0 || whole.size == 0) && !whole.is_packed() && class_count >= 1);
  orderings_ = whole.size == 0 ? 0 : whole.order.size() / whole.size;
  class_weight_.assign(static_cast<std::size_t>(class_count), 0.0);
  min_rows_ = static_cast<T>(least_rows > 1 ? least_rows : 0);
  static thread_local Gathered<T> gathered;
  number(range, gathered);
  const bool unit = gather(range, gathered);
  lay_out_order(range, gathered);
  make_room(unit);
  minor_.resize(classes() == 2 || table_width_ > 0 ? 0 : orderings_ * size_ + 1);
  sequence_.resize(orderings_);
  std::iota(sequence_.begin(), sequence_.end(), std::size_t{0});
  for (std::size_t g = 0; g < orderings_; ++g) {
    if (size_ >= kManyItems) stop_point();
    add_boundaries(g, whole, gathered);
    add_prefixes(g, gathered);
    classes() == 2 ? add_blocks_of_two_classes(g, gathered) : add_blocks_of_many_classes(g, gathered);
  }
}

// The numbers of the items, and whether there is a table: not where most rows have one item, and closer ceilings save less than the sums of
// all labels cost.
template <class T>
template <class Gathered>
void KernelColumns<T>::number(const ItemRange& range, Gathered& gathered) {
  size_ = range.size();
  table_width_ = 0;
  const std::size_t labels = classes();
  if (labels != 2 && !range.whole.reach.empty()) {
    const std::size_t rows_there = range.number_rows(gathered.renamed);
    if (most_labels_gain(size_, rows_there, labels)) {
      size_ = rows_there;
      table_width_ = (labels + 1 + kTableStep - 1) / kTableStep * kTableStep;
      if (first_items_.stamp != range.whole.stamp) find_first_items(range.whole);
      return;
    }
  }
  range.number_items(gathered.renamed);
}

// All ranges of a subset skip its other items.
template <class T>
void KernelColumns<T>::find_first_items(const Subset& whole) {
  first_items_.stamp = whole.stamp;
  first_items_.order.clear();
  first_items_.rank.clear();
  for (std::size_t at = 0; at < orderings_ * whole.size; ++at) {
    if (!whole.starts_rows(whole.order[at])) continue;
    first_items_.order.push_back(whole.order[at]);
    first_items_.rank.push_back(whole.rank[at]);
  }
  first_items_.size = orderings_ == 0 ? 0 : first_items_.order.size() / orderings_;
}

// The items of the range, and their totals. Returns whether the reach of every item is 1.
template <class T>
template <class Gathered>
bool KernelColumns<T>::gather(const ItemRange& range, Gathered& gathered) {
  const Subset& whole = range.whole;
  const bool count_rows = min_rows_ > 0, two = classes() == 2, by_row = table_width_ > 0;
  gathered.weight.resize(by_row ? 0 : size_);
  gathered.rows.assign(count_rows ? size_ : 0, T{0});
  gathered.label.resize(two || by_row ? 0 : size_);
  gathered.rank.resize(kNarrow || !range.is_whole() || by_row ? size_ + 1 : 0);
  gathered.sum.resize(two && !kNarrow ? size_ : 0);
  gathered.reach.resize(whole.reach.empty() ? 0 : size_);
  table_.assign(size_ * table_width_, T{0});
  const std::vector<double>& reach = whole.reach_or_weight();
  bool unit = true;
  std::uint32_t name = kAbsent;
  for (std::uint32_t i = 0; i < whole.size; ++i) {
    const bool first = !by_row || whole.starts_rows(i);
    if (first) name = gathered.renamed[i];
    if (name == kAbsent) continue;
    const double w = whole.weight[i];
    const auto k = static_cast<std::uint16_t>(whole.label[i]);
    class_weight_[k] += w;
    if (by_row) {
      table_[name * table_width_ + k] = static_cast<T>(w);
    } else {
      gathered.weight[name] = static_cast<T>(two && k == 1 ? -w : w);
      if (!two) gathered.label[name] = k;
    }
    if (count_rows) gathered.rows[name] = static_cast<T>(gathered.rows[name] + static_cast<T>(whole.count[i]));
    if (!first) continue;
    unit = unit && reach[i] == 1;
    if (by_row) table_[name * table_width_ + classes()] = static_cast<T>(reach[i]);
    if (!gathered.reach.empty()) gathered.reach[name] = static_cast<T>(reach[i]);
  }
  total_reach_ = whole.reach.empty() ? std::accumulate(class_weight_.begin(), class_weight_.end(), 0.0)
                                     : std::accumulate(gathered.reach.begin(), gathered.reach.end(), 0.0);
  assert(total_reach_ <= static_cast<double>(std::numeric_limits<T>::max()));
  dominant_ = static_cast<std::uint16_t>(std::max_element(class_weight_.begin(), class_weight_.end()) - class_weight_.begin());
  return unit;
}

template <class T>
template <class Gathered>
void KernelColumns<T>::lay_out_order(const ItemRange& range, const Gathered& gathered) {
  const std::size_t all = orderings_ * size_;
  if constexpr (kNarrow) {
    places_.resize(size_);
    weights_.resize(table_width_ > 0 ? 0 : all);
  } else {
    items_.resize(size_);
    for (std::size_t i = 0; i < gathered.weight.size(); ++i) items_[i].weight = gathered.weight[i];
    order_ = range.whole.order.data();
  }
  if (!kNarrow && size_ == range.whole.size) return;
  // Given back before more is taken: nothing of it is kept.
  if (own_order_.capacity() < all + 1) std::vector<Index>().swap(own_order_);
  own_order_.resize(all + 1);  // one place more than needed: see add_boundaries
  order_ = own_order_.data();
}

// For what is entered ordering by ordering.
template <class T>
void KernelColumns<T>::make_room(bool unit) {
  const std::size_t all = orderings_ * size_;
  const bool count_rows = min_rows_ > 0, two = classes() == 2;
  label_.resize(two || table_width_ > 0 ? 0 : all);
  reach_prefix_.resize(unit ? 0 : all);
  rows_.resize(count_rows ? all : 0);
  rows_prefix_.resize(count_rows ? all : 0);
  boundary_lists_.clear();
  boundaries_end_ = 0;
  all_places_ = cut_ = kNone;
  first_block_.assign(1, 0);
  up_.clear();
  down_.clear();
  block_sum_.clear();
  boundary_sum_.resize(two && kNarrow ? all : 0);
  sums_.assign(two ? orderings_ : 0, {});
  fitting_sums_.assign(two && count_rows ? orderings_ : 0, {});
  first_minor_.assign(1, 0);
  class_prefix_.clear();
  block_end_.clear();
}

// Order and boundaries of an ordering.
template <class T>
template <class Gathered>
void KernelColumns<T>::add_boundaries(std::size_t g, const Subset& whole, Gathered& gathered) {
  const bool by_row = table_width_ > 0;
  const std::size_t all = by_row ? first_items_.size : whole.size;
  const std::uint32_t* HWY_RESTRICT rank = (by_row ? first_items_.rank : whole.rank).data() + g * all;
  if (order_ == own_order_.data()) {
    const std::uint32_t* HWY_RESTRICT from = (by_row ? first_items_.order : whole.order).data() + g * all;
    const std::uint32_t* HWY_RESTRICT names = gathered.renamed.data();
    std::uint32_t* HWY_RESTRICT to_rank = gathered.rank.data();
    Index* HWY_RESTRICT to = own_order_.data() + g * size_;
    // Written without branches, as in ItemRange::copy_to.
    std::size_t filled = 0;
    for (std::size_t at = 0; at < all && filled < size_; ++at) {
      const std::uint32_t name = names[from[at]];
      to[filled] = static_cast<Index>(name);
      to_rank[filled] = rank[at];
      filled += name != kAbsent;
    }
    rank = to_rank;
  }
  if (boundaries_.size() < boundaries_end_ + size_) boundaries_.resize(boundaries_end_ + size_);
  std::uint32_t* HWY_RESTRICT boundary = boundaries_.data() + boundaries_end_;
  std::size_t found = 0;
  const Index* HWY_RESTRICT order = order_ + g * size_;
  const T* HWY_RESTRICT weight = gathered.weight.data();
  // Two loops: a sum of weights has a meaning with two classes only.
  const bool copy_weights = kNarrow && !by_row;
  T* HWY_RESTRICT weight_at = copy_weights ? weights_.data() + g * size_ : nullptr;
  if (classes() == 2) {
    T* HWY_RESTRICT sum_before = kNarrow ? boundary_sum_.data() + g * size_ : gathered.sum.data();
    T sum = 0;
    for (std::size_t at = 0; at < size_; ++at) {
      boundary[found] = static_cast<std::uint32_t>(at);
      sum_before[found] = sum;
      found += at > 0 && rank[at] != rank[at - 1];
      const T w = weight[order[at]];
      if constexpr (kNarrow) weight_at[at] = w;
      sum = static_cast<T>(sum + w);
    }
    sum_before[found] = sum;
  } else {
    for (std::size_t at = 0; at < size_; ++at) {
      boundary[found] = static_cast<std::uint32_t>(at);
      found += at > 0 && rank[at] != rank[at - 1];
      if (copy_weights) weight_at[at] = weight[order[at]];
    }
  }
  boundary[found++] = static_cast<std::uint32_t>(size_);
  assert(found <= size_ && std::adjacent_find(boundary, boundary + found, std::greater_equal<>()) == boundary + found);
  const bool ties = found < size_;
  if (!ties && all_places_ != kNone) {
    boundary_lists_.push_back({all_places_, found});
    return;
  }
  if (!ties) all_places_ = boundaries_end_;
  boundary_lists_.push_back({boundaries_end_, found});
  boundaries_end_ += found;
}

template <class T>
void KernelColumns<T>::cut(std::size_t f) {
  if (cut_ == f) return;
  assert(f < orderings_);
  cut_ = f;
  const Index* HWY_RESTRICT order = order_ + f * size_;
  std::uint32_t start = 0;
  for (const std::uint32_t end : boundaries_of(f)) {
    for (std::uint32_t at = start; at < end; ++at) {
      T& place = [&]() -> T& {
        if constexpr (kNarrow) return places_[order[at]];
        return items_[order[at]].place;
      }();
      place = static_cast<T>(start);
    }
    start = end;
  }
}

template <class T>
template <class Gathered>
void KernelColumns<T>::add_blocks_of_two_classes(std::size_t g, const Gathered& gathered) {
  const std::span<const std::uint32_t> all = boundaries_of(g);
  const T* HWY_RESTRICT sum = kNarrow ? boundary_sum_.data() + g * size_ : gathered.sum.data();
  constexpr std::size_t kStep = kBlockOfTwo;
  double up_before = 0, down_before = 0;
  for (std::size_t b = 0; b < all.size(); b += kStep) {
    const std::size_t last = std::min(b + kStep, all.size()) - 1;
    const double both = reach_before(g, all[last]), difference = static_cast<double>(sum[last]);
    const double plus = (both + difference) / 2, minus = (both - difference) / 2;
    up_.push_back(static_cast<T>(plus - up_before));
    down_.push_back(static_cast<T>(minus - down_before));
    block_sum_.push_back(sum[last]);
    up_before = plus;
    down_before = minus;
  }
  first_block_.push_back(up_.size());
  assert(up_before + down_before == total_reach_);
  const auto range_of = [&](std::size_t first, std::size_t last) {
    SumRange range;
    for (std::size_t c = first; c < last; ++c) {
      range.low = std::min(range.low, sum[c]);
      range.high = std::max(range.high, sum[c]);
    }
    return range;
  };
  std::size_t first = 0, last = all.size() - 1;
  sums_[g] = range_of(first, last);
  if (min_rows_ == 0) return;
  while (first < last && !fits(g, all[first])) ++first;
  while (first < last && !fits(g, all[last - 1])) --last;
  fitting_sums_[g] = range_of(first, last);
}

template <class T>
template <class Gathered>
void KernelColumns<T>::add_blocks_of_many_classes(std::size_t g, Gathered& gathered) {
  const std::span<const std::uint32_t> all = boundaries_of(g);
  const Index* HWY_RESTRICT order = order_ + g * size_;
  const std::size_t base = g * size_;
  const std::size_t most = table_width_ > 0 ? kBlockOfTable : kBlockOfMany;
  std::size_t filled = first_minor_.back();
  gathered.class_weight.assign(std::max<std::size_t>(classes(), table_width_), T{0});
  for (std::size_t b = 0, at = 0; b < all.size();) {
    const std::size_t begin = at, first = b;
    do ++b;
    while (b < all.size() && all[b - 1] - begin < most && b - first < most);
    const std::size_t stop = all[b - 1];
    block_end_.push_back(static_cast<std::uint32_t>(b));
    for (; table_width_ > 0 && at < stop; ++at) {
      add_numbers(table_.data() + order[at] * table_width_, table_width_, gathered.class_weight.data());
    }
    for (; at < stop; ++at) {
      const std::uint16_t k = label_[base + at] = gathered.label[order[at]];
      gathered.class_weight[k] = static_cast<T>(gathered.class_weight[k] + gathered.weight[order[at]]);
      minor_[filled] = static_cast<std::uint32_t>(at);
      filled += k != dominant_;
    }
    first_minor_.push_back(filled);
    class_prefix_.insert(class_prefix_.end(), gathered.class_weight.data(), gathered.class_weight.data() + classes());
  }
  first_block_.push_back(first_minor_.size() - 1);
}

// Sums of reach and of rows, where they are needed.
template <class T>
template <class Gathered>
void KernelColumns<T>::add_prefixes(std::size_t g, const Gathered& gathered) {
  const std::size_t base = g * size_;
  const Index* HWY_RESTRICT order = order_ + g * size_;
  if (!reach_prefix_.empty()) {
    const T* HWY_RESTRICT reach = gathered.reach.empty() ? gathered.weight.data() : gathered.reach.data();
    T seen = 0;
    for (std::size_t at = 0; at < size_; ++at) {
      const T r = reach[order[at]];
      reach_prefix_[base + at] = seen = static_cast<T>(seen + (r < 0 ? -r : r));
    }
  }
  if (!rows_.empty()) {
    T seen = 0;
    for (std::size_t at = 0; at < size_; ++at) {
      const T r = rows_[base + at] = gathered.rows[order[at]];
      rows_prefix_[base + at] = seen = static_cast<T>(seen + r);
    }
  }
}

template struct KernelColumns<std::int16_t>;
template struct KernelColumns<std::int32_t>;
template struct KernelColumns<double>;

}  // namespace treewright::search
