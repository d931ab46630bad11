#include "treewright/base/did_you_mean.h"

#include <gtest/gtest.h>

namespace treewright {
namespace {

TEST(DidYouMean, TheNearestName) {
  EXPECT_EQ(did_you_mean("max_deph", {"max_splits", "max_depth"}), " (did you mean 'max_depth'?)");
  EXPECT_EQ(did_you_mean("crt", {"oct", "cart"}), " (did you mean 'cart'?)");
  EXPECT_EQ(did_you_mean("banana", {"oct", "cart"}), "");
  EXPECT_EQ(did_you_mean("z", {"a", "b"}), "") << "a name that shares no letter is not near";
  EXPECT_EQ(did_you_mean("Y", {"x", "y"}), " (did you mean 'y'?)");
  EXPECT_EQ(did_you_mean("fti", {"tune", "fit"}), " (did you mean 'fit'?)");
  EXPECT_EQ(did_you_mean("tif", {"fit"}), "") << "two letters that are not side by side";
}

TEST(DidYouMean, ShortForms) {
  EXPECT_EQ(did_you_mean("js", {"java", "javascript", "sql"}), " (did you mean 'javascript'?)");
  EXPECT_EQ(did_you_mean("jv", {"java", "javascript"}), "") << "short for two";
  EXPECT_EQ(did_you_mean("sj", {"javascript"}), "");
}

TEST(DidYouMean, AWordOfTheName) {
  EXPECT_EQ(did_you_mean("depth", {"method", "max_depth"}), " (did you mean 'max_depth'?)");
  EXPECT_EQ(did_you_mean("--depth", {"--method", "--max-depth"}), " (did you mean '--max-depth'?)");
  EXPECT_EQ(did_you_mean("min", {"max_depth", "min_samples_leaf"}), " (did you mean 'min_samples_leaf'?)");
  EXPECT_EQ(did_you_mean("epth", {"max_depth"}), "") << "not a whole word";
}

}  // namespace
}  // namespace treewright
