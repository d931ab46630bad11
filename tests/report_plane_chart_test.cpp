// A split on two columns as a line in their plane: the line's ends and the words beside it are read from the picture.

#include "treewright/report/plane_chart.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <regex>
#include <string>
#include <vector>

#include "support/make_data.h"
#include "treewright/base/random.h"

namespace treewright::report {
namespace {

std::optional<PlaneCells> cells_of(const Split& split, const Dataset& data) {
  std::vector<std::size_t> rows(data.rows());
  std::iota(rows.begin(), rows.end(), 0);
  return plane_cells(split, data, rows);
}

struct Spot {
  double across, up;
};

// The spots that the first match of a pattern names, two numbers for each.
std::vector<Spot> spots(const std::string& chart, const std::string& pattern) {
  std::smatch match;
  std::vector<Spot> found;
  if (!std::regex_search(chart, match, std::regex(pattern))) return found;
  for (std::size_t i = 1; i + 1 < match.size(); i += 2) found.push_back({std::stod(match[i]), std::stod(match[i + 1])});
  return found;
}

TEST(PlaneChart, LineAndWordsStandWhereTheSplitDoes) {
  Random random(71);
  int crossed = 0;
  for (int round = 0; round < 200; ++round) {
    std::vector<double> x, y;
    std::vector<std::int32_t> labels;
    for (int row = 0; row < 50; ++row) {
      x.push_back(static_cast<double>(random.below(20)) * 3 - 7);
      y.push_back(row == 7 ? std::nan("") : 1000 + static_cast<double>(random.below(9)) / 8);
      labels.push_back(row < 3 ? row : static_cast<std::int32_t>(random.below(3)));
    }
    const Dataset data = testing::make_data({testing::numbers("x", x), testing::numbers("y", y)}, labels, 3);
    const double a = static_cast<double>(random.below(41)) / 4 - 5.1, b = 20 * (static_cast<double>(random.below(41)) / 4 - 5.1);
    const std::size_t near = random.below(7);
    const Split split{HyperplaneSplit{{{FeatureId{0}, a}, {FeatureId{1}, b}}, a * x[near] + b * y[near] + 0.5}, false};
    const std::optional<PlaneCells> cells = cells_of(split, data);
    ASSERT_TRUE(cells.has_value());
    for (std::int32_t k = 0; k < 3; ++k) {
      EXPECT_EQ(std::accumulate(cells->weight[k].begin(), cells->weight[k].end(), 0.0),
                static_cast<double>(std::ranges::count(labels, k) - (labels[7] == k)));
    }
    const std::string chart = plane_chart(*cells, split, Tree(data));
    const std::vector<Spot> ends = spots(chart, R"re(class="cut" x1="([^"]*)" y1="([^"]*)" x2="([^"]*)" y2="([^"]*)")re");
    if (ends.empty()) continue;
    ++crossed;
    // The axes' ends give the scale.
    const std::vector<Spot> below = spots(chart, R"re(class="axis" x1="([^"]*)" y1="([^"]*)" x2="([^"]*)" y2="([^"]*)")re");
    const double wide = below[1].across - below[0].across, tall = below[0].up - 22;
    const auto side_of = [&](const Spot& spot) {
      const double u = (spot.across - below[0].across) / wide, v = (below[0].up - spot.up) / tall;
      return a * (cells->low[0] + u * (cells->high[0] - cells->low[0])) + b * (cells->low[1] + v * (cells->high[1] - cells->low[1])) -
             split.plane()->threshold;
    };
    const double spread = std::abs(a) * (cells->high[0] - cells->low[0]) + std::abs(b) * (cells->high[1] - cells->low[1]);
    for (const Spot& end : ends) EXPECT_NEAR(side_of(end), 0, 1e-3 * spread);
    const std::vector<Spot> yes = spots(chart, R"re(class="side" x="([^"]*)" y="([^"]*)"[^>]*>yes<)re");
    const std::vector<Spot> no = spots(chart, R"re(class="side" x="([^"]*)" y="([^"]*)"[^>]*>no<)re");
    ASSERT_TRUE(yes.size() == 1 && no.size() == 1);
    EXPECT_LT(side_of(yes[0]), side_of(no[0]));
  }
  EXPECT_GT(crossed, 150);
}

TEST(PlaneChart, NeedsTwoNumbersThatDiffer) {
  const double most = std::numeric_limits<double>::max();
  const Dataset data =
      testing::make_data({testing::numbers("x", {1, 2, 3, 4}), testing::numbers("same", {5, 5, 5, 5}),
                          testing::categories("colour", {"red", "blue"}, {0, 1, 1, 0}), testing::numbers("vast", {-most, most, most, 0})},
                         {0, 1, 0, 1});
  const auto drawn = [&](std::vector<HyperplaneSplit::Term> terms) {
    const Split split{HyperplaneSplit{std::move(terms), 2.5}, false};
    const std::optional<PlaneCells> cells = cells_of(split, data);
    return cells ? plane_chart(*cells, split, Tree(data)) : "";
  };
  const HyperplaneSplit::Term x{FeatureId{0}, 1}, same{FeatureId{1}, 1}, red{FeatureId{2}, 1, 0}, vast{FeatureId{3}, 1};
  EXPECT_EQ(drawn({x}) + drawn({x, same}) + drawn({x, red}) + drawn({x, same, vast}), "");
  const std::string far = drawn({x, vast});
  EXPECT_NE(far, "");
  for (const char* no_number : {"nan", "inf"}) EXPECT_EQ(far.find(no_number), std::string::npos);
}

}  // namespace
}  // namespace treewright::report
