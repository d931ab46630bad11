#include "treewright/explain/facts.h"

#include <gtest/gtest.h>

#include "support/make_data.h"
#include "treewright/fit.h"
#include "treewright/options.h"

namespace treewright::explain {
namespace {

using testing::make_data;
using testing::numbers;

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Facts, ALineForEach) {
  const Dataset data = make_data({numbers("x", {1, 2, 3, 4, 5, 6})}, {0, 0, 1, 0, 1, 1});
  Options options;
  options.max_depth = 1;
  options.max_columns = 1;
  const std::string text = facts(fit(data, options), &data);
  EXPECT_EQ(text.find("status    optimal"), 0u);
  EXPECT_TRUE(holds(text, "\nerrors    1 of 6 (accuracy 0.8333) on the training rows\nsplits    1")) << text;
  EXPECT_TRUE(holds(text,
                    "\ncolumns   1 asked: x\nproved    no tree with at most 1 question on a path, about one column, that asks at most 1 "
                    "column makes fewer than 1 error on these 6 rows\n"))
      << text;
  EXPECT_FALSE(holds(text, "objective") || holds(text, "bound") || holds(text, "gap")) << "they say no more than errors do";
  Options priced = options;
  priced.max_columns = -1;
  priced.ccp_alpha = 0.01;
  EXPECT_TRUE(holds(facts(fit(data, priced), &data), "\nobjective 0.343333333\nbound     0.343333333\ngap       0 %\n"));
}

TEST(Facts, RowsOfWeightsAndCosts) {
  Dataset data = make_data({numbers("x", {1, 2, 3, 4, 5, 6})}, {0, 0, 1, 0, 1, 1});
  data.weights = {1, 1, 2, 1, 1, 1};
  Options options;
  options.max_depth = 1;
  EXPECT_TRUE(holds(facts(fit(data, options), &data), "sums of row weights); 1 of 6 rows on the training rows"));
  EXPECT_FALSE(holds(facts(fit(data, options), nullptr), "; 1 of 6 rows"));
  data.row_costs = {0, 1, 0, 1, 1, 0, 0, 1, 1, 0, 1, 0};
  const Result policy = fit(data, options);
  EXPECT_TRUE(holds(facts(policy, &data), "cheapest  ")) << facts(policy, &data);
  EXPECT_FALSE(holds(facts(policy, nullptr), "errors")) << "there is no truth";
}

TEST(FactNotes, NameWhatIsNeverPredicted) {
  const Dataset data = make_data({numbers("x", {1, 2, 3, 4, 5, 6})}, {0, 1, 2, 0, 1, 2}, 3);
  Options options;
  options.max_depth = 1;
  EXPECT_EQ(fact_notes(fit(data, options)).find("note      the tree never predicts '"), 0u);
}

}  // namespace
}  // namespace treewright::explain
