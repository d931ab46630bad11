// The report: one HTML file that shows a tree to a person.
//
// Everything is written here, as text and inline SVG, and can be read with scripts off: the drawing, an outline with one card for each node
// (its question, its rows, the histogram of the split, the errors that it saves), the certificate, charts and tables. report.js only adds
// interaction: folding, zoom, keys, a row that the reader enters. It takes the tree from the tree file itself, which the report carries,
// and so routes rows by the same numbers as the library.
//
// No byte is fetched from anywhere, and a content policy in the head forbids it. Names come from other people's files: each passes
// through escaped() on its way into the page, and inside_script() on its way into a script element.

#include "treewright/report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "treewright/base/version.h"
#include "treewright/error.h"
#include "treewright/explain.h"
#include "treewright/explain/claims.h"
#include "treewright/explain/markup.h"
#include "treewright/explain/prediction.h"
#include "treewright/explain/rules.h"
#include "treewright/explain/text.h"
#include "treewright/export/svg.h"
#include "treewright/export/verify_export.h"
#include "treewright/probabilities.h"
#include "treewright/report/beside_panel.h"
#include "treewright/report/candidates.h"
#include "treewright/report/cautions.h"
#include "treewright/report/certificate.h"
#include "treewright/report/charts.h"
#include "treewright/report/confusions.h"
#include "treewright/report/figure.h"
#include "treewright/report/near_panel.h"
#include "treewright/report/numbers.h"
#include "treewright/report/page_data.h"
#include "treewright/report/path_panel.h"
#include "treewright/report/policy.h"
#include "treewright/report/trade_off_panel.h"
#include "treewright/report/worth_panel.h"
#include "treewright/result.h"
#include "treewright/tree.h"
#include "treewright/tree/aligned.h"
#include "treewright/tree/measures.h"
#include "treewright/tree/routing.h"

namespace treewright {

namespace assets {
extern const char* const report_css;
extern const char* const report_js;
}  // namespace assets

namespace {

using Weights = std::vector<std::vector<double>>;

using report::kManyClasses;
constexpr std::size_t kManyTerms = 8;   // of a hyperplane: the others are under a fold
constexpr std::size_t kManyRules = 16;  // likewise, those of most rows first
constexpr int kDeepOutline = 3;         // levels of the outline
constexpr std::size_t kLongText = 240;  // characters that stand without a fold

double sum(const std::vector<double>& weights) {
  double total = 0;
  for (const double w : weights) total += w;
  return total;
}

// Of each leaf's rows, those of its label. Shape (nodes).
std::vector<Share> shares_of_labels(const Tree& tree, const Dataset& data) {
  std::vector<Share> shares(tree.nodes().size());
  const std::vector<RowNumbers> rows = rows_of_nodes(tree, data);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Node& node = tree.nodes()[i];
    if (!node.is_leaf()) continue;
    for (const std::int32_t row : rows[i]) shares[i].add(data.weight(row), data.labels[row] == node.label);
  }
  return shares;
}

double wrong(const std::vector<double>& weights, std::int32_t label) {
  return weights.empty() ? 0 : sum(weights) - weights[label];
}

std::string section(const std::string& id, const std::string& title, const std::string& content) {
  return content.empty() ? "" : fmt::format("<section class=\"card\" id=\"{}\"><h2>{}</h2>\n{}</section>\n", id, title, content);
}

// Typographic comparators.
std::string signs(std::string markup) {
  for (const auto& [plain, fine] : {std::pair{" &gt;= ", " ≥ "}, std::pair{" &lt;= ", " ≤ "}}) {
    for (std::size_t at = markup.find(plain); at != std::string::npos; at = markup.find(plain, at)) markup.replace(at, 7, fine);
  }
  return markup;
}

// A rule or a sum: of a long one its beginning, and all of it under a fold.
std::string folded(const std::string& text) {
  const std::string whole = signs(explain::escaped(text));
  if (explain::characters(text) <= kLongText) return "<div class=\"long\">" + whole + "</div>";
  return fmt::format("<details class=\"long\"><summary>{}</summary>{}</details>",
                     signs(explain::escaped(explain::shortened(text, kLongText / 2))), whole);
}

class Report {
 public:
  explicit Report(const ReportParts& parts)
      : parts_(parts),
        result_(*parts.result),
        tree_(parts.result->tree),
        digits_(parts.train != nullptr ? exports::digits_needed(tree_, *parts.train) : explain::kDigits),
        regions_(explain::regions(tree_)),
        planes_(explain::plane_names(tree_, exports::kLongestLabel)),
        saved_(drop_split_importance(tree_)),
        broken_(report::broken_claims(parts)) {
    if (tree_.loss) {
      numbers_.emplace(parts);
      return;
    }
    probabilities_ = node_probabilities(tree_, tree_.shrinkage);
    if (parts.train != nullptr) histograms_ = report::histograms(tree_, *parts.train);
    if (parts.train != nullptr) train_shares_ = shares_of_labels(tree_, *parts.train);
    contradicted_.resize(tree_.nodes().size());
    if (parts.test == nullptr) return;
    test_ = report::weights_at(tree_, *parts.test);
    test_shares_ = shares_of_labels(tree_, *parts.test);
    const auto tested = std::ranges::count_if(test_shares_, [](const Share& share) { return share.whole > 0; });
    for (std::size_t i = 0; i < contradicted_.size(); ++i) contradicted_[i] = is_contradicted(i, static_cast<std::size_t>(tested));
  }

