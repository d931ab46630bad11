#include <gtest/gtest.h>

#include "expect_error.h"
#include "support/make_data.h"
#include "treewright/error.h"
#include "treewright/explain/text.h"
#include "treewright/export.h"
#include "treewright/report.h"
#include "treewright/result.h"
#include "treewright/tree.h"

namespace treewright {
namespace {

using testing::make_data;
using testing::numbers;

Tree of_pressure() {
  const Dataset data = make_data({numbers("bp", {90, 110, 130, 150}), numbers("age", {1, 2, 3, 4})}, {0, 0, 1, 1});
  Tree tree(data);
  tree.split(Tree::root(), {AxisSplit{FeatureId{0}, 120}, false});
  tree.tally(data);
  return tree;
}

std::string asked(const Tree& tree) {
  return explain::question(*tree.node(Tree::root()).split, tree);
}

TEST(ShownNames, StandInTexts) {
  Tree tree = of_pressure();
  EXPECT_TRUE(name_columns(tree, "column,name,unit\nbp,\"pressure, systolic\",mmHg\nclass,sick\n", "names.csv").empty());
  EXPECT_EQ(asked(tree), "pressure, systolic < 120 mmHg?");
  EXPECT_EQ(asked(called_as(of_pressure(), tree)), asked(tree));
  EXPECT_TRUE(name_columns(tree, "bp,,cmH2O", "names.csv").empty());
  EXPECT_EQ(asked(tree), "bp < 120 cmH2O?") << "no name";
  EXPECT_EQ(name_columns(tree, "bp,pressure\nweight,weight,kg", "names.csv"), std::vector<std::string>{"weight"});
  EXPECT_EQ(asked(tree), "pressure < 120?") << "no unit";
}

TEST(ShownNames, AreNotInTheModel) {
  Result result;
  result.tree = of_pressure();
  name_columns(result.tree, "bp,pressure,mmHg", "names.csv");
  EXPECT_EQ(result.tree, of_pressure());
  expect_error([&] { export_tree(result, "python"); }, {"names", "python keeps the names of the data"});
  EXPECT_EQ(to_json(result).find("mmHg"), std::string::npos);
  EXPECT_NE(export_tree(result, "svg").find("pressure &lt; 120 mmHg"), std::string::npos);
}

TEST(ShownNames, LinesOfAnotherFormAreErrors) {
  Tree tree = of_pressure();
  EXPECT_THROW(name_columns(tree, "bp", "names.csv"), Error);
  EXPECT_THROW(name_columns(tree, "bp,pressure,mmHg,more", "names.csv"), Error);
  EXPECT_THROW(name_columns(tree, "bp,pressure\nbp,pressure", "names.csv"), Error);
}

}  // namespace
}  // namespace treewright
