// How a tree does on labeled rows.

#include "score.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "commands.h"
#include "flags.h"
#include "groups.h"
#include "outputs.h"
#include "read_rows.h"
#include "treewright/base/text_table.h"
#include "treewright/data/costs/costs.h"
#include "treewright/explain/markup.h"
#include "treewright/fit/check_origin.h"
#include "treewright/probabilities.h"
#include "treewright/task/cost_objective.h"
#include "treewright/task/policy_costs.h"
#include "treewright/tree/measures.h"

namespace treewright::cli {

namespace {

// A matrix of more classes is wider than a terminal: the most frequent confusions are listed instead.
constexpr std::size_t kLargestMatrix = 10;
constexpr std::size_t kConfusionsListed = 15;

using Matrix = std::vector<std::vector<double>>;

std::string name_of(const Tree& tree, std::size_t label) {
  return explain::shortened(explain::clean(tree.class_names[label]), 24);
}

std::string number(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.4f}", value);
}

std::string range(const Share& share) {
  const Interval interval = share.interval();
  return share.whole > 0 ? fmt::format("{:.2f} to {:.2f}", interval.low, interval.high) : "-";
}

// "47 of 52"; of weighted rows both weights and numbers.
std::string counts(const Share& share, bool weighted) {
  const std::string rows = fmt::format("{} of {}", share.part_rows, share.whole_rows);
  return weighted ? fmt::format("weight {} of {}, {} rows", explain::plain(share.part), explain::plain(share.whole), rows) : rows;
}

std::vector<std::string> line(const std::string& name, const Share& share, bool weighted, const std::string& what) {
  return {name, fmt::format("{} ({}{}; 95 % interval {})", number(share.value()), counts(share, weighted), what, range(share))};
}

// What is said of the rows: probabilities, predictions, and the weights and numbers of rows of true class by predicted class.
struct Scores {
  std::vector<double> probabilities;
  std::vector<std::int32_t> predicted;
  std::vector<ClassMeasures> classes;
  Matrix weights, rows;
  std::int32_t positive = 1;