  std::string page(bool notebook) const {
    const std::string title = headline();
    const std::string certificate = section("certificate", "Certificate", report::certificate(parts_, broken_));
    const auto cards = [](const std::string& all) { return all.empty() ? "" : "<div class=\"cards\">" + all + "</div>\n"; };
    std::string main = section("outline", "Every node", outline()) + picture() + section("planes", "Hyperplanes", formulas());
    if (!notebook) {
      main += section("confusion",
                      numbers_                     ? "Predicted and seen"
                      : report::is_policy(result_) ? "What the labels cost"
                                                   : "Measures and confusion matrix",
                      confusion());
    }
    const std::string row = section("try", "One row", "<p class=\"noscript\">Trying rows needs scripts.</p>");
    if (notebook) {
      main += cards(row + certificate);
    } else {
      main += cards(row + section("importance", "What the columns do", report::importance_panel(parts_)) +
                    section("thresholds", "Other thresholds of the decision", decisions()) +
                    section("beside", "Compared with", report::beside_panel(parts_)) +
                    section("path", is_heuristic() ? "Other sizes" : "Every optimal size", report::path_panel(parts_)) +
                    section("worth", "Each column's worth", report::worth_panel(parts_))) +
              section("trade-off", "Two kinds of errors", report::trade_off_panel(parts_)) +
              section("near", "Other trees", report::near_panel(parts_)) + section("rules", "The tree as rules", leaf_rules()) +
              section("candidates", "How it was chosen", report::candidates(result_)) +
              section("paper", "The whole tree", "<pre>" + paper() + "</pre>") +
              cards(certificate + section("progress", is_heuristic() ? "Progress of the search" : "Progress of the proof", progress()));
    }
    return "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src "
           "'unsafe-inline'; img-src data:\">\n<title>" +
           title + "</title>\n<style>\n" + exports::palette_css() + assets::report_css + "</style></head>\n<body" +
           (notebook ? " class=\"notebook\"" : "") + ">\n<header><div><h1>" + title + "</h1><p class=\"verdict\">" +
           report::verdict(parts_, broken_) + "</p></div>" + figures() + "</header>\n<main>\n" + main + "</main>\n<footer>" + made() +
           "treewright " + version() + " · this file is self-contained and uses no network</footer>\n" +
           report::page_data(parts_, contradicted_leaves()) + "<script>\n" + assets::report_js + "</script>\n</body></html>\n";
  }

 private:
  // Who made the page, and when.
  std::string made() const {
    std::string out;
    for (const std::string& part : {parts_.author, parts_.date}) out += part.empty() ? "" : explain::escaped(part) + " · ";
    return out;
  }

  // "breast-cancer: class", as escaped text.
  std::string headline() const {
    if (!parts_.title.empty()) return explain::escaped(parts_.title);
    const std::string target = report::is_policy(result_) ? "policy" : numbers_ ? numbers_->target() : tree_.target_name;
    if (parts_.data_name == ReportParts().data_name) return explain::escaped("Predicting " + target);
    return explain::escaped(fmt::format("{}: {}", parts_.data_name.substr(0, parts_.data_name.find('.', 1)), target));
  }

