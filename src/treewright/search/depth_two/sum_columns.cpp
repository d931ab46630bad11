// Lays out items with two sums as the kernel reads them (sum_stumps.cpp): one ordering after the other, its boundaries and its blocks.

#include "treewright/search/depth_two/sum_columns.h"

#include <cmath>
#include <limits>
#include <numeric>

#include "treewright/base/stop_point.h"

namespace treewright::search {

namespace {

constexpr std::size_t kBlock = 32;  // boundaries; a block ends where it has twice as many items

}  // namespace

void SumColumns::assign(const ItemRange& range, const TwoSums& loss, std::int64_t min_rows) {
  constexpr double kRoundedUp = 1 + 0x1p-40;
  const Subset& whole = range.whole;
  assert(whole.exposure.size() == whole.size && !whole.is_packed());
  two_sums_ = loss;
  size_ = range.size();
  orderings_ = whole.size == 0 ? 0 : whole.order.size() / whole.size;
  min_rows_ = min_rows > 1 ? static_cast<double>(min_rows) : 0;
  cut_ = kNone;
  range.number_items(renamed_);
  items_.resize(size_);
  alone_.resize(size_);
  total_loss_ = exposure_ = amount_ = 0;
  for (std::uint32_t i = 0; i < whole.size; ++i) {
    const std::uint32_t name = renamed_[i];
    if (name == kAbsent) continue;
    items_[name] = {0, whole.exposure[i], whole.amount[i], static_cast<double>(whole.count[i])};
    alone_[name] = {whole.weight[i], whole.exposure[i] > 0 ? kRoundedUp * (std::abs(whole.amount[i]) / whole.exposure[i]) : 0};
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
  if (counts_rows()) {
    double rows = 0;
    for (std::size_t at = 0; at < size_; ++at) rows_prefix_[g * size_ + at] = rows += items_[order[at]].rows;
  }
  add_blocks(g);
}

// Blocks of an ordering, and the sums of what its items lose by themselves.
void SumColumns::add_blocks(std::size_t g) {
  const std::span<const std::uint32_t> all = boundaries_of(g);
  const std::uint32_t* order = order_of(g);
  double* loss_prefix = loss_prefix_.data() + g * size_;
  double loss = 0, exposure = 0, amount = 0;
  std::size_t at = 0;
  for (std::size_t b = 0; b < all.size();) {
    Block block{static_cast<std::uint32_t>(b), 0, 0, 0, 0, 0, 0, 0};
    const std::size_t begin = at;
    do ++b;
    while (b < all.size() && b - block.first < kBlock && all[b] - begin <= 2 * kBlock);
    const double amount_before = amount;
    for (const std::size_t end = all[b - 1]; at < end; ++at) {
      const Item& item = items_[order[at]];
      const Alone& alone = alone_[order[at]];
      loss_prefix[at] = loss += alone.loss;
      block.steepest = std::max(block.steepest, alone.steepness);
      block.up += std::max(item.amount, 0.0);
      exposure += item.exposure;
      amount += item.amount;
    }
    block.down = block.up - (amount - amount_before);
    block.last = static_cast<std::uint32_t>(b);
    block.exposure = exposure;
    block.amount = amount;
    block.rows = counts_rows() ? rows_before(g, at) : 0;
    blocks_.push_back(block);
  }
  first_block_.push_back(blocks_.size());
  block_ends_.resize(std::max(block_ends_.size(), 3 * kCuts * blocks_of(g).size()));
}

void SumColumns::cut(std::size_t f) {
  if (cut_ == f) return;
  cut_ = f;
  exposure_prefix_.resize(size_ + 1);
  amount_prefix_.resize(size_ + 1);
  double exposure = exposure_prefix_[0] = 0, amount = amount_prefix_[0] = 0;
  const std::uint32_t* order = order_of(f);
  std::uint32_t at = 0;
  for (const std::uint32_t end : boundaries_of(f)) {
    for (const std::uint32_t start = at; at < end; ++at) {
      Item& item = items_[order[at]];
      item.place = start;
      exposure_prefix_[at + 1] = exposure += item.exposure;
      amount_prefix_[at + 1] = amount += item.amount;
    }
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
