#include "treewright/base/name_list.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "treewright/base/random.h"

namespace treewright {
namespace {

using Names = std::vector<std::string>;

TEST(NameList, QuotesNamesWithCommas) {
  EXPECT_EQ(list_of_names({"age", "weight, kg", "x"}), "age,\"weight, kg\",x");
  EXPECT_EQ(names_of_list("age,\"weight, kg\",x"), (Names{"age", "weight, kg", "x"}));
  EXPECT_EQ(list_of_names({"\"", "5\""}), "\"\"\"\",5\"");
  EXPECT_EQ(names_of_list("\""), Names{"\""}) << "a quote that does not end";
  EXPECT_EQ(names_of_list("\"a\"b,c"), (Names{"\"a\"b", "c"}));
  EXPECT_EQ(names_of_list("a,,b"), (Names{"a", "", "b"}));
  EXPECT_EQ(names_of_list("a,"), Names{"a"});
  EXPECT_EQ(names_of_list(""), Names{});
}

TEST(NameList, IsReadAsItWasWritten) {
  Random random(7);
  for (int round = 0; round < 2000; ++round) {
    Names names;
    for (std::uint64_t n = 1 + random.below(4); n > 0; --n) {
      std::string name;
      for (std::uint64_t length = 1 + random.below(5); length > 0; --length) name += ",\" a"[random.below(4)];
      names.push_back(name);
    }
    EXPECT_EQ(names_of_list(list_of_names(names)), names) << list_of_names(names);
  }
}

}  // namespace
}  // namespace treewright
