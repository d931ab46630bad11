#include "treewright/report/confusions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "treewright/explain/markup.h"
#include "treewright/probabilities.h"
#include "treewright/report/charts.h"
#include "treewright/tree/measures.h"

namespace treewright::report {

namespace {

using Cells = std::vector<std::vector<double>>;

constexpr std::size_t kListedPairs = 15;

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

// "0.9038 (47 of 52; 0.79 to 0.96)".
std::string with_interval(const Share& share) {
  if (!(share.whole > 0)) return "–";
  const Interval interval = share.interval();
  return fmt::format("{:.4f} <span class=\"soft\">({}&nbsp;of&nbsp;{}; {:.2f}&nbsp;to&nbsp;{:.2f})</span>", share.value(), share.part_rows,
                     share.whole_rows, interval.low, interval.high);
}

std::string of_classes(const Tree& tree, const std::vector<ClassMeasures>& classes) {
  const std::string head =
      "<table class=\"list stacks measures\"><tr><th>class</th><th>sensitivity (recall)</th><th>specificity</th><th>PPV "
      "(precision)</th><th "
      "class=\"n\">F1</th><th class=\"n\">lift</th></tr>";
  std::string out = head;
  for (std::size_t k = 0; k < classes.size(); ++k) {
    if (k == kManyClasses && k + 1 < classes.size())
      out += fmt::format("</table><details><summary>{} more classes</summary>{}", classes.size() - k, head);
    const ClassMeasures& one = classes[k];
    const auto number = [](double value, int digits) { return std::isnan(value) ? "–" : fmt::format("{:.{}f}", value, digits); };
    out += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
                       explain::escaped(tree.class_names[k]), with_interval(one.sensitivity), with_interval(one.specificity),
                       with_interval(one.ppv), number(one.f1(), 4), number(one.lift(), 2));
  }
  out += classes.size() > kManyClasses + 1 ? "</table></details>" : "</table>";
  return out;
}

}  // namespace

std::string scores_note() {
  return "<p class=\"soft\">In parentheses: numbers of rows, and the interval of 95 % confidence (Wilson). AUC: area under the ROC curve. "
         "Brier score: squared error of the probabilities. Log loss: mean of -ln of the true class's probability. Lift: PPV by the share "
         "of "
         "the class among the rows.</p>";
}

std::string scores(const std::string& name, const Tree& tree, const Dataset& data) {
  const std::vector<double> shares = tree.predict_proba(data);
  const ProbabilityScores probabilities = score_probabilities(shares, data);
  const std::vector<std::int32_t> predicted = tree.predict(data);
  const std::vector<ClassMeasures> classes = class_measures(predicted, data);
  const double area = auc(shares, data);
  const std::string sentence = fmt::format(
      "<p>On the {}: accuracy {}, balanced accuracy {:.4f}, AUC {}, mean F1 {:.4f}, "
      "Brier score "
      "{:.4f}, log loss {:.4f}.{}</p>",
      name, with_interval(right_rows(predicted, data)), balanced_accuracy(tree, data), std::isnan(area) ? "–" : fmt::format("{:.4f}", area),
      mean_f1(classes), probabilities.brier, probabilities.log_loss,
      data.weights.empty() ? "" : " Shares and the matrix are those of the weight, numbers in parentheses those of rows.");
  return sentence + of_classes(tree, classes);
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
  for (std::size_t i = 0; i < std::min(pairs.size(), kListedPairs); ++i) {
    const auto [actual, predicted] = pairs[i];
    out += fmt::format("<tr><td>{}</td><td>{}</td><td class=\"n\">{}</td></tr>", explain::escaped(tree.class_names[actual]),
                       explain::escaped(tree.class_names[predicted]), explain::plain(cells[actual][predicted]));
  }
  return out + "</table><details><summary>All classes</summary>" + matrix(name, tree, cells) + "</details></div>";
}

std::string reliability(const std::string& name, const Tree& tree, const Dataset& data) {
  if (tree.splits() == 0) return "";
  const std::vector<ReliabilityBin> bins = reliability_bins(tree.predict_proba(data), data);
  if (bins.empty()) return "";
  const std::string event =
      tree.class_names.size() == 2
          ? fmt::format("the class “{}”", explain::escaped(explain::shortened(explain::clean(tree.class_names[1]), 24)))
          : "the most probable class";
  return fmt::format(
      "<div><p class=\"soft\">{}: how often {} came true, by its probability; on the line both are equal. Bars: intervals of "
      "95 % confidence.</p>{}</div>",
      name, event, reliability_chart(bins));
}

}  // namespace treewright::report
