#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "expect_error.h"
#include "treewright/base/random.h"
#include "treewright/data/splits.h"

namespace treewright {
namespace {

/// One numeric column, and `counts[k]` rows of class k in mixed order.
Dataset with_classes(const std::vector<int>& counts, std::uint64_t seed = 7) {
  Dataset data;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    data.class_names.push_back(std::to_string(k));
    data.labels.insert(data.labels.end(), counts[k], static_cast<std::int32_t>(k));
  }
  Random(seed).shuffle(data.labels);
  data.columns.emplace_back().name = "x";
  for (std::size_t row = 0; row < data.labels.size(); ++row) data.columns[0].values.push_back(static_cast<double>(row));
  return data;
}

std::vector<int> class_counts(const Dataset& data, const RowNumbers& rows) {
  std::vector<int> counts(data.classes());
  for (const std::int32_t row : rows) ++counts[data.labels[row]];
  return counts;
}

void expect_disjoint(const std::vector<RowNumbers>& parts) {
  RowNumbers all;
  for (const RowNumbers& part : parts) {
    EXPECT_TRUE(std::is_sorted(part.begin(), part.end()));
    all.insert(all.end(), part.begin(), part.end());
  }
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end());
}

TEST(Splits, ExactFractionsAreMetExactly) {
  const Dataset data = with_classes({50, 50, 50});
  const std::vector<RowNumbers> parts = split_rows(data, std::vector<double>{0.5, 0.3, 0.2});
  ASSERT_EQ(parts.size(), 3u);
  EXPECT_EQ(class_counts(data, parts[0]), (std::vector<int>{25, 25, 25}));
  EXPECT_EQ(class_counts(data, parts[1]), (std::vector<int>{15, 15, 15}));
  EXPECT_EQ(class_counts(data, parts[2]), (std::vector<int>{10, 10, 10}));
  expect_disjoint(parts);
}

TEST(Splits, FractionsBelowOneLeaveRowsOut) {
  const Dataset data = with_classes({40, 60});
  const std::vector<RowNumbers> parts = split_rows(data, std::vector<double>{0.25, 0.25});
  EXPECT_EQ(class_counts(data, parts[0]), (std::vector<int>{10, 15}));
  EXPECT_EQ(class_counts(data, parts[1]), (std::vector<int>{10, 15}));
}

TEST(Splits, EveryClassAndTheWholeAreInProportion) {
  Random random(3);
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<int> counts(1 + random.below(12));
    for (int& count : counts) count = 1 + static_cast<int>(random.below(9));
    const Dataset data = with_classes(counts, trial);
    std::vector<double> fractions(2 + random.below(2));
    for (double& fraction : fractions) fraction = 1 + random.uniform() * 3;
    const double sum = std::accumulate(fractions.begin(), fractions.end(), 0.0);
    for (double& fraction : fractions) fraction /= sum;
    std::vector<RowNumbers> parts;
    try {
      parts = split_rows(data, fractions, {static_cast<std::uint64_t>(trial), true});
    } catch (const Error&) {
      ASSERT_LT(data.rows(), 10u) << "a part is empty though there are rows enough";
      continue;
    }
    expect_disjoint(parts);
    std::size_t total = 0;
    for (std::size_t j = 0; j < parts.size(); ++j) {
      total += parts[j].size();
      const std::vector<int> part = class_counts(data, parts[j]);
      for (std::size_t k = 0; k < counts.size(); ++k) ASSERT_LT(std::abs(part[k] - fractions[j] * counts[k]), 1) << trial;
      // The rounding of up to 12 classes must cancel, not add up.
      ASSERT_LT(std::abs(static_cast<double>(parts[j].size()) - fractions[j] * static_cast<double>(data.rows())), 1.5) << trial;
    }
    ASSERT_EQ(total, data.rows());
  }
}

TEST(Splits, UnstratifiedSplitsNeedNoLabels) {
  Dataset data = with_classes({50, 50});
  data.labels.clear();
  const std::vector<RowNumbers> parts = split_rows(data, std::vector<double>{0.75, 0.25}, {1, false});
  EXPECT_EQ(parts[0].size(), 75u);
  EXPECT_EQ(parts[1].size(), 25u);
  expect_disjoint(parts);
  expect_error([&] { split_rows(data, std::vector<double>{0.75, 0.25}); }, {"no labels"});
  EXPECT_EQ(k_folds(data, 5, {1, false}).size(), 5u);
  expect_error([&] { k_folds(data, 5); }, {"no labels"});
}

TEST(Splits, StratificationIsOptional) {
  const Dataset data = with_classes({200, 200});
  int off = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    off += class_counts(data, split_rows(data, std::vector<double>{0.5, 0.5}, {seed, false})[0])[0] != 100;
    EXPECT_EQ(class_counts(data, split_rows(data, std::vector<double>{0.5, 0.5}, {seed, true})[0])[0], 100);
  }
  EXPECT_GT(off, 10);
}

TEST(Splits, SeedDecides) {
  const Dataset data = with_classes({30, 30});
  const std::vector<double> halves = {0.5, 0.5};
  EXPECT_EQ(split_rows(data, halves, {5, true}), split_rows(data, halves, {5, true}));
  EXPECT_NE(split_rows(data, halves, {5, true}), split_rows(data, halves, {6, true}));
  EXPECT_EQ(k_folds(data, 4, {5, true})[0].test, k_folds(data, 4, {5, true})[0].test);
  EXPECT_NE(k_folds(data, 4, {5, true})[0].test, k_folds(data, 4, {6, true})[0].test);
}

