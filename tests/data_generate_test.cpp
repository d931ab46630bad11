#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <set>

#include "expect_error.h"
#include "support/data_folder.h"
#include "treewright/base/file.h"
#include "treewright/data.h"
#include "treewright/data/generate/generate.h"

namespace treewright {
namespace {

/// The lines of `write_csv`, header first, the rest sorted.
std::vector<std::string> sorted_lines(const std::string& text) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  while (begin < text.size()) {
    std::size_t end = std::min(text.find('\n', begin), text.size());
    lines.push_back(text.substr(begin, end - begin));
    if (!lines.back().empty() && lines.back().back() == '\r') lines.back().pop_back();
    begin = end + 1;
  }
  std::sort(lines.begin() + 1, lines.end());
  return lines;
}

double share_equal(const std::vector<std::int32_t>& a, const std::vector<std::int32_t>& b) {
  int equal = 0;
  for (std::size_t i = 0; i < a.size(); ++i) equal += a[i] == b[i];
  return static_cast<double>(equal) / static_cast<double>(a.size());
}

TEST(Generate, EveryNameGivesAValidDataset) {
  for (const std::string& name : generator_names()) {
    const Dataset data = generate(name);
    EXPECT_NO_THROW(data.validate_for_training()) << name;
    const std::vector<double> totals = data.class_totals();
    EXPECT_GT(*std::min_element(totals.begin(), totals.end()), 0) << name;
    EXPECT_EQ(write_csv(generate(name)), write_csv(data)) << name;
  }
}

TEST(Generate, UnknownNamesAndUnusedOptions) {
  expect_error([] { generate("tictactoe"); }, {"generator 'tictactoe'", "did you mean 'tic-tac-toe'", "monks-1"});
  const auto refuses = [](const char* name, auto set, const char* option) {
    GenerateOptions options;
    set(options);
    expect_error([&] { generate(name, options); }, {name, option, "does not use"});
  };
  refuses(
      "balance-scale", [](GenerateOptions& o) { o.seed = 2; }, "'seed'");
  refuses(
      "4-partitions", [](GenerateOptions& o) { o.label_noise = 0.1; }, "'label_noise'");
  refuses(
      "monks-1", [](GenerateOptions& o) { o.depth = 3; }, "'depth'");
  refuses(
      "monks-1", [](GenerateOptions& o) { o.rows = 3; }, "'rows'");
  refuses(
      "monks-1", [](GenerateOptions& o) { o.sample = 3; }, "'sample'");
  refuses(
      "monks-1", [](GenerateOptions& o) { o.features = 3; }, "'features'");
  refuses(
      "monks-1", [](GenerateOptions& o) { o.rows_per_label = true; }, "'rows_per_label'");
  refuses(
      "monks-1", [](GenerateOptions& o) { o.classes = 3; }, "'classes'");
  refuses(
      "monks-1", [](GenerateOptions& o) { o.feature_noise = 0.1; }, "'feature_noise'");
}

TEST(Generate, OptionsOutOfRange) {
  const auto refuses = [](const char* name, auto set, const char* option) {
    GenerateOptions options;
    set(options);
    expect_error([&] { generate(name, options); }, {option});
  };
  refuses(
      "bd17-train", [](GenerateOptions& o) { o.depth = 0; }, "'depth'");
  refuses(
      "bd17-train", [](GenerateOptions& o) { o.depth = 13; }, "'depth'");
  refuses(
      "bd17-train", [](GenerateOptions& o) { o.features = 1; }, "'features'");
  refuses(
      "bd17-train", [](GenerateOptions& o) { o.depth = 12, o.features = 9000; }, "'features'");
  refuses(
      "bd17-train", [](GenerateOptions& o) { o.rows = 0; }, "'rows'");
  refuses(
      "bd17-train", [](GenerateOptions& o) { o.classes = 1; }, "'classes'");
  refuses(
      "bd17-train", [](GenerateOptions& o) { o.sample = -1; }, "'sample'");
  refuses(
      "bd17-train", [](GenerateOptions& o) { o.label_noise = 1.01; }, "'label_noise'");
  refuses(
      "bd17-train", [](GenerateOptions& o) { o.feature_noise = NAN; }, "'feature_noise'");
  refuses(
      "monks-1", [](GenerateOptions& o) { o.label_noise = -0.1; }, "'label_noise'");
}

TEST(TreeStudy, GroundTruthIsAFullTreeThatCannotBeSmaller) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    GenerateOptions options;
    options.seed = seed;
    options.depth = 1 + static_cast<int>(seed % 4);
    options.features = 2 + static_cast<int>(seed % 3);
    options.classes = static_cast<int>(seed % 2) * 2;
    const TreeStudy study = generate_tree_study(options);
    const std::size_t leaves = std::size_t{1} << options.depth;
    ASSERT_EQ(study.truth.depth, options.depth);
    ASSERT_EQ(study.truth.features.size(), leaves - 1);
    ASSERT_EQ(study.truth.thresholds.size(), leaves - 1);
    ASSERT_EQ(study.truth.leaf_labels.size(), leaves);
    for (std::size_t leaf = 1; leaf < leaves; ++leaf) EXPECT_NE(study.truth.leaf_labels[leaf], study.truth.leaf_labels[leaf - 1]);
    const std::set<std::int32_t> used(study.truth.leaf_labels.begin(), study.truth.leaf_labels.end());
    EXPECT_EQ(used.size(), study.train.classes()) << "every class occurs in the truth";
    EXPECT_TRUE(options.classes != 2 || used.size() == 2);
    EXPECT_EQ(study.test.rows(), leaves * (options.features - 1) * 500);
    EXPECT_EQ(study.train.rows(), 100u);
    for (const Dataset* data : {&study.train, &study.test}) {
      data->validate();
      std::vector<double> x(options.features);
      for (std::size_t row = 0; row < data->rows(); ++row) {
        for (std::size_t j = 0; j < x.size(); ++j) {
          x[j] = data->columns[j].values[row];
          ASSERT_TRUE(x[j] >= 0 && x[j] < 1);
        }
        ASSERT_EQ(study.truth.label(x), data->labels[row]);
      }
    }
  }
}

