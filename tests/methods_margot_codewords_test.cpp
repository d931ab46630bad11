#include "treewright/methods/margot/codewords.h"

#include <gtest/gtest.h>

#include <set>

#include "expect_error.h"
#include "support/make_data.h"
#include "treewright/base/deadline.h"
#include "treewright/base/random.h"
#include "treewright/fit.h"
#include "treewright/result.h"

namespace treewright {
namespace {

using testing::make_data;
using testing::numbers;

// Four classes in the corners of a square, three points each.
Dataset corners(std::size_t classes) {
  std::vector<double> x, y;
  std::vector<std::int32_t> labels;
  for (std::size_t k = 0; k < classes; ++k) {
    for (const double shift : {0.0, 0.1, 0.2}) {
      x.push_back(static_cast<double>(k % 2) + shift);
      y.push_back(static_cast<double>(k / 2) + shift / 2);
      labels.push_back(static_cast<std::int32_t>(k));
    }
  }
  return make_data({numbers("x", x), numbers("y", y)}, labels, static_cast<int>(classes));
}

Options margot(std::int64_t depth) {
  Options options;
  options.method = "margot";
  options.max_depth = depth;
  options.level_costs = "100";
  return options;
}

const std::vector<std::string>& codewords_of(const Result& result) {
  return dynamic_cast<const margot::MargotObjective&>(*result.objective_function).class_codes;
}

std::size_t distinct(const std::vector<std::string>& codewords) {
  return std::set<std::string>(codewords.begin(), codewords.end()).size();
}

TEST(ClassCodes, EveryCornerGetsItsLeaf) {
  for (const std::size_t classes : {3, 4}) {
    const Dataset data = corners(classes);
    const Result result = fit(data, margot(2));
    EXPECT_EQ(result.errors, 0);
    EXPECT_EQ(result.status, Status::optimal);
    EXPECT_NEAR(result.objective, result.objective_function->of(result.tree, data), 1e-9 * result.objective);
    EXPECT_EQ(distinct(codewords_of(result)), classes);
    // The file of the tree holds the words, and the recount from it agrees.
    const Result read = from_json(to_json(result), "the tree");
    EXPECT_EQ(codewords_of(read), codewords_of(result));
    EXPECT_NEAR(read.objective_function->of(read.tree, data), result.objective, 1e-9 * result.objective);
  }
}

TEST(ClassCodes, NoWordsThatWereNotChosenAreNeededForTwoClasses) {
  const Dataset data = corners(2);
  const Result plain = fit(data, margot(2));
  EXPECT_TRUE(codewords_of(plain).empty());
  Options options = margot(2);
  options.class_codes = "00,11";
  EXPECT_EQ(fit(data, options).objective, plain.objective);
}

TEST(ClassCodes, TheWordsAreDifferentAndThoseOfFewErrors) {
  Random random(1);
  std::vector<double> x, y;
  std::vector<std::int32_t> labels;
  for (int i = 0; i < 60; ++i) {
    x.push_back(random.uniform());
    y.push_back(random.uniform());
    labels.push_back(static_cast<std::int32_t>(5 * x.back()));
  }
  const Dataset data = make_data({numbers("x", x), numbers("y", y)}, labels, 5);
  Deadline deadline;
  const std::string words = margot::choose_class_codes(data, margot(3), deadline);
  Deadline again;
  EXPECT_EQ(words, margot::choose_class_codes(data, margot(3), again));
  const margot::MargotObjective objective = [&] {
    Options options = margot(3);
    options.class_codes = words;
    return margot::MargotObjective::from(options);
  }();
  EXPECT_EQ(objective.class_codes.size(), 5u);
  EXPECT_EQ(std::set<std::string>(objective.class_codes.begin(), objective.class_codes.end()).size(), 5u);
  EXPECT_EQ(objective.class_codes[0], "000");
  // There are more codewords than are tried: the seed says which.
  std::set<std::string> drawn;
  for (Options options = margot(3); options.random_state < 6; ++options.random_state)
    drawn.insert(margot::choose_class_codes(data, options, again));
  EXPECT_GT(drawn.size(), 1u);
}

TEST(ClassCodes, BadWordsAreToldOf) {
  const Dataset data = corners(4);
  expect_error([&] { fit(data, margot(1)); }, {"option 'max_depth'", "4 classes"});
  Options options = margot(2);
  options.class_codes = "00,01";
  expect_error([&] { fit(data, options); }, {"option 'class_codes'", "2 codewords", "4 classes"});
  options.class_codes = "00,01,1,11";
  expect_error([&] { fit(data, options); }, {"option 'class_codes'", "'1'"});
  options.class_codes = "00,01,1x,11";
  expect_error([&] { fit(data, options); }, {"option 'class_codes'", "'1x'"});
  Options other = margot(2);
  other.method = "mm-svm";
  expect_error([&] { fit(data, other); }, {"4 classes", "mm-svm"});
}

}  // namespace
}  // namespace treewright