  Scores(const Tree& tree, const Dataset& data, const Decision& choice)
      : probabilities(choice.probabilities(tree, data)), predicted(choice.labels(tree, data)) {
    if (choice.threshold || !choice.positive.empty()) positive = positive_class(tree, choice.positive);
    classes = class_measures(predicted, data);
    weights = confusion_matrix(predicted, data, tree.class_names.size());
    rows = Matrix(weights.size(), std::vector<double>(weights.size(), 0.0));
    for (std::size_t row = 0; row < predicted.size(); ++row) ++rows[data.labels[row]][predicted[row]];
  }
};

std::string cost_text(double cost, const Dataset& data) {
  const double total = data.total_weight();
  return fmt::format("{:.9g}{}", cost,
                     total > 0 ? fmt::format(", {:.4g} for each {}", cost / total, data.weights.empty() ? "row" : "unit of weight") : "");
}

// Of a tree that chooses among labels by what they cost each row: there are no true classes to count errors by.
std::string policy_text(const Tree& tree, const Dataset& data, const std::vector<std::int32_t>& predicted) {
  const PolicyCosts costs = policy_costs(predicted, data);
  std::vector<std::vector<std::string>> table = {{"label", "rows", "cost if all rows had it"}};
  for (std::size_t k = 0; k < tree.class_names.size(); ++k)
    table.push_back({name_of(tree, k), std::to_string(costs.rows[k]), cost_text(costs.of_all[k], data)});
  return text_table({{"cost", cost_text(costs.cost, data)},
                     {"cheapest labels", cost_text(costs.cheapest, data) + " (of each row, which no tree knows)"},
                     line("agreement", costs.agreement, !data.weights.empty(), " get their cheapest label")}) +
         "\n" + text_table(table);
}

// One of two classes in the words of medicine.
std::string positive_text(const Tree& tree, const Scores& scores, const Decision& choice, bool weighted) {
  const ClassMeasures& one = scores.classes[static_cast<std::size_t>(scores.positive)];
  const std::string name = name_of(tree, static_cast<std::size_t>(scores.positive));
  const std::string rule = choice.threshold
                               ? fmt::format("predicted where its probability is at least {}", explain::plain(*choice.threshold))
                               : "the other class: --positive; another threshold: --threshold";
  return fmt::format("positive class {} ({})\n{}", name, rule,
                     text_table({line("sensitivity", one.sensitivity, weighted, " found"),
                                 line("specificity", one.specificity, weighted, " others left alone"),
                                 line("PPV", one.ppv, weighted, " predicted rows right"),
                                 line("NPV", one.npv, weighted, " other predictions right"),
                                 {"F1", number(one.f1())},
                                 {"lift", fmt::format("{} (PPV by the share of the class among the rows)", number(one.lift()))}}));
}

std::string matrix_text(const Tree& tree, const Matrix& matrix, const char* of) {
  std::vector<std::vector<std::string>> rows = {{"true class"}};
  for (std::size_t k = 0; k < matrix.size(); ++k) rows.front().push_back(name_of(tree, k));
  for (std::size_t k = 0; k < matrix.size(); ++k) {
    std::vector<std::string>& row = rows.emplace_back(1, name_of(tree, k));
    for (const double weight : matrix[k]) row.push_back(explain::plain(weight));
  }
  return fmt::format("confusion matrix{}: true class by predicted class\n", of) + text_table(rows, CellAlignment::right);
}

std::string confusions_text(const Tree& tree, const Matrix& matrix) {
  struct Pair {
    double weight;
    std::size_t truth, predicted;
  };
  std::vector<Pair> pairs;
  for (std::size_t k = 0; k < matrix.size(); ++k) {
    for (std::size_t j = 0; j < matrix.size(); ++j) {
      if (j != k && matrix[k][j] > 0) pairs.push_back({matrix[k][j], k, j});
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.weight > b.weight; });
  std::vector<std::vector<std::string>> rows = {{"true class", "predicted", "rows"}};
  for (std::size_t i = 0; i < std::min(kConfusionsListed, pairs.size()); ++i) {
    rows.push_back({name_of(tree, pairs[i].truth), name_of(tree, pairs[i].predicted), explain::plain(pairs[i].weight)});
  }
  return fmt::format("the most frequent of {} confusions (--json lists all)\n{}", pairs.size(), text_table(rows));
}

struct ScoreArguments {
  std::string tree, data, by;
  ReadOptions read;
  Decision choice;
  bool json = false, quiet = false;
};

// The training rows and the held-out ones, where these are the rows that the tree was trained and tested on; empty where they are others.
// Equal numbers of rows do not show that: the claims of the tree must hold on the training part.
std::vector<RowNumbers> known_parts(const ScoreArguments& arguments, const Result& result, const Dataset& data) {
  const TrainingFile& file = result.file;
  if (file.test_share <= 0 || static_cast<std::int64_t>(data.rows()) != file.rows) return {};
  const std::vector<RowNumbers> rows = rows_of_parts(data, file.test_share);
  const bool other_weights = arguments.read.weights != file.weights;
  // What was read from a pipe cannot be read again, with the weights of the training.
  if (other_weights && arguments.data == "-") return {};
  Dataset train = other_weights ? read_for(result, arguments.data, arguments.read).train : data.subset(rows[0]);
  if (const std::string* weights = result.option("class_weight"); weights != nullptr && !other_weights)
    apply_class_weights(train, *weights);
  return check_all_claims(result, train).empty() ? rows : std::vector<RowNumbers>();
}

std::string text_of(const ScoreArguments& arguments, const Tree& tree, const Dataset& data, const Groups& groups) {
  return score_text(tree, data, arguments.choice) +
         (arguments.by.empty() ? "" : "\n" + groups_text(tree, arguments.choice.labels(tree, data), data, groups));
}

nlohmann::ordered_json json_of(const ScoreArguments& arguments, const Tree& tree, const Dataset& data, const Groups& groups) {
  nlohmann::ordered_json json = score_json(tree, data, arguments.choice);
  if (!arguments.by.empty()) json["by"] = groups_json(tree, arguments.choice.labels(tree, data), data, groups);
  return json;
}

int score(ScoreArguments& arguments) {
  const Result result = load_tree(arguments.tree);
  if (result.tree.loss &&
      (!arguments.by.empty() || arguments.choice.shrinkage || arguments.choice.threshold || !arguments.choice.positive.empty()))
    throw Error("--by, --shrinkage, --threshold, --positive", "are about classes, and the tree predicts numbers", "leave them out",
                ErrorKind::usage);
  Groups groups;
  Dataset data = read_labeled(result, arguments.data, arguments.read, arguments.quiet, [&](const Dataset& read, const Dataset&) {
    if (!arguments.by.empty()) groups = groups_of(read, arguments.by, arguments.data);
  });
  if (!data.weights.empty() && !arguments.read.weights) arguments.read.weights = result.file.weights;
  data.costs = costs_of(*result.objective_function);
  // The file that the tree was trained on, of which rows were held out: those say how it does on others.
  const std::vector<RowNumbers> parts = known_parts(arguments, result, data);
  if (parts.empty() && result.file.test_share > 0 && static_cast<std::int64_t>(data.rows()) == result.file.rows) {
    fmt::print(stderr,
               "note: the tree was trained on a part of a file of as many rows; if these are the same rows in another order, training and "
               "test rows are scored together\n");
  }
  if (parts.empty()) {
    write_output(
        "", arguments.json ? json_of(arguments, result.tree, data, groups).dump(2) + "\n" : text_of(arguments, result.tree, data, groups));
    return kOk;
  }
  const Dataset train = data.subset(parts[0]), test = data.subset(parts[1]);
  const Groups of_train = groups.subset(parts[0]), of_test = groups.subset(parts[1]);
  if (arguments.json) {
    nlohmann::ordered_json all = json_of(arguments, result.tree, test, of_test);
    all["training_rows"] = json_of(arguments, result.tree, train, of_train);
    write_output("", all.dump(2) + "\n");
  } else {
    write_output(
        "", fmt::format("on {} test rows, held out in training\n{}\non {} training rows\n{}", test.rows(),
                        text_of(arguments, result.tree, test, of_test), train.rows(), text_of(arguments, result.tree, train, of_train)));
  }
  return kOk;
}

}  // namespace

