// The checkpoint of a run: a journal of what its search has solved (search/ledger.h).
//
// A line is one fact: the task, the work and the seconds that it took, and its results. The first line names the program's version, the data
// and every option that the facts depend on. Limits of time and work and the number of threads may differ. Facts of another
// version are refused: they could be wrong by a mistake that this version has corrected.
//
// A fact that takes less than two milliseconds is not written: that would take a hundredth of them, and solving it again costs no more than
// reading it. Of the cuts below the root, which are many more and of no use once the root's cut is solved, only those of a tenth of a second
// are written. Lines are handed to the system at once, so a kill takes none of them, and brought to the disk every two seconds.

#include "treewright/methods/oct/checkpoint.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "treewright/base/error.h"
#include "treewright/base/json_integer.h"
#include "treewright/base/version.h"
#include "treewright/data/fingerprint.h"

namespace treewright::oct {

namespace {

using Json = nlohmann::json;
using search::Fact;
using search::NodeTask;
using search::SubproblemResult;
using search::TaskPath;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// How long a task of the root, or one below, must have taken to be written.
constexpr double kSecondsAtRoot = 0.002, kSecondsBelow = 0.1;
constexpr std::chrono::duration<double> kSync{2};

constexpr const char* kKinds[] = {"depth-two", "look-ahead", "trial", "cut"};

Journal::Header header_of(const Task& task) {
  Journal::Header header{{"treewright_fit", "1"}, {"version", version()}, {"data", fingerprint(task.data)}};
  for (const auto& [name, value] : options_set(task.options)) {
    const bool matters = name != "checkpoint" && name != "resume" && name != "time_limit" && name != "node_limit" && name != "n_jobs";
    if (matters) header.emplace_back(name, value);
  }
  return header;
}

// JSON has no infinity.
Json number(double value) {
  return value < kInfinity ? Json(value) : Json();
}
double number_from(const Json& json) {
  return json.is_null() ? kInfinity : json.get<double>();
}

Json numbers(const std::vector<double>& values) {
  Json json = Json::array();
  for (const double value : values) json.push_back(number(value));
  return json;
}

Json json_of(const SubproblemResult& result) {
  Json tree = Json::array();
  for (const auto& node : result.tree.nodes) tree.push_back({node.ordering, node.low, node.high});
  return {{"lower", number(result.lower)},
          {"relaxed", number(result.relaxed)},
          {"cost", number(result.cost)},
          {"tree", std::move(tree)},
          {"by_ordering", numbers(result.lower_by_ordering)}};
}

SubproblemResult result_from(const Json& json) {
  SubproblemResult result;
  result.lower = number_from(json.at("lower"));
  result.relaxed = number_from(json.at("relaxed"));
  result.cost = number_from(json.at("cost"));
  for (const Json& node : json.at("tree")) {
    result.tree.nodes.push_back(
        {integer<std::int32_t>(node.at(0)), integer<std::uint32_t>(node.at(1)), integer<std::uint32_t>(node.at(2))});
  }
  for (const Json& bound : json.at("by_ordering")) result.lower_by_ordering.push_back(number_from(bound));
  return result;
}

Json json_of(const NodeTask& task) {
  return {kKinds[static_cast<std::size_t>(task.kind)],
          task.depth,
          task.exact,
          task.ordering,
          task.cut,
          task.left_splits,
          task.right_splits,
          number(task.budget),
          task.in_right_child};
}

NodeTask task_from(const Json& json) {
  const auto kind = std::find(std::begin(kKinds), std::end(kKinds), json.at(0).get<std::string>());
  if (kind == std::end(kKinds)) throw std::out_of_range("no such kind of task");
  return {static_cast<NodeTask::Kind>(kind - std::begin(kKinds)),
          integer<int>(json.at(1)),
          integer<int>(json.at(2)),
          integer<std::size_t>(json.at(3)),
          integer<std::int64_t>(json.at(4)),
          integer<std::int64_t>(json.at(5)),
          integer<std::int64_t>(json.at(6)),
          number_from(json.at(7)),
          json.at(8).get<bool>()};
}

TaskPath path_from(const Json& json) {
  TaskPath path;
  for (const Json& step : json) path.push_back(task_from(step));
  if (path.empty()) throw std::out_of_range("no task");
  return path;
}

}  // namespace

Checkpoint::Checkpoint(const Task& task) {
  const Options& options = task.options;
  const bool resume = options.resume == "yes";
  if (options.checkpoint.empty()) {
    if (resume) throw option_error("resume", "there is no checkpoint to resume from", "name the file with --checkpoint");
    return;
  }
  journal_.emplace(options.checkpoint, header_of(task), resume);
  const std::vector<std::string>& lines = journal_->lines();
  for (std::size_t i = 0; i < lines.size(); ++i) read(lines[i], fmt::format("{}, line {}", options.checkpoint, i + 2));
  for (auto& [min_rows, facts] : searches_) facts.drop_needless();
}

search::Ledger* Checkpoint::ledger(std::int64_t min_rows) {
  return journal_ ? &searches_.try_emplace(min_rows, *this, min_rows).first->second : nullptr;
}

void Checkpoint::read(const std::string& line, const std::string& where) {
  try {
    const Json json = Json::parse(line);
    Fact fact;
    fact.work = integer<std::int64_t>(json.at("work"));
    fact.seconds = json.at("seconds").get<double>();
    for (const Json& result : json.at("results")) fact.results.push_back(result_from(result));
    const auto min_rows = integer<std::int64_t>(json.at("min_rows"));
    searches_.try_emplace(min_rows, *this, min_rows).first->second.known.insert_or_assign(path_from(json.at("task")), std::move(fact));
  } catch (const std::exception&) {
    throw Error(where, "is not a line of a checkpoint", "give another file", ErrorKind::file);
  }
}

const Fact* Checkpoint::Facts::find(const TaskPath& task) {
  const auto at = known.find(task);
  return at == known.end() ? nullptr : &at->second;
}

void Checkpoint::Facts::drop_needless() {
  std::erase_if(known, [&](const auto& entry) {
    NodeTask root = entry.first.front();
    root.in_right_child = false;
    return entry.first.size() > 1 && known.contains({root});
  });
}

void Checkpoint::Facts::add(const TaskPath& task, const Fact& fact) {
  if (fact.seconds < (task.size() == 1 ? kSecondsAtRoot : kSecondsBelow)) return;
  Json path = Json::array();
  for (const NodeTask& step : task) path.push_back(json_of(step));
  Json json{{"task", std::move(path)}, {"min_rows", min_rows_}, {"work", fact.work}, {"seconds", fact.seconds}, {"results", Json::array()}};
  for (const SubproblemResult& result : fact.results) json["results"].push_back(json_of(result));
  const std::string line = json.dump();
  std::lock_guard lock(file_.mutex_);
  file_.journal_->append(line, kSync);
}

}  // namespace treewright::oct
