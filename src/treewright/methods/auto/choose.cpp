// Method auto: chooses kind of tree, depth and complexity by cross-validation inside the training rows.
//
// The pool (pool.cpp) has axis trees and hyperplane trees of every depth, and a race (race.cpp) compares them on the same folds.
//
// Rule. The best of a hundred settings owes some of its lead to chance. A setting that is truly good has good neighbors on the grid. So by
// how much a setting is behind counts half, and the mean of its neighbors the other half. The first is the one that is then ahead. One
// table has the lead of the first over each setting, both with their neighbors, and the standard error of that difference (race.cpp). One
// that left early is compared with the most accurate one, on the parts of both, and so with all others. Of the settings that are at most
// one standard error behind (the rule of Breiman et al. 1984, sec. 3.4.3, with the error of the paired difference), the one with the fewest
// splits is chosen. Of equally many splits, an axis tree is taken that is at most half a standard error behind, because people can read it;
// else the first. CART's tree gives way to one of oct, which is as simple. What is said of a setting is read from the same table.
//
// Without a time limit the choice depends on data, options and seed alone: exact searches stop after a fixed number of subproblems.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/base/error.h"
#include "treewright/methods/auto/gains.h"
#include "treewright/methods/auto/method.h"
#include "treewright/methods/auto/more_seeds.h"
#include "treewright/methods/auto/pool.h"
#include "treewright/methods/auto/race.h"

namespace treewright::automatic {

namespace {

// Limit on subproblems of an exact search for the final tree.
constexpr std::int64_t kNodesToTrain = 200000;
// The final hyperplane tree is the best of four runs at least: on 32 sets 0.4 +- 0.3 points more on new rows. Eight were no better.
constexpr std::int64_t kRestartsToTrain = 3;
// Smaller differences are rounding.
constexpr double kRounding = 1e-12;

bool compared(const Entrant& entrant) {
  return entrant.parts > 0;
}

// The lead of the race's first over the entrant, half of it its own and half the mean of its neighbors.
Lead steadied(const Race& race, const Entrant& entrant) {
  Lead sum;
  double neighbors = 0;
  for (const Entrant& other : race.entrants()) {
    if (!compared(other) || !are_neighbors(entrant.options, other.options)) continue;
    sum.add(race.lead(*race.leader(), other), 1);
    ++neighbors;
  }
  Lead steady;
  steady.add(race.lead(*race.leader(), entrant), neighbors > 0 ? 0.5 : 1);
  if (neighbors > 0) steady.add(sum, 0.5 / neighbors);
  return steady;
}

// The mean gain of a candidate in the words and units of its measure.
void tell(CandidateScore& score, const Measure& measure, double gain) {
  if (measure.name == "accuracy") {
    score.accuracy = gain;
  } else if (measure.name == "mean cost") {
    score.cost = 0 - gain;  // and no -0
  } else {
    score.score = gain;
  }
}

// A setting of the table, with its lag behind the first.
struct Line {
  const Entrant* entrant;
  CandidateScore score;

  bool is_within(double errors) const { return score.behind <= errors * score.standard_error + kRounding; }
};

// What the race found, best first.
struct Table {
  std::vector<Line> lines;
  std::ptrdiff_t chosen = -1;  // -1 = none was compared
  Measure measure;
};

// What is simpler compares less. Fractions of a split are chance: they are means over the parts.
struct Simplicity {
  double splits;
  bool unreadable, greedy;

