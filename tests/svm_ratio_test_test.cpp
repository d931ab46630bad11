#include "treewright/svm/ratio_test.h"

#include <gtest/gtest.h>

#include <vector>

#include "treewright/base/random.h"

namespace treewright {
namespace {

TEST(RatioTest, FindsTheFirstOfTheLeast) {
  Random random(3);
  int found = 0, ties = 0;
  for (int round = 0; round < 3000; ++round) {
    const std::size_t n = random.below(40);
    std::vector<double> surplus, change, closing;
    for (std::size_t i = 0; i < n; ++i) {
      surplus.push_back(static_cast<double>(random.below(5)) - 1);
      change.push_back(static_cast<double>(random.below(5)) - 2);
      closing.push_back(random.below(3) == 0 ? 0 : -change.back());
    }
    svm::RatioTest wanted;
    int equal = 0;
    for (std::size_t i = 0; i < n; ++i) {
      if (!(closing[i] > 0.5)) continue;
      const double step = -surplus[i] / change[i];
      equal = step < wanted.step ? 1 : equal + (step == wanted.step);
      if (step < wanted.step) wanted = {step, i};
    }
    const svm::RatioTest first = svm::ratio_test(surplus, change, closing, 0.5);
    ASSERT_EQ(first.step, wanted.step);
    ASSERT_EQ(first.constraint, wanted.constraint);
    found += wanted.step < 100;
    ties += equal > 1;
  }
  EXPECT_GT(found, 1000);
  EXPECT_GT(ties, 500);
}

}  // namespace
}  // namespace treewright
