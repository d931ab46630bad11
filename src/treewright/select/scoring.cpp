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

namespace {

bool of_numbers(Scoring scoring) {
  return scoring >= Scoring::concordance;
}

double number_score(const Tree& tree, const Dataset& rows, Scoring scoring) {
  const NumberScores scores = score_numbers(tree, rows);
  switch (scoring) {
    case Scoring::rmse:
      return -scores.rmse;
    case Scoring::mae:
      return -scores.mae;
    case Scoring::deviance:
      return -2 * scores.mean_loss;
    case Scoring::concordance:
      if (!scores.concordance) {
        throw Error("scoring", "the concordance is not defined: no validation row of a fold is known to outlast the event of another one",
                    "use fewer folds, or deviance", ErrorKind::usage);
      }
      return *scores.concordance;
    default:
      if (are_alike(rows)) {
        throw Error("scoring", fmt::format("{} is not defined: the validation rows of a fold do not differ", name_of(scoring)),
                    "use fewer folds, or rmse", ErrorKind::usage);
      }
      return scores.explained;
  }
}

}  // namespace

void check_scores(Scoring scoring, const Dataset& data) {
  const auto refuse = [&](std::string_view is, const char* fix) {
    throw option_error("scoring", fmt::format("'{}' {}", name_of(scoring), is), fix);
  };
  if (data.response) {
    const bool squared = data.response->loss == Loss::squared, times = data.response->loss == Loss::survival;
    const char* const fix = squared ? "use r2, rmse or mae" : times ? "use concordance or deviance" : "use deviance, rmse or mae";
    if (!of_numbers(scoring)) refuse("is about classes, and the target is a number", fix);
    if (times && scoring != Scoring::concordance && scoring != Scoring::deviance) refuse("is not about times to an event", fix);
    if (scoring == Scoring::concordance && !times) refuse("is about times to an event, and the loss is another one", fix);
    if (scoring == Scoring::r2 && !squared) refuse("is about squared error, and the loss is another one", fix);
    if (scoring == Scoring::deviance && squared) refuse("is about events, and the loss is squared error", fix);
    return;
  }
  if (of_numbers(scoring)) refuse("is about numbers, and the target holds classes", "use accuracy, or --loss squared for a number");
  if (scoring == Scoring::cost && !data.has_costs()) {
    throw option_error("scoring", "is the cost, and the labels have none", "give costs, or score by accuracy");
  }
}

double score(const Tree& tree, const Dataset& rows, Scoring scoring) {
  if (rows.rows() == 0 || !(rows.total_weight() > 0)) return 0;
  if (of_numbers(scoring)) return number_score(tree, rows, scoring);
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
    default:
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
                                                           {Scoring::cost, "cost"},
                                                           {Scoring::concordance, "concordance"},
                                                           {Scoring::r2, "r2"},
                                                           {Scoring::rmse, "rmse"},
                                                           {Scoring::mae, "mae"},
                                                           {Scoring::deviance, "deviance"}};

}  // namespace

Scoring scoring_named(std::string_view wanted) {
  for (const auto& [scoring, name] : kNames) {
    if (name == wanted) return scoring;
  }
  throw option_error("scoring", fmt::format("'{}' is not known", wanted),
                     "use accuracy, balanced-accuracy, f1, log-loss, auc or cost; of numbers r2, rmse, mae, deviance or concordance");
}

std::string_view name_of(Scoring scoring) {
  return std::find_if(std::begin(kNames), std::end(kNames), [&](const auto& named) { return named.first == scoring; })->second;
}

Scoring usual_scoring(const Dataset& data) {
  if (data.response) {
    const Loss loss = data.response->loss;
    return loss == Loss::squared ? Scoring::r2 : loss == Loss::poisson ? Scoring::deviance : Scoring::concordance;
  }
  return data.has_costs() ? Scoring::cost : Scoring::accuracy;
}

bool is_loss(Scoring scoring) {
  return scoring == Scoring::cost || scoring > Scoring::r2;
}

double shown_score(Scoring scoring, double score) {
  return is_loss(scoring) ? 0 - score : score;  // and no -0
}

}  // namespace treewright
