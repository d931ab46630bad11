// Other machines solve the long tasks of a search; this one runs the search itself and every task that is not worth sending.
//
// Tasks of a few milliseconds are solved here: to send them takes longer. From depth five on a cut of the root may take minutes. It is then
// searched here, and the cuts of its nodes are sent: so the tasks stay short, and the loss of a machine costs little. How long a task will
// take is known from those before it. The first ones of a level are judged by the level before: a cut of depth d leaves two subproblems of
// depth d - 1, and the root took longer to that depth than both of them.
//
// Nothing of this changes what is found. A task is solved by its words alone (task_solver.cpp), and the search asks for the same tasks in
// the same order as without other machines. It also says which cuts it will ask for later. They are begun early, so that many more tasks
// run at once than a round of the root has. Where a better tree lowers the budget, the search will ask for other tasks, and those begun are
// given up.

#include "treewright/search/elsewhere/remote_ledger.h"

#include <fmt/format.h>

#include <utility>

#include "treewright/base/stop_point.h"
#include "treewright/error.h"
#include "treewright/search/bounds/fact_json.h"
#include "treewright/search/elsewhere/task_solver.h"

namespace treewright::search {

namespace {

constexpr int kDividedDepth = 5;
// A task takes as long as those of its kind did, where there are so many; else this part of the level before.
constexpr int kEnough = 16;
constexpr double kTasksOfALevel = 3;

// How long a thread waits before it asks whether the run is over.
constexpr double kPatience = 0.25;
// Answers that are to be begun early, or that nobody wants any more.
constexpr double kBegin = 0, kGiveUp = -1;

}  // namespace

RemoteLedger::RemoteLedger(const Problem& problem, const SearchLimits& limits, Ledger* kept, const Elsewhere& elsewhere,
                           const Sending& sending)
    : problem_(problem), bytes_(to_bytes(problem, limits)), kept_(kept), elsewhere_(elsewhere), sending_(sending) {}

const Fact* RemoteLedger::find(const TaskPath& task) {
  const Fact* known = kept_ == nullptr ? nullptr : kept_->find(task);
  if (known != nullptr) note(task, *known);
  return known;
}

void RemoteLedger::add(const TaskPath& task, const Fact& fact) {
  note(task, fact);
  {
    // No cut below a solved one is wanted any more.
    std::lock_guard lock(mutex_);
    std::erase_if(expected_, [&](const auto& entry) {
      TaskPath above(entry.first.begin(), entry.first.begin() + static_cast<std::ptrdiff_t>(std::min(entry.first.size(), task.size())));
      if (!above.empty()) above.back().in_right_child = false;
      if (above != task) return false;
      forget(entry.second);
      return true;
    });
  }
  if (kept_ != nullptr) kept_->add(task, fact);
}

// What tasks that take about equally long have in common.
NodeTask RemoteLedger::kind_of(const TaskPath& task) {
  return {task.back().kind, task.back().depth, task.back().exact};
}

void RemoteLedger::note(const TaskPath& task, const Fact& fact) {
  std::lock_guard lock(mutex_);
  Solved& solved = solved_[{task.size() == 1, kind_of(task)}];
  ++solved.count;
  solved.seconds += fact.seconds;
}

double RemoteLedger::seconds_of_level(int depth) {
  return solved_[{true, {depth > 2 ? NodeTask::Kind::cut : NodeTask::Kind::depth_two, depth}}].seconds;
}

bool RemoteLedger::is_worth_sending(const TaskPath& task) {
  const NodeTask& last = task.back();
  const bool is_cut = last.kind == NodeTask::Kind::cut, at_root = task.size() == 1;
  // Nothing else runs beside the others.
  if (!is_cut && last.kind != NodeTask::Kind::trial) return false;
  std::lock_guard lock(mutex_);
  const double level = seconds_of_level(is_cut ? last.depth - 1 : last.exact);
  if (is_cut && at_root && last.depth >= kDividedDepth && level >= sending_.seconds_to_divide) return false;
  const Solved& alike = solved_[{at_root, kind_of(task)}];
  const double expected = alike.count >= kEnough ? alike.seconds / alike.count : level / kTasksOfALevel;
  return expected >= sending_.seconds_to_send;
}

std::optional<Fact> RemoteLedger::ask(const TaskPath& task, const Candidate* candidate, Deadline& deadline) {
  if (!is_worth_sending(task)) return {};
  const std::string text = to_text(task, candidate);
  {
    std::lock_guard lock(mutex_);
    const auto at = expected_.find({task.begin(), task.end() - 1});
    if (at != expected_.end()) at->second.texts.erase(task);
  }
  std::string answer;
  while ((answer = send(task, text, kPatience)).empty()) {
    if (deadline.poll()) throw Stopped();
  }
  try {
    return fact_from(Json::parse(answer));
  } catch (const std::exception&) {
    throw Error("cluster", "a worker gave an answer that is none", "install the same treewright on all machines", ErrorKind::file);
  }
}

void RemoteLedger::expect(const TaskPath& task, const Candidate& candidate) {
  if (!is_worth_sending(task) || (kept_ != nullptr && kept_->find(task) != nullptr)) return;
  std::string text = to_text(task, &candidate);
  {
    std::lock_guard lock(mutex_);
    Expected& here = expected_[{task.begin(), task.end() - 1}];
    if (here.budget != task.back().budget) forget(std::exchange(here, {task.back().budget, {}}));
    if (!here.texts.emplace(task, text).second) return;
  }
  send(task, text, kBegin);
}

void RemoteLedger::forget(const Expected& expected) const {
  for (const auto& [task, text] : expected.texts) send(task, text, kGiveUp);
}

std::string RemoteLedger::send(const TaskPath& task, const std::string& text, double seconds) const {
  return elsewhere_({name_of(task), bytes_, text}, seconds);
}

// "cut-f3-1250"; below the root "cut-f3-1250-right-f0-17".
std::string RemoteLedger::name_of(const TaskPath& task) const {
  const NodeTask& last = task.back();
  std::string name = last.kind == NodeTask::Kind::cut ? "cut" : "trial";
  for (const NodeTask& step : task) {
    name += fmt::format("-f{}-{}", static_cast<std::int64_t>(problem_.orderings[step.ordering].feature), step.cut);
    if (&step != &last) name += step.in_right_child ? "-right" : "-left";
  }
  return name;
}

}  // namespace treewright::search
