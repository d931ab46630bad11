#include "treewright/search/bounds/rules.h"

#include <gtest/gtest.h>

namespace treewright::search {
namespace {

TEST(Rules, AreReadAndNamedAlike) {
  std::string all;
  EXPECT_EQ(names_of_disabled(rules_without("")), "");
  for (const RuleInfo& rule : rule_table()) {
    EXPECT_EQ(names_of_disabled(rules_without(rule.name)), rule.name);
    all += (all.empty() ? "" : ",") + std::string(rule.name);
  }
  EXPECT_EQ(names_of_disabled(rules_without(all)), all);
}

}  // namespace
}  // namespace treewright::search