  // The headline figures.
  std::string figures() const {
    if (numbers_) return numbers_->figures();
    if (report::is_policy(result_)) return report::policy_figures(parts_);
    std::string out;
    if (parts_.test != nullptr) {
      const Interval interval = right_rows(tree_.predict(*parts_.test), *parts_.test).interval();
      out =
          report::figure(explain::percent(accuracy(tree_, *parts_.test)),
                         fmt::format("accuracy on test rows ({:.0f}&nbsp;to&nbsp;{:.0f}&nbsp;%)", 100 * interval.low, 100 * interval.high));
    }
    const auto chosen = std::ranges::find(result_.candidates, "chosen", &CandidateScore::reason);
    if (out.empty() && chosen != result_.candidates.end() && chosen->accuracy > 0)
      out = report::figure(explain::percent(chosen->accuracy), "accuracy in cross-validation");
    out += report::figure(explain::percent(result_.accuracy()),
                          result_.weighted() ? "accuracy by weight on the training rows" : "accuracy on the training rows") +
           (result_.cost ? tested_cost() + report::figure(explain::plain(*result_.cost), "cost on the training rows") : "") +
           report::figure(explain::plain(result_.errors),
                          fmt::format("error{} in {} {}", result_.errors == 1 ? "" : "s", explain::plain(result_.total_weight),
                                      result_.weighted() ? "of weight" : "rows"));
    return "<div class=\"figures\">" + out + "</div>";
  }

  std::string tested_cost() const {
    if (parts_.test == nullptr) return "";
    return report::figure(explain::plain(report::cost_on(result_, *parts_.test)(tree_.predict(*parts_.test))), "cost on test rows");
  }

  std::string legend() const {
    if (numbers_) return numbers_->legend();
    std::string out;
    for (std::size_t k = 0; k < tree_.class_names.size(); ++k) {
      // The others under a fold.
      if (k == kManyClasses && k + 1 < tree_.class_names.size())
        out += fmt::format("<details><summary>{} more</summary>", tree_.class_names.size() - k);
      out += fmt::format("<span><svg viewBox=\"0 0 10 10\"><rect class=\"{}\" width=\"10\" height=\"10\" rx=\"3\"/></svg>{}</span>",
                         exports::color_class(k), explain::escaped(tree_.class_names[k]));
    }
    if (tree_.class_names.size() > kManyClasses + 1) out += "</details>";
    const char* const bars =
        report::is_policy(result_) ? "<span class=\"soft\">bars: for how many rows each label is the cheapest</span>" : "";
    const std::string costs = result_.cost && !report::is_policy(result_)
                                  ? fmt::format("<span class=\"soft\">costs: {}; a box names the class that costs least</span>",
                                                explain::escaped(report::costs_text(result_)))
                                  : "";
    return "<div class=\"legend\">" + out + bars + costs + "</div>";
  }

  std::string picture() const {
    // Wider than this, the letters of the drawing are too small on paper, where the list of all nodes stands for it.
    constexpr double kWidestOnPaper = 1500;
    const bool large = exports::drawing_width(tree_) > kWidestOnPaper;
    // Deeper drawings have no room for them.
    constexpr int kDeepestWithHistograms = 4;
    std::vector<std::string> seen(histograms_.empty() || tree_.depth() > kDeepestWithHistograms ? 0 : histograms_.size());
    for (std::size_t i = 0; i < seen.size(); ++i) {
      if (histograms_[i]) seen[i] = report::small_histogram(*histograms_[i], *tree_.nodes()[i].split, tree_);
    }
    if (numbers_ && tree_.depth() <= kDeepestWithHistograms) seen = numbers_->pictures();
    return std::string("<section class=\"card") + (large ? " large" : "") + "\" id=\"picture\"><div class=\"bar\">" + legend() +
           "<div id=\"tools\"></div></div>\n<div class=\"split\"><div class=\"canvas\">" + exports::tree_drawing(tree_, "", digits_, seen) +
           "</div><aside id=\"inspector\"></aside></div></section>\n";
  }

