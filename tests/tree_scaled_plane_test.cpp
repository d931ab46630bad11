#include "treewright/tree/scaled_plane.h"

#include <gtest/gtest.h>

#include "support/make_data.h"

namespace treewright {
namespace {

TEST(ScaledPlane, TermsOfTheSizeOfLastDigitsAreLeftOut) {
  const Dataset data =
      testing::make_data({testing::numbers("a", {0, 10}), testing::numbers("b", {0, 0.001}), testing::numbers("c", {1, 2})}, {0, 1});
  const std::vector<Axis> axes = scaled_axes(data, Scaling::unit);
  ASSERT_EQ(axes.size(), 3u);
  const HyperplaneSplit split = in_raw_units({{-0.5, 1e-12, 1e-17}, 0.25}, axes);
  ASSERT_EQ(split.terms.size(), 2u);
  EXPECT_EQ(split.terms[0].feature, FeatureId{0});
  EXPECT_EQ(split.terms[1].feature, FeatureId{1});
  EXPECT_TRUE(in_raw_units({{0, 0, 0}, 0.25}, axes).terms.empty());
}

}  // namespace
}  // namespace treewright
