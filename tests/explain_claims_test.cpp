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
            "No tree with at most 1 question on a path, about one column, makes fewer than 1 error on these 6 rows");
  Result limited = trained("oct");
  limited.max_splits = 3;
  limited.min_leaf_rows = 5;
  limited.max_depth = 2;
  EXPECT_EQ(
      headline(limited).find("No tree with at most 2 questions on a path and 3 in all, each about one column, and at least 5 rows in every "
                             "leaf makes fewer"),
      0u);
  limited.proved =
      "no tree of axis and category splits (depth at most 2, weight at least 4 in every leaf; columns of more than 12 categories "
      "split by x) has an objective below the bound; proof in p";
  EXPECT_NE(
      headline(limited).find("each about one column, where columns of more than 12 categories split by x, and at least 5 rows in every "
                             "leaf and weight at least 4 in every leaf makes"),
      std::string::npos)
      << headline(limited);
  EXPECT_TRUE(proof(limited).starts_with("no tree with at most 2 questions on a path")) << proof(limited);
  EXPECT_TRUE(proof(limited).ends_with(" on these 6 rows; proof in p")) << proof(limited);
  limited.proved = "no tree of hyperplanes that leave 0.1 between their sides (features scaled) has an objective below the bound";
  EXPECT_EQ(proof(limited), limited.proved) << "all of it is needed";
  EXPECT_TRUE(headline(trained("oct", 0.01)).ends_with(" makes fewer than 1.03 errors on these 6 rows, each split counted as 0.03 more"));
  EXPECT_EQ(headline(trained("cart")), "Other trees may be better");
}

TEST(Headline, NegativeCostsAreGains) {
  Dataset data = make_data({numbers("x", {1, 2, 3, 4, 5, 6})}, {0, 0, 1, 0, 1, 1});
  data.row_costs = {0, -2, 0, -2, -1, 0, 0, 1, -1, 0, -1, 0};
  Options options;
  options.max_depth = 1;
  Result policy = fit(data, options);
  EXPECT_EQ(headline(policy),
            "No tree with at most 1 question on a path, about one column, gains more than 7 on these 6 rows (1.17 a row)");
  policy.status = Status::time_limit;
  policy.bound *= 2;
  EXPECT_EQ(headline(policy),
            "No tree with at most 1 question on a path, about one column, gains more than 14 on these 6 rows; this one gains 7");
}

TEST(Status, SaysWhyNobodyHasCheckedTheProof) {
  Result result = trained("oct");
  EXPECT_EQ(status(result), "optimal (verified)");
  result.verified = false;
  EXPECT_EQ(status(result), "optimal (not verified: --verify, mostly about as long again)");
  result.options = {{"max_columns", "1"}};
  EXPECT_EQ(status(result), "optimal (not verified: there is no proof of trees that ask such columns)");
  result.options.clear();
  result.method = "margot";
  EXPECT_EQ(status(result), "optimal (not verified: the method writes no proof)");
  EXPECT_EQ(status(trained("cart")), "heuristic");
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
  stopped.proved = "nothing";
  EXPECT_EQ(with_bound(0), "Nothing is proved: other trees may be better");
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