namespace {

std::string survival_text(const NumberScores& scores) {
  const std::string none = "- (no row is known to outlast the event of another one)";
  return text_table(
      {{"concordance", scores.concordance
                           ? fmt::format("{:.4f} (1 = events come in the order of the predictions; 0.5 = by chance)", *scores.concordance)
                           : none},
       {"explained", fmt::format("{:.4f} (share of the deviance; 0 = no better than the hazard of these rows)", scores.explained)},
       {"mean deviance", explain::plain(2 * scores.mean_loss)}});
}

std::string numbers_text(const Tree& tree, const Dataset& data) {
  const NumberScores scores = score_numbers(tree, data);
  if (tree.loss == Loss::survival) return survival_text(scores);
  const char* const of_events = tree.loss == Loss::squared ? "" : " (of the number of events)";
  std::vector<std::vector<std::string>> table = {
      {tree.loss == Loss::squared ? "R2" : "explained",
       are_alike(data) ? "- (these rows do not differ: there is nothing to explain)"
                       : fmt::format("{:.4f} ({})", scores.explained,
                                     tree.loss == Loss::squared ? "1 = no error; 0 = no better than the mean of these rows"
                                                                : "share of the deviance; 0 = no better than the rate of these rows")},
      {"RMSE", fmt::format("{}{}", explain::plain(scores.rmse), tree.loss == Loss::squared ? " (root mean squared error)" : of_events)},
      {"MAE", fmt::format("{}{}", explain::plain(scores.mae), tree.loss == Loss::squared ? " (mean absolute error)" : of_events)}};
  if (tree.loss != Loss::squared) table.push_back({"mean deviance", explain::plain(2 * scores.mean_loss)});
  return text_table(table);
}

nlohmann::ordered_json numbers_json(const Tree& tree, const Dataset& data) {
  const NumberScores scores = score_numbers(tree, data);
  nlohmann::ordered_json json = {{"n", data.rows()}, {"total_weight", data.total_weight()}, {"explained", scores.explained}};
  if (are_alike(data)) json["explained"] = nullptr;
  if (tree.loss == Loss::squared) {
    json["r2"] = json["explained"];
  } else {
    json["mean_deviance"] = 2 * scores.mean_loss;
  }
  if (tree.loss == Loss::survival) {
    if (scores.concordance) json["concordance"] = *scores.concordance;
    return json;
  }
  json["rmse"] = scores.rmse;
  json["mae"] = scores.mae;
  return json;
}

}  // namespace

std::string score_text(const Tree& tree, const Dataset& data, const Decision& choice) {
  if (tree.loss) return numbers_text(tree, data);
  const Scores scores(tree, data, choice);
  if (!data.row_costs.empty()) return policy_text(tree, data, scores.predicted);
  const bool weighted = !data.weights.empty();
  const ProbabilityScores fit = score_probabilities(scores.probabilities, data);
  const bool two = tree.class_names.size() == 2;
  std::string out =
      text_table({line("accuracy", right_rows(scores.predicted, data), weighted, " right"),
                  {"balanced accuracy", fmt::format("{:.4f} (mean sensitivity of the classes)", balanced_accuracy(scores.weights))},
                  {"AUC", fmt::format("{} (area under the ROC curve{})", number(auc(scores.probabilities, data)),
                                      two ? "" : ", mean of each class against the others")},
                  {"mean F1", number(mean_f1(scores.classes)) + " (of the classes)"},
                  {"Brier score", fmt::format("{:.4f} (squared error of the probabilities)", fit.brier)},
                  {"log loss", fmt::format("{:.4f} (mean of -ln of the true class's probability)", fit.log_loss)}});
  if (!data.costs.empty()) out.insert(0, "cost " + cost_text(cost_of(scores.predicted, data, data.costs), data) + "\n");
  if (two) out += "\n" + positive_text(tree, scores, choice, weighted);
  std::vector<std::vector<std::string>> table = {{"class", "rows", "right", "recall", "95 %", "precision", "95 %", "F1", "lift"}};
  if (weighted) table.front().insert(table.front().begin() + 2, "weight");
  for (std::size_t k = 0; k < scores.classes.size(); ++k) {
    const ClassMeasures& one = scores.classes[k];
    std::vector<std::string>& row = table.emplace_back();
    row = {name_of(tree, k),
           std::to_string(one.sensitivity.whole_rows),
           std::to_string(one.sensitivity.part_rows),
           number(one.sensitivity.value()),
           range(one.sensitivity),
           number(one.ppv.value()),
           range(one.ppv),
           number(one.f1()),
           std::isnan(one.lift()) ? "-" : fmt::format("{:.2f}", one.lift())};
    if (weighted) row.insert(row.begin() + 2, explain::plain(one.sensitivity.whole));
  }
  out += "\n" + text_table(table, CellAlignment::right) + "\n";
  if (scores.weights.size() > kLargestMatrix) return out + confusions_text(tree, scores.weights);
  out += matrix_text(tree, scores.weights, weighted ? ", sums of weights" : "");
  return weighted ? out + "\n" + matrix_text(tree, scores.rows, ", numbers of rows") : out;
}

