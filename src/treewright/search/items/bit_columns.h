#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace treewright::search {

/// All cuts of all orderings of some items as bit sets: a column is the set of the items left of a cut. Bits lie in groups: one for each
/// class; one for the rows, where leaves have a least number of them; and, where reach is not weight, one more for each class, with the
/// weight that its items have beyond their reach ("lost"). An item of weight w has w / s bits of its class, s being the greatest common
/// divisor of the weights of the class.
struct BitColumns {
  using Word = std::uint64_t;

  std::size_t classes = 0, groups = 0;
  double unit = 1;                       ///< greatest common divisor of all weights
  double rows_unit = 0;                  ///< rows of one bit, where rows are counted, else 0
  std::vector<std::int64_t> scale;       ///< units that a bit of the group weighs. Shape (groups); 1 for the rows.
  std::vector<std::uint32_t> bits;       ///< number of bits. Shape (groups).
  std::vector<std::size_t> group_begin;  ///< first word of each group. Shape (groups + 1).
  std::vector<std::size_t> first_cut;  ///< cuts of ordering f: [first_cut[f], first_cut[f + 1]), from left to right. Shape (orderings + 1).
  std::vector<std::uint32_t> place;    ///< tells the cuts of an ordering apart, ascending. Shape (cuts).
  std::vector<std::uint32_t> low, high;  ///< the highest rank left of the cut and the lowest right of it. Shape (cuts).
  std::vector<double> reach_left;        ///< Shape (cuts).
  std::vector<std::int64_t> rows_left;   ///< where rows are counted, else 0. Shape (cuts).
  std::vector<Word> columns;             ///< Shape (cuts + 1, words); the last column holds all items.

  /// Words of zeros behind the last column: vectors read beyond it.
  static constexpr std::size_t kPadding = 8;

  bool empty() const { return columns.empty(); }
  std::size_t cuts() const { return place.size(); }
  std::size_t words() const { return group_begin.back(); }
  std::uint32_t size() const;  ///< bits of all groups
  const Word* column(std::size_t cut) const { return columns.data() + cut * words(); }
  /// The first cut of an ordering whose entry in `ranks` is at least `rank`, or the end of its cuts. `ranks`: `low` or `high`.
  std::size_t first_cut_from(std::size_t ordering, const std::vector<std::uint32_t>& ranks, std::uint32_t rank) const;
  bool counts_rows() const { return rows_unit > 0; }
  /// The first group of lost weight, which every tree loses; the number of groups where there is none.
  std::size_t lost_group() const { return classes + counts_rows(); }
  /// Weight of the bits of a group other than the rows.
  double weight(std::size_t group) const { return unit * static_cast<double>(scale[group]) * bits[group]; }
  double lost() const {
    double sum = 0;
    for (std::size_t group = lost_group(); group < groups; ++group) sum += weight(group);
    return sum;
  }
  double rows() const { return counts_rows() ? rows_unit * bits[classes] : 0; }
  /// The items between two places of an ordering, where 0 stands for the beginning and any place beyond the cuts for the end. Shape
  /// (words).
  void mask(std::size_t ordering, std::uint32_t first, std::uint32_t last, std::vector<Word>& out) const;

  void clear_cuts();

  /// The items of `whole` in `mask`, their bits without gaps, and the cuts that divide them; of cuts that divide them alike one is kept. A
  /// place is the number of bits left of the cut. Reuses its memory.
  void assign(const BitColumns& whole, std::span<const Word> mask);
};

}  // namespace treewright::search
