#include "treewright/search/items/set_table.h"

#include <gtest/gtest.h>

#include <map>

namespace treewright {
namespace {

using search::ItemSet;

// The value and the first number of what the table knows, or nothing.
std::pair<int, double> found(const search::SetTable<int>& table, const ItemSet& set, std::uint32_t question = 0) {
  std::pair<int, double> result{-1, -1};
  table.find(
      set,
      [&](int value, std::span<const double> numbers) {
        result = {value, numbers[0]};
      },
      question);
  return result;
}

TEST(SetTable, TellsSetsOfEqualHashApart) {
  search::SetTable<int> table(std::size_t{1} << 24, 1);
  const std::pair<int, double> nothing{-1, -1};
  for (std::size_t hash = 0; hash < 3; ++hash) {
    for (std::uint64_t word = 0; word < 50; ++word) {
      const int value = static_cast<int>(word);
      EXPECT_EQ(found(table, {{word, 7}, hash}), nothing);
      table.add({{word, 7}, hash}, value, std::vector{0.5 * value}, 0);
      table.add({{word, 7}, hash}, value + 100, std::vector{0.25 * value}, 0, 1);
    }
  }
  for (std::size_t hash = 0; hash < 3; ++hash) {
    for (std::uint64_t word = 0; word < 50; ++word) {
      const int value = static_cast<int>(word);
      EXPECT_EQ(found(table, {{word, 7}, hash}), (std::pair{value, 0.5 * value}));
      EXPECT_EQ(found(table, {{word, 7}, hash}, 1), (std::pair{value + 100, 0.25 * value}));
      EXPECT_EQ(found(table, {{word, 8}, hash}), nothing);
      EXPECT_EQ(found(table, {{word, 7}, hash}, 2), nothing);
    }
  }
}

TEST(SetTable, TheFirstValueStays) {
  search::SetTable<int> table(std::size_t{1} << 20, 1);
  table.add({{1}, 1}, 1, std::vector{1.0}, 0);
  table.add({{1}, 1}, 2, std::vector{2.0}, 0);
  EXPECT_EQ(found(table, {{1}, 1}), (std::pair{1, 1.0}));
}

TEST(SetTable, FindsTheSameAfterItGrew) {
  search::SetTable<int> table(std::size_t{1} << 26, 1);
  Random random(5);
  std::map<std::uint64_t, int> added;
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t word = random.next();
    added[word] = i;
    table.add({{word}, mix_bits(word)}, i, std::vector{i / 8.0}, 0);
  }
  for (const auto& [word, i] : added) ASSERT_EQ(found(table, {{word}, mix_bits(word)}), (std::pair{i, i / 8.0}));
}

}  // namespace
}  // namespace treewright
