#include "treewright/report/certificate.h"

#include <fmt/format.h>

#include <algorithm>

#include "treewright/base/bound_text.h"
#include "treewright/data/fingerprint.h"
#include "treewright/data/wide_category.h"
#include "treewright/explain/claims.h"
#include "treewright/explain/markup.h"
#include "treewright/fit/check_origin.h"
#include "treewright/options.h"
#include "treewright/result.h"
#include "treewright/task/cost_objective.h"

namespace treewright::report {

namespace {

constexpr std::size_t kClaimsListed = 6;  // of claims that do not hold

std::string recount(const ReportParts& parts, const std::vector<std::string>& broken) {
  if (parts.train == nullptr) return "none: the page was made without the training rows";
  if (broken.empty()) {
    const char* bound = "";
    if (parts.verification.empty() && explain::bounded(*parts.result))
      bound = parts.believed           ? "; that no tree is better was not"
              : parts.result->verified ? "; a proof that no tree is better was checked after the training"
                                       : "; what is proved was proved by the search, and nobody has checked it";
    return fmt::format("<span class=\"proved\">✓</span> the tree's figures were recounted on the {} rows for this report{}",
                       parts.train->rows(), bound);
  }
  std::string text = "<b class=\"fails\">these claims do not hold on the rows:</b>";
  for (std::size_t i = 0; i < std::min(broken.size(), kClaimsListed); ++i) text += "<br>" + explain::escaped(broken[i]);
  if (broken.size() > kClaimsListed) text += fmt::format("<br>and {} more", broken.size() - kClaimsListed);
  return text;
}

// Which rows these are, so that a reader can tell whether he has the same.
std::string data_of(const ReportParts& parts) {
  std::string out =
      fmt::format("{} rows, {} column{}", parts.train->rows(), parts.train->features(), parts.train->features() == 1 ? "" : "s");
  if (parts.data_name != ReportParts().data_name) out = explain::escaped(parts.data_name) + ": " + out;
  out += fmt::format(", hash of the rows {}", fingerprint(*parts.train));
  if (!parts.data_checksum.empty()) out += "<br>SHA-256 of the file <code>" + explain::escaped(parts.data_checksum) + "</code>";
  return out;
}

}  // namespace

std::string costs_text(const Result& result) {
  const std::vector<std::string>& names = result.tree.class_names;
  const std::vector<double> costs = costs_of(*result.objective_function);
  constexpr std::size_t kMostClasses = 6;
  if (costs.empty()) return fmt::format("by row, in the columns {}", fmt::join(names, ", "));
  if (names.size() > kMostClasses) return fmt::format("a matrix of {0} times {0}, in the tree file", names.size());
  std::string out;
  for (std::size_t i = 0; i < costs.size(); ++i) {
    const std::size_t truth = i / names.size(), label = i % names.size();
    if (costs[i] == 0) continue;
    out += fmt::format("{}{} called {}:\u00a0{}", out.empty() ? "" : ", ", names[truth], names[label], explain::plain(costs[i]));
  }
  return out.empty() ? "0" : out;
}

namespace {

// "errors / 140 + 0.027 × splits": a term is a split by one column, or a column in a sum.
std::string formula_of(const Result& result) {
  constexpr std::string_view kTerms = "× terms";
  std::string formula = result.objective_function->formula();
  const std::size_t at = formula.find(kTerms);
  if (at != std::string::npos)
    formula.replace(at, kTerms.size(), result.tree.terms() == result.tree.splits() ? "× splits" : "× columns in all splits");
  return formula;
}

// Whether some category has more levels than are split by every set of them.
bool is_sorted_once(const Tree& tree) {
  return std::ranges::any_of(tree.features, [](const Feature& feature) {
    return feature.notation != Notation::ordered && feature.levels.size() > kMaxSubsetLevels;
  });
}

}  // namespace

std::string row_of(const std::string& name, const std::string& value) {
  return fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>", name, value);
}

std::vector<std::string> broken_claims(const ReportParts& parts) {
  if (parts.train == nullptr) return {};
  std::vector<std::string> broken = check_all_claims(*parts.result, *parts.train);
  broken.insert(broken.end(), parts.unlike.begin(), parts.unlike.end());
  return broken;
}

std::string verdict(const ReportParts& parts, const std::vector<std::string>& broken) {
  if (!broken.empty()) return "<b class=\"fails\">The claims of this tree do not hold on the rows.</b> See the certificate.";
  const Result& result = *parts.result;
  const Tree& tree = result.tree;
  const std::string kind = fmt::format("depth {}, {} split{}", tree.depth(), tree.splits(), tree.splits() == 1 ? "" : "s");
  std::string said = explain::escaped(explain::headline(result));
  // The names of shares are no words of every day.
  const auto told = [&tree](const std::string& sentence) {
    if (!tree.loss) return sentence;
    if (tree.loss == Loss::squared)
      return sentence +
             " R2, the share of the squared differences from the mean that is explained, is 0 for the mean alone and 1 for an exact fit.";
    return sentence + " Deviance is how far events are from those predicted: one rate for all rows explains 0 % of it, an exact fit 100 %.";
  };
  // Beside a figure of test rows the reader must see of which rows this is true.
  const std::string these = fmt::format(" on these {} rows", result.rows);
  if (const std::size_t at = said.find(these); at != std::string::npos)
    said.replace(at, these.size(), fmt::format(" on the {} training rows", result.rows));
  if (result.status == Status::optimal && parts.believed)
    return told(fmt::format("<b>Optimal as the tree file says, not checked here.</b> {} ({}).", said, kind));
  const bool is_checked = result.verified || !parts.verification.empty();
  if (result.status == Status::optimal && is_sorted_once(tree)) {
    return told(
        fmt::format("<b>Optimal among trees that sort the many categories once for all nodes.</b> {} ({}). A tree that sorts them anew at "
                    "a node, as a greedy one does, may be better.",
                    said, kind));
  }
  if (result.status == Status::optimal && !is_checked)
    return told(fmt::format("<b>Optimal by the search; no proof of it was checked.</b> {} ({}).", said, kind));
  if (result.status == Status::optimal) return told(fmt::format("<b class=\"proved\">Proven optimal.</b> {} ({}).", said, kind));
  // The sentence speaks of errors alone, and no tree makes fewer than none.
  if (result.status == Status::heuristic && result.errors == 0 && !result.cost && !result.loss)
    return fmt::format("<b>Nothing to prove.</b> {} ({}).", said, kind);
  if (result.status == Status::heuristic) return told(fmt::format("<b>Not proven.</b> {} ({}).", said, kind));
  const char* by = result.status == Status::time_limit   ? "the time limit"
                   : result.status == Status::node_limit ? "the limit on work"
                                                         : "hand";
  return told(fmt::format("<b>Stopped by {}.</b> {} ({}).", by, said, kind));
}

std::string certificate(const ReportParts& parts, const std::vector<std::string>& broken) {
  const Result& result = *parts.result;
  const std::string status =
      result.status == Status::optimal && parts.believed ? "optimal as the tree file says, not checked here" : explain::status(result);
  std::string out = row_of("status", broken.empty() ? status : "claims that do not hold");
  // Errors and costs alone are told as such, and an optimum of them is its own bound.
  const bool counts = explain::counts_alone(*result.objective_function), closed = counts && result.status == Status::optimal;
  const double unit = counts ? result.objective_function->error_scale() : 1;
  out += row_of(counts ? explain::loss_name(result) : "objective", explain::plain(result.objective * unit));
  if (!counts) out += row_of("its formula", explain::escaped(formula_of(result)));
  if (explain::bounded(result) && !closed) {
    const std::optional<double> saved = explain::errors_to_save(result);
    out += row_of("bound", saved ? explain::plain(result.errors - *saved) : bound_text(result.bound * unit, 6)) +
           row_of("gap", explain::gap_text(result));
  }
  if (result.cost && !counts) out += row_of("cost", explain::plain(*result.cost));
  if (result.cost) out += row_of("what a label costs", explain::escaped(costs_text(result)));
  out += row_of("proof", explain::escaped(explain::proof(result)));
  out += row_of("method", explain::escaped(result.method));
  std::string options;
  for (const auto& [name, value] : result.options) options += (options.empty() ? "" : ", ") + name + " = " + value;
  out += row_of("options", options.empty() ? "all at their defaults" : explain::escaped(options));
  out += row_of("run", fmt::format("{:.3g} seconds, {} thread{}, seed {}", result.seconds, result.threads, result.threads == 1 ? "" : "s",
                                   result.seed));
  if (parts.train != nullptr) out += row_of("data", data_of(parts));
  if (!parts.changed.empty()) out += row_of("read", explain::escaped(fmt::format("{}", fmt::join(parts.changed, "; "))));
  out += row_of("recount", recount(parts, broken));
  if (!parts.verification.empty()) out += row_of("verified", "<span class=\"proved\">✓</span> " + explain::escaped(parts.verification));
  if (!parts.author.empty()) out += row_of("author", explain::escaped(parts.author));
  if (!parts.date.empty()) out += row_of("date of this page", explain::escaped(parts.date));
  // A line ends before an option, not in it.
  std::string command = "<span>" + explain::escaped(reproduce_command(result, parts.data_name)) + "</span>";
  const std::string before = " --", between = "</span> <span>--";
  for (std::size_t at = command.find(before); at != std::string::npos; at = command.find(before, at + between.size()))
    command.replace(at, before.size(), between);
  return "<table class=\"facts\">" + out + "</table><p class=\"soft\">To train it again:</p><pre id=\"command\">" + command + "</pre>";
}

}  // namespace treewright::report
