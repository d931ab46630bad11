#include "treewright/report/candidates.h"

#include <fmt/format.h>

#include "treewright/explain/markup.h"

namespace treewright::report {

namespace {

constexpr std::size_t kListedCandidates = 12;

std::string head(std::string_view measure) {
  return fmt::format(
      "<table class=\"list stacks\"><tr><th>candidate</th><th class=\"n\">{}</th><th class=\"n\">behind the first</th><th "
      "class=\"n\">splits</th><th class=\"n\">terms</th><th class=\"n\">folds</th><th class=\"n\">seconds</th><th>outcome</th></tr>",
      measure);
}

std::string row_of(const CandidateScore& score) {
  std::string name = score.method;
  for (const auto& [option, value] : score.options) name += fmt::format(", {} {}", option, value);
  const std::optional<double> number = score.cost ? score.cost : score.score;
  const std::string gain = number ? fmt::format("{:.4g}</td><td class=\"n\">{:.4g} ± {:.4g}", *number, score.behind, score.standard_error)
                                  : fmt::format("{:.2f} %</td><td class=\"n\">{:.2f} ± {:.2f}", 100 * score.accuracy, 100 * score.behind,
                                                100 * score.standard_error);
  const std::string scored = score.parts == 0 ? "<td></td><td></td><td></td><td></td>"
                                              : fmt::format("<td class=\"n\">{}</td><td class=\"n\">{:.1f}</td><td class=\"n\">{:.1f}</td>",
                                                            gain, score.splits, score.features);
  return fmt::format("<tr{}><td>{}</td>{}<td class=\"n\">{}</td><td class=\"n\">{:.2f}</td><td>{}</td></tr>",
                     score.reason == "chosen" ? " class=\"here\"" : "", explain::escaped(name), scored, score.parts, score.seconds,
                     explain::escaped(score.reason));
}

}  // namespace

std::string candidates(const Result& result) {
  if (result.candidates.empty()) return "";
  const CandidateScore& first = result.candidates.front();
  const std::string_view measure = first.cost ? "mean cost" : first.score ? "score" : "accuracy";
  const char* const named = first.cost ? "Mean cost" : first.score ? "Score (large is good)" : "Accuracy";
  const char* const much = first.cost || first.score ? "much" : "many points";
  std::string out = fmt::format(
      "<p>{}</p><p class=\"soft\">{}: on the validation folds that a candidate was tried on. Behind the first: by how {} it is worse on "
      "the same folds, ± the standard error; half of it is its own, half the mean of its neighbors (settings one step away), so one with a "
      "better {} can be behind. Terms: columns in all splits of a tree together; like splits a mean over the folds. The first of many owes "
      "a little to chance: expect a little less on new rows.</p>{}",
      explain::escaped(result.selection.substr(0, result.selection.find('\n'))), named, much, measure, head(measure));
  for (std::size_t i = 0; i < result.candidates.size(); ++i) {
    if (i == kListedCandidates)
      out += fmt::format("</table><details><summary>{} more candidates</summary>{}", result.candidates.size() - i, head(measure));
    out += row_of(result.candidates[i]);
  }
  return out + (result.candidates.size() > kListedCandidates ? "</table></details>" : "</table>");
}

}  // namespace treewright::report