  // Whether test rows contradict the probability of one of so many leaves with test rows; one of weighted classes is no share of rows.
  bool is_contradicted(std::size_t leaf, std::size_t leaves) const {
    constexpr double kSmall = 0.1;
    if (!has_probabilities() || result_.option("class_weight") != nullptr) return false;
    const Share& seen = test_shares_[leaf];
    if (!(seen.whole > 0)) return false;
    const double probability = *probability_of_label(leaf);
    if (std::abs(seen.value() - probability) < kSmall) return false;
    return report::is_clear(report::chance_of_share(seen.value(), seen.trials(), probability), leaves);
  }

  std::vector<std::int32_t> contradicted_leaves() const {
    std::vector<std::int32_t> leaves;
    for (std::size_t i = 0; i < tree_.nodes().size(); ++i) {
      const auto id = static_cast<std::int32_t>(i);
      if (numbers_ ? numbers_->contradicts(NodeId{id}) : contradicted_[i]) leaves.push_back(id);
    }
    return leaves;
  }

  // What may mislead in a leaf.
  std::string cautions(NodeId id) const {
    const Node& leaf = tree_.node(id);
    if (numbers_) return numbers_->cautions(id);
    if (report::is_policy(result_)) return report::few_rows(leaf.rows, "", "");
    const auto i = static_cast<std::size_t>(+id);
    const std::string name = "“" + explain::escaped(tree_.class_names[leaf.label]) + "”";
    const double total = sum(leaf.class_weight);
    const Interval range = !train_shares_.empty() ? train_shares_[i].interval()
                           : total > 0            ? wilson(1 - wrong(leaf.class_weight, leaf.label) / total, static_cast<double>(leaf.rows))
                                                  : Interval{};
    const std::string out = report::few_rows(leaf.rows, "the share of " + name,
                                             leaf.rows == 0 ? "" : explain::percent(range.low) + " to " + explain::percent(range.high));
    if (!contradicted_[i]) return out;
    const Share& seen = test_shares_[i];
    return report::contradiction(
               "probability", fmt::format("{} of {} ({}) are {}", seen.part_rows, seen.whole_rows, explain::percent(seen.value()), name)) +
           out;
  }

  // One line of counts: total, then a bar with the classes.
  std::string counts(const std::string& name, const std::vector<double>& weights, std::int32_t label) const {
    const double total = sum(weights);
    constexpr std::ptrdiff_t kNamed = 6;  // classes at most
    std::string names;
    const bool few = std::ranges::count_if(weights, [](double w) { return w > 0; }) <= kNamed;
    for (std::size_t k = 0; k < weights.size() && few; ++k) {
      if (weights[k] > 0)
        names +=
            fmt::format("{}{}:&nbsp;{}", names.empty() ? "" : ", ", explain::escaped(tree_.class_names[k]), explain::plain(weights[k]));
    }
    return fmt::format(
        "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td><td><svg class=\"share\" viewBox=\"0 0 160 12\" "
        "preserveAspectRatio=\"none\" aria-hidden=\"true\">{}</svg><span class=\"soft\">{}</span></td><td class=\"n\">{}</td></tr>",
        name, explain::plain(total), exports::class_bar(weights, 0, 0, 160, 12), names,
        total > 0 ? explain::percent(1 - wrong(weights, label) / total) : "–");
  }

  // The rule of a leaf.
  std::string rule(NodeId id) const { return folded(explain::in_words(regions_[+id], tree_, planes_, digits_)); }

  std::string card(NodeId id) const {
    const Node& node = tree_.node(id);
    if (numbers_) return numbers_->card(id) + (node.is_leaf() ? cautions(id) + rule(id) : asked(id) + numbers_->saving(id));
    std::string out =
        fmt::format("<table class=\"counts\"><tr><th></th><th>{}</th><th>{}</th><th>{} {}</th></tr>",
                    result_.weighted() ? "weight" : "rows", report::is_policy(result_) ? "cheapest label" : "classes",
                    report::is_policy(result_) ? "cheapest for" : "share of", explain::escaped(tree_.class_names[node.label])) +
        counts("train", node.class_weight, node.label);
    if (!test_.empty()) out += counts("test", test_[+id], node.label);
    out += "</table>";
    if (!node.label_cost.empty()) out += report::label_costs(tree_, node);
    if (node.is_leaf()) {
      return out + "<p class=\"chance\">" +
             explain::escaped(explain::leaf_words(tree_, node, probability_of_label(static_cast<std::size_t>(+id)))) + ".</p>" +
             cautions(id) + rule(id);
    }
    if (!histograms_.empty() && histograms_[+id]) {
      const report::Histogram& histogram = *histograms_[+id];
      out += report::histogram_chart(histogram, *node.split, tree_);
      constexpr double kSeen = 0.02;  // of the width
      if (histogram.last_left && histogram.first_right &&
          *histogram.first_right - *histogram.last_left > kSeen * (histogram.high - histogram.low))
        out += "<p class=\"soft\">Shaded: no training row lies there.</p>";
      if (histogram.plane) out += report::plane_chart(*histogram.plane, *node.split, tree_);
    }
    return out + asked(id) + saving(id);
  }

