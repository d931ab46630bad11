// The other end of a ledger that has tasks solved elsewhere (remote_ledger.cpp): one task of the root, or one cut of a node below.
//
// A task says all that its result depends on, besides the items and limits: the cuts from the root to its node, the budget, and of a cut
// what is known at its two solved neighbors and by the classes on its sides. So whoever solves it does the same work and finds the same.
//
// Only the same version of treewright may answer. Another one might search in another order, or have a mistake that this one has
// corrected.

#include "treewright/search/elsewhere/task_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "treewright/base/bytes.h"
#include "treewright/base/json_integer.h"
#include "treewright/base/version.h"
#include "treewright/error.h"
#include "treewright/search/bounds/fact_json.h"
#include "treewright/search/depth_two/pack.h"
#include "treewright/search/first_trees/primal_heuristic.h"

namespace treewright::search {

namespace {

template <class Number>
Json binary(const std::vector<Number>& numbers) {
  return Json::binary(bytes_of_all<std::vector<std::uint8_t>>(numbers));
}

template <class Number>
std::vector<Number> numbers_of(const Json& json) {
  const auto& bytes = json.get_binary();
  std::vector<Number> numbers(bytes.size() / sizeof(Number));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    std::array<std::uint8_t, sizeof(Number)> next;
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(i * sizeof(Number)), sizeof(Number), next.begin());
    numbers[i] = number_of<Number>(next);
  }
  return numbers;
}

Json json_of_bounds(const RootBounds& bounds) {
  return bounds ? json_of(*bounds) : Json();
}

RootBounds bounds_from(const Json& json) {
  return json.is_null() ? RootBounds() : std::make_shared<const std::vector<double>>(numbers_from(json));
}

Json json_of_neighbor(const SolvedCut& cut) {
  return {{"reach_left", cut.reach_left},
          {"bounds", json_of({cut.bounds.left.strict, cut.bounds.left.relaxed, cut.bounds.right.strict, cut.bounds.right.relaxed})},
          {"left_known", json_of_bounds(cut.left_known)},
          {"right_known", json_of_bounds(cut.right_known)}};
}

SolvedCut neighbor_from(const Json& json) {
  SolvedCut cut;
  cut.reach_left = json.at("reach_left").get<double>();
  const std::vector<double> bounds = numbers_from(json.at("bounds"));
  cut.bounds = {checked_bound(bounds.at(0), bounds.at(1)), checked_bound(bounds.at(2), bounds.at(3))};
  cut.left_known = bounds_from(json.at("left_known"));
  cut.right_known = bounds_from(json.at("right_known"));
  return cut;
}

Json json_of_measures(const TwoSums::Measures& of) {
  return {of.of_events, of.is_close, binary(std::vector<double>{of.off, of.absolute, of.all_exposure, of.rate, of.apart})};
}

TwoSums::Measures measures_from(const Json& json) {
  const std::vector<double> numbers = numbers_of<double>(json.at(2));
  return {json.at(0).get<bool>(), json.at(1).get<bool>(), numbers.at(0), numbers.at(1), numbers.at(2), numbers.at(3), numbers.at(4)};
}

// The place of the cut among `cuts`.
std::size_t index_of(const NodeTask& task, const Cuts& cuts) {
  if (task.cut < 0 || task.cut >= cuts.size()) throw std::out_of_range("no such cut");
  return static_cast<std::size_t>(task.cut);
}

}  // namespace

std::string to_bytes(const Problem& problem, const SearchLimits& limits) {
  Json json{{"version", version()},
            {"price", limits.split_price},
            {"min_rows", limits.min_rows},
            {"disabled", names_of_disabled(limits.rules)},
            {"classes", problem.classes},
            {"unit_rows", problem.unit_rows},
            {"total_weight", problem.total_weight},
            {"total_reach", problem.total_reach},
            {"total_rows", problem.total_rows},
            {"label", binary(problem.label)},
            {"weight", binary(problem.weight)},
            {"reach", binary(problem.reach)},
            {"count", binary(problem.count)},
            {"exposure", binary(problem.exposure)},
            {"amount", binary(problem.amount)},
            {"sums", problem.sums ? json_of_measures(problem.sums->measures()) : Json()},
            {"ranks", Json::array()},
            {"rank", Json::array()}};
  for (const Ordering& ordering : problem.orderings) {
    json["ranks"].push_back(ordering.ranks);
    json["rank"].push_back(binary(ordering.rank));
  }
  std::string bytes;
  Json::to_cbor(json, bytes);
  return bytes;
}

std::string to_text(const TaskPath& task, const Candidate* candidate) {
  Json json{{"task", json_of(task)}};
  if (candidate != nullptr) {
    json["before"] = json_of_neighbor(*candidate->before);
    json["after"] = json_of_neighbor(*candidate->after);
    json["open_reach"] = candidate->open_reach;
    json["floor"] = json_of({candidate->floor.left, candidate->floor.right});
  }
  return json.dump();
}

