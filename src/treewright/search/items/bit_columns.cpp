// A part of the items as bit sets of its own.
//
// Idea. The bits of a part are scattered over the words of the whole; they are closed up word by word, the gaps of a word by six steps that
// shift what has an odd number of gaps of 1, 2, 4, ... bits below it (Warren, Hacker's Delight, section 7-4, "compress"). Which bits move
// in which step depends on the part alone, so it is found out once for all columns. What is left of a word is then put behind what is
// there.
//
// Cost: 26 vector operations for each word of a column, hundreds of times less than lining up the items of the part by every ordering.

#include "treewright/search/items/bit_columns.h"

#include <algorithm>
#include <array>
#include <numeric>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "treewright/search/items/bit_columns.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

#ifndef TREEWRIGHT_CLOSING_STEPS
#define TREEWRIGHT_CLOSING_STEPS
namespace treewright::search {
constexpr std::size_t kClosingSteps = 6;

// What of each word belongs to the part, and how its gaps are closed. All arrays are padded with words of zeros to full vectors.
struct Closing {
  std::size_t words = 0;
  std::vector<std::uint64_t> mask;
  std::array<std::vector<std::uint64_t>, kClosingSteps> moves;  // bits that each step shifts
};
}  // namespace treewright::search
#endif

HWY_BEFORE_NAMESPACE();
namespace treewright::search {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// For each word: the part's bits without gaps, and their number.
void close_up(const Closing& closing, const std::uint64_t* HWY_RESTRICT column, std::uint64_t* HWY_RESTRICT closed,
              std::uint64_t* HWY_RESTRICT count) {
  const hn::CappedTag<std::uint64_t, 8> d;
  for (std::size_t w = 0; w < closing.words; w += hn::Lanes(d)) {
    auto x = hn::And(hn::LoadU(d, column + w), hn::LoadU(d, closing.mask.data() + w));
    hn::StoreU(hn::PopulationCount(x), d, count + w);
    const auto step = [&](auto shift) HWY_ATTR {
      const auto moved = hn::And(x, hn::LoadU(d, closing.moves[shift].data() + w));
      x = hn::Or(hn::Xor(x, moved), hn::ShiftRight<(1 << shift)>(moved));
    };
    step(std::integral_constant<int, 0>{});
    step(std::integral_constant<int, 1>{});
    step(std::integral_constant<int, 2>{});
    step(std::integral_constant<int, 3>{});
    step(std::integral_constant<int, 4>{});
    step(std::integral_constant<int, 5>{});
    hn::StoreU(x, d, closed + w);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace treewright::search
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace treewright::search {

HWY_EXPORT(close_up);

namespace {

void find_moves(std::span<const std::uint64_t> mask, Closing& closing) {
  closing.words = mask.size();
  closing.mask.assign(mask.begin(), mask.end());
  closing.mask.resize(mask.size() + BitColumns::kPadding, 0);
  for (std::vector<std::uint64_t>& moves : closing.moves) moves.assign(mask.size() + BitColumns::kPadding, 0);
  for (std::size_t w = 0; w < mask.size(); ++w) {
    std::uint64_t left = mask[w], gaps = ~left << 1;
    for (std::size_t step = 0; step < kClosingSteps; ++step) {
      // Whether the number of gaps below each bit is odd: the parity of `gaps` up to it.
      std::uint64_t odd = gaps;
      for (int shift = 1; shift < 64; shift *= 2) odd ^= odd << shift;
      const std::uint64_t moved = odd & left;
      closing.moves[step][w] = moved;
      left = (left ^ moved) | (moved >> (std::uint64_t{1} << step));
      gaps &= ~odd;
    }
  }
}

}  // namespace

std::uint32_t BitColumns::size() const {
  return std::accumulate(bits.begin(), bits.end(), std::uint32_t{0});
}

std::size_t BitColumns::first_cut_from(std::size_t ordering, const std::vector<std::uint32_t>& ranks, std::uint32_t rank) const {
  const auto begin = ranks.begin() + static_cast<std::ptrdiff_t>(first_cut[ordering]);
  const auto end = ranks.begin() + static_cast<std::ptrdiff_t>(first_cut[ordering + 1]);
  return static_cast<std::size_t>(std::lower_bound(begin, end, rank) - ranks.begin());
}

void BitColumns::mask(std::size_t ordering, std::uint32_t first, std::uint32_t last, std::vector<Word>& out) const {
  const auto begin = place.begin() + static_cast<std::ptrdiff_t>(first_cut[ordering]);
  const auto end = place.begin() + static_cast<std::ptrdiff_t>(first_cut[ordering + 1]);
  const auto up_to = [&](std::uint32_t here) {
    const auto found = std::lower_bound(begin, end, here);
    return column(found == end ? cuts() : static_cast<std::size_t>(found - place.begin()));
  };
  const Word* wanted = up_to(last);
  out.assign(wanted, wanted + words());
  if (first == 0) return;
  const Word* before = up_to(first);
  for (std::size_t w = 0; w < words(); ++w) out[w] &= ~before[w];
}

void BitColumns::clear_cuts() {
  first_cut.assign(1, 0);
  place.clear();
  low.clear();
  high.clear();
  reach_left.clear();
  rows_left.clear();
  columns.clear();
}

void BitColumns::assign(const BitColumns& whole, std::span<const Word> mask) {
  static thread_local Closing closing;
  static thread_local std::vector<Word> closed, count;
  static thread_local std::vector<std::size_t> target;  // of the part's first bit of each word
  find_moves(mask, closing);
  closed.resize(mask.size() + BitColumns::kPadding);
  count.resize(mask.size() + BitColumns::kPadding);
  target.resize(mask.size());
  const auto close = [&](const Word* column) { HWY_DYNAMIC_DISPATCH(close_up)(closing, column, closed.data(), count.data()); };
  classes = whole.classes;
  groups = whole.groups;
  unit = whole.unit;
  rows_unit = whole.rows_unit;
  scale = whole.scale;
  bits.assign(groups, 0);
  group_begin.assign(1, 0);
  close(whole.column(whole.cuts()));
  for (std::size_t g = 0; g < groups; ++g) {
    for (std::size_t w = whole.group_begin[g]; w < whole.group_begin[g + 1]; ++w) {
      target[w] = group_begin.back() * 64 + bits[g];
      bits[g] += static_cast<std::uint32_t>(count[w]);
    }
    group_begin.push_back(group_begin.back() + (bits[g] + 63) / 64);
  }
  const std::size_t orderings = whole.first_cut.size() - 1, size = this->size();
  clear_cuts();
  const auto add_column = [&] {
    const std::size_t at = columns.size();
    columns.resize(at + words() + 2, 0);  // two words more than needed: what is put there is zero
    for (std::size_t w = 0; w < mask.size(); ++w) {
      Word* to = columns.data() + at + target[w] / 64;
      to[0] |= closed[w] << (target[w] % 64);
      to[1] |= closed[w] >> 1 >> (63 - target[w] % 64);
    }
    columns.resize(at + words());
  };
  for (std::size_t f = 0; f < orderings; ++f) {
    for (std::size_t c = whole.first_cut[f]; c < whole.first_cut[f + 1]; ++c) {
      close(whole.column(c));
      std::size_t left = 0;
      double reach = 0, rows = 0;
      for (std::size_t g = 0; g < groups; ++g) {
        const std::size_t here = std::accumulate(count.begin() + static_cast<std::ptrdiff_t>(whole.group_begin[g]),
                                                 count.begin() + static_cast<std::ptrdiff_t>(whole.group_begin[g + 1]), std::size_t{0});
        left += here;
        const double weight = unit * static_cast<double>(scale[g]) * static_cast<double>(here);
        if (g < classes) {
          reach += weight;
        } else if (g >= lost_group()) {
          reach -= weight;
        } else {
          rows = rows_unit * static_cast<double>(here);
        }
      }
      if (left == 0 || left == size) continue;
      // The columns of an ordering contain each other, so as many bits are the same bits.
      if (place.size() > first_cut.back() && place.back() == left) {
        high.back() = whole.high[c];
        continue;
      }
      place.push_back(static_cast<std::uint32_t>(left));
      low.push_back(whole.low[c]);
      high.push_back(whole.high[c]);
      reach_left.push_back(reach);
      rows_left.push_back(static_cast<std::int64_t>(rows));
      add_column();
    }
    first_cut.push_back(place.size());
  }
  close(whole.column(whole.cuts()));
  add_column();
  columns.resize(columns.size() + BitColumns::kPadding, 0);
}

}  // namespace treewright::search
#endif  // HWY_ONCE