  auto operator<=>(const Simplicity&) const = default;
};

Simplicity simplicity(const Line& line) {
  return {std::round(line.score.splits), !has_axis_splits(line.entrant->options) || !line.is_within(0.5), line.score.method == "cart"};
}

// Why one that stayed to the end is not the chosen one.
std::string reason_of(const Line& line, const Line& chosen) {
  if (!line.is_within(1)) return "more than one standard error behind";
  const Simplicity here = simplicity(line), there = simplicity(chosen);
  if (here.splits > there.splits) return "more splits";
  if (here.unreadable != there.unreadable) {
    return has_axis_splits(line.entrant->options) ? "about as many splits, more than half a standard error behind"
                                                  : "about as many splits, by hyperplanes";
  }
  return here.greedy != there.greedy ? "about as many splits, by a greedy search" : "about as many splits, and not ahead";
}

std::vector<Line> lines_of(const Race& race) {
  std::vector<Line> lines;
  for (const Entrant& e : race.entrants()) {
    const double parts = static_cast<double>(std::max<std::int64_t>(1, e.parts));
    lines.push_back({&e, {e.options.method, differing(e.options), 0, 0, 0, e.splits / parts, e.terms / parts, e.parts, e.seconds, e.out}});
  }
  if (race.leader() == nullptr) return lines;
  std::optional<Lead> first;
  for (const Line& line : lines) {
    if (!line.entrant->in() || !compared(*line.entrant)) continue;
    Lead steady = steadied(race, *line.entrant);
    if (!first || steady.mean < first->mean) first = std::move(steady);
  }
  for (Line& line : lines) {
    if (!compared(*line.entrant)) continue;
    Lead behind = steadied(race, *line.entrant);
    behind.add(*first, -1);
    line.score.behind = std::abs(behind.mean) > kRounding ? behind.mean : 0;
    line.score.standard_error = behind.standard_error();
  }
  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    const auto rank = [](const Line& l) { return std::make_tuple(!compared(*l.entrant), !l.entrant->in(), l.score.behind); };
    return rank(a) < rank(b);
  });
  return lines;
}

Table table_of(const Race& race, const Measure& measure) {
  Table table{lines_of(race), -1, measure};
  for (std::size_t i = 0; i < table.lines.size(); ++i) {
    Line& line = table.lines[i];
    tell(line.score, measure, line.entrant->mean_gain);
    if (!line.entrant->in() || !compared(*line.entrant) || !line.is_within(1)) continue;
    if (table.chosen < 0 || simplicity(line) < simplicity(table.lines[table.chosen])) table.chosen = static_cast<std::ptrdiff_t>(i);
  }
  if (table.chosen < 0) return table;
  const Line& chosen = table.lines[table.chosen];
  for (Line& line : table.lines) {
    if (line.score.reason.empty()) line.score.reason = &line == &chosen ? "chosen" : reason_of(line, chosen);
  }
  return table;
}

std::string shown(const Measure& measure, double gain) {
  const double value = gain * measure.factor + 0.0;  // and no -0
  return measure.is_percent ? fmt::format("{:.2f} %", 100 * value) : fmt::format("{:.4g}", value);
}

std::string told(const Line& line, const Measure& measure) {
  return fmt::format("{}, {} {} with {:.1f} splits and {:.1f} terms", name_of(line.entrant->options), measure.name,
                     shown(measure, line.entrant->mean_gain), line.score.splits, line.score.features);
}

// The first candidates and the chosen one, a line each; the others are counted.
std::string table_text(const Table& table) {
  constexpr std::ptrdiff_t kLines = 12;
  const Measure& measure = table.measure;
  const bool wide = measure.name == "balanced accuracy";
  std::string text = fmt::format("behind +- error{:>{}}  splits  terms  folds  seconds  candidate\n", wide ? "balanced" : measure.name,
                                 measure.is_percent ? 10 : 18);
  std::size_t others = 0;
  std::map<std::string, int> untried;  // by reason
  for (std::ptrdiff_t i = 0; i < std::ssize(table.lines); ++i) {
    const auto& [entrant, score] = table.lines[i];
    if (score.parts == 0) {
      ++untried[score.reason];
    } else if (i >= kLines && i != table.chosen) {
      ++others;
    } else {
      const double gain = entrant->mean_gain * measure.factor + 0.0;  // and no -0
      text += measure.is_percent ? fmt::format("{:6.2f} +- {:5.2f}  {:8.2f}", 100 * score.behind, 100 * score.standard_error, 100 * gain)
                                 : fmt::format("{:9.4g} +- {:9.4g}  {:9.4g}", score.behind, score.standard_error, gain);
      text += fmt::format("  {:6.1f}  {:5.1f}  {:5}  {:7.3f}  {}: {}\n", score.splits, score.features, score.parts, score.seconds,
                          name_of(entrant->options), score.reason);
    }
  }
  if (others > 0) text += fmt::format("{} others were compared; a report lists all\n", others);
  text += fmt::format(
      "behind: by how {} a candidate is worse than the first on the same folds, and the standard error; half of it is its own, half the "
      "mean of its\n        neighbors (settings one step away), so one with a better {} can be behind; those that left early come last\n"
      "terms:  columns in all splits of a tree together; like splits a mean over the folds\n",
      measure.is_percent ? "many points" : "much", measure.name);
  for (const auto& [reason, count] : untried) text += fmt::format("{} of {}: {}\n", count, table.lines.size(), reason);
  return text;
}

