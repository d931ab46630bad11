#include "treewright/search/bounds/fact_json.h"

#include <algorithm>
#include <stdexcept>

#include "treewright/base/infinity.h"
#include "treewright/base/json_integer.h"

namespace treewright::search {

namespace {

constexpr const char* kKinds[] = {"depth-two", "look-ahead", "trial", "discrepancies", "cut"};

Json json_of_result(const SubproblemResult& result) {
  Json tree = Json::array();
  for (const auto& node : result.tree.nodes) tree.push_back({node.ordering, node.low, node.high});
  return {{"lower", json_of(result.lower.strict)},
          {"relaxed", json_of(result.lower.relaxed)},
          {"cost", json_of(result.cost)},
          {"tree", std::move(tree)},
          {"by_ordering", json_of(result.lower_by_ordering)}};
}

SubproblemResult result_from(const Json& json) {
  SubproblemResult result;
  result.lower = checked_bound(number_from(json.at("lower")), number_from(json.at("relaxed")));
  result.cost = number_from(json.at("cost"));
  for (const Json& node : json.at("tree")) {
    result.tree.nodes.push_back(
        {integer<std::int32_t>(node.at(0)), integer<std::uint32_t>(node.at(1)), integer<std::uint32_t>(node.at(2))});
  }
  result.lower_by_ordering = numbers_from(json.at("by_ordering"));
  return result;
}

Json json_of_step(const NodeTask& task) {
  return {kKinds[static_cast<std::size_t>(task.kind)],
          task.depth,
          task.exact,
          task.ordering,
          task.cut,
          task.left_splits,
          task.right_splits,
          json_of(task.budget),
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

}  // namespace

Bound checked_bound(double strict, double relaxed) {
  const Bound bound{strict, relaxed};
  if (!bound.is_sane()) throw std::out_of_range("a limit that makes trees cheaper");
  return bound;
}

Json json_of(double number) {
  return number < kInfinity ? Json(number) : Json();
}

double number_from(const Json& json) {
  return json.is_null() ? kInfinity : json.get<double>();
}

Json json_of(const std::vector<double>& numbers) {
  Json json = Json::array();
  for (const double number : numbers) json.push_back(json_of(number));
  return json;
}

std::vector<double> numbers_from(const Json& json) {
  std::vector<double> numbers;
  for (const Json& number : json) numbers.push_back(number_from(number));
  return numbers;
}

Json json_of(const TaskPath& task) {
  Json path = Json::array();
  for (const NodeTask& step : task) path.push_back(json_of_step(step));
  return path;
}

TaskPath path_from(const Json& json) {
  TaskPath path;
  for (const Json& step : json) path.push_back(task_from(step));
  if (path.empty()) throw std::out_of_range("no task");
  return path;
}

Json json_of(const Fact& fact) {
  Json results = Json::array();
  for (const SubproblemResult& result : fact.results) results.push_back(json_of_result(result));
  return {{"work", fact.work}, {"seconds", fact.seconds}, {"results", std::move(results)}};
}

Fact fact_from(const Json& json) {
  Fact fact;
  fact.work = integer<std::int64_t>(json.at("work"));
  fact.seconds = json.at("seconds").get<double>();
  for (const Json& result : json.at("results")) fact.results.push_back(result_from(result));
  return fact;
}

}  // namespace treewright::search
