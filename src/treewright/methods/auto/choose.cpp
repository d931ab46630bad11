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
#include "treewright/methods/auto/method.h"
#include "treewright/methods/auto/pool.h"
#include "treewright/methods/auto/race.h"

namespace treewright::automatic {

namespace {

// Limit on subproblems of an exact search for the final tree.
constexpr std::int64_t kNodesToTrain = 200000;
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

double gain_of(const CandidateScore& score) {
  return score.cost ? -*score.cost : score.accuracy;
}

void set_gain(CandidateScore& score, double gain) {
  score.cost ? void(score.cost = 0 - gain) : void(score.accuracy = gain);
}

// Why one that stayed to the end is not the chosen one.
const char* reason_of(const CandidateScore& score, double chosen_gain) {
  if (score.behind <= score.standard_error + kRounding) return "not simpler";
  const bool with_neighbors = gain_of(score) >= chosen_gain - kRounding;
  if (score.cost) return with_neighbors ? "costs more with its neighbors" : "costs more";
  return with_neighbors ? "less accurate with its neighbors" : "less accurate";
}

// What the race found, best first.
struct Table {
  std::vector<CandidateScore> scores;
  std::vector<const Entrant*> entrants;  // of each score
  const Entrant* chosen = nullptr;       // nullptr if none was compared
};

Table table_of(const Race& race, bool has_costs) {
  struct Line {
    const Entrant* entrant;
    CandidateScore score;
  };
  std::vector<Line> lines;
  double least = std::numeric_limits<double>::infinity();
  for (const Entrant& e : race.entrants()) {
    const double parts = static_cast<double>(std::max<std::int64_t>(1, e.parts));
    lines.push_back({&e,
                     {e.options.method, differing(e.options), 0, steadied(e, race.entrants()), e.standard_error, e.splits / parts,
                      e.terms / parts, e.parts, e.seconds, e.out}});
    if (has_costs) lines.back().score.cost = 0;
    set_gain(lines.back().score, e.mean_gain);
    if (e.in() && compared(e)) least = std::min(least, lines.back().score.behind);
  }
  // All are compared with the first one on the rows that both were validated on: what left early was not validated on the others.
  if (const Entrant* first = race.leader()) {
    for (Line& line : lines) {
      if (compared(*line.entrant)) set_gain(line.score, first->mean_gain - line.entrant->behind);
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
  const double chosen_gain = chosen == nullptr ? 0 : gain_of(chosen->score);
  for (Line& line : lines) {
    if (&line == chosen) {
      table.chosen = line.entrant;
      line.score.reason = "chosen";
    } else if (line.score.reason.empty()) {
      line.score.reason = reason_of(line.score, chosen_gain);
    }
    table.entrants.push_back(line.entrant);
    table.scores.push_back(std::move(line.score));
  }
  return table;
}

std::string told(const Entrant& entrant, const CandidateScore& score) {
  const std::string gained =
      score.cost ? fmt::format("mean cost {:.4g}", *score.cost) : fmt::format("accuracy {:.2f} %", 100 * score.accuracy);
  return fmt::format("{}, {} with {:.1f} splits and {:.1f} features", name_of(entrant.options), gained, score.splits, score.features);
}

// The first candidates and the chosen one, a line each; the others are counted.
std::string table_text(const Table& table, std::size_t chosen) {
  constexpr std::size_t kLines = 12;
  const bool has_costs = table.scores.front().cost.has_value();
  std::string text = has_costs ? "behind                   mean cost" : "behind           accuracy";
  text += fmt::format(
      "  splits  features  parts  seconds  candidate   (behind the first, half by its own {} and half by its neighbors'; those that left "
      "early "
      "last)\n",
      has_costs ? "cost" : "points");
  std::size_t others = 0;
  std::map<std::string, int> untried;  // by reason
  for (std::size_t i = 0; i < table.scores.size(); ++i) {
    const CandidateScore& score = table.scores[i];
    if (score.parts == 0) {
      ++untried[score.reason];
    } else if (i >= kLines && i != chosen) {
      ++others;
    } else {
      text += score.cost ? fmt::format("{:9.4g} +- {:9.4g}  {:9.4g}", score.behind, score.standard_error, *score.cost)
                         : fmt::format("{:6.2f} +- {:5.2f}  {:8.2f}", 100 * score.behind, 100 * score.standard_error, 100 * score.accuracy);
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
  std::string text = fmt::format("chosen: {}, on {} validation parts.", told(*table.chosen, table.scores[at]), table.chosen->parts);
  if (at == 0) {
    text += " It is ahead of all others together with its neighbors on the grid.";
  } else {
    const CandidateScore& score = table.scores[at];
    const auto behind = score.cost ? fmt::format("costs {:.4g} more, half by its own cost", score.behind)
                                   : fmt::format("{:.2f} points behind, half by its own points", 100 * score.behind);
    const auto error = score.cost ? fmt::format("{:.4g}", score.standard_error) : fmt::format("{:.2f}", 100 * score.standard_error);
    text += fmt::format(" First was {}. The chosen one is simpler and {} and half by its neighbors', within one standard error ({}).",
                        told(*table.entrants[0], table.scores[0]), behind, error);
  }
  if (stopped) text += fmt::format(" The run ended after {} of {} validation parts.", table.chosen->parts, race.parts());
  return text + "\n" + table_text(table, static_cast<std::size_t>(at));
}

ChosenOptions choose(const Dataset& data, const Options& options, Deadline& deadline, const Trainer& trainer) {
  const bool unlimited = options.time_limit == Deadline::kNoLimit;
  const double to_choose = deadline.elapsed() + deadline.remaining();
  Race race(data, options, deadline, trainer, unlimited ? Deadline::kNoLimit : options.time_limit - to_choose);
  race.run();
  Table table = table_of(race, data.has_costs());
  ChosenOptions choice;
  choice.options = table.chosen != nullptr ? table.chosen->options : race.entrants().front().options;
  if (table.chosen != nullptr) choice.promised = table.chosen->mean_gain;
  choice.options.n_jobs = options.n_jobs;
  if (choice.options.method == "oct" && options.node_limit < 0) choice.options.node_limit = kNodesToTrain;
  if (deadline.stopped()) {
    choice.ended = deadline.reason();
  } else if (race.out_of_time()) {
    choice.ended = Status::time_limit;
  }
  choice.selection = text_of(table, race, choice.ended != Status::heuristic);
  choice.candidates = std::move(table.scores);
  return choice;
}

}  // namespace

std::vector<Method> methods() {
  Method method{
      "auto", "auto", "compares axis and hyperplane trees of all depths by cross-validation, and takes the simplest of the best", false,
      joined({reads::kTree, reads::kLeaves, reads::kErrors, reads::kRun, {"criterion", "random_state", "restarts", "disable", "penalty"}})};
  method.choose = choose;
  method.takes_costs = true;
  method.usual_depth = usual_depth;
  return {std::move(method)};
}

}  // namespace treewright::automatic
