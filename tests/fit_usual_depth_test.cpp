// The depth where nobody has chosen one.

#include <gtest/gtest.h>

#include "support/make_data.h"
#include "treewright/fit.h"
#include "treewright/fit/registry.h"

namespace treewright {
namespace {

using testing::make_data;
using testing::numbers;

TEST(UsualDepth, IsOneLevelMoreThanTheClassesNeed) {
  for (const char* method : {"oct", "cart", "oct-h", "tao", "local", "cart-h"}) {
    Options options;
    options.method = method;
    for (const auto& [classes, depth] : {std::pair{2, 3}, {4, 3}, {5, 4}, {8, 4}, {9, 5}, {16, 5}, {17, 6}}) {
      EXPECT_EQ(with_depth(options, static_cast<std::size_t>(classes)).max_depth, depth) << method << " " << classes;
    }
    options.max_depth = 1;
    EXPECT_EQ(with_depth(options, 9).max_depth, 1);
  }
  Options margot;
  margot.method = "margot";
  EXPECT_EQ(with_depth(margot, 9).max_depth, 3);
}

// A search that is deeper than three levels because of the classes ends after some work, unless the user has said when, or wants a proof.
TEST(UsualDepth, ComesWithALimitOnTheWork) {
  Options options;
  EXPECT_EQ(with_depth(options, 4).node_limit, -1);
  EXPECT_EQ(with_depth(options, 5).node_limit, 200000);
  Options limited = options, proving = options, deep = options, greedy = options;
  limited.time_limit = 60;
  proving.proof = "bound.proof";
  deep.max_depth = 4;
  greedy.method = "cart";
  for (const Options& other : {limited, proving, deep, greedy}) EXPECT_EQ(with_depth(other, 5).node_limit, -1);
}

TEST(UsualDepth, HasALeafForEachOfNineClasses) {
  std::vector<double> x;
  std::vector<std::int32_t> labels;
  for (int row = 0; row < 90; ++row) x.push_back(row % 9), labels.push_back(row % 9);
  const Result result = fit(make_data({numbers("x", x)}, labels, 9), {});
  EXPECT_EQ(result.errors, 0);
  EXPECT_EQ(result.max_depth, 5);
}

}  // namespace
}  // namespace treewright
