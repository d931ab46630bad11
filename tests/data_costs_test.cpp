#include "treewright/data/costs/costs.h"

#include <gtest/gtest.h>

#include <cmath>

#include "expect_error.h"
#include "support/make_data.h"
#include "support/random_data.h"

namespace treewright {
namespace {

using testing::make_data;
using testing::numbers;

Dataset four_rows() {
  Dataset data = make_data({numbers("x", {1, 2, 3, 4})}, {0, 1, 2, 2}, 3);
  data.class_names = {"ok", "minor", "major"};
  return data;
}

constexpr const char* kMatrix = "true,major,ok,minor\nok,4,0,1\nminor,2,3,0\nmajor,0,10,5\n";

TEST(CostFile, NamesClassesInAnyOrder) {
  Dataset data = four_rows();
  parse_costs(data, kMatrix, "costs.csv");
  EXPECT_EQ(data.costs, (std::vector<double>{0, 1, 4, 3, 0, 2, 10, 5, 0}));
  parse_costs(data, "\xef\xbb\xbf;\"ok\";minor;major\r\nmajor;1e1;5;-0.5\r\nminor;3;0;2\r\n\"ok\";0;1;+4\r\n", "costs.csv");
  EXPECT_EQ(data.costs, (std::vector<double>{0, 1, 4, 3, 0, 2, 10, 5, -0.5}));
}

TEST(CostFile, WrongOnesAreRefused) {
  const auto refused = [](const char* text, const std::vector<std::string>& parts) {
    Dataset data = four_rows();
    expect_error([&] { parse_costs(data, text, "costs.csv"); }, parts);
    EXPECT_TRUE(data.costs.empty());
  };
  refused("", {"costs.csv: is empty", "first line names the labels"});
  refused("true\nok\nminor\nmajor\n", {"costs.csv: has one column only"});
  refused("true,ok,minor\nok,0,1\n", {"costs.csv: has not a column for the label 'major'"});
  refused("true,ok,minor,major\nok,0,1,4\nmajor,10,5,0\n", {"costs.csv: has not a line for the true class 'minor'"});
  refused("true,ok,minor,mayor\nok,0,1,4\n", {"costs.csv, line 1", "'mayor' is no class", "did you mean 'major'", "ok, minor, major"});
  refused("true,ok,minor,major\noK,0,1,4\n", {"costs.csv, line 2", "the true class 'oK' is no class", "did you mean 'ok'"});
  refused("true,ok,ok,minor,major\n", {"costs.csv, line 1: the label 'ok' occurs twice"});
  refused("true,ok,minor,major\nok,0,1,4\nok,0,1,4\n", {"costs.csv, line 3: the true class 'ok' occurs twice"});
  refused("true,ok,minor,major\nok,0,much,4\n", {"costs.csv, line 2, label 'minor': 'much' is no finite number"});
  refused("true,ok,minor,major\nok,0,,4\n", {"line 2, label 'minor': '' is no finite number"});
  refused("true,ok,minor,major\nok,0,inf,4\n", {"line 2, label 'minor': 'inf' is no finite number"});
  refused("true,ok,minor,major\nok,0,nan,4\n", {"line 2, label 'minor': 'nan' is no finite number"});
  refused("true,ok,minor,major\nok,0,1\n", {"costs.csv, line 2: has 3 cells, and the first line has 4"});
}

TEST(CostFile, ReadingNamesAMissingFile) {
  Dataset data = four_rows();
  expect_error([&] { read_costs(data, "no-such-file.csv"); }, {"no-such-file.csv"});
}

TEST(GainsTable, HasTheErrorsThatAreTheCosts) {
  Random random(3);
  for (int round = 0; round < 200; ++round) {
    testing::DataShape shape;
    shape.max_classes = 5;
    shape.missing = true;
    Dataset data = testing::random_data(random, shape);
    if (round % 2 == 0) {
      for (std::size_t row = 0; row < data.rows(); ++row) data.weights.push_back(random.uniform());
    }
    for (std::size_t i = 0; i < data.classes() * data.classes(); ++i) data.costs.push_back(static_cast<double>(random.below(9)) - 4);
    const GainsTable table = gains_table(data);
    // Every row gets a label by a rule that looks at its values alone, as a tree does.
    const auto labels = [&](const Dataset& rows) {
      std::vector<std::int32_t> result;
      for (const double x : rows.columns[0].values)
        result.push_back(std::isnan(x) ? 0 : static_cast<std::int32_t>(4 * x + 8) % static_cast<int>(rows.classes()));
      return result;
    };
    const std::vector<std::int32_t> of_table = labels(table.rows);
    double errors = 0;
    for (std::size_t row = 0; row < of_table.size(); ++row) errors += of_table[row] != table.rows.labels[row] ? table.rows.weight(row) : 0;
    EXPECT_NEAR(table.grid.near(table.grid.units(errors)), cost_of(labels(data), data, data.costs), 1e-9);
    EXPECT_NEAR(table.grid.at_least(table.grid.units(errors)), cost_of(labels(data), data, data.costs), 1e-9);
    EXPECT_TRUE(table.rows.costs.empty());
    EXPECT_LE(root_costs(data, data.costs).least, cost_of(labels(data), data, data.costs) + 1e-9);
  }
}

TEST(GainsTable, OfErrorsIsTheData) {
  Dataset data = four_rows();
  data.costs = {0, 1, 1, 1, 0, 1, 1, 1, 0};
  const GainsTable table = gains_table(data);
  EXPECT_EQ(table.rows.labels, data.labels);
  EXPECT_TRUE(table.rows.weights.empty());
  EXPECT_EQ(table.grid.at_least(GridUnits(2)), 2);
}

// A cost that forbids a label is most of every sum. Sums must still tell the other costs apart.
TEST(GainsTable, CostsAreRefusedBeyondWhichSumsAreNotKnown) {
  Dataset data = four_rows();
  const auto refused = [&](std::vector<double> costs) {
    data.costs = std::move(costs);
    try {
      gains_table(data);
    } catch (const Error& error) {
      EXPECT_EQ(error.where(), "costs");
      EXPECT_NE(error.fix().find("differ less"), std::string::npos) << error.what();
      return true;
    }
    return false;
  };
  for (const double forbids : {1e2, 1e9, 1e11}) EXPECT_FALSE(refused({0, forbids, 3, 2, 0, forbids, 2, forbids, 0})) << forbids;
  for (const double forbids : {1e14, 1e16, 1e300, 1e308}) EXPECT_TRUE(refused({0, forbids, 3, 2, 0, forbids, 2, forbids, 0})) << forbids;
  EXPECT_TRUE(refused({1e16, 1e16, 1e16 + 4, 0, 2, 3, 0, 0, 0})) << "so does what every label costs";
  EXPECT_TRUE(refused({-1e308, 1e308, 0, 0, 1, 2, 0, 1, 2}));
  // Numbers without a common unit are rounded to one.
  const double a = std::sqrt(2), b = std::sqrt(3);
  EXPECT_FALSE(refused({0, 1e3 * b, a, b, 0, 1e3 * a, a, 1e3 * b, 0}));
  EXPECT_TRUE(refused({0, 1e9 * b, a, b, 0, 1e9 * a, a, 1e9 * b, 0}));
  EXPECT_FALSE(refused({0, 0.1 + 0.2, 0.3, 0.3, 0, 0.1 + 0.2, 1, 1, 0})) << "0.1 + 0.2 and 0.3 are one number, written in two ways";
}

TEST(LabelGains, WithoutCostsAreWeights) {
  const std::vector<double> weights = {2, 5, 1};
  EXPECT_EQ(label_gains(weights, {}), weights);
  EXPECT_EQ(best_label(weights, {}), 1);
  const std::vector<double> costs = {0, 1, 1, 2, 0, 1, 9, 9, 0};
  EXPECT_EQ(label_gains(weights, costs), (std::vector<double>{2, 10, 14}));
  EXPECT_EQ(best_label(weights, costs), 2);
}

}  // namespace
}  // namespace treewright
