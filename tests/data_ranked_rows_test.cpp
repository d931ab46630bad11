#include "treewright/data/ranked_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "treewright/base/random.h"

namespace treewright {
namespace {

std::vector<std::uint32_t> first_rows(std::size_t count) {
  std::vector<std::uint32_t> rows(count);
  std::iota(rows.begin(), rows.end(), 0u);
  return rows;
}

void expect_sorted(const Column& column, const std::vector<std::uint32_t>& rows) {
  const std::vector<RankedRow> list = sorted_rows(column, rows);
  ASSERT_EQ(list.size(), rows.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    EXPECT_EQ(list[i].rank == kMissingRank, column.missing(list[i].row));
    if (i == 0) continue;
    const auto [rank, row] = list[i];
    const auto [rank_before, row_before] = list[i - 1];
    ASSERT_LE(rank_before, rank);
    if (rank == rank_before) {
      EXPECT_LT(row_before, row);
    }
    if (rank == kMissingRank) continue;
    const double value = column.values[row], before = column.values[row_before];
    EXPECT_EQ(rank == rank_before, value == before) << value << ' ' << before;
    EXPECT_LE(before, value);
    if (rank != rank_before) {
      EXPECT_EQ(rank, rank_before + 1);
    }
  }
}

TEST(RankedRows, SortsNumbersOfEverySizeAndSign) {
  Random random(1);
  constexpr double kEdges[] = {0.0, -0.0, 5e-324, -5e-324, 1e308, -1e308, 1.0, -1.0, std::numeric_limits<double>::quiet_NaN()};
  // Short lists and long ones are sorted by different means.
  for (const std::size_t count : {0, 1, 2, 100, 255, 256, 1000, 5000}) {
    for (const int digits : {0, 1, 17}) {
      Column column;
      for (std::size_t row = 0; row < count; ++row) {
        double value = random.normal() * std::pow(10.0, random.uniform(-5, 5));
        if (digits < 17) value = std::round(value * std::pow(10.0, digits)) / std::pow(10.0, digits);
        column.values.push_back(random.below(8) == 0 ? kEdges[random.below(std::size(kEdges))] : value);
      }
      SCOPED_TRACE(testing::Message() << count << " rows, " << digits << " digits");
      expect_sorted(column, first_rows(count));
    }
  }
}

TEST(RankedRows, TakesOnlyTheGivenRows) {
  Column column;
  column.values = {5, 4, 3, 2, 1};
  const std::vector<RankedRow> list = sorted_rows(column, std::vector<std::uint32_t>{0, 2, 3});
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[0].row, 3u);
  EXPECT_EQ(list[1].row, 2u);
  EXPECT_EQ(list[2].row, 0u);
  EXPECT_EQ(list[2].rank, 2u);
}

TEST(RankedRows, RanksLevelsByTheirCode) {
  Column column;
  column.kind = ColumnKind::categorical;
  column.levels = {"a", "b", "c", "d"};
  column.codes = {3, -1, 1, 3, 0};
  const std::vector<RankedRow> list = sorted_rows(column, first_rows(5));
  std::vector<std::uint32_t> ranks, rows;
  for (const auto [rank, row] : list) ranks.push_back(rank), rows.push_back(row);
  EXPECT_EQ(ranks, (std::vector<std::uint32_t>{0, 1, 3, 3, kMissingRank}));
  EXPECT_EQ(rows, (std::vector<std::uint32_t>{4, 2, 0, 3, 1}));
}

}  // namespace
}  // namespace treewright
