#include "treewright/explain/claims.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "support/make_data.h"
#include "treewright/fit.h"
#include "treewright/options.h"

namespace treewright::explain {
namespace {

using testing::make_data;
using testing::numbers;

Result trained(const char* method, double price = 0) {
  Options options;
  options.method = method;
  options.max_depth = 1;
  options.ccp_alpha = price;
  return fit(make_data({numbers("x", {1, 2, 3, 4, 5, 6})}, {0, 0, 1, 0, 1, 1}), options);
}

TEST(Headline, SaysWhatNoTreeDoes) {
  EXPECT_EQ(headline(trained("oct")),
            "No tree of axis and category splits with at most 1 question on a path makes fewer than 1 error on these 6 rows");
  Result limited = trained("oct");
  limited.max_splits = 3;
  limited.min_leaf_rows = 5;
  EXPECT_NE(headline(limited).find("1 question on a path and 3 in all and at least 5 rows in every leaf makes"), std::string::npos);
  EXPECT_NE(headline(trained("oct", 0.01)).find(" has an objective below "), std::string::npos) << "splits have a price";
  EXPECT_EQ(headline(trained("cart")), "Other trees may be better");
}

TEST(Headline, SaysHowFarAStoppedRunCame) {
  Result stopped = trained("oct");
  stopped.status = Status::time_limit;
  stopped.rows = 5000;
  stopped.total_weight = 5000;
  stopped.errors = stopped.objective = 1885;
  const double scale = stopped.objective_function->error_scale();
  const auto with_bound = [&](double errors) {
    stopped.objective = stopped.errors / scale;
    stopped.bound = errors / scale;
    return headline(stopped);
  };
  EXPECT_NE(with_bound(1000).find("makes fewer than 1000 errors on these 5000 rows; this one makes 1885"), std::string::npos);
  EXPECT_EQ(with_bound(2), "There is no useful bound yet: a much better tree may exist") << "1883 of 1885 errors say nothing";
  EXPECT_NE(with_bound(1885).find("makes fewer than 1885 errors"), std::string::npos);
}

TEST(NeverPredicted, NamesTheClassesAndTheLimit) {
  EXPECT_EQ(never_predicted(trained("oct")), "");
  Options options;
  options.max_depth = 1;
  const Dataset data = make_data({numbers("x", {1, 2, 3, 4, 5, 6, 7, 8})}, {0, 1, 2, 2, 3, 3, 3, 4}, 5);
  const std::string few = never_predicted(fit(data, options));
  EXPECT_EQ(few, "the tree never predicts 'a', 'b', 'e'; at most 2 leaves are allowed for 5 classes");
  options.max_depth = 3;
  options.ccp_alpha = 0.25;
  const std::string dear = never_predicted(fit(data, options));
  EXPECT_NE(dear.find("the tree never predicts"), std::string::npos);
  EXPECT_EQ(dear.find("leaves are allowed"), std::string::npos) << "eight leaves hold five classes";
}

TEST(LeavesOfFewRows, AreCounted) {
  Options options;
  options.max_depth = 1;
  std::vector<double> x(30);
  std::iota(x.begin(), x.end(), 0.0);
  std::vector<std::int32_t> labels(30, 0);
  labels[28] = labels[29] = 1;
  EXPECT_EQ(leaves_of_few_rows(fit(make_data({numbers("x", x)}, labels, 2), options).tree),
            "1 of 2 leaves holds one or two training rows, which may be chance");
  labels[27] = 1;
  EXPECT_EQ(leaves_of_few_rows(fit(make_data({numbers("x", x)}, labels, 2), options).tree), "");
}

TEST(Headline, APerfectTree) {
  Result perfect = trained("oct");
  perfect.errors = perfect.objective = perfect.bound = 0;
  EXPECT_EQ(headline(perfect), "The tree makes no error on these 6 rows");
}

TEST(GapText, RoundingIsNoGap) {
  EXPECT_EQ(gap_text(2.968e-11), "0 %");
  EXPECT_EQ(gap_text(0.4), "40 %");
  EXPECT_EQ(gap_text(1e-5), "0.001 %");
}

}  // namespace
}  // namespace treewright::explain