TaskSolver::Contents TaskSolver::read(std::string_view bytes) {
  try {
    const Json json = Json::from_cbor(bytes);
    const auto there = json.at("version").get<std::string>();
    if (there != version()) {
      throw Error("cluster", fmt::format("this worker has treewright {}, and the run is one of {}", version(), there),
                  "install the same version on all machines", ErrorKind::file);
    }
    Contents contents;
    contents.limits.split_price = json.at("price").get<double>();
    contents.limits.min_rows = integer<std::int64_t>(json.at("min_rows"));
    contents.limits.rules = rules_without(json.at("disabled").get<std::string>());
    Problem& problem = contents.problem;
    problem.classes = integer<std::int32_t>(json.at("classes"));
    problem.unit_rows = json.at("unit_rows").get<bool>();
    problem.total_weight = json.at("total_weight").get<double>();
    problem.total_reach = json.at("total_reach").get<double>();
    problem.total_rows = integer<std::int64_t>(json.at("total_rows"));
    problem.label = numbers_of<std::int32_t>(json.at("label"));
    problem.weight = numbers_of<double>(json.at("weight"));
    problem.reach = numbers_of<double>(json.at("reach"));
    problem.count = numbers_of<std::int32_t>(json.at("count"));
    problem.exposure = numbers_of<double>(json.at("exposure"));
    problem.amount = numbers_of<double>(json.at("amount"));
    if (const Json& sums = json.at("sums"); !sums.is_null()) problem.sums.emplace(measures_from(sums));
    for (std::size_t f = 0; f < json.at("rank").size(); ++f) {
      Ordering& ordering = problem.orderings.emplace_back();
      ordering.ranks = integer<std::uint32_t>(json.at("ranks").at(f));
      ordering.rank = numbers_of<std::uint32_t>(json.at("rank").at(f));
    }
    return contents;
  } catch (const Json::exception&) {
  } catch (const std::out_of_range&) {
  }
  throw Error("cluster", "the problem is damaged", "begin again", ErrorKind::file);
}

TaskSolver::TaskSolver(std::string_view bytes)
    : contents_(read(bytes)), ranked_(Subset::all(problem_)), packed_(packed_where_faster(ranked_, problem_.classes, limits_)) {
  keep_repeated_sets(problem_, limits_, ranked_, packed_, solved_sets_);
}

std::string TaskSolver::solve(std::string_view task, const std::atomic<bool>* stop) const {
  Deadline deadline(Deadline::kNoLimit, std::numeric_limits<std::int64_t>::max(), stop);
  Fact fact;
  try {
    const Json json = Json::parse(task);
    const TaskPath path = path_from(json.at("task"));
    if (path.back().kind == NodeTask::Kind::cut) {
      fact.results = solve_cut(path, json, deadline);
    } else {
      fact.results.push_back(solve_trial(path.back(), deadline));
    }
  } catch (const Json::exception&) {
    throw Error("cluster", "the task is damaged", "begin again", ErrorKind::file);
  } catch (const std::out_of_range&) {
    throw Error("cluster", "the task is of another problem", "begin again", ErrorKind::file);
  }
  if (deadline.stopped()) return {};
  fact.work = deadline.work();
  fact.seconds = deadline.elapsed();
  return json_of(fact).dump();
}

std::vector<SubproblemResult> TaskSolver::solve_cut(const TaskPath& path, const nlohmann::json& neighbors, Deadline& deadline) const {
  Subset node = packed_ ? *packed_ : ranked_;
  Cuts cuts;
  ItemSet set = solved_sets_ ? solved_sets_->all() : ItemSet();
  for (std::size_t step = 0;; ++step) {
    const NodeTask& task = path[step];
    if (task.ordering >= problem_.orderings.size()) throw std::out_of_range("no such ordering");
    cuts.assign(node, task.ordering);
    const std::size_t cut = index_of(task, cuts);
    if (step + 1 == path.size()) break;
    const std::uint32_t place = cuts.place(cut);
    if (solved_sets_) solved_sets_->side(set, task.ordering, cuts.low(cut), task.in_right_child, set);
    Subset child;
    ItemRange{node, task.ordering, task.in_right_child ? place : 0, task.in_right_child ? node.size : place}.copy_to(child);
    node = std::move(child);
  }
  const NodeTask& task = path.back();
  const OrderingSearch search{task.ordering, task.left_splits, task.right_splits, {}};
  const SolvedCut before = neighbor_from(neighbors.at("before")), after = neighbor_from(neighbors.at("after"));
  const std::vector<double> floor = numbers_from(neighbors.at("floor"));
  const Candidate candidate{&before, &after, task.cut, 0, neighbors.at("open_reach").get<double>(), {floor.at(0), floor.at(1)}};
  Worker worker{DepthTwo(problem_, limits_), {}, &deadline};
  if (solved_sets_) {
    worker.solved_sets = &*solved_sets_;
    worker.level(task.depth).set = std::move(set);
  }
  return nodes_.solve_children({node, cuts, task.depth, &worker}, search, candidate, task.budget);
}

SubproblemResult TaskSolver::solve_trial(const NodeTask& task, Deadline& deadline) const {
  if (task.kind != NodeTask::Kind::trial || task.ordering >= problem_.orderings.size()) throw std::out_of_range("no such trial");
  Cuts cuts;
  cuts.assign(ranked_, task.ordering);
  index_of(task, cuts);
  ThreadPool pool(1);
  Crew crew(problem_, limits_, pool);
  return PrimalHeuristic(problem_, limits_, deadline, crew, nullptr).solve(task, ranked_, &cuts, deadline);
}

}  // namespace treewright::search
