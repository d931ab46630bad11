#include "treewright/data/ranked_rows.h"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

namespace treewright {

namespace {

struct Keyed {
  std::uint64_t key;
  std::uint32_t row;
};

// A number with the order of the value: for doubles of one sign the bits are already in order. Needs value !=
// NaN.
std::uint64_t ordered_bits(double value) {
  const auto bits = std::bit_cast<std::uint64_t>(value == 0 ? 0.0 : value);  // -0.0 equals 0.0
  constexpr std::uint64_t sign = std::uint64_t{1} << 63;
  return bits & sign ? ~bits : bits | sign;
}

// Radix sort from the lowest byte, so equal keys stay in order of rows. Bytes that all keys share cost
// nothing, which are most of them when values are whole or have few digits.
void sort_by_key(std::vector<Keyed>& items) {
  if (items.size() < 256) {
    std::stable_sort(items.begin(), items.end(), [](const Keyed& a, const Keyed& b) { return a.key < b.key; });
    return;
  }
  std::array<std::array<std::uint32_t, 256>, 8> counts{};
  for (const Keyed& item : items) {
    for (int byte = 0; byte < 8; ++byte) ++counts[byte][item.key >> (8 * byte) & 255];
  }
  std::vector<Keyed> sorted(items.size());
  for (int byte = 0; byte < 8; ++byte) {
    std::array<std::uint32_t, 256>& place = counts[byte];
    if (place[items[0].key >> (8 * byte) & 255] == items.size()) continue;
    std::exclusive_scan(place.begin(), place.end(), place.begin(), 0u);
    for (const Keyed& item : items) sorted[place[item.key >> (8 * byte) & 255]++] = item;
    items.swap(sorted);
  }
}

}  // namespace

std::vector<RankedRow> sorted_rows(const Column& column, std::span<const std::uint32_t> rows) {
  const bool numeric = column.kind == ColumnKind::numeric;
  std::vector<Keyed> items;
  std::vector<RankedRow> missing, list;
  items.reserve(rows.size());
  for (const std::uint32_t row : rows) {
    if (column.missing(row)) {
      missing.push_back({kMissingRank, row});
    } else {
      items.push_back({numeric ? ordered_bits(column.values[row]) : static_cast<std::uint64_t>(column.codes[row]), row});
    }
  }
  sort_by_key(items);
  list.reserve(rows.size());
  std::uint32_t rank = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    rank += i > 0 && items[i].key != items[i - 1].key;
    list.push_back({numeric ? rank : static_cast<std::uint32_t>(items[i].key), items[i].row});
  }
  list.insert(list.end(), missing.begin(), missing.end());
  return list;
}

}  // namespace treewright
