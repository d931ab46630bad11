#include "treewright/proof/items.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "treewright/base/hash.h"
#include "treewright/base/stop_point.h"

namespace treewright::proof {

namespace {

// Rows with equal values are neighbors. Shape (rows).
std::vector<std::uint32_t> sorted_rows(const Table& table) {
  std::vector<std::uint32_t> rows(table.rows);
  std::iota(rows.begin(), rows.end(), 0u);
  std::sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
    for (const TableColumn& column : table.columns) {
      if (column.codes[a] != column.codes[b]) return column.codes[a] < column.codes[b];
    }
    return a < b;
  });
  return rows;
}

// The ranks without gaps, from the end that comes first among the two ways to write them: equal where two orderings sort the items alike or
// in reverse. Empty where all items have one rank.
std::vector<std::uint32_t> canonical_ranks(const std::vector<std::uint32_t>& ranks) {
  std::vector<std::uint32_t> distinct = ranks;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  if (distinct.size() < 2) return {};
  std::vector<std::uint32_t> forth, back;
  for (const std::uint32_t rank : ranks) {
    forth.push_back(static_cast<std::uint32_t>(std::lower_bound(distinct.begin(), distinct.end(), rank) - distinct.begin()));
    back.push_back(static_cast<std::uint32_t>(distinct.size()) - 1 - forth.back());
  }
  return std::min(forth, back);
}

}  // namespace

void number_items(const Part& part, std::vector<std::uint32_t>& place) {
  std::uint32_t next = 0;
  for (const std::uint32_t item : part.items()) {
    if (item >= place.size()) place.resize(item + 1);
    place[item] = next++;
  }
}

void Items::for_each_group(const Table& table, const std::function<void(std::span<const std::uint32_t> rows)>& add) {
  const auto equal = [&](std::uint32_t a, std::uint32_t b) {
    return std::all_of(table.columns.begin(), table.columns.end(),
                       [&](const TableColumn& column) { return column.codes[a] == column.codes[b]; });
  };
  const std::vector<std::uint32_t> rows = sorted_rows(table);
  for (std::size_t begin = 0, end = 0; begin < rows.size(); begin = end) {
    while (end < rows.size() && equal(rows[begin], rows[end])) ++end;
    add(std::span(rows).subspan(begin, end - begin));
  }
}

LabelItems::LabelItems(const Table& table, const std::vector<Ranks>& orderings, bool count_rows) : labels_(table.labels.names.size()) {
  assert(table.costs.cost.size() == table.rows * labels_);
  for_each_group(table, [&](std::span<const std::uint32_t> rows) {
    std::vector<std::int64_t> cost(labels_, 0);
    for (const std::uint32_t row : rows) {
      for (std::size_t a = 0; a < labels_; ++a) cost[a] += table.costs_of(row)[a];
    }
    const auto [least, most] = std::minmax_element(cost.begin(), cost.end());
    lost_ += *least;
    std::int64_t reach = *most - *least;
    total_reach_ += reach;
    auto count = static_cast<std::int64_t>(rows.size());
    const auto add = [&](std::size_t a, std::int64_t gain, std::int64_t of_reach) {
      add_item(rows.front(), std::exchange(count, 0));
      label_.push_back(static_cast<std::uint32_t>(a));
      gain_.push_back(gain);
      reach_.push_back(of_reach);
      total_gain_ = std::min(total_gain_, std::numeric_limits<std::int64_t>::max() - gain) + gain;
    };
    for (std::size_t a = 0; a < labels_; ++a) {
      const std::int64_t gain = *most - cost[a];
      if (gain > 0) add(a, gain, cost[a] == *least ? std::exchange(reach, 0) : 0);
    }
    if (count > 0 && count_rows) add(0, 0, 0);
  });
  assert(lost_ >= 0 && total_reach_ >= 0 && total_reach_ <= total_gain_);
  add_orderings(table, orderings);
}