TEST(Splits, BadFractions) {
  const Dataset data = with_classes({5, 5});
  for (const std::vector<double>& fractions : {std::vector<double>{}, {0.5, 0.6}, {0.5, 0.0}, {-0.5, 0.5}, {NAN}, {1.5}}) {
    expect_error([&] { split_rows(data, fractions); }, {"split", "fractions"});
  }
  expect_error([&] { split_rows(data, std::vector<double>{0.99, 0.01}); }, {"part 2 of 2 would be empty"});
}

TEST(Splits, FoldsCoverAllRowsInProportion) {
  for (const int k : {2, 3, 10}) {
    const Dataset data = with_classes({23, 41, 5});
    const std::vector<Fold> folds = k_folds(data, k);
    ASSERT_EQ(folds.size(), static_cast<std::size_t>(k));
    std::vector<RowNumbers> tests;
    std::size_t total = 0;
    for (const Fold& fold : folds) {
      tests.push_back(fold.test);
      total += fold.test.size();
      expect_disjoint({fold.train, fold.test});
      EXPECT_EQ(fold.train.size() + fold.test.size(), data.rows());
      EXPECT_LE(std::abs(static_cast<double>(fold.test.size()) - 69.0 / k), 1);
      const std::vector<int> counts = class_counts(data, fold.test);
      EXPECT_LT(std::abs(counts[0] - 23.0 / k), 1);
      EXPECT_LT(std::abs(counts[1] - 41.0 / k), 1);
      EXPECT_LT(std::abs(counts[2] - 5.0 / k), 1);
    }
    expect_disjoint(tests);
    EXPECT_EQ(total, data.rows());
  }
}

TEST(Splits, BadNumberOfFolds) {
  const Dataset data = with_classes({3, 3});
  expect_error([&] { k_folds(data, 1); }, {"folds", "1 folds"});
  expect_error([&] { k_folds(data, 7); }, {"folds", "6 rows"});
  EXPECT_EQ(k_folds(data, 6).size(), 6u);
}

TEST(Splits, RepeatedFoldsAreDrawnWithTheNextSeeds) {
  const Dataset data = with_classes({23, 41, 5});
  const std::vector<Fold> folds = repeated_k_folds(data, 4, 3, {5, true});
  ASSERT_EQ(folds.size(), 12u);
  for (std::size_t i = 0; i < folds.size(); ++i) {
    const std::vector<Fold> once = k_folds(data, 4, {5 + i / 4, true});
    EXPECT_EQ(folds[i].train, once[i % 4].train);
    EXPECT_EQ(folds[i].test, once[i % 4].test);
  }
  EXPECT_NE(folds[0].test, folds[4].test);
  expect_error([&] { repeated_k_folds(data, 4, 0); }, {"folds", "0 times"});
}

class SplitFiles : public ::testing::Test {
 protected:
  SplitFiles() : path_((std::filesystem::temp_directory_path() / fmt::format("treewright_split_{}", ::getpid())).string()) {}
  ~SplitFiles() override { std::filesystem::remove(path_); }
  const std::string& file(const std::string& text) {
    std::ofstream(path_, std::ios::binary) << text;
    return path_;
  }
  std::string path_;
};

TEST_F(SplitFiles, PartsByName) {
  const std::string text = "row\tp0\tp1\n0\ttrain\ttest\n2\ttest\t\n1\ttrain\ttrain\n";
  auto parts = read_parts(file(text), "p0", 3);
  EXPECT_EQ(parts.size(), 2u);
  EXPECT_EQ(parts["train"], (RowNumbers{0, 1}));
  EXPECT_EQ(parts["test"], (RowNumbers{2}));
  parts = read_parts(file(text), "p1", 3);
  EXPECT_EQ(parts["train"], (RowNumbers{1}));
  EXPECT_EQ(parts["test"], (RowNumbers{0}));
  parts = read_parts(file("part,row\na,0\nb,1\n"), "", 5);
  EXPECT_EQ(parts["b"], (RowNumbers{1}));
}

TEST_F(SplitFiles, PartErrors) {
  const auto fails = [&](const std::string& text, const std::string& column, const std::vector<std::string>& parts) {
    file(text);
    expect_error([&] { read_parts(path_, column, 3); }, parts);
  };
  fails("row\tp0\tp1\n0\ta\tb\n", "", {path_, "choose one of the columns"});
  fails("row\tp0\tp1\n0\ta\tb\n", "p2", {path_, "no column 'p2'"});
  fails("r\tp0\n0\ta\n", "", {path_, "no column 'row'"});
  fails("row\n0\n", "", {path_, "0 columns"});
  fails("row\tp0\n3\ta\n", "", {path_ + ", line 2", "'3' is not a row number", "0..2"});
  fails("row\tp0\n-1\ta\n", "", {"'-1'"});
  fails("row\tp0\nx\ta\n", "", {"'x'"});
  fails("row\tp0\n0\ta\n0\tb\n", "", {"line 3", "row 0 occurs twice"});
  fails("row\tp0\n0\ta\n1\n", "", {"line 3", "1 cells"});
  fails("", "", {"empty"});
}

}  // namespace
}  // namespace treewright