TEST(TreeStudy, LabelsFollowHeapOrderAndStrictThresholds) {
  const GroundTruth truth{2, {0, 1, 1}, {0.5, 0.25, 0.75}, {0, 1, 2, 3}};
  EXPECT_EQ(truth.label(std::vector<double>{0.4, 0.2}), 0);
  EXPECT_EQ(truth.label(std::vector<double>{0.4, 0.25}), 1);
  EXPECT_EQ(truth.label(std::vector<double>{0.5, 0.7}), 2);
  EXPECT_EQ(truth.label(std::vector<double>{0.5, 0.75}), 3);
}

TEST(TreeStudy, EveryLeafHasAFairShareOfThePoints) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    GenerateOptions options;
    options.seed = seed;
    TreeStudy study = generate_tree_study(options);
    study.truth.leaf_labels = {0, 1, 2, 3};
    std::vector<int> reached(4);
    for (std::size_t row = 0; row < study.test.rows(); ++row) {
      ++reached[study.truth.label(std::vector<double>{study.test.columns[0].values[row], study.test.columns[1].values[row]})];
    }
    // At least 1/25 of 2000 points is expected in each leaf: 80, give or take 9.
    EXPECT_GT(*std::min_element(reached.begin(), reached.end()), 35) << seed;
  }
}

TEST(TreeStudy, LabelNoiseHitsItsShareAndIsCyclic) {
  GenerateOptions options;
  options.rows = 200;
  options.depth = 3;
  const TreeStudy clean = generate_tree_study(options);
  options.label_noise = 0.25;
  const TreeStudy noisy = generate_tree_study(options);
  EXPECT_EQ(noisy.truth.thresholds, clean.truth.thresholds);
  EXPECT_EQ(noisy.test.labels, clean.test.labels) << "test data stay clean";
  EXPECT_EQ(noisy.train.columns[0].values, clean.train.columns[0].values);
  EXPECT_DOUBLE_EQ(share_equal(noisy.train.labels, clean.train.labels), 0.75);
  const auto classes = static_cast<std::int32_t>(clean.train.classes());
  for (std::size_t row = 0; row < 200; ++row) {
    const std::int32_t step = (noisy.train.labels[row] - clean.train.labels[row] + classes) % classes;
    EXPECT_TRUE(step == 0 || step == 1);
  }
  options.label_noise = 1;
  EXPECT_DOUBLE_EQ(share_equal(generate_tree_study(options).train.labels, clean.train.labels), 0);
}

TEST(TreeStudy, FeatureNoiseMovesAllFeaturesOfItsShare) {
  GenerateOptions options;
  options.rows = 200;
  options.features = 3;
  const TreeStudy clean = generate_tree_study(options);
  options.feature_noise = 0.1;
  const TreeStudy noisy = generate_tree_study(options);
  EXPECT_EQ(noisy.train.labels, clean.train.labels);
  EXPECT_EQ(noisy.test.columns[0].values, clean.test.columns[0].values);
  int moved = 0;
  double largest = 0;
  for (std::size_t row = 0; row < 200; ++row) {
    int features = 0;
    for (std::size_t j = 0; j < 3; ++j) {
      const double by = noisy.train.columns[j].values[row] - clean.train.columns[j].values[row];
      features += by != 0;
      largest = std::max(largest, std::abs(by));
    }
    EXPECT_TRUE(features == 0 || features == 3);
    moved += features == 3;
  }
  EXPECT_EQ(moved, 20);
  EXPECT_LE(largest, 0.1);
  EXPECT_GT(largest, 0.05);
}