nlohmann::ordered_json score_json(const Tree& tree, const Dataset& data, const Decision& choice) {
  if (tree.loss) return numbers_json(tree, data);
  const Scores scores(tree, data, choice);
  const auto value = [](double number) { return std::isnan(number) ? nlohmann::ordered_json() : nlohmann::ordered_json(number); };
  const auto interval = [](const Share& share) { return nlohmann::ordered_json{share.interval().low, share.interval().high}; };
  nlohmann::ordered_json json;
  const Share right = right_rows(scores.predicted, data);
  json["n"] = data.rows();
  json["total_weight"] = data.total_weight();
  if (choice.threshold) {
    json["threshold"] = *choice.threshold;
    json["positive"] = explain::utf8(tree.class_names[static_cast<std::size_t>(scores.positive)]);
  }
  json["accuracy"] = std::isnan(right.value()) ? 0 : right.value();
  json["accuracy_interval"] = interval(right);
  json["right_rows"] = right.part_rows;
  json["balanced_accuracy"] = balanced_accuracy(scores.weights);
  json["auc"] = value(auc(scores.probabilities, data));
  json["mean_f1"] = value(mean_f1(scores.classes));
  const ProbabilityScores fit = score_probabilities(scores.probabilities, data);
  if (data.has_costs()) json["cost"] = cost_of(scores.predicted, data, data.costs);
  json["brier_score"] = fit.brier;
  json["log_loss"] = fit.log_loss;
  json["classes"] = nlohmann::ordered_json::array();
  for (std::size_t k = 0; k < scores.classes.size(); ++k) {
    const ClassMeasures& one = scores.classes[k];
    nlohmann::ordered_json entry = {{"name", explain::utf8(tree.class_names[k])},
                                    {"rows", one.sensitivity.whole_rows},
                                    {"right_rows", one.sensitivity.part_rows},
                                    {"weight", one.sensitivity.whole}};
    const std::pair<const char*, const Share*> shares[] = {
        {"recall", &one.sensitivity}, {"precision", &one.ppv}, {"specificity", &one.specificity}, {"npv", &one.npv}};
    for (const auto& [name, share] : shares) {
      entry[name] = value(share->value());
      entry[std::string(name) + "_interval"] = interval(*share);
    }
    entry["f1"] = value(one.f1());
    entry["lift"] = value(one.lift());
    entry["auc"] = value(auc(scores.probabilities, data, k));
    json["classes"].push_back(entry);
  }
  json["confusion"] = scores.weights;
  if (!data.weights.empty()) json["confusion_rows"] = scores.rows;
  return json;
}

void add_score(CLI::App& app, int& code) {
  auto arguments = std::make_shared<ScoreArguments>();
  CLI::App* command = app.add_subcommand(
      "score", "test a trained tree on labeled rows: accuracy, AUC, each class, confusion matrix; of numbers R2, RMSE, MAE");
  command->add_option("tree", arguments->tree, "tree file written by fit --out")->required();
  command->add_option("data", arguments->data, "labeled rows; columns are matched with the tree's by name")->required();
  add_read_flags(*command, arguments->read);
  add_seen_flags(*command, arguments->read);
  add_shrinkage_flag(*command, arguments->choice.shrinkage);
  add_decision_flags(*command, arguments->choice);
  command->add_option("--by", arguments->by, "also compare groups: the rows of each value of this column of the file")->type_name("COLUMN");
  command->add_flag("-q,--quiet", arguments->quiet, "print no notes on the rows");
  command->add_flag("--json", arguments->json, "print the scores as one JSON object");
  command->callback([arguments, &code] { code = score(*arguments); });
}

}  // namespace treewright::cli