  // What a split asks, beside its picture.
  std::string asked(NodeId id) const {
    const Node& node = tree_.node(id);
    std::string out = node.plane() != nullptr ? coefficients(*node.plane()) : "";
    if (may_lack_values(*node.split))
      out += fmt::format("<p class=\"soft\">Rows with a missing value go to “{}”.</p>", node.split->missing_left ? "yes" : "no");
    return out;
  }

  // Of a leaf; nothing where it differs within.
  std::optional<double> probability_of_label(std::size_t node) const {
    if (tree_.probability_model) return std::nullopt;
    return probabilities_[node * tree_.class_names.size() + static_cast<std::size_t>(tree_.nodes()[node].label)];
  }

  // Whether training rows lacked a value that the split asks for.
  bool may_lack_values(const Split& split) const {
    const auto lacked = [&](const auto& by_feature) { return tree_.features[+by_feature.feature].has_missing; };
    return match(
        split.rule, [&](const AxisSplit& axis) { return lacked(axis); },
        [&](const HyperplaneSplit& plane) { return std::any_of(plane.terms.begin(), plane.terms.end(), lacked); },
        [&](const CategorySplit& set) { return lacked(set); });
  }

  std::string coefficients(const HyperplaneSplit& plane) const {
    // Weights of features with other units cannot be compared: the bars show how far one standard deviation moves the sum.
    const auto reach = [&](const HyperplaneSplit::Term& term) {
      const bool scaled = parts_.train != nullptr && term.level < 0;
      return std::abs(term.weight) * (scaled ? column_scale(parts_.train->columns[+term.feature]) : 1);
    };
    auto terms = plane.terms;
    std::stable_sort(terms.begin(), terms.end(), [&](const auto& a, const auto& b) { return reach(a) > reach(b); });
    const double most = terms.empty() ? 1 : reach(terms[0]);
    const bool many = terms.size() > kManyTerms + 1;
    std::string out;
    for (std::size_t i = 0; i < terms.size(); ++i) {
      const auto& term = terms[i];
      if (i == kManyTerms && many) {
        out += fmt::format("</table><details><summary>{} more features</summary><table class=\"weights\">", terms.size() - i);
      }
      const double wide = 50 * reach(term) / most;
      out += fmt::format(
          "<tr><th scope=\"row\">{}</th><td class=\"n\">{:.4g}</td><td><svg class=\"share\" viewBox=\"0 0 100 8\"><rect class=\"weight{}\" "
          "x=\"{:.1f}\" "
          "width=\"{:.1f}\" height=\"8\"/></svg></td></tr>",
          explain::escaped(explain::term_name(term, tree_)), term.weight, term.weight < 0 ? " minus" : "", term.weight < 0 ? 50 - wide : 50,
          wide);
    }
    const std::string note = fmt::format("<p class=\"soft\">Numbers: weights. Bars: {}; to the right: larger values lead to “no”.</p>",
                                         parts_.train == nullptr ? "weights" : "weight times standard deviation");
    return "<table class=\"weights\">" + out + "</table>" + (many ? "</details>" : "") + note;
  }

