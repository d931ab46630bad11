// The parts of a page that speak of numbers: leaves as small histograms of the target, predicted against seen, residuals, rates with their
// intervals, and survival curves. Scores and means of test rows are what counts: training rows flatter the tree that was made for them.

#include "treewright/report/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "treewright/data/survival.h"
#include "treewright/explain.h"
#include "treewright/explain/markup.h"
#include "treewright/explain/prediction.h"
#include "treewright/export/svg.h"
#include "treewright/report/cautions.h"
#include "treewright/report/figure.h"
#include "treewright/report/survival_charts.h"
#include "treewright/tree/measures.h"
#include "treewright/tree/routing.h"

namespace treewright::report {

namespace {

std::string and_interval(const std::string& value, const std::optional<Interval>& interval) {
  if (!interval) return value;
  return fmt::format("{} <span class=\"soft\">({} to {})</span>", value, explain::plain(interval->low, 4),
                     explain::plain(interval->high, 4));
}

double observed_until(const Dataset& data, const RowNumbers& rows) {
  double end = 0;
  for (const std::int32_t row : rows) end = std::max(end, data.response->times[row]);
  return end;
}

}  // namespace

NumberPanels::NumberPanels(const ReportParts& parts) : parts_(parts), result_(*parts.result), tree_(parts.result->tree) {
  for (std::size_t i = 0, leaves = 0; i < tree_.nodes().size(); ++i) series_.push_back(tree_.nodes()[i].is_leaf() ? leaves++ : 0);
  contradicted_.resize(tree_.nodes().size());
  if (parts.test != nullptr) {
    test_ = rows_of_nodes(tree_, *parts.test);
    tested_ = scored(*parts.test);
    std::size_t tested = 0;
    for (std::size_t i = 0; i < test_.size(); ++i) tested += tree_.nodes()[i].is_leaf() && !test_[i].empty();
    for (std::size_t i = 0; i < test_.size(); ++i) contradicted_[i] = contradicted_by(NodeId{static_cast<std::int32_t>(i)}, tested);
  }
  for (const Dataset* data : {parts.train, parts.test}) {
    if (data == nullptr) continue;
    for (const double time : data->response->times) last_time_ = std::max(last_time_, time);
  }
  for (const Node& node : tree_.nodes()) {
    if (!node.estimate.survival.empty()) last_time_ = std::max(last_time_, node.estimate.survival.back().time);
  }
  if (parts.train == nullptr) return;
  train_ = rows_of_nodes(tree_, *parts.train);
  axis_ = bins_for(parts.train->response->values);
  for (const Node& node : tree_.nodes()) {
    if (node.estimate.exposure > 0) highest_rate_ = std::max(highest_rate_, node.estimate.value);
  }
}

std::string NumberPanels::of_interval(const std::optional<Interval>& interval) const {
  return interval ? explain::value_text(tree_, interval->low) + " to " + explain::value_text(tree_, interval->high) : "–";
}

NumberPanels::Seen NumberPanels::seen(const Dataset& data, const RowNumbers& rows) const {
  Seen seen;
  double squares = 0, of_exposure = 0;
  for (const std::int32_t row : rows) {
    const double w = data.weight(row);
    ++seen.rows;
    seen.weight += w;
    squares += w * w;
    of_exposure += w * w * data.response->at_risk(row);
    seen.exposure += w * data.response->at_risk(row);
    seen.events += w * data.response->values[row];
  }
  if (!(seen.exposure > 0)) return seen;
  seen.mean = seen.events / seen.exposure;
  if (of_rates()) {
    // At one rate, events of weight w have the variance w^2 times their number.
    seen.of_one_event = of_exposure / seen.exposure;
    seen.interval = rate_interval(seen.events / seen.of_one_event, seen.exposure / seen.of_one_event);
    return seen;
  }
  double spread = 0;
  for (const std::int32_t row : rows) spread += data.weight(row) * std::pow(data.response->values[row] - seen.mean, 2);
  seen.sd = std::sqrt(spread / seen.weight);
  seen.effective = seen.weight * seen.weight / squares;  // Kish 1965
  seen.interval = mean_interval(seen.mean, seen.sd, seen.effective);
  return seen;
}

std::string NumberPanels::target() const {
  if (tree_.target_name != Tree().target_name) return tree_.target_name;
  return of_times() ? "time to the event" : of_rates() ? "number of events" : "number";
}

std::string NumberPanels::figures() const {
  const char* const name = of_rates() ? "of the deviance explained" : "R2";
  const auto share = [&](double explained) -> std::string {
    if (!std::isfinite(explained)) return "–";  // an event where none was possible
    return of_rates() ? explain::percent(explained) : fmt::format("{:.3f}", explained);
  };
  const auto on_test_rows = [](const char* what, const std::optional<Interval>& interval, double unit, int digits) {
    const std::string of = std::string(what) + " on test rows";
    return interval ? fmt::format("{} ({:.{}f}&nbsp;to&nbsp;{:.{}f}{})", of, unit * interval->low, digits, unit * interval->high, digits,
                                  unit > 1 ? "&nbsp;%" : "")
                    : of + (" (no interval)");
  };
  std::string out;
  if (parts_.test != nullptr) {
    const NumberScores& scores = tested_->scores;
    const std::optional<ScoreIntervals>& range = tested_->range;
    if (scores.concordance)
      out += figure(fmt::format("{:.3f}", *scores.concordance), on_test_rows("concordance", tested_->concordance, 1, 2));
    std::optional<Interval> explained;
    if (range && std::isfinite(scores.explained)) explained = range->explained;
    out += figure(share(scores.explained), on_test_rows(name, explained, of_rates() ? 100 : 1, of_rates() ? 0 : 2));
    if (!of_rates())
      out += figure(explain::plain(scores.rmse, 4),
                    range ? fmt::format("RMSE on test rows ({}&nbsp;to&nbsp;{})", explain::plain(range->rmse.low, 3),
                                        explain::plain(range->rmse.high, 3))
                          : "RMSE on test rows (no interval)");
  }
  if (of_times() && parts_.test == nullptr && parts_.train != nullptr) {
    const NumberScores scores = score_numbers(tree_, *parts_.train);
    if (scores.concordance) out += figure(fmt::format("{:.3f}", *scores.concordance), "concordance on the training rows");
  }
  out += figure(share(result_.explained()), std::string(name) + " on the training rows");
  if (parts_.test == nullptr && !of_rates() && result_.total_weight > 0)
    out += figure(explain::plain(std::sqrt(*result_.loss / result_.total_weight), 4), "RMSE on the training rows");
  const Estimate& root = tree_.node(Tree::root()).estimate;
  out += of_times()
             ? figure(explain::plain(root.value * root.exposure, 4), "events in the training rows")
             : figure(explain::value_text(tree_, root.value), of_rates() ? "rate of the training rows" : "mean of the training rows");
  return "<div class=\"figures\">" + out + "</div>";
}

std::string NumberPanels::legend() const {
  double low = INFINITY, high = -INFINITY;
  for (const Node& node : tree_.nodes()) {
    if (node.is_leaf()) low = std::min(low, node.estimate.value), high = std::max(high, node.estimate.value);
  }
  std::string shades;
  constexpr int kShades = 6;
  for (int i = 0; i < kShades; ++i)
    shades += fmt::format("<rect class=\"{}\" x=\"{}\" width=\"10\" height=\"10\" fill-opacity=\"{:.2f}\"/>", exports::color_class(0),
                          10 * i, 0.05 + 0.45 * i / (kShades - 1));
  return fmt::format("<div class=\"legend\"><span>{} <svg class=\"scale\" viewBox=\"0 0 {} 10\">{}</svg> {}</span>{}</div>",
                     explain::value_text(tree_, low), 10 * kShades, shades, explain::value_text(tree_, high),
                     train_.empty() ? ""
                     : of_times()
                         ? fmt::format("<span class=\"soft\">numbers: hazard as a multiple of that of all rows; lines: share without the "
                                       "event until {}</span>",
                                       explain::plain(last_time_))
                     : of_rates() ? "<span class=\"soft\">dots: events for each unit of exposure, with 95 % intervals</span>"
                                  : "<span class=\"soft\">bars: numbers of the training rows; dark: “yes”; line: their mean</span>");
}

std::pair<NumberBins, NumberBins> NumberPanels::bins_of(NodeId id) const {
  const Node& node = tree_.node(id);
  NumberBins left = axis_, right = axis_;
  if (node.is_leaf()) right.weight.clear();
  for (const std::int32_t row : train_[+id]) {
    const bool on_left = node.is_leaf() || goes_left(*node.split, *parts_.train, row);
    add(on_left ? left : right, parts_.train->response->values[row], parts_.train->weight(row));
  }
  return {std::move(left), std::move(right)};
}

std::vector<std::string> NumberPanels::pictures() const {
  std::vector<std::string> all;
  if (train_.empty()) return all;
  for (std::size_t i = 0; i < tree_.nodes().size(); ++i) {
    const NodeId id{static_cast<std::int32_t>(i)};
    const Estimate& of = tree_.nodes()[i].estimate;
    if (of_times()) {
      all.push_back(small_curve(survival_curve(*parts_.train, train_[i]), observed_until(*parts_.train, train_[i]), last_time_,
                                tree_.nodes()[i].is_leaf() ? series_class(series_[i]) : "curve"));
    } else if (of_rates()) {
      const bool known = of.exposure > 0 && highest_rate_ > 0;
      all.push_back(known ? small_rate(of.value, seen(*parts_.train, train_[i]).interval.value_or(Interval()), 1.25 * highest_rate_) : "");
    } else {
      const auto [left, right] = bins_of(id);
      all.push_back(small_bins(left, right, of.value));
    }
  }
  return all;
}

std::string NumberPanels::line_of(const std::string& name, const Dataset& data, const RowNumbers& rows) const {
  const Seen of = seen(data, rows);
  const std::string third = of_times()   ? fmt::format("{} / {}", explain::plain(of.events, 4), explain::plain(of.exposure, 3))
                            : of_rates() ? explain::plain(of.exposure, 4)
                                         : explain::plain(of.sd, 3);
  return fmt::format(
      "<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>",
      name, of.rows, of.rows == 0 ? "–" : third, of.rows == 0 ? "–" : explain::value_text(tree_, of.mean), of_interval(of.interval));
}

std::string NumberPanels::card(NodeId id) const {
  const Node& node = tree_.node(id);
  std::string out = fmt::format(
      "<table class=\"counts\"><tr><th></th><th>rows</th><th class=\"n\">{}</th><th class=\"n\">{}</th><th class=\"n\">95 %</th></tr>",
      of_times()   ? "events / expected"
      : of_rates() ? "exposure"
                   : "sd",
      predicted_name());
  if (!train_.empty()) out += line_of("train", *parts_.train, train_[+id]);
  if (!test_.empty()) out += line_of("test", *parts_.test, test_[+id]);
  out = train_.empty() && test_.empty() ? "" : out + "</table>";
  if (node.is_leaf()) out += fmt::format("<p class=\"chance\">{}.</p>", explain::escaped(explain::estimate_words(tree_, node)));
  if (train_.empty() || of_rates()) return out;
  const auto [left, right] = bins_of(id);
  return out + bins_chart(left, right, node.estimate.value, "numbers of the training rows", !node.is_leaf());
}

std::optional<NumberPanels::Seen> NumberPanels::contradicted_by(NodeId leaf, std::size_t leaves) const {
  constexpr double kFactor = 1.5, kDeviations = 0.5;  // what is nearer than that is clear, perhaps, but small
  const Estimate& said = tree_.node(leaf).estimate;
  if (!tree_.node(leaf).is_leaf()) return std::nullopt;
  const Seen of = seen(*parts_.test, test_[+leaf]);
  if (!(of.exposure > 0)) return std::nullopt;
  if (of_rates()) {
    const double expected = said.value * of.exposure;
    const bool far = of.events > kFactor * expected || kFactor * of.events < expected;
    return far && is_clear(chance_of_events(of.events / of.of_one_event, expected / of.of_one_event), leaves) ? std::optional(of)
                                                                                                              : std::nullopt;
  }
  // Two equal test rows do not make it certain.
  const double sd = std::max(of.sd, said.weight > 0 ? std::sqrt(said.loss / said.weight) : 0), off = std::abs(of.mean - said.value);
  if (!(of.effective >= 2) || !(sd > 0) || !(off > kDeviations * sd)) return std::nullopt;
  const auto degrees = static_cast<std::int64_t>(of.effective) - 1;
  return is_clear(chance_of_mean(off / sd * std::sqrt(static_cast<double>(degrees)), degrees), leaves) ? std::optional(of) : std::nullopt;
}

bool NumberPanels::contradicted() const {
  return std::ranges::any_of(contradicted_, [](const std::optional<Seen>& of) { return of.has_value(); });
}

std::string NumberPanels::cautions(NodeId leaf) const {
  std::optional<Seen> here;
  if (!train_.empty()) here = seen(*parts_.train, train_[+leaf]);
  std::optional<Interval> interval = here ? here->interval : std::nullopt;
  if (interval && interval->low == interval->high) interval.reset();  // of equal numbers, which say nothing of others
  const std::string of_what = fmt::format("the {}", predicted_name()), from_to = interval ? of_interval(interval) : "";
  // Events, not rows, tell a rate.
  const std::string out = of_rates() && here ? few_of(std::llround(here->events / here->of_one_event), "event", of_what, from_to)
                                             : few_rows(tree_.node(leaf).rows, of_what, from_to);
  const std::optional<Seen>& of = contradicted_[+leaf];
  if (!of) return out;
  return contradiction(predicted_name(), of_rates() ? fmt::format("{} events, where {} would fit", explain::plain(of->events),
                                                                  explain::plain(tree_.node(leaf).estimate.value * of->exposure, 3))
                                                    : fmt::format("the mean of {} is {}", of->rows, explain::value_text(tree_, of->mean))) +
         out;
}

std::string NumberPanels::saving(NodeId id) const {
  Tree without_it = tree_;
  without_it.collapse(id);
  const double of_root = tree_.node(Tree::root()).estimate.loss;
  double loss = 0;
  for (const Node& node : without_it.nodes()) loss += node.is_leaf() ? node.estimate.loss : 0;
  const char* const and_below = tree_.splits() - without_it.splits() > 1 ? " and those below it" : "";
  return fmt::format("<p class=\"saves\">Without this split{} the {} would be <b>{}</b> instead of {}.</p>", and_below,
                     explain::explained_name(*tree_.loss), explain::plain(of_root > 0 ? 1 - loss / of_root : 0, 4),
                     explain::plain(result_.explained(), 4));
}

std::vector<SeenLeaf> NumberPanels::leaves_of(const Dataset& data, const std::vector<RowNumbers>& rows) const {
  std::vector<SeenLeaf> leaves;
  for (std::size_t i = 0; i < tree_.nodes().size(); ++i) {
    const Node& node = tree_.nodes()[i];
    if (!node.is_leaf() || rows[i].empty()) continue;
    const Seen of = seen(data, rows[i]);
    if (of_rates() && !(of.exposure > 0)) continue;  // seen last before the first event
    SeenLeaf& leaf = leaves.emplace_back();
    leaf.predicted = node.estimate.value;
    leaf.observed = of.mean;
    if (of.interval) leaf.interval = *of.interval;
    if (!of_rates()) {
      for (const std::int32_t row : rows[i]) leaf.seen.push_back(data.response->values[row]);
    }
    leaf.words = fmt::format("{} rows: {} predicted, {} seen ({})", of.rows, explain::value_text(tree_, leaf.predicted),
                             explain::value_text(tree_, of.mean), of_interval(of.interval));
  }
  return leaves;
}

std::string NumberPanels::picture_of_rates(const std::string& name, const Dataset& data, const std::vector<RowNumbers>& rows) const {
  return fmt::format(
      "<p class=\"soft\">{0}: the {1} of each leaf's rows, with 95 % intervals, over the {1} predicted; on the line both are equal.</p>{2}",
      name, predicted_name(), rates_chart(leaves_of(data, rows), predicted_name()));
}

// The curves of all leaves, of these rows or, without rows, of those it was trained on, with a table that is their legend: the lowest
// hazard first, which is the uppermost curve.
std::string NumberPanels::survival(const std::string& name, const Dataset* data, const std::vector<RowNumbers>& rows) const {
  std::vector<std::size_t> leaves;
  for (std::size_t i = 0; i < tree_.nodes().size(); ++i) {
    if (tree_.nodes()[i].is_leaf()) leaves.push_back(i);
  }
  std::ranges::stable_sort(leaves, {}, [&](std::size_t i) { return tree_.nodes()[i].estimate.value; });
  std::vector<LeafCurve> curves;
  std::string table;
  for (const std::size_t i : leaves) {
    const Node& node = tree_.nodes()[i];
    Seen of;
    LeafCurve curve{series_[i], node.estimate.survival, 0};
    if (data != nullptr) {
      of = seen(*data, rows[i]);
      curve.steps = survival_curve(*data, rows[i]);
      curve.end = observed_until(*data, rows[i]);
    } else {
      of.rows = node.rows, of.exposure = node.estimate.exposure, of.mean = node.estimate.value, of.events = of.mean * of.exposure;
    }
    const std::string predicted = explain::prediction(tree_, node);
    const std::optional<double> half = median_time(curve.steps);
    curve.words = fmt::format("hazard {}: {} rows, {} events, half by {}", predicted, of.rows, explain::plain(of.events),
                              half ? explain::plain(*half) : "–");
    const auto cell = [&](const std::string& content) { table += "<td class=\"n\">" + content + "</td>"; };
    table += "<tr><th scope=\"row\">" + series_key(series_[i]) + predicted + "</th>";
    cell(std::to_string(of.rows));
    cell(explain::plain(of.events));
    cell(explain::plain(of.exposure, 4));
    cell(of.exposure > 0 ? explain::value_text(tree_, of.mean) : "–");
    cell(half ? explain::plain(*half) : "–");
    table += "</tr>";
    if (of.rows > 0) curves.push_back(std::move(curve));
  }
  return fmt::format(
      "<p class=\"soft\">{}: the share of each leaf's rows without the event as time passes (Kaplan and Meier).</p>{}<table "
      "class=\"list\"><tr><th>hazard predicted</th><th class=\"n\">rows</th><th class=\"n\">events seen</th><th "
      "class=\"n\">expected</th><th class=\"n\">hazard seen</th><th class=\"n\">half by</th></tr>{}</table>",
      name, curves_chart(curves, last_time_, target()), table);
}

NumberPanels::Scored NumberPanels::scored(const Dataset& data) const {
  Scored of{tree_.predict_values(data), {}, {}, {}};
  of.scores = score_numbers(of.predicted, data);
  of.range = bootstrap(of.predicted, data);
  if (of.scores.concordance) of.concordance = concordance_interval(of.predicted, data);
  return of;
}

std::string NumberPanels::scores(const std::string& name, const Dataset& data, const Scored& scored,
                                 const std::vector<RowNumbers>& rows) const {
  const std::vector<double>& predicted = scored.predicted;
  const NumberScores& of = scored.scores;
  const std::optional<ScoreIntervals>& range = scored.range;
  const auto interval = [&](Interval ScoreIntervals::*which) { return range ? std::optional<Interval>((*range).*which) : std::nullopt; };
  std::string out = "<table class=\"facts\">";
  const auto fact = [&](const char* head, const std::string& value) {
    out += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td></tr>", head, value);
  };
  fact("rows", fmt::format("{} {}", data.rows(), name));
  if (of.concordance) fact("concordance", and_interval(fmt::format("{:.4f}", *of.concordance), scored.concordance));
  fact(of_rates() ? "deviance explained" : "R2",
       and_interval(std::isfinite(of.explained) ? fmt::format("{:.4f}", of.explained) : "events where none was possible",
                    std::isfinite(of.explained) ? interval(&ScoreIntervals::explained) : std::nullopt));
  if (of_rates()) fact("mean deviance", explain::plain(2 * of.mean_loss));
  if (of_times()) return out + "</table>" + survival(name, &data, rows) + picture_of_rates(name, data, rows);
  fact("RMSE", and_interval(explain::plain(of.rmse), interval(&ScoreIntervals::rmse)) + (of_rates() ? " events" : ""));
  fact("MAE", and_interval(explain::plain(of.mae), interval(&ScoreIntervals::mae)) + (of_rates() ? " events" : ""));
  out += "</table>";
  if (of_rates()) return out + picture_of_rates(name, data, rows);
  std::vector<double> residuals;
  for (std::size_t row = 0; row < data.rows(); ++row) residuals.push_back(data.response->values[row] - predicted[row]);
  NumberBins bins = bins_for(residuals), none = bins;
  none.weight.clear();
  for (std::size_t row = 0; row < data.rows(); ++row) add(bins, residuals[row], data.weight(row));
  return out + fmt::format(
                   "<div class=\"pair\"><div><p class=\"soft\">{0}: numbers seen over the leaf's number; boxes hold the middle half, on "
                   "the line both are equal.</p>{1}</div><div><p class=\"soft\">{0}: residuals, seen less predicted; the outermost bars "
                   "hold what lies beyond, too.</p>{2}</div></div>",
                   name, seen_chart(leaves_of(data, rows)), bins_chart(bins, none, 0, "residuals", false));
}

std::string NumberPanels::measures() const {
  std::string out;
  if (!test_.empty()) out += "<div>" + scores("test rows", *parts_.test, *tested_, test_) + "</div>";
  if (!train_.empty()) out += "<div>" + scores("training rows", *parts_.train, scored(*parts_.train), train_) + "</div>";
  if (out.empty()) return of_times() ? survival("training rows", nullptr, {}) : "";
  const char* const times =
      of_times()
          ? "Hazards are multiples of that of all these rows; expected: the events of rows that are like all and observed as long. "
            "Half by: when half of the rows have had the event. Concordance: of two rows, how often the one of higher hazard has its event "
            "first; 0.5 is chance. Intervals of the concordance are by the infinitesimal jackknife. "
          : "";
  return "<div class=\"sides\">" + out + "</div><p class=\"soft\">" + times +
         "In parentheses: intervals of 95 % confidence, by the t or Poisson distribution for leaves and by bootstrap for scores; "
         "scores of fewer than 10 rows have none. Training rows flatter the tree that was made for them.</p>";
}

std::string NumberPanels::key(NodeId leaf) const {
  return of_times() ? series_key(series_[+leaf]) : "";
}

std::vector<std::string> NumberPanels::rule_heads() const {
  std::vector<std::string> heads = {predicted_name(), "rows", of_times() ? "events" : of_rates() ? "events in exposure" : "sd", "95 %"};
  if (!test_.empty()) heads.push_back("on test rows");
  return heads;
}

std::vector<std::string> NumberPanels::rule_cells(NodeId id) const {
  const Node& node = tree_.node(id);
  std::string spread = explain::spread(tree_, node);
  if (spread.starts_with("sd ")) spread.erase(0, 3);
  std::optional<Interval> interval;
  if (!train_.empty()) interval = seen(*parts_.train, train_[+id]).interval;
  std::vector<std::string> cells = {explain::prediction(tree_, node), std::to_string(node.rows), spread, of_interval(interval)};
  if (!test_.empty()) {
    const Seen of = seen(*parts_.test, test_[+id]);
    cells.push_back(of.rows == 0 ? "–"
                                 : fmt::format("{} ({} row{})", explain::value_text(tree_, of.mean), of.rows, of.rows == 1 ? "" : "s"));
  }
  return cells;
}

}  // namespace treewright::report
