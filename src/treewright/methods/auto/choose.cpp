// Method auto: chooses kind of tree, depth and complexity by cross-validation inside the training rows.
//
// The pool (pool.cpp) has axis trees and hyperplane trees of every depth, and a race (race.cpp) compares them on the same folds.
//
// Rule. The best of a hundred settings owes some of its lead to chance. A setting that is truly good has good neighbors on the grid. So by
// how much a setting is behind counts half, and the mean of its neighbors the other half. Of the settings that are then at most one
// standard error behind the first one (the rule of Breiman et al. 1984, sec. 3.4.3, with the standard error of the paired difference), the
// one with the fewest splits is chosen. Of equally many splits, an axis tree is taken that is at most half a standard error behind, because
// people can read it; else the first. CART's tree gives way to one of oct, which is as simple and has a proof.
//
// Without a time limit the choice depends on data, options and seed alone: exact searches stop after a fixed number of subproblems.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "treewright/base/deadline.h"
#include "treewright/base/error.h"
#include "treewright/methods/auto/gains.h"
#include "treewright/methods/auto/method.h"
#include "treewright/methods/auto/pool.h"
#include "treewright/methods/auto/race.h"
#include "treewright/probabilities.h"

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

// By how much the entrant is behind, half of it its own and half the mean of its neighbors.
double steadied(const Entrant& entrant, const std::vector<Entrant>& all) {
  double sum = 0, neighbors = 0;
  for (const Entrant& other : all) {
    if (!compared(other) || !are_neighbors(entrant.options, other.options)) continue;
    sum += other.behind;
    ++neighbors;
  }
  return neighbors > 0 ? (entrant.behind + sum / neighbors) / 2 : entrant.behind;
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

// Why one that stayed to the end is not the chosen one.
std::string reason_of(const CandidateScore& score, const Measure& measure, bool has_larger_gain) {
  if (score.behind <= score.standard_error + kRounding) return "not simpler";
  const std::string reason = measure.name == "mean cost" ? "costs more" : measure.name == "accuracy" ? "less accurate" : "scores less";
  return has_larger_gain ? reason + " with its neighbors" : reason;
}

// What the race found, best first.
struct Table {
  std::vector<CandidateScore> scores;
  std::vector<const Entrant*> entrants;  // of each score
  const Entrant* chosen = nullptr;       // nullptr if none was compared
  std::vector<double> gains = {};        // of each score
  Measure measure;
};

Table table_of(const Race& race, const Measure& measure) {
  struct Line {
    const Entrant* entrant;
    CandidateScore score;
    double gain;
  };
  std::vector<Line> lines;
  double least = std::numeric_limits<double>::infinity();
  for (const Entrant& e : race.entrants()) {
    const double parts = static_cast<double>(std::max<std::int64_t>(1, e.parts));
    lines.push_back({&e,
                     {e.options.method, differing(e.options), 0, steadied(e, race.entrants()), e.standard_error, e.splits / parts,
                      e.terms / parts, e.parts, e.seconds, e.out},
                     e.mean_gain});
    if (e.in() && compared(e)) least = std::min(least, lines.back().score.behind);
  }
  // All are compared with the first one on the rows that both were validated on: what left early was not validated on the others.
  if (const Entrant* first = race.leader()) {
    for (Line& line : lines) {
      if (compared(*line.entrant)) line.gain = first->mean_gain - line.entrant->behind;
    }
  }
  for (Line& line : lines) line.score.behind = compared(*line.entrant) && least < Deadline::kNoLimit ? line.score.behind - least : 0;
  std::stable_sort(lines.begin(), lines.end(), [](const Line& a, const Line& b) {
    const auto rank = [](const Line& l) { return std::make_tuple(!compared(*l.entrant), !l.entrant->in(), l.score.behind); };
    return rank(a) < rank(b);
  });
  const auto rank = [](const Line& line) {
    const bool axis = has_axis_splits(line.entrant->options) && line.score.behind <= line.score.standard_error / 2 + kRounding;
    return std::make_tuple(std::round(line.score.splits), !axis, line.score.method == "cart");
  };
  const Line* chosen = nullptr;
  for (const Line& line : lines) {
    if (!line.entrant->in() || !compared(*line.entrant) || line.score.behind > line.score.standard_error + kRounding) continue;
    if (chosen == nullptr || rank(line) < rank(*chosen)) chosen = &line;
  }
  Table table;
  table.measure = measure;
  const double chosen_gain = chosen == nullptr ? 0 : chosen->gain;
  for (Line& line : lines) {
    if (&line == chosen) {
      table.chosen = line.entrant;
      line.score.reason = "chosen";
    } else if (line.score.reason.empty()) {
      line.score.reason = reason_of(line.score, measure, line.gain >= chosen_gain - kRounding);
    }
    tell(line.score, measure, line.gain);
    table.gains.push_back(line.gain);
    table.entrants.push_back(line.entrant);
    table.scores.push_back(std::move(line.score));
  }
  return table;
}

std::string shown(const Measure& measure, double gain) {
  const double value = gain * measure.factor + 0.0;  // and no -0
  return measure.is_percent ? fmt::format("{:.2f} %", 100 * value) : fmt::format("{:.4g}", value);
}

// What a difference of two gains is counted in.
std::string_view unit_of(const Measure& measure) {
  return measure.is_percent ? "points" : measure.name == "mean cost" ? "cost" : "score";
}

std::string told(const Table& table, std::size_t at) {
  const CandidateScore& score = table.scores[at];
  return fmt::format("{}, {} {} with {:.1f} splits and {:.1f} features", name_of(table.entrants[at]->options), table.measure.name,
                     shown(table.measure, table.gains[at]), score.splits, score.features);
}

// The first candidates and the chosen one, a line each; the others are counted.
std::string table_text(const Table& table, std::size_t chosen) {
  constexpr std::size_t kLines = 12;
  const Measure& measure = table.measure;
  std::string text = fmt::format("behind{:>{}}", measure.name, measure.is_percent ? 19 : 27);
  text += fmt::format(
      "  splits  features  parts  seconds  candidate   (behind the first, half by its own {} and half by its neighbors'; those that left "
      "early "
      "last)\n",
      unit_of(measure));
  std::size_t others = 0;
  std::map<std::string, int> untried;  // by reason
  for (std::size_t i = 0; i < table.scores.size(); ++i) {
    const CandidateScore& score = table.scores[i];
    if (score.parts == 0) {
      ++untried[score.reason];
    } else if (i >= kLines && i != chosen) {
      ++others;
    } else {
      text += measure.is_percent
                  ? fmt::format("{:6.2f} +- {:5.2f}  {:8.2f}", 100 * score.behind, 100 * score.standard_error, 100 * table.gains[i])
                  : fmt::format("{:9.4g} +- {:9.4g}  {:9.4g}", score.behind, score.standard_error, table.gains[i] * measure.factor + 0.0);
      text += fmt::format("  {:6.1f}  {:8.1f}  {:5}  {:7.3f}  {}: {}\n", score.splits, score.features, score.parts, score.seconds,
                          name_of(table.entrants[i]->options), score.reason);
    }
  }
  if (others > 0) text += fmt::format("{} others were compared and are behind; a report lists all\n", others);
  for (const auto& [reason, count] : untried) text += fmt::format("{} of {}: {}\n", count, table.scores.size(), reason);
  return text;
}

// The choice in words, and the table.
std::string text_of(const Table& table, const Race& race, bool stopped) {
  if (table.chosen == nullptr) return "the run stopped before any candidate was compared; the cheapest one was taken";
  const auto at = std::find(table.entrants.begin(), table.entrants.end(), table.chosen) - table.entrants.begin();
  std::string text = fmt::format("chosen: {}, on {} validation parts.", told(table, static_cast<std::size_t>(at)), table.chosen->parts);
  if (at == 0) {
    text += " It is ahead of all others together with its neighbors on the grid.";
  } else {
    const CandidateScore& score = table.scores[at];
    const Measure& measure = table.measure;
    const auto number = [&](double value) {
      return measure.is_percent ? fmt::format("{:.2f}", 100 * value) : fmt::format("{:.4g}", value);
    };
    const std::string behind = measure.name == "mean cost"
                                   ? fmt::format("costs {} more", number(score.behind))
                                   : fmt::format("{}{} behind", number(score.behind), measure.is_percent ? " points" : "");
    text += fmt::format(
        " First was {}. The chosen one is simpler and {}, half by its own {} and half by its neighbors', within one standard error ({}).",
        told(table, 0), behind, unit_of(measure), number(score.standard_error));
  }
  if (stopped) text += fmt::format(" The run ended after {} of {} validation parts.", table.chosen->parts, race.parts());
  return text + "\n" + table_text(table, static_cast<std::size_t>(at));
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
  choice.options = table.chosen != nullptr ? table.chosen->options : race.entrants().front().options;
  if (table.chosen != nullptr && (measure.name == "accuracy" || data.has_costs())) choice.promised = table.chosen->mean_gain;
  choice.options.n_jobs = options.n_jobs;
  if (!has_axis_splits(choice.options)) {
    choice.options.restarts = std::max(choice.options.restarts, std::min(options.restarts, kRestartsToTrain));
  }
  if (table.chosen != nullptr && data.row_costs.empty()) {
    const Losses& losses = table.chosen->losses;
    choice.shrinkage =
        kShrinkages[static_cast<std::size_t>(std::min_element(losses.begin(), losses.end()) - losses.begin())] * usual_shrinkage(data);
  }
  if (choice.options.method == "oct" && options.node_limit < 0) choice.options.node_limit = kNodesToTrain;
  if (deadline.stopped()) {
    choice.ended = deadline.reason();
  } else if (race.out_of_time()) {
    choice.ended = Status::time_limit;
  }
  choice.selection = text_of(table, race, choice.ended != Status::heuristic);
  if (choice.shrinkage) {
    choice.selection +=
        fmt::format("probabilities: a shrinkage of {:g} rows has the least log loss on the validation parts\n", *choice.shrinkage);
  }
  choice.candidates = std::move(table.scores);
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
                        {"criterion", "random_state", "restarts", "disable", "penalty", "scoring", "split_kind"}})};
  method.choose = choose;
  method.takes_costs = true;
  method.usual_depth = usual_depth;
  return {std::move(method)};
}

}  // namespace treewright::automatic
