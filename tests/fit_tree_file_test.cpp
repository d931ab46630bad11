#include "support/source_folder.h"
#include "treewright/result.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "support/training.h"
#include "treewright/base/file.h"
#include "treewright/error.h"
#include "treewright/fit/registry.h"
#include "treewright/methods/svm1/objective.h"

namespace treewright {
namespace {

// Files that the last treewright of schema version 1 wrote, of trees on iris: every claim can still be recounted.
TEST(TreeFile, Version1IsRead) {
  std::set<std::string_view> kinds;
  for (const auto& entry : std::filesystem::directory_iterator(testing::in_source("tests/trees_v1"))) {
    SCOPED_TRACE(entry.path().string());
    const Result result = from_json(read_file(entry.path()), entry.path());
    kinds.insert(result.objective_function->kind());
    Dataset data = testing::iris();
    for (const auto& [name, value] : result.options) {
      EXPECT_EQ(option_name(name), name) << "an option by its old name";
      if (name == "class_weight") apply_class_weights(data, value);
    }
    EXPECT_EQ(check_claims(result, data), std::vector<std::string>{});
    // Written anew it says the same.
    const Result again = from_json(to_json(result), "memory");
    EXPECT_EQ(again.objective_function->parameters(), result.objective_function->parameters());
    EXPECT_EQ(again.tree, result.tree);
  }
  EXPECT_EQ(kinds, (std::set<std::string_view>{"errors", "margot", "mm-svm", "svm1"}));
}

TEST(TreeFile, OldNamesOfOptionsGiveTheObjective) {
  const Result result = from_json(read_file(testing::in_source("tests/trees_v1/svm1.json")), "svm1.json");
  const auto& objective = dynamic_cast<const svm1::Svm1Objective&>(*result.objective_function);
  EXPECT_EQ(objective.slack_price, 50);
  EXPECT_EQ(objective.weight_price, 0.3);
  EXPECT_EQ(objective.margin, 0.02);
}

TEST(TreeFile, EveryMethodsObjectiveComesBack) {
  for (const Method& method : methods()) {
    if (method.objective == nullptr) continue;
    Options options;
    options.method = method.name;
    options.max_depth = 2;
    options.max_splits = 3;
    Result result;
    result.tree = Tree(testing::two_bands());
    result.tree.tally(testing::two_bands());
    result.method = method.name;
    result.objective_function = method.objective->from_options(options, testing::two_bands());
    const Result read = from_json(to_json(result), "memory");
    EXPECT_EQ(read.objective_function->kind(), result.objective_function->kind());
    EXPECT_EQ(read.objective_function->parameters(), result.objective_function->parameters()) << method.name;
    EXPECT_EQ(read.objective_function->formula(), result.objective_function->formula());
    EXPECT_EQ(read.objective_function->gap_tolerance(), result.objective_function->gap_tolerance());
  }
}

// Where nothing is proved the bound is null. No other number may be.
TEST(TreeFile, OnlyTheBoundMayBeNull) {
  const std::string text = to_json(testing::train(testing::iris(), {{"max_depth", "1"}}));
  const auto with_null = [&](const std::string& key) {
    const std::size_t at = text.find("\"" + key + "\": ", text.find("\"result\"")) + key.size() + 4;
    std::string changed = text;
    changed.replace(at, text.find_first_of(",\n", at) - at, "null");
    return changed;
  };
  EXPECT_TRUE(std::isinf(from_json(with_null("bound"), "file").bound));
  for (const char* key : {"objective", "errors", "total_weight", "seconds", "min_leaf_weight"})
    EXPECT_THROW(from_json(with_null(key), "file"), Error) << key;
}

TEST(TreeFile, AnUnknownObjectiveIsAnError) {
  Result result;
  result.tree = Tree(testing::two_bands());
  result.tree.tally(testing::two_bands());
  std::string text = to_json(result);
  text.replace(text.find("\"errors\""), 8, "\"wishes\"");
  EXPECT_THROW(from_json(text, "memory"), Error);
}

}  // namespace
}  // namespace treewright