SumItems::SumItems(const Table& table, const std::vector<Ranks>& orderings) : gains_(table.sums.gains), lost_(table.sums.gained_down) {
  for_each_group(table, [&](std::span<const std::uint32_t> rows) {
    add_item(rows.front(), static_cast<std::int64_t>(rows.size()));
    std::int64_t exposure = 0, amount = 0;
    for (const std::uint32_t row : rows) {
      exposure += table.sums.exposure[row];
      amount += table.sums.amount[row];
    }
    exposure_.push_back(exposure);
    amount_.push_back(amount);
    loss_.push_back(gain(exposure, amount));
    lost_ -= loss_.back();
  });
  add_orderings(table, orderings);
}

void Items::add_orderings(const Table& table, const std::vector<Ranks>& orderings) {
  std::unordered_multimap<std::uint64_t, std::size_t> known;  // hashes of canonical ranks
  for (const Ranks& ordering : orderings) {
    stop_point();
    assert(ordering.column < table.columns.size());
    const std::vector<std::int32_t>& codes = table.columns[ordering.column].codes;
    std::vector<std::uint32_t> ranks;
    for (const std::uint32_t row : row_) ranks.push_back(ordering.of(codes[row]));
    const std::vector<std::uint32_t> canonical = canonical_ranks(ranks);
    if (canonical.empty()) continue;
    const std::uint64_t sum = hash_values(canonical);
    const auto [first, last] = known.equal_range(sum);
    if (std::any_of(first, last, [&](const auto& other) { return canonical_ranks(rank_[other.second]) == canonical; })) continue;
    known.emplace(sum, rank_.size());
    rank_.push_back(std::move(ranks));
    column_.push_back(ordering.column);
  }
}

Part Items::all() const {
  const std::size_t n = rows_.size();
  std::vector<std::uint32_t> order((rank_.size() + 1) * n);
  for (std::size_t f = 0; f <= rank_.size(); ++f) {
    const auto begin = order.begin() + static_cast<std::ptrdiff_t>(f * n);
    std::iota(begin, begin + static_cast<std::ptrdiff_t>(n), 0u);
    if (f < rank_.size())
      std::stable_sort(begin, begin + static_cast<std::ptrdiff_t>(n),
                       [&](std::uint32_t a, std::uint32_t b) { return rank_[f][a] < rank_[f][b]; });
  }
  return {n, std::move(order)};
}

template <class Stays>
Part Items::those(const Part& part, Stays stays) const {
  std::vector<std::uint32_t> order;
  const auto size = static_cast<std::size_t>(std::count_if(part.items().begin(), part.items().end(), stays));
  order.reserve((rank_.size() + 1) * size);
  for (std::size_t f = 0; f < rank_.size(); ++f) std::copy_if(part.order(f).begin(), part.order(f).end(), std::back_inserter(order), stays);
  std::copy_if(part.items().begin(), part.items().end(), std::back_inserter(order), stays);
  return {size, std::move(order)};
}

Part Items::side(const Part& part, const Cut& cut, bool left) const {
  assert(part.size() == 0 || cut.ordering < rank_.size());
  return those(part, [&](std::uint32_t item) { return (rank_[cut.ordering][item] < cut.rank) == left; });
}

Part Items::side(const Part& part, const Table& table, const Ranks& ordering, std::int64_t rank, bool left) const {
  const std::vector<std::int32_t>& codes = table.columns[ordering.column].codes;
  return those(part, [&](std::uint32_t item) { return (static_cast<std::int64_t>(ordering.of(codes[row_[item]])) < rank) == left; });
}

std::int64_t LabelItems::reach(const Part& part) const {
  std::int64_t sum = 0;
  for (const std::uint32_t item : part.items()) sum += reach_[item];
  return sum;
}

std::int64_t Items::rows(const Part& part) const {
  std::int64_t sum = 0;
  for (const std::uint32_t item : part.items()) sum += rows_[item];
  return sum;
}

std::vector<std::int64_t> LabelItems::gains(const Part& part) const {
  std::vector<std::int64_t> gains(labels_, 0);
  for (const std::uint32_t item : part.items()) gains[label_[item]] += gain_[item];
  return gains;
}

std::int64_t SumItems::leaf_cost(const Part& part) const {
  std::int64_t loss = 0, exposure = 0, amount = 0;
  for (const std::uint32_t item : part.items()) {
    loss += loss_[item];
    exposure += exposure_[item];
    amount += amount_[item];
  }
  return std::max<std::int64_t>(0, loss - gain(exposure, amount));
}

}  // namespace treewright::proof
