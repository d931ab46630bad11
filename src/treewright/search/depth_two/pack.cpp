// From ranked items to bit sets.

#include "treewright/search/depth_two/pack.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace treewright::search {

namespace {

constexpr std::size_t kBits = 64;

// The groups of a subset (bit_columns.h).
struct Groups {
  std::size_t classes;
  bool count_rows;
  std::vector<double> divisor;  // greatest common divisor of the group's weights; 0 where all are 0
  std::vector<double> total;    // weight of the group
  double unit = 0;              // greatest common divisor of all weights
  double rows_unit = 0;         // and of the items' numbers of rows

  Groups(const Subset& subset, std::int32_t class_count, bool with_rows)
      : classes(static_cast<std::size_t>(class_count)),
        count_rows(with_rows),
        divisor(classes + count_rows + (subset.reach.empty() ? 0 : classes), 0.0),
        total(divisor.size(), 0.0) {
    const auto common = [](double a, double b) {
      while (b != 0) a = std::exchange(b, std::fmod(a, b));
      return a;
    };
    const auto add = [&](std::size_t group, double weight) {
      total[group] += weight;
      if (divisor[group] != 1) divisor[group] = common(weight, divisor[group]);
    };
    for (std::uint32_t i = 0; i < subset.size; ++i) {
      add(subset.label[i], subset.weight[i]);
      if (count_rows) add(classes, subset.count[i]);
      if (!subset.reach.empty()) total[lost_group() + static_cast<std::size_t>(subset.label[i])] += subset.weight[i] - subset.reach[i];
    }
    // The lost weight of a class has the class's divisor, and so no more bits than the class.
    for (std::size_t g = lost_group(); g < divisor.size(); ++g) divisor[g] = divisor[g - lost_group()];
    for (std::size_t k = 0; k < classes; ++k) unit = common(divisor[k], unit);
    if (count_rows) rows_unit = divisor[classes];
  }

  std::size_t lost_group() const { return classes + count_rows; }

  double bits(std::size_t group) const { return divisor[group] == 0 ? 0 : total[group] / divisor[group]; }
  // Bits to count for each pair of cuts. Lost weight is counted for each cut only.
  double bits_of_pairs() const {
    double sum = 0;
    for (std::size_t g = 0; g < lost_group(); ++g) sum += bits(g);
    return sum;
  }
  // The total weight in units, or the number of rows in theirs, whichever is larger.
  double largest_count() const {
    const auto classes_end = total.begin() + static_cast<std::ptrdiff_t>(classes);
    const double weight = std::accumulate(total.begin(), classes_end, 0.0) / std::max(unit, 1.0);
    return rows_unit > 0 ? std::max(weight, total[classes] / std::max(rows_unit, 1.0)) : weight;
  }
};

// One bit for each byte of 0 or 1. Their order does not matter: it is the same for all columns.
std::uint64_t pack_bytes(const std::uint8_t* bytes) {
  std::uint64_t word = 0;
  for (std::size_t b = 0; b < 8; ++b) {
    std::uint64_t eight;
    std::memcpy(&eight, bytes + 8 * b, sizeof eight);
    word |= ((eight * 0x0102040810204080ULL) >> 56) << (8 * b);
  }
  return word;
}

// Constants here and below: nanoseconds on the machine of docs/performance.md; only their ratios matter.
double depth_two_cost(double cuts, double bits, double classes, bool narrow) {
  constexpr double kWord = 0.7, kClass = 2.5, kRoot = 12;
  const double block = narrow ? 32 : 16;  // 16 bits serve twice as many cuts at a time as 32
  return cuts * (kRoot + std::ceil((cuts + 1) / block) * (std::ceil(bits / (512 / block)) * kWord + classes * kClass));
}

}  // namespace

