// How a tree does on labeled rows.

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "commands.h"
#include "treewright/base/text_table.h"
#include "treewright/explain/markup.h"
#include "treewright/probabilities.h"

namespace treewright::cli {

namespace {

// A matrix of more classes is wider than a terminal: the most frequent confusions are listed instead.
constexpr std::size_t kLargestMatrix = 10;
constexpr std::size_t kConfusionsListed = 15;

using Matrix = std::vector<std::vector<double>>;

std::string name_of(const Tree& tree, std::size_t label) {
  return explain::shortened(explain::clean(tree.class_names[label]), 24);
}

// Weights of one class: of its rows, of those predicted as it, of those that are both.
struct ClassCounts {
  double rows = 0, predicted = 0, right = 0;
};

std::vector<ClassCounts> counts_of(const Matrix& matrix) {
  std::vector<ClassCounts> counts(matrix.size());
  for (std::size_t k = 0; k < matrix.size(); ++k) {
    counts[k].right = matrix[k][k];
    for (std::size_t j = 0; j < matrix.size(); ++j) {
      counts[k].rows += matrix[k][j];
      counts[k].predicted += matrix[j][k];
    }
  }
  return counts;
}

std::string share(double part, double whole) {
  return whole > 0 ? fmt::format("{:.4f}", part / whole) : "-";
}

std::string matrix_text(const Tree& tree, const Matrix& matrix) {
  std::vector<std::vector<std::string>> rows = {{"true class"}};
  for (std::size_t k = 0; k < matrix.size(); ++k) rows.front().push_back(name_of(tree, k));
  for (std::size_t k = 0; k < matrix.size(); ++k) {
    std::vector<std::string>& row = rows.emplace_back(1, name_of(tree, k));
    for (const double weight : matrix[k]) row.push_back(explain::plain(weight));
  }
  return "confusion matrix: true class by predicted class\n" + text_table(rows, CellAlignment::right);
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
  std::string tree, data;
  ReadOptions read;
  double shrinkage = 0;
  bool json = false;
};

int score(const ScoreArguments& arguments) {
  const Result result = load_tree(arguments.tree);
  const Dataset data = read_labelled(result, arguments.data, arguments.read);
  write_output("", arguments.json ? score_json(result.tree, data, arguments.shrinkage).dump(2) + "\n"
                                  : score_text(result.tree, data, arguments.shrinkage));
  return kOk;
}

}  // namespace

std::string score_text(const Tree& tree, const Dataset& data, double shrinkage) {
  const Matrix matrix = confusion_matrix(tree, data);
  const std::vector<ClassCounts> counts = counts_of(matrix);
  double right = 0;
  for (const ClassCounts& count : counts) right += count.right;
  const ProbabilityScores scores = score_probabilities(predict_proba(tree, data, shrinkage), data);
  const std::string weighted = data.weights.empty() ? "" : fmt::format("; sums of row weights, {} rows", data.rows());
  std::string out = text_table({{"accuracy", fmt::format("{:.4f} ({} of {} right{})", accuracy(tree, data), explain::plain(right),
                                                         explain::plain(data.total_weight()), weighted)},
                                {"balanced accuracy", fmt::format("{:.4f} (mean recall of the classes)", balanced_accuracy(tree, data))},
                                {"Brier score", fmt::format("{:.4f} (squared error of the probabilities)", scores.brier)},
                                {"log loss", fmt::format("{:.4f} (mean of -ln of the true class's probability)", scores.log_loss)}});
  std::vector<std::vector<std::string>> rows = {{"class", data.weights.empty() ? "rows" : "weight", "right", "recall", "precision"}};
  for (std::size_t k = 0; k < counts.size(); ++k) {
    rows.push_back({name_of(tree, k), explain::plain(counts[k].rows), explain::plain(counts[k].right),
                    share(counts[k].right, counts[k].rows), share(counts[k].right, counts[k].predicted)});
  }
  out += "\n" + text_table(rows, CellAlignment::right) + "\n";
  return out + (matrix.size() <= kLargestMatrix ? matrix_text(tree, matrix) : confusions_text(tree, matrix));
}

nlohmann::ordered_json score_json(const Tree& tree, const Dataset& data, double shrinkage) {
  const Matrix matrix = confusion_matrix(tree, data);
  nlohmann::ordered_json json;
  json["n"] = data.rows();
  json["total_weight"] = data.total_weight();
  json["accuracy"] = accuracy(tree, data);
  json["balanced_accuracy"] = balanced_accuracy(tree, data);
  const ProbabilityScores scores = score_probabilities(predict_proba(tree, data, shrinkage), data);
  json["brier_score"] = scores.brier;
  json["log_loss"] = scores.log_loss;
  json["classes"] = nlohmann::ordered_json::array();
  const std::vector<ClassCounts> counts = counts_of(matrix);
  for (std::size_t k = 0; k < counts.size(); ++k) {
    const auto ratio = [](double part, double whole) {
      return whole > 0 ? nlohmann::ordered_json(part / whole) : nlohmann::ordered_json();
    };
    json["classes"].push_back({{"name", explain::utf8(tree.class_names[k])},
                               {"weight", counts[k].rows},
                               {"recall", ratio(counts[k].right, counts[k].rows)},
                               {"precision", ratio(counts[k].right, counts[k].predicted)}});
  }
  json["confusion"] = matrix;
  return json;
}

void add_score(CLI::App& app, int& code) {
  auto arguments = std::make_shared<ScoreArguments>();
  CLI::App* command = app.add_subcommand("score", "test a trained tree on labeled rows: accuracy, each class, confusion matrix");
  command->add_option("tree", arguments->tree, "tree file written by fit --out")->required();
  command->add_option("data", arguments->data, "labeled rows; columns are matched with the tree's by name")->required();
  add_read_flags(*command, arguments->read);
  add_shrinkage_flag(*command, arguments->shrinkage);
  command->add_flag("--json", arguments->json, "print the scores as one JSON object");
  command->callback([arguments, &code] { code = score(*arguments); });
}

}  // namespace treewright::cli