// How the chosen one differs from the first one.
std::string advantage(const Table& table) {
  const Line &first = table.lines.front(), &chosen = table.lines[table.chosen];
  const Simplicity there = simplicity(first), here = simplicity(chosen);
  const Measure& measure = table.measure;
  const auto number = [&](double value) { return measure.is_percent ? fmt::format("{:.2f}", 100 * value) : fmt::format("{:.4g}", value); };
  const std::string behind = measure.name == "mean cost"
                                 ? fmt::format("costs {} more", number(chosen.score.behind))
                                 : fmt::format("is {}{} behind", number(chosen.score.behind), measure.is_percent ? " points" : "");
  return fmt::format(" First was {}. The chosen one has {} and {} (its neighbors counted half), within one standard error ({}).",
                     told(first, measure),
                     here.splits < there.splits            ? "fewer splits"
                     : here.unreadable != there.unreadable ? "about as many splits, each by one column,"
                                                           : "about as many splits, not by a greedy search,",
                     behind, number(chosen.score.standard_error));
}

// The choice in words, and the table.
std::string text_of(const Table& table, const Race& race, bool stopped) {
  if (table.chosen < 0) return "the run stopped before any candidate was compared; the cheapest one was taken";
  const Line& chosen = table.lines[table.chosen];
  std::string text = fmt::format("chosen: {}, on {} validation folds.", told(chosen, table.measure), chosen.score.parts);
  text +=
      table.chosen == 0 ? " With its neighbors counted half, no other candidate that stayed to the end is ahead of it." : advantage(table);
  if (stopped) text += fmt::format(" The run ended after {} of {} validation folds.", chosen.score.parts, race.parts().size());
  return text + "\n" + table_text(table);
}

ChosenOptions choose(const Dataset& data, const Options& options, Deadline& deadline, const Trainer& trainer) {
  if (data.has_costs() && options.scoring != "accuracy") {
    throw option_error("scoring", "labels have costs, and candidates are compared by these", "leave out one of the two");
  }
  const bool unlimited = options.time_limit == Deadline::kNoLimit;
  const double to_choose = deadline.elapsed() + deadline.remaining();
  Race race(data, options, deadline, trainer, unlimited ? Deadline::kNoLimit : options.time_limit - to_choose);
  race.run();
  const Measure measure = measure_of(data, options.scoring);
  Table table = table_of(race, measure);
  ChosenOptions choice;
  const Entrant* chosen = table.chosen < 0 ? nullptr : table.lines[table.chosen].entrant;
  choice.options = chosen != nullptr ? chosen->options : race.entrants().front().options;
  if (chosen != nullptr && (measure.name == "accuracy" || data.has_costs())) choice.promised = chosen->mean_gain;
  choice.options.n_jobs = options.n_jobs;
  if (!has_axis_splits(choice.options)) {
    choice.options.restarts = std::max(choice.options.restarts, std::min(options.restarts, kRestartsToTrain));
  }
  std::string probabilities;
  if (chosen != nullptr && data.row_costs.empty()) {
    Dataset weighted = data;
    apply_class_weights(weighted, options.class_weight);
    choice.probabilities = grow::choose_probabilities(weighted, race.parts(), chosen->trees);
    probabilities = grow::in_words(*choice.probabilities, weighted);
  }
  if (choice.options.method == "oct" && options.node_limit < 0) choice.options.node_limit = kNodesToTrain;
  if (deadline.stopped()) {
    choice.ended = deadline.reason();
  } else if (race.out_of_time()) {
    choice.ended = Status::time_limit;
  }
  choice.selection = text_of(table, race, choice.ended != Status::heuristic);
  choice.selection += probabilities;
  for (Line& line : table.lines) choice.candidates.push_back(std::move(line.score));
  return choice;
}

}  // namespace

std::vector<Method> methods() {
  Method method{"auto", "auto", "compares axis and hyperplane trees of all depths by cross-validation, and takes the simplest of the best",
                false,
                joined({reads::kTree,
                        reads::kLeaves,
                        reads::kErrors,
                        reads::kRun,
                        {"criterion", "random_state", "restarts", "disable", "penalty", "scoring", "split_kind", "max_terms"}})};
  method.choose = choose;
  method.improve = try_more_seeds;
  method.takes_costs = true;
  method.usual_depth = usual_depth;
  return {std::move(method)};
}

}  // namespace treewright::automatic
