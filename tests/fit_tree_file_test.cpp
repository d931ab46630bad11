#include "treewright/result.h"

#include <gtest/gtest.h>

#include <cmath>

#include "support/training.h"
#include "treewright/error.h"
#include "treewright/fit/registry.h"

namespace treewright {
namespace {

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
