#include "treewright/select/scoring.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "treewright/base/error.h"
#include "treewright/data/costs/costs.h"
#include "treewright/probabilities.h"
#include "treewright/tree/measures.h"

namespace treewright::select {

double score(const Tree& tree, const Dataset& rows, Scoring scoring) {
  if (rows.rows() == 0 || !(rows.total_weight() > 0)) return 0;
  switch (scoring) {
    case Scoring::accuracy:
      return accuracy(tree, rows);
    case Scoring::balanced_accuracy:
      return balanced_accuracy(tree, rows);
    case Scoring::f1:
      return mean_f1(class_measures(tree.predict(rows), rows));
    case Scoring::log_loss:
      return -score_probabilities(tree.predict_proba(rows), rows).log_loss;
    case Scoring::cost:
      return -cost_of(tree.predict(rows), rows, rows.costs) / rows.total_weight();
    case Scoring::auc:
      break;
  }
  const double area = auc(tree.predict_proba(rows), rows);
  if (std::isnan(area)) {
    throw Error("scoring", "the AUC is not defined: the validation rows of a fold are all of one class",
                "use fewer folds, or another scoring", ErrorKind::usage);
  }
  return area;
}

}  // namespace treewright::select

namespace treewright {

namespace {

constexpr std::pair<Scoring, std::string_view> kNames[] = {{Scoring::accuracy, "accuracy"},
                                                           {Scoring::balanced_accuracy, "balanced-accuracy"},
                                                           {Scoring::f1, "f1"},
                                                           {Scoring::log_loss, "log-loss"},
                                                           {Scoring::auc, "auc"},
                                                           {Scoring::cost, "cost"}};

}  // namespace

Scoring scoring_named(std::string_view wanted) {
  for (const auto& [scoring, name] : kNames) {
    if (name == wanted) return scoring;
  }
  throw option_error("scoring", fmt::format("'{}' is not known", wanted), "use accuracy, balanced-accuracy, f1, log-loss, auc or cost");
}

std::string_view name_of(Scoring scoring) {
  return std::find_if(std::begin(kNames), std::end(kNames), [&](const auto& named) { return named.first == scoring; })->second;
}

Scoring usual_scoring(const Dataset& data) {
  return data.has_costs() ? Scoring::cost : Scoring::accuracy;
}

double shown_score(Scoring scoring, double score) {
  return scoring == Scoring::cost ? 0 - score : score;  // and no -0
}

}  // namespace treewright