bool worth_packing(const Subset& ranked, std::int32_t classes, std::int64_t min_rows) {
  constexpr double kTwoClasses = 0.75, kManyClasses = 4, kPasses = 1.5, kPair = 60;
  const std::size_t orderings = ranked.size == 0 ? 0 : ranked.order.size() / ranked.size;
  if (orderings == 0) return false;
  const auto p = static_cast<double>(orderings), m = static_cast<double>(ranked.size), k = static_cast<double>(classes);
  const double kernel_cost = kPasses * p * p * (m * (classes == 2 ? kTwoClasses : kManyClasses) + kPair);
  // Counting cuts ends early: without bits and with narrow words they cost least.
  std::uint32_t cuts = 0;
  for (std::size_t f = 0; f < orderings; ++f) {
    const std::uint32_t* rank = ranked.rank.data() + f * ranked.size;
    for (std::uint32_t at = 1; at < ranked.size; ++at) cuts += rank[at] != rank[at - 1];
    if (depth_two_cost(cuts, 0, k, true) > kernel_cost) return false;
  }
  if (cuts == 0) return false;
  const Groups groups(ranked, classes, min_rows > 1);
  const double largest = groups.largest_count();
  return largest < std::numeric_limits<std::int32_t>::max() &&
         depth_two_cost(cuts, groups.bits_of_pairs(), k, largest < std::numeric_limits<std::int16_t>::max()) <= kernel_cost;
}

bool is_compact(const Subset& ranked, std::int32_t classes, std::int64_t min_rows) {
  constexpr double kMostBits = 4;  // for each item
  const Groups groups(ranked, classes, min_rows > 1);
  return groups.largest_count() < std::numeric_limits<std::int32_t>::max() && groups.bits_of_pairs() <= kMostBits * ranked.size;
}

namespace {

// How many words each group has, and what its bits weigh.
void lay_out_groups(const Groups& groups, BitColumns& to) {
  to.classes = groups.classes;
  to.groups = groups.total.size();
  to.unit = groups.unit;
  to.rows_unit = groups.rows_unit;
  to.scale.assign(to.groups, 1);
  to.bits.clear();
  to.group_begin.assign(1, 0);
  for (std::size_t g = 0; g < to.groups; ++g) {
    const bool is_weight = g < to.classes || g >= groups.lost_group();
    if (is_weight && groups.divisor[g] > 0) to.scale[g] = static_cast<std::int64_t>(groups.divisor[g] / groups.unit);
    to.bits.push_back(static_cast<std::uint32_t>(groups.bits(g)));
    to.group_begin.push_back(to.group_begin.back() + (to.bits[g] + kBits - 1) / kBits);
  }
}

// The bits of each item: [first, last) of its class, of the rows, and of the lost weight. Reuses its memory.
class ItemBits {
 public:
  void assign(const Subset& ranked, const Groups& groups, const BitColumns& to) {
    filled_.clear();
    for (std::size_t g = 0; g < to.groups; ++g) filled_.push_back(static_cast<std::uint32_t>(to.group_begin[g] * kBits));
    of_class_.resize(ranked.size);
    of_rows_.resize(groups.count_rows ? ranked.size : 0);
    of_lost_.resize(ranked.reach.size());
    const auto reserve = [&](std::size_t g, double weight) {
      const std::uint32_t first = filled_[g];
      if (weight > 0) filled_[g] += static_cast<std::uint32_t>(weight / groups.divisor[g]);
      return Bits{first, filled_[g]};
    };
    for (std::uint32_t i = 0; i < ranked.size; ++i) {
      of_class_[i] = reserve(ranked.label[i], ranked.weight[i]);
      if (!of_rows_.empty()) of_rows_[i] = reserve(groups.classes, ranked.count[i]);
      if (!of_lost_.empty()) of_lost_[i] = reserve(groups.lost_group() + ranked.label[i], ranked.weight[i] - ranked.reach[i]);
    }
  }

  void set(std::uint32_t item, std::vector<std::uint8_t>& seen) const {
    set(of_class_[item], seen);
    if (!of_rows_.empty()) set(of_rows_[item], seen);
    if (!of_lost_.empty()) set(of_lost_[item], seen);
  }

 private:
  struct Bits {
    std::uint32_t first, last;
  };
  static void set(const Bits& bits, std::vector<std::uint8_t>& seen) {
    for (std::uint32_t b = bits.first; b < bits.last; ++b) seen[b] = 1;
  }

  std::vector<Bits> of_class_, of_rows_, of_lost_;
  std::vector<std::uint32_t> filled_;  // of each group
};

}  // namespace