  // What the tree would lose if the node were a leaf.
  std::string saving(NodeId id) const {
    Tree without_it = tree_;
    without_it.collapse(id);
    const std::size_t splits = tree_.splits() - without_it.splits();
    const Objective& function = *result_.objective_function;
    const std::string begin = fmt::format("<p class=\"saves\">Without this split{} ", splits > 1 ? " and those below it" : "");
    std::optional<double> without = function.of_counts(result_.errors + saved_[+id], without_it.terms());
    if (!without && parts_.train != nullptr) without = function.of(without_it, *parts_.train);
    const bool policy = report::is_policy(result_), counts = explain::counts_alone(function);
    if (policy && !without) return "";
    if (result_.cost && counts && without)
      return begin + fmt::format("the labels would cost <b>{}</b> more.</p>",
                                 explain::plain((*without - result_.objective) * function.error_scale()));
    std::string said;
    // A split that saves costs may add errors.
    const double more = std::abs(saved_[+id]);
    if (!policy)
      said = fmt::format("the tree would make <b>{}</b> {} error{}", explain::plain(more), saved_[+id] < 0 ? "fewer" : "more",
                         more == 1 ? "" : "s");
    // Of errors and a price of splits alone the sum is told in errors.
    const bool sum = !result_.cost && function.of_counts(0, 0).has_value();
    const double unit = sum ? function.error_scale() : 1;
    if (without && !(counts && !result_.cost))
      said += fmt::format("{}{} would be <b>{}</b> instead of {}", said.empty() ? "" : "; ",
                          sum ? "errors and the price of splits together" : "the objective", explain::plain(*without * unit),
                          explain::plain(result_.objective * unit));
    return begin + said + ".</p>";
  }

  // Splits and leaves below a node.
  std::size_t below(NodeId id) const {
    const Node& node = tree_.node(id);
    return node.is_leaf() ? 0 : 2 + below(node.left) + below(node.right);
  }

  std::string predicted(const Node& leaf) const {
    return numbers_ ? explain::prediction(tree_, leaf) : tree_.class_names[static_cast<std::size_t>(leaf.label)];
  }

  void outline_of(NodeId id, const std::string& how, int depth, std::string& out) const {
    const Node& node = tree_.node(id);
    const std::string what = node.is_leaf() ? fmt::format("<b>{}</b>", explain::escaped(predicted(node)))
                                            : explain::escaped(explain::short_question(*node.split, tree_, planes_, digits_));
    out += fmt::format(
        "<li><details id=\"d{}\"><summary>{}{} <span class=\"soft\">{} rows</span></summary><div class=\"body\">{}</div></details>", +id,
        how.empty() ? "" : "<span class=\"how\">" + how + "</span> ", what, node.rows, card(id));
    if (!node.is_leaf()) {
      const bool folded = depth + 1 == kDeepOutline && below(id) > 2;
      if (folded) out += fmt::format("<details class=\"deeper\"><summary class=\"soft\">{} nodes below</summary>", below(id));
      out += "<ul>";
      outline_of(node.left, "yes", depth + 1, out);
      outline_of(node.right, "no", depth + 1, out);
      out += folded ? "</ul></details>" : "</ul>";
    }
    out += "</li>\n";
  }

  // For paper, where nothing can be unfolded: every node as a line of text, at any depth.
  std::string paper() const {
    const std::string text = to_text(tree_, digits_);
    std::string out;
    for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
      end = std::min(text.find('\n', at), text.size());
      out += explain::escaped(text.substr(at, end - at)) + "\n";
    }
    return signs(out);
  }

  std::string outline() const {
    std::string out;
    outline_of(Tree::root(), "", 0, out);
    return "<ul class=\"outline\">" + out + "</ul>";
  }

  std::string progress() const {
    const std::string chart = report::progress_chart(result_);
    if (chart.empty()) return "";
    std::string letters;
    for (const IncumbentSource& source : kIncumbentSources) {
      if (std::ranges::find(result_.history, source.letter, &Progress::source) == result_.history.end()) continue;
      letters += fmt::format("{}{} {}", letters.empty() ? "" : ", ", source.letter, source.name);
    }
    const bool counts = explain::counts_alone(*result_.objective_function);
    return fmt::format("{}<p class=\"soft\">The best tree's {} over time{}. Letters: what found the tree ({}).</p>", chart,
                       counts ? explain::loss_name(result_) : "objective",
                       is_heuristic() ? "" : ", and the proved bound, below which no tree gets", letters);
  }

  // A heuristic's path has the best trees it found.
  bool is_heuristic() const { return result_.status == Status::heuristic; }

