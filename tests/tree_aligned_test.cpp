// Rows that do not fit a tree are refused at every public function that would index with them.

#include "treewright/tree/aligned.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "expect_error.h"
#include "support/make_data.h"
#include "treewright/explain.h"
#include "treewright/export.h"
#include "treewright/fit.h"
#include "treewright/probabilities.h"
#include "treewright/report.h"

namespace treewright {
namespace {

using testing::categories;
using testing::make_data;
using testing::numbers;

// Small and blue, or large and not: the tree asks both columns.
Dataset rows() {
  return make_data({numbers("size", {1, 2, 3, 4, 5, 6, 7, 8}), categories("color", {"red", "green", "blue"}, {0, 2, 0, 2, 1, 2, 1, 2})},
                   {0, 1, 0, 1, 1, 0, 1, 0});
}

const Result& trained() {
  static const Result result = [] {
    Options options;
    options.max_depth = 2;
    return fit(rows(), options);
  }();
  return result;
}

Dataset with(const std::function<void(Dataset&)>& change) {
  Dataset data = rows();
  change(data);
  return data;
}

// Every public function that takes many rows.
void each_refuses(const Dataset& data, const std::vector<std::string>& parts) {
  const Result& result = trained();
  const Tree& tree = result.tree;
  ReportParts report;
  report.result = &result;
  report.train = &data;
  const std::vector<std::pair<const char*, std::function<void()>>> calls = {
      {"apply", [&] { tree.apply(data); }},
      {"predict", [&] { tree.predict(data); }},
      {"predict_proba", [&] { tree.predict_proba(data); }},
      {"accuracy", [&] { accuracy(tree, data); }},
      {"balanced_accuracy", [&] { balanced_accuracy(tree, data); }},
      {"confusion_matrix", [&] { confusion_matrix(tree, data); }},
      {"expected_depth", [&] { expected_depth(tree, data); }},
      {"check_claims", [&] { check_claims(result, data); }},
      {"permutation_importance", [&] { permutation_importance(tree, data); }},
      {"explain_row", [&] { explain_row(tree, rows(), 0, &data); }},
      {"to_html", [&] { to_html(report); }},
      {"to_notebook_html", [&] { to_notebook_html(report); }},
  };
  for (const auto& [name, call] : calls) {
    SCOPED_TRACE(name);
    expect_error(call, parts);
  }
}

TEST(Aligned, TheTreeAsksBothColumns) {
  ASSERT_EQ(trained().tree.features_used().size(), 2u);
  EXPECT_NO_THROW(need_aligned(trained().tree, rows()));
  EXPECT_NO_THROW(need_labels(trained().tree, rows()));
}

TEST(Aligned, OtherColumnsAreRefused) {
  each_refuses(with([](Dataset& data) { data.columns.pop_back(); }), {"align(data, tree)"});
  each_refuses(with([](Dataset& data) { std::swap(data.columns[0], data.columns[1]); }), {"column 'size'", "is not where"});
}

TEST(Aligned, OtherKindsAndLevelsAreRefused) {
  const Dataset without_blue = with([](Dataset& data) {
    data.columns[1].levels = {"red", "green"};
    data.columns[1].codes = {0, 0, 1, 1, 1, 1, 0, 0};
  });
  each_refuses(without_blue, {"column 'color'", "other levels", "align(data, tree)"});
  const Dataset dates = with([](Dataset& data) { data.columns[0].notation = Notation::date; });
  each_refuses(dates, {"column 'size'", "another kind"});
  const std::vector<std::int32_t> found = trained().tree.predict(align(without_blue, trained().tree));
  EXPECT_EQ(found.size(), rows().rows());
}

TEST(Aligned, ColumnsThatEndEarlyAndFalseCodesAreRefused) {
  each_refuses(with([](Dataset& data) { data.columns[0].values.pop_back(); }), {"column 'size'", "7 rows"});
  each_refuses(with([](Dataset& data) { data.columns[1].codes[3] = 99; }), {"column 'color'", "99"});
}

TEST(Aligned, ATreeAsksColumnsThatItHas) {
  Tree tree(rows());
  tree.split(Tree::root(), {AxisSplit{FeatureId{2}, 1.0}, false});
  expect_error([&] { tree.predict(rows()); }, {"asks column 2 of 2"});
  expect_error([&] { tree.tally(rows()); }, {"asks column 2 of 2"});
}

TEST(Aligned, AReportNeedsAllColumnsOfTheTree) {
  const Dataset data = rows();
  Result leaf = trained();
  leaf.tree.collapse(Tree::root());
  Dataset one_column = with([](Dataset& changed) { changed.columns.pop_back(); });
  EXPECT_NO_THROW(leaf.tree.predict(one_column));
  ReportParts parts;
  parts.result = &leaf;
  parts.train = &data;
  parts.test = &one_column;
  expect_error([&] { to_html(parts); }, {"column 'color'", "is not where"});
}

TEST(Aligned, AlignLooksAtTheRowsFirst) {
  const auto refused = [](const std::function<void(Dataset&)>& change, const std::vector<std::string>& parts) {
    const Dataset data = with(change);
    expect_error([&] { align(data, trained().tree); }, parts);
  };
  refused([](Dataset& data) { data.columns[1].codes[3] = 99; }, {"column 'color', row 3", "99"});
  refused([](Dataset& data) { data.columns[1].levels = {"red"}; }, {"column 'color', row 1", "code 2"});
  refused([](Dataset& data) { data.columns[0].values.pop_back(); }, {"column 'size'", "7 rows"});
  refused([](Dataset& data) { data.labels[2] = 2; }, {"row 2", "label 2 is not a class"});
  refused([](Dataset& data) { data.labels[2] = -1; }, {"row 2", "label -1 is not a class"});
}

TEST(Aligned, MeasuresNeedLabels) {
  const Tree& tree = trained().tree;
  const auto each_measure_refuses = [&](const Dataset& data, const std::vector<std::string>& parts) {
    expect_error([&] { accuracy(tree, data); }, parts);
    expect_error([&] { balanced_accuracy(tree, data); }, parts);
    expect_error([&] { confusion_matrix(tree, data); }, parts);
    expect_error([&] { check_claims(trained(), data); }, parts);
    expect_error([&] { permutation_importance(tree, data); }, parts);
  };
  each_measure_refuses(with([](Dataset& data) { data.labels.clear(); }), {"the rows have no labels"});
  each_measure_refuses(with([](Dataset& data) { data.labels[1] = 7; }), {"label 7 is not a class"});
  each_measure_refuses(with([](Dataset& data) { data.class_names = {"b", "a"}; }), {"other classes", "align(data, tree)"});
  each_measure_refuses(with([](Dataset& data) { data.weights = {1, 1}; }), {"2 weights for 8 rows"});
  EXPECT_EQ(tree.predict(with([](Dataset& data) { data.labels.clear(); })), tree.predict(rows()));
}

TEST(Aligned, ARowMustBeThere) {
  const Tree& tree = trained().tree;
  const std::vector<double> scale(2, 1.0);
  for (const std::size_t row : {std::size_t{8}, std::size_t{1000}}) {
    expect_error([&] { explain_row(tree, rows(), row); }, {"none of the 8 rows"});
    expect_error([&] { shapley_values(tree, rows(), row); }, {"none of the 8 rows"});
    expect_error([&] { nearest_change(tree, rows(), row, scale); }, {"none of the 8 rows"});
  }
  expect_error([&] { nearest_change(tree, rows(), 0, {1.0}); }, {"scale"});
  EXPECT_NO_THROW(explain_row(tree, rows(), 5));
}

TEST(Aligned, ScoresOfProbabilitiesNeedOneForEachRowAndClass) {
  const std::vector<double> right(16, 0.5), few(15, 0.5);
  EXPECT_NO_THROW(score_probabilities(right, rows()));
  expect_error([&] { score_probabilities(few, rows()); }, {"15 for 8 rows and 2 classes"});
  expect_error([&] { score_probabilities(right, with([](Dataset& data) { data.labels.clear(); })); }, {"no labels"});
}

TEST(Aligned, ATreeWithoutClassesIsNotShown) {
  expect_error([] { to_text(Tree()); }, {"has no classes"});
  for (const ExportFormat& format : export_table()) {
    SCOPED_TRACE(format.name);
    expect_error([&] { export_tree(Result(), format.name); }, {"has no classes"});
  }
}

TEST(Aligned, StartTreesMustBeThereAndFit) {
  const auto refused = [](const FitHooks& hooks, const std::vector<std::string>& parts) {
    expect_error([&] { fit(rows(), {}, hooks); }, parts);
  };
  const Tree nothing;
  Dataset one_column = with([](Dataset& data) { data.columns.erase(data.columns.begin()); });
  Options options;
  options.max_depth = 2;
  const Tree of_color = fit(one_column, options).tree;
  FitHooks null_start, null_result, empty, other;
  null_start.starts = {nullptr};
  null_result.earlier = {nullptr};
  empty.starts = {&nothing};
  other.starts = {&of_color};
  refused(null_start, {"starts", "null"});
  refused(null_result, {"starts", "null"});
  refused(empty, {"starts", "other classes"});
  refused(other, {"column 'color'", "is not where"});
}

}  // namespace
}  // namespace treewright
