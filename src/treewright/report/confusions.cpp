#include "treewright/report/confusions.h"

#include <fmt/format.h>

#include <algorithm>

#include "treewright/explain/markup.h"
#include "treewright/probabilities.h"

namespace treewright::report {

namespace {

using Cells = std::vector<std::vector<double>>;

constexpr std::size_t kListed = 15;

std::string matrix(const std::string& name, const Tree& tree, const Cells& cells) {
  std::string out = fmt::format("<table class=\"matrix\"><caption>{}</caption><tr><th>actual ↓ predicted →</th>", name);
  for (const std::string& label : tree.class_names) out += "<th>" + explain::escaped(label) + "</th>";
  for (std::size_t k = 0; k < cells.size(); ++k) {
    double total = 1e-300;
    for (const double rows : cells[k]) total += rows;
    out += "</tr><tr><th scope=\"row\">" + explain::escaped(tree.class_names[k]) + "</th>";
    for (std::size_t j = 0; j < cells[k].size(); ++j) {
      if (cells[k][j] <= 0 && cells.size() > kManyClasses) {
        out += "<td></td>";  // of 60 classes nearly all
      } else {
        out += fmt::format("<td class=\"n {}\" style=\"--s:{:.0f}%\">{}</td>", j == k ? "hit" : "miss", 70 * cells[k][j] / total,
                           explain::plain(cells[k][j]));
      }
    }
  }
  return out + "</tr></table>";
}

}  // namespace

std::string scores(const std::string& name, const Tree& tree, const Dataset& data) {
  const ProbabilityScores probabilities = score_probabilities(predict_proba(tree, data, 0), data);
  return fmt::format(
      "<p>On the {}: accuracy {:.4f}, balanced accuracy {:.4f}, <abbr title=\"squared error of the probabilities\">Brier score</abbr> "
      "{:.4f}, <abbr title=\"mean of -ln of the true class's probability\">log loss</abbr> {:.4f}.</p>",
      name, accuracy(tree, data), balanced_accuracy(tree, data), probabilities.brier, probabilities.log_loss);
}

std::string confusions(const std::string& name, const Tree& tree, const Dataset& data) {
  const Cells cells = confusion_matrix(tree, data);
  if (cells.size() <= kManyClasses) return matrix(name, tree, cells);
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t k = 0; k < cells.size(); ++k) {
    for (std::size_t j = 0; j < cells.size(); ++j) {
      if (j != k && cells[k][j] > 0) pairs.emplace_back(k, j);
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [&](const auto& a, const auto& b) { return cells[a.first][a.second] > cells[b.first][b.second]; });
  std::string out = fmt::format(
      "<div><p class=\"soft\">{}: the most frequent of {} confusions</p><table class=\"list\"><tr><th>actual</th><th>predicted</th><th "
      "class=\"n\">rows</th></tr>",
      name, pairs.size());
  for (std::size_t i = 0; i < std::min(pairs.size(), kListed); ++i) {
    const auto [actual, predicted] = pairs[i];
    out += fmt::format("<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td></tr>", explain::escaped(tree.class_names[actual]),
                       explain::escaped(tree.class_names[predicted]), explain::plain(cells[actual][predicted]));
  }
  return out + "</table><details><summary>All classes</summary>" + matrix(name, tree, cells) + "</details></div>";
}

}  // namespace treewright::report
