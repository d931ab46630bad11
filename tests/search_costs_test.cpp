#include "treewright/search/loss/costs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace treewright::search {
namespace {

std::vector<double> random_weights(std::mt19937& random) {
  std::vector<double> weights(2 + random() % 4);
  for (double& weight : weights) weight = static_cast<double>(random() % 4);
  return weights;
}

double total(const std::vector<double>& weights) {
  return std::accumulate(weights.begin(), weights.end(), 0.0);
}

// Under every label: what every tree loses, and the reach of the items less what the label gains.
TEST(Costs, ItemsReproduceErrorsOfEveryLabel) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 500; ++trial) {
    const std::vector<double> rows = random_weights(random);
    std::vector<double> items(rows.size(), 0.0);
    int added = 0;
    double reach = 0;
    const double lost = items_of_rows(rows, [&](std::size_t label, double weight, double of_item) {
      EXPECT_GT(weight, 0);
      EXPECT_EQ(items[label], 0);
      EXPECT_EQ(of_item, added == 0 ? weight : 0);
      items[label] = weight;
      reach += of_item;
      ++added;
    });
    EXPECT_EQ(reach, *std::max_element(items.begin(), items.end()));
    EXPECT_LT(added, static_cast<int>(rows.size()));  // the lightest class is none
    for (std::size_t label = 0; label < rows.size(); ++label) {
      EXPECT_EQ(lost + reach - items[label], total(rows) - rows[label]);
    }
    const auto best = static_cast<std::size_t>(best_label(items));
    EXPECT_EQ(best, static_cast<std::size_t>(best_label(rows)));
    EXPECT_EQ(lost + leaf_cost(reach, items), total(rows) - rows[best]);
  }
}

TEST(Costs, FirstOfSeveralBestLabels) {
  EXPECT_EQ(best_label(std::vector<double>{1, 3, 3}), 1);
}

// Every way to give each label's items to one of the leaves, and beyond: items of one label in several leaves gain no more.
TEST(Costs, NoTreeOfSoManyLeavesCostsLess) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 200; ++trial) {
    const std::vector<double> weights = random_weights(random);
    const std::size_t leaves = 1 + random() % 4;
    double best = total(weights);
    std::vector<std::size_t> leaf(weights.size(), 0);
    for (bool more = true; more;) {
      std::vector<std::vector<double>> in(leaves, std::vector<double>(weights.size(), 0.0));
      for (std::size_t label = 0; label < weights.size(); ++label) in[leaf[label]][label] = weights[label];
      double cost = 0;
      for (const std::vector<double>& items : in) cost += leaf_cost(total(items), items);
      best = std::min(best, cost);
      std::size_t at = 0;
      while (at < leaf.size() && ++leaf[at] == leaves) leaf[at++] = 0;
      more = at < leaf.size();
    }
    EXPECT_EQ(least_cost(total(weights), weights, static_cast<std::int64_t>(leaves)), best);
    const double lost = static_cast<double>(random() % 4);
    EXPECT_EQ(least_cost(total(weights) - lost, weights, static_cast<std::int64_t>(leaves)), std::max(0.0, best - lost));
  }
}

}  // namespace
}  // namespace treewright::search
