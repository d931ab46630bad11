#include "treewright/search/depth_two/pack.h"

#include <gtest/gtest.h>

#include "support/random_data.h"
#include "support/random_subset.h"

namespace treewright {
namespace {

// The range of a subset between two random cuts of a random ordering, or all of it.
search::ItemRange random_range(Random& random, const search::Subset& subset, const search::Cuts& cuts, std::size_t ordering) {
  search::ItemRange range{subset, ordering, 0, subset.size};
  if (cuts.size() == 0) return range;
  const std::size_t a = random.below(static_cast<std::uint64_t>(cuts.size())), b = random.below(static_cast<std::uint64_t>(cuts.size()));
  switch (random.below(4)) {
    case 0:
      range.last = cuts.place(a);
      break;
    case 1:
      range.first = cuts.place(a);
      break;
    case 2:
      if (a != b) range.first = cuts.place(std::min(a, b)), range.last = cuts.place(std::max(a, b));
      break;
    default:
      break;
  }
  return range;
}

// The same range of the packed subset.
search::ItemRange same_range(const search::ItemRange& ranked, const search::Cuts& cuts, const search::Subset& packed,
                             const search::Cuts& packed_cuts) {
  const auto place = [&](std::uint32_t here) {
    if (here == 0) return std::uint32_t{0};
    if (here == ranked.whole.size) return packed.size;
    std::size_t at = 0;
    while (cuts.place(at) != here) ++at;
    return packed_cuts.place(at);
  };
  return {packed, ranked.ordering, place(ranked.first), place(ranked.last)};
}

TEST(Pack, RangesArePackedAsTheyAreRanked) {
  Random random(61);
  int deep = 0;
  for (int round = 0; round < 400; ++round) {
    const testing::DataShape shape{300, 4, 2 + static_cast<int>(random.below(3)), true, true, 2 + static_cast<int>(random.below(12))};
    Dataset data = testing::random_data(random, shape);
    testing::give_weights(random, random.below(2) == 0 ? testing::Weights::none : testing::Weights::whole, data);
    const std::int64_t min_rows = random.below(2) == 0 ? 1 : 2;
    const search::Problem problem = search::make_problem(data, min_rows > 1, random.below(2) == 0);
    const std::size_t orderings = problem.orderings.size();
    if (orderings == 0) continue;
    search::Subset ranked = search::Subset::all(problem), in_bits = search::packed(ranked, problem.classes, min_rows);
    for (int level = 0; level < 4 && ranked.size > 0; ++level) {
      ASSERT_EQ(in_bits.total_weight, ranked.total_weight);
      ASSERT_EQ(in_bits.total_reach, ranked.total_reach);
      const search::BitColumns& bits = in_bits.bits;
      for (std::size_t g = bits.lost_group(); g < bits.groups; ++g) ASSERT_LE(bits.bits[g], bits.bits[g - bits.lost_group()]);
      ASSERT_EQ(in_bits.class_weights(problem.classes), ranked.class_weights(problem.classes));
      if (min_rows > 1) {
        ASSERT_EQ(in_bits.rows, ranked.rows);
      }
      search::Cuts cuts, packed_cuts;
      for (std::size_t f = 0; f < orderings; ++f) {
        cuts.assign(ranked, f);
        packed_cuts.assign(in_bits, f);
        ASSERT_EQ(packed_cuts.size(), cuts.size());
        for (std::size_t c = 0; c < static_cast<std::size_t>(cuts.size()); ++c) {
          ASSERT_EQ(packed_cuts.low(c), cuts.low(c)) << "round " << round << " level " << level;
          ASSERT_EQ(packed_cuts.high(c), cuts.high(c));
          ASSERT_EQ(packed_cuts.reach_left(c), cuts.reach_left(c));
          if (min_rows > 1) {
            ASSERT_EQ(packed_cuts.rows_left(c), cuts.rows_left(c));
          }
          for (std::uint32_t rank = cuts.low(c) + 1; rank <= cuts.high(c); ++rank) ASSERT_EQ(cuts.below(rank), c);
        }
      }
      const std::size_t f = random.below(orderings);
      cuts.assign(ranked, f);
      packed_cuts.assign(in_bits, f);
      const search::ItemRange range = random_range(random, ranked, cuts, f);
      search::Subset next, next_in_bits;
      same_range(range, cuts, in_bits, packed_cuts).copy_to(next_in_bits);
      range.copy_to(next);
      deep += level > 1 && next.size > 64;
      ranked = std::move(next);
      in_bits = std::move(next_in_bits);
    }
  }
  EXPECT_GT(deep, 50);
}

}  // namespace
}  // namespace treewright
