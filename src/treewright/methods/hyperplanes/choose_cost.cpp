// The cost of a hyperplane tree where nobody has given one: the best of four that are a decade apart, by four folds, on which a tree is
// grown twice at most. Of equally good ones it is the smallest, whose margins are widest. The final tree has all restarts. Of more than
// 20,000 rows, so many are trained on and so many others validate.
//
// Cost: about three times the final fit. If time ends before all four costs have seen the same folds, the cost is 1.

#include "treewright/methods/hyperplanes/choose_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/data/costs/costs.h"
#include "treewright/data/splits.h"
#include "treewright/error.h"
#include "treewright/tree/measures.h"

namespace treewright::hyperplanes {

namespace {

constexpr double kCosts[] = {0.01, 0.1, 1, 10};
constexpr std::size_t kFolds = 4, kManyRows = 20000;
// Smaller differences are rounding.
constexpr double kRounding = 1e-12;

std::vector<Fold> folds_of(const Dataset& data, std::int64_t seed) {
  SplitOptions how;
  how.seed = static_cast<std::uint64_t>(seed) + 1;
  how.stratified = data.labeled();
  const std::size_t n = data.rows();
  if (n <= kManyRows) return k_folds(data, static_cast<int>(std::min(kFolds, n)), how);
  const double train = static_cast<double>(kManyRows) / static_cast<double>(n);
  std::vector<RowNumbers> drawn = split_rows(data, std::vector<double>{train, std::min(train, 1 - train)}, how);
  return {{std::move(drawn[0]), std::move(drawn[1])}};
}

// A fold may have too few rows for the limits: then the tree is a leaf. Errors in the options show in the last fit.
Tree tree_of(const Dataset& train, const Options& options, const Trainer& trainer) {
  try {
    return trainer(train, options).tree;
  } catch (const Error&) {
    Tree leaf(train);
    leaf.tally(train);
    return leaf;
  }
}

// The weight of the rows that the tree gets right; minus the cost where labels have costs.
double gain_on(const Dataset& valid, const Tree& tree) {
  if (valid.has_costs()) return -cost_of(tree.predict(valid), valid, valid.costs);
  return valid.total_weight() - count_errors(tree, valid);
}

}  // namespace

ChosenOptions choose_cost(const Dataset& data, const Options& options, Deadline& deadline, const Trainer& trainer) {
  ChosenOptions choice;
  choice.options = options;
  choice.options.svm_cost = 1;
  if (data.rows() < 2) return choice;
  Dataset weighted = data;
  apply_class_weights(weighted, options.class_weight);
  Options tried = options;
  tried.restarts = std::min<std::int64_t>(1, options.restarts);
  std::vector<double> gains(std::size(kCosts), 0.0);
  std::vector<std::vector<Tree>> trees(std::size(kCosts));  // of each cost, one for each fold
  const std::vector<Fold> folds = folds_of(data, options.random_state);
  double rows = 0;
  for (const Fold& fold : folds) {
    const Dataset train = data.subset(fold.train), valid = weighted.subset(fold.test);
    rows += valid.total_weight();
    for (std::size_t i = 0; i < gains.size(); ++i) {
      if (deadline.poll()) {
        choice.ended = deadline.reason();
        choice.selection = "no time to choose the cost: it is 1\n";
        return choice;
      }
      tried.svm_cost = kCosts[i];
      tried.time_limit = deadline.remaining();
      trees[i].push_back(tree_of(train, tried, trainer));
      gains[i] += gain_on(valid, trees[i].back());
    }
  }
  std::size_t best = 0;
  for (std::size_t i = 1; i < gains.size(); ++i) {
    if (gains[i] > gains[best] + kRounding * rows) best = i;
  }
  choice.options.svm_cost = kCosts[best];
  choice.selection = fmt::format("the cost {:g} is chosen by {} fold{}:", kCosts[best], folds.size(), folds.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < gains.size() && rows > 0; ++i) {
    const std::string told =
        data.has_costs() ? fmt::format("mean cost {:.4g}", -gains[i] / rows) : fmt::format("{:.2f} % right", 100 * gains[i] / rows);
    choice.selection += fmt::format("{} {:g} {}", i == 0 ? "" : ",", kCosts[i], told);
  }
  choice.selection += '\n';
  if (data.row_costs.empty()) {
    choice.probabilities = grow::choose_probabilities(weighted, folds, trees[best]);
    choice.selection += grow::in_words(*choice.probabilities, weighted);
  }
  return choice;
}

}  // namespace treewright::hyperplanes
