#include "treewright/search/loss/label_sets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <set>
#include <vector>

#include "treewright/base/random.h"

namespace treewright::search {
namespace {

// Each label gains a power of two, so the largest gain tells the label.
TEST(LabelSets, AreAllOfThatSize) {
  for (std::size_t labels = 1; labels <= 7; ++labels) {
    for (std::size_t leaves = 1; leaves <= labels + 1; ++leaves) {
      const LabelSets sets(labels, static_cast<std::int64_t>(leaves), 64);
      std::set<std::vector<int>> seen;
      for (std::size_t set = 0; set < sets.size(); ++set) {
        std::vector<int> members;
        for (std::size_t k = 0; k < labels; ++k) {
          std::vector<int> gains(labels, 0), of_sets(sets.size());
          gains[k] = 1;
          sets.largest_gains(gains.data(), of_sets.data());
          if (of_sets[set] == 1) members.push_back(static_cast<int>(k));
        }
        EXPECT_EQ(members.size(), std::min(leaves, labels));
        seen.insert(members);
      }
      std::size_t expected = 0;
      for (unsigned mask = 1; mask < 1u << labels; ++mask)
        expected += static_cast<std::size_t>(std::popcount(mask)) == std::min(leaves, labels);
      EXPECT_EQ(sets.size(), expected);
      EXPECT_EQ(seen.size(), expected);
    }
  }
}

TEST(LabelSets, AreNoneWhereThereWouldBeMore) {
  EXPECT_EQ(LabelSets(7, 4, 35).size(), 35u);
  EXPECT_TRUE(LabelSets(7, 4, 34).empty());
  EXPECT_TRUE(LabelSets(60, 30, 256).empty());
  EXPECT_EQ(LabelSets(60, 59, 60).size(), 60u);
}

// Rows on leaves with any labels gain no more than the best set of as many labels.
TEST(LabelSets, BoundWhatLeavesGain) {
  Random random(5);
  for (int round = 0; round < 200; ++round) {
    const std::size_t labels = 2 + random.below(5), leaves = 1 + random.below(labels), rows = 1 + random.below(12);
    std::vector<std::vector<int>> gains(rows, std::vector<int>(labels));
    for (auto& row : gains) {
      for (int& gain : row) gain = static_cast<int>(random.below(10));
    }
    const LabelSets sets(labels, static_cast<std::int64_t>(leaves), 64);
    std::vector<int> of_row(sets.size()), total(sets.size(), 0);
    for (const auto& row : gains) {
      sets.largest_gains(row.data(), of_row.data());
      for (std::size_t set = 0; set < sets.size(); ++set) total[set] += of_row[set];
    }
    std::vector<std::size_t> label_of_leaf(leaves);
    for (std::size_t& label : label_of_leaf) label = random.below(labels);
    int gained = 0;
    for (const auto& row : gains) gained += row[label_of_leaf[random.below(leaves)]];
    EXPECT_LE(gained, *std::max_element(total.begin(), total.end()));
  }
}

}  // namespace
}  // namespace treewright::search
