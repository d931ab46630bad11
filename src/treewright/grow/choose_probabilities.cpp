// The probabilities of a tree, chosen where folds are at hand: the shrinkage of its leaves or, of a tree with hyperplanes, the cost of a
// regression on distances. The trees of the folds tell the loss on rows that they had not seen; the rows of the tree itself would ask for
// no penalty at all.

#include "treewright/grow/choose_probabilities.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "treewright/grow/probability_model.h"
#include "treewright/probabilities.h"

namespace treewright::grow {

namespace {

constexpr std::array kShrinkages = {1.0, 0.1, 0.2, 0.5, 2.0, 5.0, 10.0, 20.0};  // of equally good ones the usual
constexpr std::array kCosts = {0.3, 0.003, 0.01, 0.03, 0.1, 1.0, 3.0, 10.0, 30.0};

double log_loss(const std::vector<double>& probabilities, const Dataset& rows) {
  return score_probabilities(probabilities, rows).log_loss * rows.total_weight();
}

}  // namespace

ProbabilityChoice choose_probabilities(const Dataset& data, std::span<const Fold> folds, std::span<const Tree> trees) {
  std::array<double, kShrinkages.size()> of_shrinkage{};
  std::array<double, kCosts.size()> of_cost{};
  for (std::size_t i = 0; i < trees.size(); ++i) {
    const Dataset train = data.subset(folds[i].train), valid = data.subset(folds[i].test);
    Tree tree = trees[i];
    tree.probability_model.reset();
    tree.shrinkage = usual_shrinkage(train);
    std::array<double, kShrinkages.size()> here{};
    for (std::size_t s = 0; s < kShrinkages.size(); ++s) {
      here[s] = log_loss(predict_proba(tree, valid, kShrinkages[s] * tree.shrinkage), valid);
      of_shrinkage[s] += here[s];
    }
    std::vector<std::optional<ProbabilityModel>> models = fit_probability_models(tree, train, kCosts);
    for (std::size_t c = 0; c < kCosts.size(); ++c) {
      tree.probability_model = std::move(models[c]);
      of_cost[c] += tree.probability_model ? log_loss(tree.predict_proba(valid), valid) : here.front();  // without a hyperplane, the usual
    }
  }
  const auto shrinkage = std::min_element(of_shrinkage.begin(), of_shrinkage.end());
  const auto cost = std::min_element(of_cost.begin(), of_cost.end());
  ProbabilityChoice choice;
  choice.shrinkage = kShrinkages[static_cast<std::size_t>(shrinkage - of_shrinkage.begin())];
  if (*cost < *shrinkage) choice.cost = kCosts[static_cast<std::size_t>(cost - of_cost.begin())];
  return choice;
}

void give_probabilities(const ProbabilityChoice& choice, const Dataset& data, Tree& tree) {
  tree.shrinkage = choice.shrinkage * usual_shrinkage(data);
  tree.probability_model.reset();
  if (choice.cost) tree.probability_model = fit_probability_model(tree, data, *choice.cost);
}

std::string in_words(const ProbabilityChoice& choice, const Dataset& data) {
  return "probabilities: of least log loss on rows that trees had not seen " +
         (choice.cost ? fmt::format("by the distances to the hyperplanes, with a regression of cost {:g}\n", *choice.cost)
                      : fmt::format("with a shrinkage of {:g} rows\n", choice.shrinkage * usual_shrinkage(data)));
}

}  // namespace treewright::grow
