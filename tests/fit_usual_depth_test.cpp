// The depth where nobody has chosen one.

#include <gtest/gtest.h>

#include <string>

#include "support/make_data.h"
#include "support/random_data.h"
#include "treewright/fit.h"
#include "treewright/fit/registry.h"

namespace treewright {
namespace {

using testing::make_data;
using testing::numbers;

// Nine rows of each class and one column.
Dataset of_classes(int classes) {
  std::vector<double> x;
  std::vector<std::int32_t> labels;
  for (int row = 0; row < 9 * classes; ++row) x.push_back(row % classes), labels.push_back(row % classes);
  return make_data({numbers("x", x)}, labels, classes);
}

TEST(UsualDepth, IsOneLevelMoreThanTheClassesNeed) {
  for (const char* method : {"oct", "cart", "oct-h", "tao", "local", "cart-h"}) {
    Options options;
    options.method = method;
    for (const auto& [classes, depth] : {std::pair{2, 3}, {4, 3}, {5, 4}, {8, 4}, {9, 5}, {16, 5}, {17, 6}}) {
      EXPECT_EQ(with_depth(options, of_classes(classes)).max_depth, depth) << method << " " << classes;
    }
    options.max_depth = 1;
    EXPECT_EQ(with_depth(options, of_classes(9)).max_depth, 1);
  }
  Options regression;
  regression.method = "logistic-h";
  for (const auto& [classes, depth] : {std::pair{2, 3}, {4, 3}, {5, 4}, {8, 7}, {9, 8}, {16, 8}}) {
    EXPECT_EQ(with_depth(regression, of_classes(classes)).max_depth, depth) << "logistic-h " << classes;
  }
  Options margot;
  margot.method = "margot";
  EXPECT_EQ(with_depth(margot, of_classes(9)).max_depth, 3);
}

// A search that is deeper than three levels because of the classes ends after some work, unless the user has said when, or wants a proof.
TEST(UsualDepth, ComesWithALimitOnTheWork) {
  Options options;
  EXPECT_EQ(with_depth(options, of_classes(4)).node_limit, -1);
  EXPECT_EQ(with_depth(options, of_classes(5)).node_limit, 200000);
  Dataset large = of_classes(5);
  large.columns.resize(10'000, large.columns.front());
  EXPECT_EQ(with_depth(options, large).node_limit, 10'000'000'000 / (45 * 10'000));
  Options limited = options, proving = options, deep = options, greedy = options;
  limited.time_limit = 60;
  proving.proof = "bound.proof";
  deep.max_depth = 4;
  greedy.method = "cart";
  for (const Options& other : {limited, proving, deep, greedy}) EXPECT_EQ(with_depth(other, of_classes(5)).node_limit, -1);
}

TEST(UsualDepth, LengthyEndsASearchAfterThatWork) {
  Dataset data = of_classes(6);
  Random random(3);
  for (int column = 0; column < 60; ++column) {
    std::vector<double> x;
    for (std::size_t row = 0; row < data.rows(); ++row) x.push_back(random.uniform());
    data.columns.push_back(numbers("noise" + std::to_string(column), x));
  }
  for (std::size_t row = 0; row < data.rows(); ++row) data.labels[row] = static_cast<std::int32_t>(random.below(6));
  Options options;
  options.disable = "class_bound,known_bounds,monotone";
  EXPECT_EQ(fit(data, options).status, Status::node_limit);
}

TEST(UsualDepth, HasALeafForEachOfNineClasses) {
  const Result result = fit(of_classes(9), {});
  EXPECT_EQ(result.errors, 0);
  EXPECT_EQ(result.max_depth, 5);
}

}  // namespace
}  // namespace treewright
