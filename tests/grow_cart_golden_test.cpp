#include <gtest/gtest.h>

#include "support/source_folder.h"
#include "treewright/data.h"
#include "treewright/grow/cart.h"
#include "treewright/grow/cost_complexity.h"
#include "treewright/task/objective.h"
#include "treewright/tree/measures.h"

// What scikit-learn 1.9.1's DecisionTreeClassifier gives on the bundled data, the same with 40 seeds: among
// these trees no tie matters.

namespace treewright {
namespace {

Dataset bundled(const std::string& name) {
  return read_dataset(testing::in_source("data/" + name + ".csv"));
}

struct Grown {
  const char* data;
  grow::Criterion criterion;
  int max_depth;
  std::int64_t min_leaf_rows;
  std::size_t leaves;
  double errors, impurity;
};

const Grown kGrown[] = {
    {"iris", grow::Criterion::gini, 1, 1, 2, 50, 0.333333333333},
    {"iris", grow::Criterion::gini, 2, 1, 3, 6, 0.073537305421},
    {"iris", grow::Criterion::gini, 3, 1, 5, 4, 0.039722222222},
    {"iris", grow::Criterion::gini, 4, 1, 8, 1, 0.008888888889},
    {"iris", grow::Criterion::gini, 6, 1, 9, 0, 0},
    {"iris", grow::Criterion::gini, -1, 5, 6, 4, 0.039555555556},
    {"iris", grow::Criterion::entropy, 1, 1, 2, 50, 0.666666666667},
    {"iris", grow::Criterion::entropy, 2, 1, 3, 6, 0.20655975283},
    {"iris", grow::Criterion::entropy, 3, 1, 5, 4, 0.101847910082},
    {"iris", grow::Criterion::entropy, 4, 1, 8, 1, 0.018365916681},
    {"iris", grow::Criterion::entropy, 6, 1, 9, 0, 0},
    {"iris", grow::Criterion::entropy, -1, 5, 6, 4, 0.086797000058},
    {"wine", grow::Criterion::gini, 1, 1, 2, 54, 0.406527943338},
    {"wine", grow::Criterion::gini, 2, 1, 4, 14, 0.140055947298},
    {"wine", grow::Criterion::gini, 3, 1, 8, 4, 0.0420768682},
    {"wine", grow::Criterion::gini, 4, 1, 11, 2, 0.013483146067},
    {"wine", grow::Criterion::gini, 6, 1, 12, 0, 0},
    {"wine", grow::Criterion::gini, -1, 5, 9, 9, 0.066666666667},
    {"wine", grow::Criterion::entropy, 1, 1, 2, 71, 0.919967005706},
    {"wine", grow::Criterion::entropy, 2, 1, 4, 6, 0.200134813925},
    {"wine", grow::Criterion::entropy, 3, 1, 7, 1, 0.018230969089},
    {"wine", grow::Criterion::entropy, 4, 1, 8, 0, 0},
    {"wine", grow::Criterion::entropy, 6, 1, 8, 0, 0},
    {"wine", grow::Criterion::entropy, -1, 5, 7, 3, 0.06083663721},
    {"breast-cancer", grow::Criterion::gini, 1, 1, 2, 44, 0.142319180918},
    {"breast-cancer", grow::Criterion::gini, 2, 1, 4, 33, 0.077657713161},
    {"breast-cancer", grow::Criterion::gini, 3, 1, 8, 12, 0.037857837184},
    {"breast-cancer", grow::Criterion::gini, 4, 1, 12, 10, 0.026759584677},
    {"breast-cancer", grow::Criterion::gini, 6, 1, 21, 1, 0.003339191564},
    {"breast-cancer", grow::Criterion::gini, -1, 5, 15, 13, 0.02776801406},
    {"breast-cancer", grow::Criterion::entropy, 1, 1, 2, 46, 0.390648237275},
    {"breast-cancer", grow::Criterion::entropy, 2, 1, 4, 45, 0.225861009162},
    {"breast-cancer", grow::Criterion::entropy, 3, 1, 8, 18, 0.122874994861},
    {"breast-cancer", grow::Criterion::entropy, 4, 1, 14, 9, 0.050971954904},
    {"breast-cancer", grow::Criterion::entropy, 6, 1, 19, 1, 0.00764238233},
    {"breast-cancer", grow::Criterion::entropy, -1, 5, 14, 10, 0.053245786376},
};

TEST(CartGolden, GrowsAsScikitLearn) {
  for (const Grown& wanted : kGrown) {
    SCOPED_TRACE(::testing::Message() << wanted.data << ", criterion " << static_cast<int>(wanted.criterion) << ", depth "
                                      << wanted.max_depth << ", rows in a leaf " << wanted.min_leaf_rows);
    const Dataset data = bundled(wanted.data);
    grow::CartOptions options;
    options.criterion = wanted.criterion;
    options.max_depth = wanted.max_depth;
    options.min_leaf_rows = wanted.min_leaf_rows;
    const Tree tree = grow::grow_cart(data, options);
    EXPECT_EQ(tree.leaves(), wanted.leaves);
    EXPECT_EQ(count_errors(tree, data), wanted.errors);
    EXPECT_NEAR(grow::cost_complexity_path(tree, wanted.criterion).impurities[0], wanted.impurity, 1e-11);
  }
}

struct Path {
  const char* data;
  grow::Criterion criterion;
  std::vector<double> ccp_alphas, impurities;
};

// Of the fully grown trees.
const Path kPaths[] = {
    {"iris",
     grow::Criterion::gini,
     {0, 0.0065217391304, 0.0088888888889, 0.0130555555556, 0.0296604938272, 0.259796027912, 0.3333333333333},
     {0, 0.0130434782609, 0.0308212560386, 0.0438768115942, 0.0735373054214, 0.3333333333333, 0.6666666666667}},
    {"iris",
     grow::Criterion::entropy,
     {0, 0.0183659166811, 0.0183659166811, 0.0279704876108, 0.0467501600384, 0.0767413551377, 0.4601069138364, 0.9182958340545},
     {0, 0.0367318333622, 0.0550977500433, 0.0830682376541, 0.1298183976925, 0.2065597528302, 0.6666666666667, 1.584962500721}},
    {"wine",
     grow::Criterion::gini,
     {0, 0.0093632958801, 0.0108792580703, 0.0109550561798, 0.0168539325843, 0.02111097392, 0.0217101504475, 0.0383040221462,
      0.0610502050782, 0.2054217909616, 0.2517854009364},
     {0, 0.0093632958801, 0.0311218120207, 0.0420768682005, 0.0589308007847, 0.0800417747047, 0.1017519251522, 0.1400559472985,
      0.2011061523767, 0.4065279433383, 0.6583133442747}},
    {"wine",
     grow::Criterion::entropy,
     {0, 0.018230969089, 0.022129373748, 0.039565069253, 0.1202094018348, 0.2288562919861, 0.4909758997949, 0.6468552711494},
     {0, 0.018230969089, 0.040360342837, 0.0799254120899, 0.2001348139247, 0.4289911059108, 0.9199670057058, 1.566822276855}},
    {"breast-cancer",
     grow::Criterion::gini,
     {0, 0.0017464506283, 0.0017472513998, 0.0023015189383, 0.0026362038664, 0.003280609256, 0.0034204488436, 0.0034541039234,
      0.0046865846514, 0.005182992631, 0.0147386279122, 0.0180385249055, 0.0500710102371, 0.3252108798364},
     {0, 0.0069858025133, 0.010480305313, 0.017384862128, 0.0200210659945, 0.0233016752505, 0.0267221240941, 0.0301762280175,
      0.0395493973204, 0.0447323899513, 0.0742096457756, 0.0922481706812, 0.1423191809183, 0.4675300607547}},
    {"breast-cancer",
     grow::Criterion::entropy,
     {0, 0.0048416300565, 0.0059600249507, 0.0063438321168, 0.0070298769772, 0.0084669588179, 0.0103402342896, 0.0104295771165,
      0.0114063708184, 0.0128347432492, 0.0164689095201, 0.0167635723515, 0.0210732660958, 0.0226371950623, 0.0227928119971,
      0.0425119807919, 0.0733722182228, 0.0914150098905, 0.5619868851266},
     {0, 0.0048416300565, 0.0167616799578, 0.0231055120746, 0.0301353890518, 0.0386023478696, 0.0489425821592, 0.0593721592757,
      0.0707785300941, 0.0836132733433, 0.1000821828634, 0.1168457552149, 0.1379190213107, 0.160556216373, 0.1833490283701, 0.225861009162,
      0.2992332273848, 0.3906482372753, 0.9526351224019}},
};

TEST(CartGolden, PrunesAsScikitLearn) {
  for (const Path& wanted : kPaths) {
    SCOPED_TRACE(::testing::Message() << wanted.data << ", criterion " << static_cast<int>(wanted.criterion));
    grow::CartOptions options;
    options.criterion = wanted.criterion;
    const grow::PruningPath path = grow::cost_complexity_path(grow::grow_cart(bundled(wanted.data), options), wanted.criterion);
    ASSERT_EQ(path.ccp_alphas.size(), wanted.ccp_alphas.size());
    for (std::size_t i = 0; i < path.ccp_alphas.size(); ++i) {
      EXPECT_NEAR(path.ccp_alphas[i], wanted.ccp_alphas[i], 1e-12) << i;
      EXPECT_NEAR(path.impurities[i], wanted.impurities[i], 1e-12) << i;
    }
  }
}

}  // namespace
}  // namespace treewright
