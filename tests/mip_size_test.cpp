// What is expected of a model's size is never less than what it has, and not much more.
#include "treewright/mip/size.h"

#include <gtest/gtest.h>

#include "expect_error.h"
#include "support/mip_case.h"
#include "treewright/formulate/oct.h"
#include "treewright/methods/binoct/model.h"
#include "treewright/methods/fair/model.h"
#include "treewright/methods/margot/model.h"
#include "treewright/methods/mm_svm/model.h"
#include "treewright/methods/oct_mip/oct_h.h"
#include "treewright/methods/partition/dp_prime.h"
#include "treewright/methods/svm1/model.h"
#include "treewright/tree/scaled_plane.h"

namespace treewright {
namespace {

// Small models have some rows whatever their data are (kFixed).
void expect_covers(const mip::ModelSize& expected, const mip::MipModel& model, const std::string& what) {
  const auto variables = static_cast<double>(model.variables.size()), rows = static_cast<double>(model.rows.size());
  double terms = 0;
  for (const mip::MipModel::Row& row : model.rows) terms += static_cast<double>(row.terms.size());
  EXPECT_GE(expected.variables, variables) << what;
  EXPECT_GE(expected.rows, rows) << what;
  EXPECT_GE(expected.terms, terms) << what;
  constexpr double kFactor = 4, kFixed = 200;
  EXPECT_LE(expected.variables, kFactor * variables + kFixed) << what;
  EXPECT_LE(expected.rows, kFactor * rows + kFixed) << what;
  EXPECT_LE(expected.terms, kFactor * terms + 5 * kFixed) << what;
}

TEST(ModelSize, CoversTheModelsOfTrees) {
  Random random(971);
  for (int round = 0; round < 200; ++round) {
    testing::MipCase c = testing::random_mip_case(random, round % 2 == 0);
    if (c.data.columns.empty() || formulate::Cells::from(c.data, true).orderings().empty()) continue;
    if (round % 3 == 0) c.options.rules = formulate::strengthening_without("all");
    if (round % 7 == 0) c.options.rules = formulate::strengthening_without("thresholds");
    Deadline none;
    const auto check = [](const formulate::Formulation& formulation, const char* name, const testing::MipCase& of) {
      expect_covers(formulation.expected_size(), formulation.model(), std::string(name) + "\n" + testing::to_string(of));
    };
    for (const auto losses : {formulate::OctFormulation::Losses::oct, formulate::OctFormulation::Losses::p}) {
      check(formulate::OctFormulation(c.data, c.options, losses, none), "oct", c);
    }
    check(fair::FairFormulation(c.data, c.options, FeatureId{0}, 1, none), "fair", c);
    check(binoct::BinoctFormulation(c.data, c.options), "binoct", c);
    check(oct_mip::OctHFormulation(c.data, c.options, 0.005), "oct_h", c);
    std::vector<std::vector<std::int32_t>> clusters;
    for (std::size_t row = 0; row < c.data.rows(); ++row) clusters.push_back({static_cast<std::int32_t>(row)});
    check(partition::DpPrimeFormulation(c.data, clusters, c.data, c.options), "dp_prime", c);
    svm1::Svm1Problem problem{c.data, scaled_axes(c.data, Scaling::unit, false), {}};
    problem.slack_price.assign(c.data.rows(), 5);
    problem.max_depth = c.options.max_depth;
    check(svm1::Svm1Formulation(problem, c.options.rules), "svm1", c);
    if (HasFailure()) return;
  }
}

TEST(ModelSize, CoversTheModelsOfMargins) {
  Random random(972);
  for (int round = 0; round < 40; ++round) {
    margot::MargotProblem problem;
    problem.depth = 1 + static_cast<int>(random.below(3));
    problem.points.axes = 1 + random.below(5);
    problem.level_cost.assign(static_cast<std::size_t>(problem.depth), 1);
    if (round % 2 == 0) problem.level_price.assign(static_cast<std::size_t>(problem.depth), {1, 0.5});
    const std::size_t rows = 2 + random.below(12);
    for (std::size_t row = 0; row < rows; ++row) {
      problem.target.push_back(row % 2 == 0 ? 1 : -1);
      problem.weight.push_back(1);
      for (std::size_t j = 0; j < problem.points.axes; ++j) problem.points.x.push_back(random.uniform(0, 1));
    }
    const margot::MargotFormulation margot(problem);
    expect_covers(margot::MargotFormulation::size_of(problem), margot.model(), "margot");
    const mm_svm::MmSvmFormulation mm_svm(problem, 1, 100);
    expect_covers(mm_svm::MmSvmFormulation::size_of(problem), mm_svm.model(), "mm-svm");
  }
}

TEST(ModelSize, WhatNoMachineHoldsIsRefused) {
  const mip::ModelSize vast{1e15, 1e15, 1e16};
  expect_error([&] { mip::check_model_size(vast, 3, 1e6); }, {"max_depth", "depth 3", "1000000 rows", "GB", "smaller depth", "method oct"});
  expect_error([] { mip::check_model_size({1, 1, 1}, 21, 100); }, {"depth 21", "cannot be built"});
  EXPECT_NO_THROW(mip::check_model_size({1000, 1000, 1000}, 3, 100));
}

}  // namespace
}  // namespace treewright
