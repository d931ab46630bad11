// The option max_terms: how many columns a split may ask about.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "expect_error.h"
#include "support/random_data.h"
#include "support/training.h"
#include "support/two_class_points.h"
#include "treewright/grow/few_columns.h"
#include "treewright/grow/plain_splits.h"
#include "treewright/grow/short_weights.h"
#include "treewright/result.h"
#include "treewright/tree/scaled_plane.h"

namespace treewright {
namespace {

using testing::train;

constexpr const char* kMethods[] = {"tao", "oct-h", "local", "logistic-h", "cart-h", "auto"};

Dataset some_data(Random& random) {
  for (;;) {
    Dataset data = testing::random_data(random, {50, 6, 3, true, true, 8, true});
    if (!testing::has_two_classes(data)) continue;
    if (random.below(3) == 0) {
      for (std::size_t row = 0; row < data.rows(); ++row) data.weights.push_back(random.uniform(0.1, 2));
    }
    return data;
  }
}

std::size_t most_columns(const Tree& tree) {
  std::size_t most = 0;
  for (const Node& node : tree.nodes()) {
    if (node.is_leaf()) continue;
    std::set<FeatureId> columns;
    if (node.plane() != nullptr) {
      for (const auto& term : node.plane()->terms) columns.insert(term.feature);
    }
    most = std::max(most, std::max<std::size_t>(1, columns.size()));
  }
  return most;
}

testing::Settings settings_for(const std::string& method, Random& random) {
  testing::Settings settings{{"method", method}, {"max_depth", std::to_string(1 + random.below(3))}};
  if (method != "cart-h" && method != "logistic-h") settings["restarts"] = method == "auto" ? "0" : "2";
  if (method != "auto" && method != "local") settings["svm_cost"] = random.below(2) == 0 ? "0.1" : "10";
  if (method != "auto" && method != "logistic-h" && random.below(3) == 0) settings["ccp_alpha"] = "0.02";
  return settings;
}

TEST(MaxTerms, LengthyEveryMethodKeepsThem) {
  Random random(201);
  for (int round = 0; round < 8; ++round) {
    const Dataset data = some_data(random);
    for (const std::string method : kMethods) {
      if (method == "auto" && round > 1) continue;
      for (std::size_t most = 1; most <= 3; ++most) {
        testing::Settings settings = settings_for(method, random);
        settings["max_terms"] = std::to_string(most);
        const Result result = train(data, settings);
        EXPECT_LE(most_columns(result.tree), most) << method << "\n" << testing::to_string(data);
        EXPECT_EQ(check_claims(result, data), std::vector<std::string>{});
        if (most > 1 || data.features() == 1) continue;
        for (const Node& node : result.tree.nodes()) {
          EXPECT_TRUE(node.is_leaf() || node.plane() == nullptr) << method << ": a threshold, or a set of levels";
        }
      }
    }
  }
}

TEST(MaxTerms, AsManyAsColumnsAreNoLimit) {
  Random random(202);
  for (int round = 0; round < 8; ++round) {
    const Dataset data = some_data(random);
    for (const std::string method : kMethods) {
      if (method == "auto" && round > 1) continue;
      testing::Settings settings = settings_for(method, random);
      const Tree without = train(data, settings).tree;
      settings["max_terms"] = std::to_string(data.features() + random.below(3));
      EXPECT_EQ(train(data, settings).tree, without) << method;
    }
  }
}

TEST(MaxTerms, LengthyTheSplitsAreTrainedAndNotCut) {
  // The classes differ by the sum of two columns, and a third one that nearly tells the class alone.
  Random random(203);
  std::vector<double> x, y, z;
  std::vector<std::int32_t> labels;
  for (int i = 0; i < 200; ++i) {
    x.push_back(random.normal());
    y.push_back(random.normal());
    labels.push_back(x.back() + y.back() > 0 ? 1 : 0);
    z.push_back(labels.back() + 0.5 * random.normal());
  }
  const Dataset data = testing::make_data({testing::numbers("x", x), testing::numbers("y", y), testing::numbers("z", z)}, labels);
  for (const char* method : {"tao", "oct-h", "local", "logistic-h", "cart-h"}) {
    testing::Settings settings{{"method", method}, {"max_depth", "1"}, {"max_terms", "2"}};
    if (method != std::string("local")) settings["svm_cost"] = "100";
    const Result result = train(data, settings);
    EXPECT_LE(result.errors, 2) << method;
  }
}

TEST(MaxTerms, ACheckCountsThem) {
  Random random(204);
  const Dataset& data = testing::iris();
  Result result = train(data, {{"method", "tao"}, {"max_depth", "2"}, {"svm_cost", "1"}, {"max_terms", "2"}});
  ASSERT_EQ(most_columns(result.tree), 2u);
  ASSERT_EQ(check_claims(result, data), std::vector<std::string>{});
  for (auto& [name, value] : result.options) {
    if (name == "max_terms") value = "1";
  }
  const std::vector<std::string> broken = check_claims(from_json(to_json(result), "a file"), data);
  ASSERT_FALSE(broken.empty());
  EXPECT_NE(broken.front().find("asks about 2 columns, but max_terms allows 1"), std::string::npos) << broken.front();
}

TEST(MaxTerms, OfACategoryAllLevelsAreOne) {
  const Dataset data =
      testing::make_data({testing::categories("c", {"p", "q", "r", "s"}, {0, 1, 2, 3, 0, 1, 2, 3}),
                          testing::numbers("x", {1, 2, 3, 4, 5, 6, 7, 8}), testing::numbers("y", {0, 0, 1, 1, 0, 0, 1, 0})},
                         {0, 1, 0, 1, 0, 1, 0, 1});
  for (const char* method : {"tao", "logistic-h"}) {
    const Result result = train(data, {{"method", method}, {"max_depth", "1"}, {"svm_cost", "100"}, {"max_terms", "1"}});
    EXPECT_EQ(result.errors, 0) << method;
    ASSERT_EQ(result.tree.splits(), 1u);
    EXPECT_NE(result.tree.node(Tree::root()).split->set(), nullptr) << "the set {p, r} parts the classes, and is one term";
  }
}

TEST(MaxTerms, WhereTheyMeanNothingIsAnError) {
  expect_error([] { train(testing::iris(), {{"method", "tao"}, {"max_terms", "0"}}); }, {"max_terms", "one column at least"});
  for (const char* method : {"oct", "margot", "svm1", "partition"}) {
    expect_error(
        [&] {
          train(testing::iris(), {{"method", method}, {"max_terms", "2"}});
        },
        {"max_terms", "does not read it", "tao", "local"});
  }
}

// Points whose class depends on two axes of many.
TEST(FewColumns, FindTheAxesThatTellTheClass) {
  Random random(205);
  for (int round = 0; round < 20; ++round) {
    svm::TwoClassPoints points = testing::two_class_points(random, 120, 12);
    std::set<std::size_t> own;
    while (own.size() < 2) own.insert(random.below(12));
    for (std::size_t i = 0; i < points.rows(); ++i) {
      double sum = 0;
      for (const std::size_t a : own) sum += points.row(i)[a];
      points.target[i] = sum > 0 ? 1 : -1;
    }
    std::vector<Axis> axes;
    std::vector<std::size_t> all;
    for (std::int32_t a = 0; a < 12; ++a) {
      axes.push_back({FeatureId{a}});
      all.push_back(static_cast<std::size_t>(a));
    }
    EXPECT_EQ(grow::few_columns(points, axes, all, 1, 2), std::vector<std::size_t>(own.begin(), own.end()));
    EXPECT_EQ(grow::few_columns(points, axes, all, 1, 12), all);
    for (const std::size_t most : {1, 3, 7}) EXPECT_EQ(grow::few_columns(points, axes, all, 1, most).size(), most);
  }
}

TEST(PlainSplits, KeepEveryRowOnItsSide) {
  Random random(206);
  int changed = 0;
  for (int round = 0; round < 200; ++round) {
    const Dataset data = some_data(random);
    const auto axes = scaled_axes(data, Scaling::standard);
    if (axes.empty()) continue;
    const FeatureId feature = axes[random.below(axes.size())].feature;
    HyperplaneSplit plane;
    for (const Axis& axis : axes) {
      if (axis.feature == feature) plane.terms.push_back({feature, random.normal(), axis.level, axis.mean});
    }
    plane.threshold = 0.5 * random.normal();
    grow::EditableTree draft = grow::EditableTree::fork({plane, false});
    *draft.left = grow::EditableTree::fork({plane, false});  // so that it is told from the right
    const Tree before = draft.to_tree(data);
    grow::plain_splits(draft, data);
    changed += draft.split->plane() == nullptr;
    const Tree after = draft.to_tree(data);
    const bool swapped = draft.left->is_leaf();
    for (std::size_t row = 0; row < data.rows(); ++row) {
      EXPECT_EQ(goes_left(*draft.split, data, row), goes_left({plane, false}, data, row) != swapped);
    }
  }
  EXPECT_GT(changed, 50);
}

TEST(ShortWeights, KeepEveryRowOnItsSide) {
  Random random(207);
  int shorter = 0;
  for (int round = 0; round < 200; ++round) {
    const Dataset data = some_data(random);
    const auto axes = scaled_axes(data, Scaling::standard);
    if (axes.size() < 2) continue;
    const auto drawn = [&] {
      ScaledPlane plane{{}, 0.5 * random.normal()};
      for (std::size_t a = 0; a < axes.size(); ++a) plane.h.push_back(random.below(2) == 0 ? 0 : random.normal());
      return in_raw_units(plane, axes);
    };
    const HyperplaneSplit root = drawn(), below = drawn();
    if (root.terms.empty() || below.terms.empty()) continue;
    grow::EditableTree draft = grow::EditableTree::fork({root, false});
    *draft.left = grow::EditableTree::fork({below, false});
    *draft.right = grow::EditableTree::fork({below, false});
    const Tree before = draft.to_tree(data);
    grow::short_weights(draft, data);
    const Tree after = draft.to_tree(data);
    EXPECT_EQ(before.predict(data), after.predict(data));
    const HyperplaneSplit& now = *draft.split->plane();
    shorter += now.terms.front().weight == 1 && now != root;
    const bool swapped = now != root && root.terms.front().weight < 0;
    for (std::size_t row = 0; row < data.rows(); ++row) {
      EXPECT_EQ(goes_left(*draft.split, data, row), goes_left({root, false}, data, row) != swapped);
    }
  }
  EXPECT_GT(shorter, 100);
}

TEST(ShortWeights, OfAScorecardAreWholeNumbers) {
  std::vector<double> x, y;
  std::vector<std::int32_t> labels;
  for (int i = 0; i < 36; ++i) {
    x.push_back(i % 6);
    y.push_back(i / 6);
    labels.push_back(x.back() + 2 * y.back() < 6.5 ? 0 : 1);
  }
  const Dataset data = testing::make_data({testing::numbers("x", x), testing::numbers("y", y)}, labels);
  grow::EditableTree draft = grow::EditableTree::fork({HyperplaneSplit{{{FeatureId{1}, -2.01}, {FeatureId{0}, -0.99}}, -6.55}, false});
  grow::short_weights(draft, data);
  const HyperplaneSplit& plane = *draft.split->plane();
  EXPECT_EQ(plane.terms[0].weight, 1);
  EXPECT_EQ(plane.terms[1].weight, 0.5);
  EXPECT_EQ(plane.threshold, 3.3);
}

}  // namespace
}  // namespace treewright