  // Test rows first, training rows beside them.
  std::string confusion() const {
    if (numbers_) return numbers_->measures();
    std::string out;
    for (const auto& [name, data] : {std::pair{"test rows", parts_.test}, std::pair{"training rows", parts_.train}}) {
      if (data == nullptr) continue;
      out +=
          "<div>" +
          (report::is_policy(result_) ? report::policy_table(name, tree_, *data)
                                      : report::scores(name, tree_, *data) + "<div class=\"pair\">" +
                                            report::confusions(name, tree_, *data) + report::reliability(name, tree_, *data) + "</div>") +
          "</div>";
    }
    return out.empty() ? "" : "<div class=\"sides\">" + out + "</div>" + (report::is_policy(result_) ? "" : report::scores_note());
  }

  std::string decisions() const {
    if (numbers_ || report::is_policy(result_)) return "";
    const Dataset* data = parts_.test != nullptr ? parts_.test : parts_.train;
    return data == nullptr
               ? ""
               : report::thresholds(data == parts_.test ? "test rows" : "training rows", tree_, *data, report::cost_on(result_, *data));
  }

  // A line of the table of rules.
  std::string number_rule(NodeId id) const {
    const std::vector<std::string> cells = numbers_->rule_cells(id);
    std::string out = fmt::format("<tr><td>{}{}</td><td>{}</td>", numbers_->key(id), explain::escaped(cells[0]), rule(id) + cautions(id));
    for (std::size_t i = 1; i < cells.size(); ++i) out += fmt::format("<td class=\"n\">{}</td>", explain::escaped(cells[i]));
    return out + "</tr>";
  }

  std::string number_rule_heads() const {
    const std::vector<std::string> heads = numbers_->rule_heads();
    std::string out = fmt::format("<table class=\"list stacks rules\"><tr><th>{}</th><th>if</th>", heads[0]);
    for (std::size_t i = 1; i < heads.size(); ++i) out += fmt::format("<th class=\"n\">{}</th>", heads[i]);
    return out + "</tr>";
  }

  // Whether its leaves have one each.
  bool has_probabilities() const { return !report::is_policy(result_) && !tree_.probability_model; }

  std::string rule_of(std::size_t i) const {
    const NodeId id{static_cast<std::int32_t>(i)};
    if (numbers_) return number_rule(id);
    const Node& node = tree_.nodes()[i];
    const auto right = [&](const std::vector<double>& w) { return sum(w) > 0 ? explain::percent(1 - wrong(w, node.label) / sum(w)) : "–"; };
    return fmt::format(
        "<tr><td><svg class=\"dot\" viewBox=\"0 0 10 10\"><rect class=\"{}\" width=\"10\" height=\"10\" "
        "rx=\"3\"/></svg>{}</td><td>{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td>{}{}</tr>",
        exports::color_class(node.label), explain::escaped(tree_.class_names[node.label]), rule(id) + cautions(id), node.rows,
        right(node.class_weight), test_.empty() ? "" : "<td class=\"n\">" + right(test_[i]) + "</td>",
        has_probabilities() ? "<td class=\"n\">" + explain::percent(*probability_of_label(i)) + "</td>" : "");
  }

