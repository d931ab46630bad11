#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "expect_error.h"
#include "support/make_data.h"
#include "treewright/data.h"

namespace treewright {
namespace {

using testing::make_data;
using testing::numbers;

Dataset rows(Loss loss = Loss::squared, std::vector<double> values = {2.5, -1, 7}, std::vector<double> exposure = {}) {
  Dataset data = make_data({numbers("size", {1, 2, 3})}, {}, 0);
  data.target_name = "price";
  data.response = Response{loss, std::move(values), std::move(exposure)};
  return data;
}

void refused(const Dataset& data, const std::vector<std::string>& parts) {
  expect_error([&] { data.validate_for_training(); }, parts);
}

TEST(Response, CountsRows) {
  Dataset data = rows();
  EXPECT_NO_THROW(data.validate_for_training());
  EXPECT_EQ(data.rows(), 3);
  data.columns.clear();
  EXPECT_EQ(data.rows(), 3);
}

TEST(Response, SubsetTakesNumbersAndExposure) {
  const Dataset part = rows(Loss::poisson, {2, 0, 1}, {0.5, 1, 4}).subset(std::vector<std::int32_t>{2, 0, 2});
  EXPECT_EQ(part.response->loss, Loss::poisson);
  EXPECT_EQ(part.response->values, (std::vector<double>{1, 2, 1}));
  EXPECT_EQ(part.response->exposure, (std::vector<double>{4, 0.5, 4}));
}

TEST(Response, NumbersAreFiniteAndOneARow) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity(), kMissing = std::numeric_limits<double>::quiet_NaN();
  refused(rows(Loss::squared, {1, kMissing, 2}), {"target 'price', row 1", "missing or infinite", "leave the row out"});
  refused(rows(Loss::squared, {1, 2, -kInfinite}), {"target 'price', row 2", "missing or infinite"});
  refused(rows(Loss::squared, {1, 2}), {"target 'price'", "2 numbers for 3 rows"});
  Dataset both = rows();
  both.class_names = {"a", "b"};
  refused(both, {"target 'price'", "classes and numbers"});
}

TEST(Response, NumbersDifferByMoreThanTheirLastDigits) {
  refused(rows(Loss::squared, {4, 4, 4}), {"target 'price'", "all its numbers are equal"});
  refused(rows(Loss::squared, {1e9, 1e9 + 1e-5, 1e9}), {"target 'price'", "differ by", "subtract a constant"});
  refused(rows(Loss::squared, {1e200, 1, 2}), {"target 'price'", "1e+200", "another unit"});
  refused(rows(Loss::squared, {1e-200, 0, 0}), {"target 'price'", "1e-200", "another unit"});
  EXPECT_NO_THROW(rows(Loss::squared, {1e9, 1e9 + 1, 1e9}).validate_for_training());
  Dataset weighed = rows();
  weighed.weights = {1, 0, 0};
  refused(weighed, {"all its numbers are equal"});
  weighed.weights = {0, 0, 0};
  refused(weighed, {"weights", "all of them are 0"});
}

TEST(Response, EventsAndExposuresFitTheLoss) {
  refused(rows(Loss::poisson, {1, -1, 0}), {"row 1", "fewer than 0 events"});
  refused(rows(Loss::poisson, {0, 0, 0}), {"no event occurs"});
  refused(rows(Loss::poisson, {1, 0, 0}, {1, 0, 1}), {"exposure, row 1", "it is 0"});
  refused(rows(Loss::poisson, {1, 0, 0}, {1, 1}), {"exposure", "2 numbers for 3 rows"});
  refused(rows(Loss::squared, {1, 0, 0}, {1, 1, 1}), {"exposure", "squared error"});
  refused(rows(Loss::survival, {1, 0, 2}), {"row 2", "neither 0 nor 1"});
  EXPECT_NO_THROW(rows(Loss::poisson, {1, 1, 1}, {1, 2, 3}).validate_for_training());
}

}  // namespace
}  // namespace treewright