TEST(TreeStudy, SamplesShareTheTree) {
  GenerateOptions options;
  const TreeStudy first = generate_tree_study(options);
  options.sample = 1;
  const TreeStudy second = generate_tree_study(options);
  EXPECT_EQ(first.truth.thresholds, second.truth.thresholds);
  EXPECT_EQ(first.truth.leaf_labels, second.truth.leaf_labels);
  EXPECT_NE(first.train.columns[0].values, second.train.columns[0].values);
  EXPECT_NE(first.test.columns[0].values, second.test.columns[0].values);
  options.seed = 2;
  EXPECT_NE(generate_tree_study(options).truth.thresholds, first.truth.thresholds);
}

TEST(TreeStudy, RowsPerLabel) {
  GenerateOptions options;
  options.depth = 3;
  options.rows = 50;
  options.rows_per_label = true;
  const TreeStudy study = generate_tree_study(options);
  EXPECT_GT(study.train.classes(), 2u);
  EXPECT_EQ(study.train.rows(), 50 * study.train.classes());
}

// --- partitions: is the wanted depth enough, and is less too little? ------------------------------

struct Point {
  double x, y;
  int label;
};

double cross(const Point& o, const Point& a, const Point& b) {
  return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x);
}

/// Andrew's monotone chain; `points` sorted by x, then y.
std::vector<Point> hull_of(const std::vector<Point>& points) {
  if (points.size() < 3) return points;
  std::vector<Point> hull;
  for (int pass = 0; pass < 2; ++pass) {
    const std::size_t base = hull.size();
    for (std::size_t k = 0; k < points.size(); ++k) {
      const Point& p = pass == 0 ? points[k] : points[points.size() - 1 - k];
      while (hull.size() >= base + 2 && cross(hull[hull.size() - 2], hull.back(), p) <= 0) hull.pop_back();
      hull.push_back(p);
    }
    hull.pop_back();
  }
  return hull;
}

/// Whether a line divides the labels: the hulls of two classes are apart iff the line along some edge of
/// either, or some line from a vertex of one to a vertex of the other, has them on different sides.
bool separable(const std::vector<Point>& points) {
  std::vector<Point> sides[2];
  for (const Point& p : points) sides[p.label].push_back(p);
  if (sides[0].empty() || sides[1].empty()) return true;
  const std::vector<Point> a = hull_of(sides[0]), b = hull_of(sides[1]);
  const auto apart_along = [&](double nx, double ny) {
    double low[2] = {1e9, 1e9}, high[2] = {-1e9, -1e9};
    for (int side = 0; side < 2; ++side) {
      for (const Point& p : side == 0 ? a : b) {
        low[side] = std::min(low[side], nx * p.x + ny * p.y);
        high[side] = std::max(high[side], nx * p.x + ny * p.y);
      }
    }
    return high[0] < low[1] || high[1] < low[0];
  };
  for (const std::vector<Point>* hull : {&a, &b}) {
    for (std::size_t i = 0; i < hull->size(); ++i) {
      const Point &p = (*hull)[i], &q = (*hull)[(i + 1) % hull->size()];
      if (apart_along(p.y - q.y, q.x - p.x)) return true;
    }
  }
  // Hulls that are points or segments have no edge of use.
  if (a.size() < 3 || b.size() < 3) {
    for (const Point& p : a) {
      for (const Point& q : b) {
        if (apart_along(q.x - p.x, q.y - p.y) || apart_along(p.y - q.y, q.x - p.x)) return true;
      }
    }
  }
  return false;
}

/// Whether a hyperplane tree of this depth is right on all points. Every division of points in general
/// position by a line is that of a line through two of them, each of the two put on either side.
bool perfect(const std::vector<Point>& points, int depth) {
  if (depth == 1) return separable(points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = i + 1; j < points.size(); ++j) {
      for (int variant = 0; variant < 4; ++variant) {
        std::vector<Point> left, right;
        for (std::size_t k = 0; k < points.size(); ++k) {
          const bool to_left = k == i ? variant & 1 : k == j ? variant & 2 : cross(points[i], points[j], points[k]) > 0;
          (to_left ? left : right).push_back(points[k]);
        }
        const bool left_easy = separable(left), right_easy = separable(right);
        if (left_easy && right_easy) return true;
        // A root that takes off two regions of 16 points is all that depth 3 needs here; it keeps the search
        // short.
        if (depth == 3 && left_easy && left.size() == 32 && perfect(right, 2)) return true;
      }
    }
  }
  return false;
}