  std::string leaf_rules() const {
    const auto& nodes = tree_.nodes();
    std::vector<std::size_t> leaves;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      if (nodes[i].is_leaf()) leaves.push_back(i);
    }
    const bool many = leaves.size() > kManyRules + 1;
    if (many) std::stable_sort(leaves.begin(), leaves.end(), [&](std::size_t a, std::size_t b) { return nodes[a].rows > nodes[b].rows; });
    const std::string head =
        numbers_
            ? number_rule_heads()
            : fmt::format(
                  "<table class=\"list stacks rules\"><tr><th>{}</th><th>if</th><th class=\"n\">rows</th><th class=\"n\">{}</th>{}{}</tr>",
                  report::is_policy(result_) ? "label" : "class", report::is_policy(result_) ? "cheapest for" : "accuracy",
                  test_.empty() ? "" : "<th class=\"n\">on test rows</th>", has_probabilities() ? "<th class=\"n\">probability</th>" : "");
    const bool contradicted = numbers_ ? numbers_->contradicted() : std::ranges::find(contradicted_, true) != contradicted_.end();
    std::string out =
        (contradicted ? report::contradictions_note() : "") + (many ? "<p class=\"soft\">Those of most rows first.</p>" : "") + head;
    for (std::size_t n = 0; n < leaves.size(); ++n) {
      if (many && n == kManyRules) out += fmt::format("</table><details><summary>{} more rules</summary>{}", leaves.size() - n, head);
      out += rule_of(leaves[n]);
    }
    return out + (many ? "</table></details>" : "</table>");
  }

  // What the names of hyperplanes stand for.
  std::string formulas() const {
    std::string out;
    std::set<std::string> told;
    for (const Node& node : tree_.nodes()) {
      if (node.is_leaf() || planes_.count(&*node.split) == 0) continue;
      if (!told.insert(planes_.at(&*node.split)).second) continue;
      const std::string asked = explain::question(*node.split, tree_, digits_);
      out += report::row_of(planes_.at(&*node.split), folded(asked.substr(0, asked.rfind(" < "))));
    }
    if (out.empty()) return "";
    return "<p class=\"soft\">In the drawing, H1, H2, … stand for these sums of columns, each times its weight.</p><table class=\"facts "
           "planes\">" +
           out + "</table>";
  }

  const ReportParts& parts_;
  const Result& result_;
  const Tree& tree_;
  const int digits_;  // that tell the training rows apart
  std::vector<explain::Region> regions_;
  explain::PlaneNames planes_;
  std::vector<double> probabilities_;
  std::vector<double> saved_;
  std::vector<std::string> broken_;  // claims
  Weights test_;
  std::vector<Share> train_shares_, test_shares_;  // of the label of each leaf. Shape (nodes); empty without such rows
  std::vector<bool> contradicted_;                 // leaves, by their test rows. Shape (nodes)
  std::vector<std::optional<report::Histogram>> histograms_;
  std::optional<report::NumberPanels> numbers_;  // where the tree predicts numbers, in place of weights, shares and histograms
};

void check_parts(const ReportParts& parts) {
  if (parts.result == nullptr) throw Error("report", "there is no result", "give the result to report on");
  const bool numbers = parts.result->tree.loss.has_value();
  need_trained(parts.result->tree);
  if (numbers && (parts.trade_off != nullptr || parts.worths != nullptr || parts.near != nullptr))
    throw Error("report", "trade-offs, the worth of columns and near trees are about classes, and the tree predicts numbers",
                "leave them out");
  for (const Dataset* data : {parts.train, parts.test}) {
    if (data == nullptr) continue;
    if (numbers) {
      need_all_aligned(parts.result->tree, *data);
      need_response(parts.result->tree, *data);
      continue;
    }
    if (!data->labeled()) throw Error("report", "the rows have no labels", "name the target column");
    need_all_aligned(parts.result->tree, *data);
    need_labels(parts.result->tree, *data);
  }
  if (parts.trade_off != nullptr && (parts.train == nullptr || parts.result->tree.class_names.size() != 2)) {
    throw Error("report", "a trade-off needs the training rows and two classes", "give them, or leave it out");
  }
  if (parts.near != nullptr && parts.train == nullptr) throw Error("report", "other trees need the training rows", "give them");
  if (parts.with_rows && parts.train == nullptr) throw Error("report", "there are no rows to embed", "give the training data");
}

}  // namespace

std::string to_html(const ReportParts& parts) {
  check_parts(parts);
  return Report(parts).page(false);
}

// Of the frame in a notebook, in pixels: the drawing, and what stands above and below it.
static int frame_height(const Tree& tree) {
  constexpr int kAround = 300, kLeast = 560, kMost = 1400;
  return std::clamp(kAround + static_cast<int>(exports::drawing_height(tree)), kLeast, kMost);
}

std::string to_notebook_html(const ReportParts& parts) {
  check_parts(parts);
  return "<iframe title=\"treewright\" style=\"width:100%;height:" + std::to_string(frame_height(parts.result->tree)) +
         "px;border:1px solid #8884;border-radius:8px\" "
         "sandbox=\"allow-scripts\" srcdoc=\"" +
         explain::attribute(Report(parts).page(true)) + "\"></iframe>";
}

}  // namespace treewright
