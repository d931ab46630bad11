// Lays out items with two sums as the kernel reads them (sum_stumps.cpp): one ordering after the other, its boundaries and its blocks.

#include "treewright/search/depth_two/sum_columns.h"

#include <cmath>
#include <limits>
#include <numeric>

#include "treewright/base/stop_point.h"

namespace treewright::search {

void SumColumns::assign(const ItemRange& range, const TwoSums& loss, std::int64_t min_rows) {
  const Subset& whole = range.whole;
  assert(whole.exposure.size() == whole.size && !whole.is_packed());
  two_sums_ = loss;
  size_ = range.size();
  orderings_ = whole.size == 0 ? 0 : whole.order.size() / whole.size;
  min_rows_ = min_rows > 1 ? static_cast<double>(min_rows) : 0;
  cut_ = kNone;
  range.number_items(renamed_);
  items_.resize(size_);
  item_loss_.resize(size_);
  total_loss_ = exposure_ = amount_ = 0;
  for (std::uint32_t i = 0; i < whole.size; ++i) {
    const std::uint32_t name = renamed_[i];
    if (name == kAbsent) continue;
    items_[name] = {0, whole.exposure[i], whole.amount[i], static_cast<double>(whole.count[i])};
    item_loss_[name] = whole.weight[i];
    total_loss_ += whole.weight[i];
    exposure_ += whole.exposure[i];
    amount_ += whole.amount[i];
  }
  order_.resize(orderings_ * size_ + 1);  // one place more than needed: see add_ordering
  loss_prefix_.resize(orderings_ * size_);
  rows_prefix_.resize(counts_rows() ? orderings_ * size_ : 0);
  boundaries_.clear();
  blocks_.clear();
  first_boundary_.assign(1, 0);
  first_block_.assign(1, 0);
  sequence_.resize(orderings_);
  std::iota(sequence_.begin(), sequence_.end(), std::size_t{0});
  for (std::size_t g = 0; g < orderings_; ++g) {
    if (size_ >= 10'000) stop_point();
    add_ordering(range, g);
    add_blocks(g);
  }
}

// Order, boundaries and prefix sums of an ordering.
void SumColumns::add_ordering(const ItemRange& range, std::size_t g) {
  const std::span<const std::uint32_t> from = range.whole.order_of(g), ranks = range.whole.ranks_of(g);
  std::uint32_t* order = order_.data() + g * size_;
  boundaries_.resize(first_boundary_.back() + size_ + 1);
  std::uint32_t* boundary = boundaries_.data() + first_boundary_.back();
  // Written without branches, as in Subset::copy_items.
  std::size_t filled = 0, found = 0;
  std::uint32_t last_rank = 0;
  for (std::size_t at = 0; at < from.size() && filled < size_; ++at) {
    const std::uint32_t name = renamed_[from[at]];
    const bool here = name != kAbsent;
    order[filled] = name;
    boundary[found] = static_cast<std::uint32_t>(filled);
    found += here && filled > 0 && ranks[at] != last_rank;
    last_rank = here ? ranks[at] : last_rank;
    filled += here;
  }
  boundary[found++] = static_cast<std::uint32_t>(size_);
  boundaries_.resize(first_boundary_.back() + found);
  first_boundary_.push_back(boundaries_.size());
  double loss = 0;
  for (std::size_t at = 0; at < size_; ++at) loss_prefix_[g * size_ + at] = loss += item_loss_[order[at]];
  if (!counts_rows()) return;
  double rows = 0;
  for (std::size_t at = 0; at < size_; ++at) rows_prefix_[g * size_ + at] = rows += items_[order[at]].rows;
}

void SumColumns::add_blocks(std::size_t g) {
  constexpr double kRoundedUp = 1 + 0x1p-40;
  const std::span<const std::uint32_t> all = boundaries_of(g);
  double exposure = 0, amount = 0;
  std::size_t at = 0;
  for (std::size_t b = 0; b < all.size();) {
    Block block{static_cast<std::uint32_t>(b), 0, 0, 0, 0, 0, 0};
    const std::size_t begin = at;
    do {
      for (; at < all[b]; ++at) {
        const Item& item = this->item(g, at);
        block.up += std::max(item.amount, 0.0);
        block.down += std::max(-item.amount, 0.0);
        if (item.exposure > 0) block.steepest = std::max(block.steepest, std::abs(item.amount) / item.exposure);
        exposure += item.exposure;
        amount += item.amount;
      }
      ++b;
    } while (b < all.size() && b - block.first < kBlockOfSums && all[b] - begin <= kItemsOfSums);
    block.last = static_cast<std::uint32_t>(b);
    block.steepest *= kRoundedUp;
    block.exposure = exposure;
    block.amount = amount;
    blocks_.push_back(block);
  }
  first_block_.push_back(blocks_.size());
}

void SumColumns::cut(std::size_t f) {
  if (cut_ == f) return;
  cut_ = f;
  exposure_prefix_.assign(1, 0.0);
  amount_prefix_.assign(1, 0.0);
  std::uint32_t start = 0;
  for (const std::uint32_t end : boundaries_of(f)) {
    for (std::uint32_t at = start; at < end; ++at) {
      Item& item = items_[order_[f * size_ + at]];
      item.place = start;
      exposure_prefix_.push_back(exposure_prefix_.back() + item.exposure);
      amount_prefix_.push_back(amount_prefix_.back() + item.amount);
    }
    start = end;
  }
}

SingleSplit best_split(const SumColumns& columns, std::size_t g, bool want_place, std::vector<double>&) {
  const TwoSums& loss = columns.loss();
  double best = 0, best_fitting = 0, exposure = 0, amount = 0;
  bool divides = false, fits = false;
  SingleSplit single;
  std::size_t at = 0;
  for (const std::uint32_t end : columns.boundaries_of(g).first(columns.boundaries_of(g).size() - 1)) {
    for (; at < end; ++at) {
      exposure += columns.item(g, at).exposure;
      amount += columns.item(g, at).amount;
    }
    const double gain = loss.stump(columns.exposure(), columns.amount(), exposure, amount);
    divides = true;
    best = std::max(best, gain);
    if (!columns.fits(g, end)) continue;
    if (want_place && (gain > best_fitting || !fits)) single.place = end;
    fits = true;
    best_fitting = std::max(best_fitting, gain);
  }
  const auto cost = [&](double gain) {
    const double leaf = loss.gain(columns.exposure(), columns.amount()), unit = loss.stump_unit(columns.exposure(), columns.amount());
    return loss.of_leaves(columns.total_reach(), leaf + gain * unit);
  };
  if (divides) single.errors.relaxed = cost(best);
  if (fits) single.errors.strict = cost(best_fitting);
  return single;
}

}  // namespace treewright::search