std::vector<Point> points_of(const Dataset& data) {
  std::vector<Point> points;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    points.push_back({data.columns[0].values[row], data.columns[1].values[row], data.labels[row]});
  }
  std::sort(points.begin(), points.end(), [](const Point& a, const Point& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  return points;
}

TEST(Partitions, SeparableIsRight) {
  EXPECT_TRUE(separable({{0, 0, 0}, {1, 0, 1}}));
  EXPECT_TRUE(separable({{0, 0, 0}, {0, 1, 1}, {1, 0, 1}}));
  EXPECT_FALSE(separable({{0, 0, 0}, {0, 1, 1}, {1, 0, 1}, {1, 1, 0}}));
  EXPECT_FALSE(separable({{0, 0, 0}, {1, 0, 1}, {2, 0, 0}}));
  EXPECT_TRUE(separable({{0, 0, 0}, {1, 0, 0}, {2, 0, 1}, {3, 0, 1}}));
}

TEST(Partitions, FourPartitionsNeedDepthTwo) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    GenerateOptions options;
    options.seed = seed;
    const Dataset data = generate("4-partitions", options);
    EXPECT_EQ(data.rows(), 108u);
    EXPECT_EQ(data.class_totals(), (std::vector<double>{54, 54}));
    EXPECT_FALSE(perfect(points_of(data), 1)) << seed;
    EXPECT_TRUE(perfect(points_of(data), 2)) << seed;
  }
}

TEST(Partitions, LengthySixPartitionsNeedDepthThree) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    GenerateOptions options;
    options.seed = seed;
    const Dataset data = generate("6-partitions", options);
    EXPECT_EQ(data.rows(), 96u);
    EXPECT_EQ(data.class_totals(), (std::vector<double>{48, 48}));
    EXPECT_FALSE(perfect(points_of(data), 2)) << seed;
    EXPECT_TRUE(perfect(points_of(data), 3)) << seed;
  }
}

TEST(Partitions, SeedDecides) {
  GenerateOptions options;
  options.seed = 2;
  EXPECT_NE(write_csv(generate("4-partitions", options)), write_csv(generate("4-partitions")));
}

// --- rules ----------------------------------------------------------------------------------------

TEST(Rules, Counts) {
  EXPECT_EQ(generate("balance-scale").class_totals(), (std::vector<double>{49, 288, 288}));
  EXPECT_EQ(generate("tic-tac-toe").class_totals(), (std::vector<double>{332, 626}));
  EXPECT_EQ(generate("monks-1").class_totals(), (std::vector<double>{216, 216}));
  EXPECT_EQ(generate("monks-2").class_totals(), (std::vector<double>{290, 142}));
  EXPECT_EQ(generate("monks-3").class_totals(), (std::vector<double>{204, 228}));
}

TEST(Rules, AllCasesDiffer) {
  for (const char* name : {"balance-scale", "tic-tac-toe", "monks-1"}) {
    const std::vector<std::string> lines = sorted_lines(write_csv(generate(name)));
    EXPECT_EQ(std::adjacent_find(lines.begin(), lines.end()), lines.end()) << name;
  }
}

TEST(Rules, MonksNoiseFlipsItsShare) {
  const Dataset clean = generate("monks-3");
  GenerateOptions options;
  options.label_noise = 0.05;
  const Dataset noisy = generate("monks-3", options);
  EXPECT_DOUBLE_EQ(share_equal(clean.labels, noisy.labels), 1 - 22.0 / 432);
  options.seed = 2;
  EXPECT_NE(generate("monks-3", options).labels, noisy.labels);
}

/// The published files, where the folder is at hand.
class PublishedFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::optional<std::filesystem::path> folder = testing::data_folder();
    if (!folder) GTEST_SKIP() << testing::no_data_folder;
    folder_ = *folder;
  }
  std::string text_of(const std::string& name) const { return read_file((folder_ / (name + ".csv")).string()); }
  std::filesystem::path folder_;
};

TEST_F(PublishedFiles, BalanceScaleAndTicTacToeAreEqual) {
  for (const char* name : {"balance-scale", "tic-tac-toe"}) {
    EXPECT_EQ(sorted_lines(write_csv(generate(name))), sorted_lines(text_of(name))) << name;
  }
}

TEST_F(PublishedFiles, MonksTrainingSetsAreSamples) {
  for (const auto& [name, flipped] : std::map<std::string, int>{{"monks-1", 0}, {"monks-2", 0}, {"monks-3", 6}}) {
    const std::vector<std::string> all = sorted_lines(write_csv(generate(name))), sample = sorted_lines(text_of(name));
    EXPECT_EQ(all.front(), sample.front()) << name;
    int absent = 0;
    for (std::size_t i = 1; i < sample.size(); ++i) absent += !std::binary_search(all.begin() + 1, all.end(), sample[i]);
    EXPECT_EQ(absent, flipped) << name;
  }
}

}  // namespace
}  // namespace treewright