void pack(const Subset& ranked, std::int32_t classes, std::int64_t min_rows, BitColumns& to) {
  const Groups groups(ranked, classes, min_rows > 1);
  lay_out_groups(groups, to);
  static thread_local ItemBits bits;
  bits.assign(ranked, groups, to);
  const std::size_t orderings = ranked.order.size() / ranked.size, words = to.group_begin.back();
  to.clear_cuts();
  // One byte for each bit of the items so far, so that setting one does not wait for its neighbor.
  static thread_local std::vector<std::uint8_t> seen;
  const auto add_column = [&] {
    const std::size_t at = to.columns.size();
    to.columns.resize(at + words);
    for (std::size_t w = 0; w < words; ++w) to.columns[at + w] = pack_bytes(seen.data() + w * kBits);
  };
  for (std::size_t f = 0; f < orderings; ++f) {
    const std::span<const std::uint32_t> order = ranked.order_of(f), rank = ranked.ranks_of(f);
    seen.assign(words * kBits, 0);
    double reach = 0;
    std::int64_t rows = 0;
    const auto highest = static_cast<std::uint32_t>(std::lower_bound(rank.begin(), rank.end(), rank.back()) - rank.begin());
    for (std::uint32_t at = 0; at < highest;) {
      reach += ranked.reach_or_weight()[order[at]];
      rows += ranked.count[order[at]];
      bits.set(order[at++], seen);
      if (rank[at] == rank[at - 1]) continue;
      to.place.push_back(at);
      to.low.push_back(rank[at - 1]);
      to.high.push_back(rank[at]);
      to.reach_left.push_back(reach);
      to.rows_left.push_back(groups.count_rows ? rows : 0);
      add_column();
    }
    to.first_cut.push_back(to.place.size());
  }
  for (std::uint32_t i = 0; i < ranked.size; ++i) bits.set(i, seen);
  add_column();
  to.columns.resize(to.columns.size() + BitColumns::kPadding, 0);
}

Subset packed(const Subset& ranked, std::int32_t classes, std::int64_t min_rows) {
  Subset subset;
  subset.give_stamp();
  subset.size = ranked.size;
  subset.total_weight = ranked.total_weight;
  subset.total_reach = ranked.total_reach;
  subset.rows = ranked.rows;
  pack(ranked, classes, min_rows, subset.bits);
  return subset;
}

std::optional<Subset> packed_where_faster(const Subset& ranked, std::int32_t classes, const SearchLimits& limits) {
  if (!limits.rules.bit_sets || !worth_packing(ranked, classes, limits.min_rows)) return {};
  return packed(ranked, classes, limits.min_rows);
}

std::optional<BitColumns> bits_of_items(const Subset& ranked) {
  constexpr std::size_t kMostWords = std::size_t{1} << 22;
  const std::size_t words = ranked.size / kBits + 1;
  std::size_t most = 0;
  for (std::size_t at = 1; at < ranked.rank.size(); ++at) most += ranked.rank[at] > ranked.rank[at - 1];
  if (ranked.size == 0 || most * words > kMostWords) return {};
  BitColumns bits;
  bits.classes = bits.groups = 1;
  bits.scale = {1};
  bits.bits = {ranked.size};
  bits.group_begin = {0, words};
  bits.clear_cuts();
  std::vector<BitColumns::Word> seen;
  for (std::size_t first = 0; first < ranked.order.size(); first += ranked.size) {
    const std::uint32_t *order = ranked.order.data() + first, *rank = ranked.rank.data() + first;
    seen.assign(words, 0);
    for (std::uint32_t at = 0; at < ranked.size; ++at) {
      if (at > 0 && rank[at] != rank[at - 1]) {
        bits.place.push_back(at);
        bits.low.push_back(rank[at - 1]);
        bits.high.push_back(rank[at]);
        bits.reach_left.push_back(at);
        bits.rows_left.push_back(0);
        bits.columns.insert(bits.columns.end(), seen.begin(), seen.end());
      }
      seen[order[at] / kBits] |= BitColumns::Word{1} << (order[at] % kBits);
    }
    bits.first_cut.push_back(bits.place.size());
  }
  bits.columns.insert(bits.columns.end(), seen.begin(), seen.end());
  bits.columns.resize(bits.columns.size() + BitColumns::kPadding, 0);
  return bits;
}

bool is_narrow(const BitColumns& columns) {
  double steps = 0;
  for (std::size_t k = 0; k < columns.classes; ++k) steps += columns.weight(k) / columns.unit;
  const double rows = columns.counts_rows() ? columns.rows() / columns.rows_unit : 0;
  return std::max(steps, rows) < std::numeric_limits<std::int16_t>::max();
}

}  // namespace treewright::search
