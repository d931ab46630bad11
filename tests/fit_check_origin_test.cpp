#include "treewright/fit/check_origin.h"

#include <gtest/gtest.h>

#include <functional>

#include "support/training.h"
#include "treewright/result.h"
#include "treewright/task/objective.h"
#include "treewright/tune.h"

namespace treewright {
namespace {

using testing::iris;
using testing::train;
using testing::two_bands;

using Sentences = std::vector<std::string>;

TEST(CheckOrigin, FindsNothingInWhatFitReturns) {
  for (const char* method :
       {"oct", "cart", "oct-h", "tao", "local", "cart-h", "logistic-h", "svm1", "partition", "margot", "mm-svm", "auto"}) {
    const Result result = train(two_bands(), {{"method", method}, {"max_depth", "2"}});
    EXPECT_EQ(check_origin(result, two_bands()), Sentences{}) << method;
    EXPECT_EQ(check_origin(from_json(to_json(result), "memory"), two_bands()), Sentences{}) << method;
  }
  const Result soft = train(two_bands(), {{"method", "margot"}, {"feature_selection", "soft"}, {"max_depth", "2"}});
  EXPECT_EQ(check_origin(soft, two_bands()), Sentences{});
  const Result many = train(iris(), {{"method", "margot"}, {"max_depth", "2"}, {"node_limit", "3"}});
  EXPECT_EQ(check_origin(many, iris()), Sentences{}) << "codewords are chosen by the method";
  Options options;
  options.ccp_alpha = 0.01;
  options.min_samples_leaf = 0.05;
  options.min_weight_fraction_leaf = 0.02;
  for (const PathPoint& point : complexity_path(iris(), options).points) EXPECT_EQ(check_origin(point.result, iris()), Sentences{});
}

TEST(CheckOrigin, FindsWhatWasChanged) {
  const Result honest = train(iris(), {{"max_depth", "2"}, {"ccp_alpha", "0.01"}, {"random_state", "0"}});
  const auto changed = [&](const std::function<void(Result&)>& change) {
    Result result = honest;
    change(result);
    const Sentences found = check_origin(result, iris());
    return found.empty() ? std::string() : found.front();
  };
  const auto expect = [](const std::string& sentence, const char* part) { EXPECT_NE(sentence.find(part), std::string::npos) << sentence; };
  expect(changed([](Result& r) { r.method = "guess"; }), "no method 'guess'");
  expect(changed([](Result& r) { r.method = "cart"; }), "options name 'oct'");
  expect(changed([](Result& r) { r.seed = 7; }), "seed");
  expect(changed([](Result& r) { r.options.push_back(r.options.front()); }), "is named twice");
  expect(changed([](Result& r) { r.max_depth = 9; }), "depth of 9");
  expect(changed([](Result& r) { r.max_splits = 9; }), "9 splits");
  expect(changed([](Result& r) { r.min_leaf_rows = 5; }), "5 rows are required");
  expect(changed([](Result& r) { r.min_leaf_weight = 5; }), "weight of 5");
  expect(changed([](Result& r) { r.options.emplace_back("svm_cost", "3"); }), "no option 'svm_cost'");
  expect(changed([](Result& r) { r.options.emplace_back("max_depth", "many"); }), "max_depth");
  expect(changed([](Result& r) { r.objective_function = std::make_shared<ErrorObjective>(0.5, 100); }), "objective");
  expect(changed([](Result& r) { r.proved = "axis and category splits (depth at most 8)"; }), "another depth");
  Result greedy = train(iris(), {{"method", "cart"}, {"max_depth", "2"}});
  greedy.status = Status::optimal;
  expect(check_origin(greedy, iris()).front(), "proves nothing");
  Result plane = train(two_bands(), {{"method", "margot"}, {"max_depth", "2"}});
  plane.proved = "no tree of axis and category splits has an objective below the bound";
  expect(check_origin(plane, two_bands()).front(), "splits by hyperplanes");
}

TEST(CheckClaims, FindsChangedLabelsOfInnerNodesAndEditedFiles) {
  const Result honest = train(iris(), {{"max_depth", "2"}});
  EXPECT_FALSE(from_json(to_json(honest), "memory").edited);
  std::vector<Node> nodes = honest.tree.nodes();
  nodes[0].label = (nodes[0].label + 1) % 3;
  nodes[0].class_weight = honest.tree.nodes()[0].class_weight;
  Result changed = honest;
  changed.tree = Tree::from_nodes(honest.tree.features, honest.tree.class_names, honest.tree.target_name, std::move(nodes));
  // The root of iris has three equal classes: only a tie may change there.
  EXPECT_EQ(check_claims(changed, iris()), Sentences{});
  std::vector<Node> inner = honest.tree.nodes();
  for (std::size_t i = 1; i < inner.size(); ++i) {
    if (!inner[i].is_leaf()) inner[i].label = 0;
  }
  changed.tree = Tree::from_nodes(honest.tree.features, honest.tree.class_names, honest.tree.target_name, std::move(inner));
  ASSERT_EQ(check_claims(changed, iris()).size(), 1u);
  EXPECT_NE(check_claims(changed, iris()).front().find("most of its weight"), std::string::npos);

  // A threshold between two rows, a direction that no row takes, words and seeds: the checksum covers what no recount shows.
  std::string text = to_json(honest);
  for (const auto& [before, after] : {std::pair<std::string, std::string>{"\"missing_left\": false", "\"missing_left\": true"},
                                      {"\"threshold\": ", "\"threshold\": -"},
                                      {"\"seed\": 0", "\"seed\": 1"},
                                      {"no tree of axis", "no tree of any"}}) {
    std::string edited = text;
    const std::size_t at = edited.find(before);
    ASSERT_NE(at, std::string::npos) << before;
    edited.replace(at, before.size(), after);
    EXPECT_TRUE(from_json(edited, "memory").edited) << before;
  }
}

}  // namespace
}  // namespace treewright
