// HiGHS through its C interface, which is the same for every compiler.
//
// Threads. HiGHS keeps its threads in a pool that belongs to the calling thread, and the size of the pool cannot change while it lives. So
// each solve has a thread of its own. Destroying an instance resets the pool, which is not safe beside another running instance (HiGHS
// 1.15). So one model is solved at a time; a caller that waits for its turn still obeys its deadline.
//
// Deadline. HiGHS prints nothing (output_flag). Its callbacks report progress and ask whether to stop. Between two callbacks many seconds
// may pass, above all in presolve and while it takes the model; its own time limit is wall clock. So the caller waits beside it. After the
// deadline HiGHS has a short time (kPatience) to end, and is left behind otherwise: it ends at its next callback. Until then its thread
// owns the model; the best solution that it has reported belongs to the caller.
//
// Start. A start is used only if it is feasible and complete: setSolution of all columns.
//
// Restarts. They presolve what is left of a model again, and in HiGHS 1.15.1 that can cut off the optimum: a model of 69 variables, with
// optimum 0, was "optimal" at 1 with 11 of 61 random seeds, and never without restarts (tests/cases/fuzz_found.case). So there are none.

#include "treewright/mip/highs.h"

#include "treewright/base/error.h"

#ifdef TREEWRIGHT_HAVE_HIGHS

#include <interfaces/highs_c_api.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <cstdlib>
#include <exception>
#include <list>
#include <memory>
#include <mutex>
#include <thread>

#include "treewright/base/stop_point.h"

namespace treewright::mip {

namespace {

constexpr auto kLook = std::chrono::milliseconds(10);       // how often the caller looks at its deadline
constexpr auto kPatience = std::chrono::milliseconds(150);  // with a solver that is to stop

// A model as HiGHS takes it.
struct Arrays {
  std::vector<double> cost, lower, upper, row_lower, row_upper, value, q_value;
  std::vector<HighsInt> integrality, start, index, q_start, q_index;
  double offset = 0, step = 0;
  bool integers = false;
  std::string name;

  explicit Arrays(const MipModel& model)
      : q_start(model.variables.size() + 1, 0), offset(model.offset), step(model.step), name(model.name) {
    for (const MipModel::Variable& v : model.variables) {
      cost.push_back(v.cost);
      lower.push_back(v.lower);
      upper.push_back(v.upper);
      integrality.push_back(v.integer ? kHighsVarTypeInteger : kHighsVarTypeContinuous);
      integers = integers || v.integer;
    }
    for (const MipModel::Row& row : model.rows) {
      stop_point();
      start.push_back(static_cast<HighsInt>(index.size()));
      row_lower.push_back(row.lower);
      row_upper.push_back(row.upper);
      for (const MipModel::Term& term : row.terms) {
        index.push_back(term.variable);
        value.push_back(term.coefficient);
      }
    }
    std::vector<MipModel::QuadraticTerm> q = model.quadratic;
    std::sort(q.begin(), q.end(), [](const auto& a, const auto& b) { return a.b != b.b ? a.b < b.b : a.a < b.a; });
    for (const MipModel::QuadraticTerm& term : q) {
      ++q_start[term.b + 1];
      q_index.push_back(term.a);
      q_value.push_back(term.coefficient);
    }
    for (std::size_t c = 0; c < model.variables.size(); ++c) q_start[c + 1] += q_start[c];
  }

  void pass_to(void* highs) const {
    const HighsInt code = Highs_passModel(
        highs, static_cast<HighsInt>(cost.size()), static_cast<HighsInt>(row_lower.size()), static_cast<HighsInt>(index.size()),
        static_cast<HighsInt>(q_index.size()), kHighsMatrixFormatRowwise, kHighsHessianFormatTriangular, kHighsObjSenseMinimize, offset,
        cost.data(), lower.data(), upper.data(), row_lower.data(), row_upper.data(), start.data(), index.data(), value.data(),
        q_start.data(), q_index.data(), q_value.data(), integers ? integrality.data() : nullptr);
    if (code == kHighsStatusError) throw Error("model '" + name + "'", "HiGHS refuses it", "write it by write_model and look");
  }
};

// One solve: what the caller and HiGHS's thread share. Both own it, for the caller may be the first to leave.
struct Solve {
  const Arrays model;
  const std::vector<double> begin;
  const MipOptions options;
  const double seconds;
  std::atomic<bool> stop{false};

  // The rest is under the lock.
  std::mutex mutex;
  std::condition_variable changed;
  bool done = false, better = false, higher = false;  // news that the caller has not heard
  double incumbent = MipModel::kInfinity, bound = -MipModel::kInfinity;
  MipSolution solution;  // the best so far, and all of it once done
  std::exception_ptr failed;

  Solve(const MipModel& from, std::span<const double> start, const MipOptions& how, double limit)
      : model(from), begin(start.begin(), start.end()), options(how), seconds(limit) {}

  bool has_ended() {
    const std::scoped_lock lock(mutex);
    return done;
  }

  void hear(const HighsCallbackDataOut& out, bool with_solution) {
    const std::scoped_lock lock(mutex);
    if (with_solution && out.mip_solution != nullptr && out.mip_primal_bound < solution.objective) {
      solution.objective = out.mip_primal_bound;
      solution.values.assign(out.mip_solution, out.mip_solution + model.cost.size());
    }
    better = better || out.mip_primal_bound < incumbent - 1e-9;
    incumbent = std::min(incumbent, out.mip_primal_bound);
    const double lower = std::min(out.mip_dual_bound, incumbent);
    higher = higher || lower > bound + 1e-9;
    bound = std::max(bound, lower);
    if (better || higher) changed.notify_all();
  }
};

// Static: an unnamed namespace does not hide a function of C.
extern "C" {
static void on_highs_event(int type, const char*, const HighsCallbackDataOut* out, HighsCallbackDataIn* in, void* data) {
  Solve& solve = *static_cast<Solve*>(data);
  const bool solution = type == kHighsCallbackMipImprovingSolution;
  if (solution || type == kHighsCallbackMipLogging || type == kHighsCallbackMipInterrupt) solve.hear(*out, solution);
  if (in != nullptr && !solution && type != kHighsCallbackMipLogging) in->user_interrupt = solve.stop.load();
}
}

MipSolution answer_of(void* highs, HighsInt code, const Arrays& model) {
  MipSolution solution;
  double objective = 0, bound = 0;
  HighsInt feasible = 0;
  Highs_getIntInfoValue(highs, "primal_solution_status", &feasible);
  Highs_getDoubleInfoValue(highs, "objective_function_value", &objective);
  Highs_getInt64InfoValue(highs, "mip_node_count", &solution.nodes);
  if (feasible == kHighsSolutionStatusFeasible) {
    solution.values.resize(model.cost.size());
    Highs_getSolution(highs, solution.values.data(), nullptr, nullptr, nullptr);
    solution.objective = objective;
  }
  if (model.integers && Highs_getDoubleInfoValue(highs, "mip_dual_bound", &bound) == kHighsStatusOk) solution.bound = bound;
  const HighsInt status = Highs_getModelStatus(highs);
  if (status == kHighsModelStatusOptimal) {
    solution.status = Status::optimal;
    if (!model.integers) solution.bound = objective;
  } else if (status == kHighsModelStatusInfeasible) {
    solution.infeasible = true;
  } else if (status == kHighsModelStatusTimeLimit) {
    solution.status = Status::time_limit;
  } else if (status == kHighsModelStatusSolutionLimit) {
    solution.status = Status::node_limit;
  } else if (status == kHighsModelStatusInterrupt) {
    solution.status = Status::interrupted;
  } else if (code == kHighsStatusError) {
    throw Error("model '" + model.name + "'", "HiGHS gives up on it (model status " + std::to_string(status) + ")",
                "try another solver (mip_solver)");
  }
  return solution;
}

void run(Solve& solve) {
  const std::unique_ptr<void, decltype(&Highs_destroy)> owner(Highs_create(), Highs_destroy);
  void* highs = owner.get();
  Highs_setBoolOptionValue(highs, "output_flag", 0);
  Highs_setIntOptionValue(highs, "threads", solve.options.threads);
  Highs_setIntOptionValue(highs, "random_seed", static_cast<HighsInt>(solve.options.seed % 2147483647));
  if (std::isfinite(solve.seconds)) Highs_setDoubleOptionValue(highs, "time_limit", std::max(0.0, solve.seconds));
  if (solve.options.node_limit >= 0) {
    Highs_setIntOptionValue(highs, "mip_max_nodes", static_cast<HighsInt>(std::min<std::int64_t>(solve.options.node_limit, 2147483647)));
  }
  Highs_setBoolOptionValue(highs, "mip_allow_restart", 0);
  // Proof to the end: what is left open is less than two different objectives can differ by.
  Highs_setDoubleOptionValue(highs, "mip_rel_gap", 0);
  Highs_setDoubleOptionValue(highs, "mip_abs_gap", std::max(1e-9, 0.999 * solve.model.step));
  solve.model.pass_to(highs);
  if (!solve.begin.empty()) Highs_setSolution(highs, solve.begin.data(), nullptr, nullptr, nullptr);
  Highs_setCallback(highs, on_highs_event, &solve);
  for (const HighsInt type : {kHighsCallbackMipImprovingSolution, kHighsCallbackMipLogging, kHighsCallbackMipInterrupt,
                              kHighsCallbackSimplexInterrupt, kHighsCallbackIpmInterrupt}) {
    Highs_startCallback(highs, type);
  }
  MipSolution solution = answer_of(highs, Highs_run(highs), solve.model);
  const std::scoped_lock lock(solve.mutex);
  solve.solution = std::move(solution);
}

// The threads of solves that were left behind. The program ends when they have ended, unless it goes by std::_Exit.
class LeftBehind {
 public:
  void add(std::thread thread, std::shared_ptr<Solve> solve) {
    const std::scoped_lock lock(mutex_);
    left_.push_back({std::move(thread), std::move(solve)});
    // Registered while HiGHS runs, so it is called before anything of HiGHS is destroyed.
    static const int registered = std::atexit([] { of_process().wait(); });
    static_cast<void>(registered);
  }
  /// Whether some run still.
  bool any() {
    const std::scoped_lock lock(mutex_);
    std::erase_if(left_, [](Left& left) {
      if (!left.solve->has_ended()) return false;
      left.thread.join();
      return true;
    });
    return !left_.empty();
  }
  /// Those of the whole process. Never destroyed.
  static LeftBehind& of_process() {
    static auto* const left = new LeftBehind;
    return *left;
  }

 private:
  struct Left {
    std::thread thread;
    std::shared_ptr<Solve> solve;
  };
  void wait() {
    const std::scoped_lock lock(mutex_);
    for (Left& left : left_) left.thread.join();
    left_.clear();
  }

  std::mutex mutex_;
  std::list<Left> left_;
};

std::timed_mutex& turn() {
  static std::timed_mutex one_at_a_time;
  return one_at_a_time;
}

// HiGHS's thread.
void work(const std::shared_ptr<Solve>& solve) {
  try {
    std::unique_lock lock(turn(), std::defer_lock);
    while (!lock.try_lock_for(kLook) && !solve->stop) {
    }
    if (!solve->stop) run(*solve);
  } catch (...) {
    const std::scoped_lock lock(solve->mutex);
    solve->failed = std::current_exception();
  }
  const std::scoped_lock lock(solve->mutex);
  solve->done = true;
  solve->changed.notify_all();
}

// Waits for the solve to end, or for the deadline and a moment more. The listener hears the news in between.
void follow(Solve& solve, Deadline& deadline, const ProgressListener& listener) {
  std::unique_lock lock(solve.mutex);
  auto leave_at = std::chrono::steady_clock::time_point::max();
  while (!solve.done && std::chrono::steady_clock::now() < leave_at) {
    solve.changed.wait_for(lock, kLook);
    const bool news = (solve.better || solve.higher) && solve.incumbent < MipModel::kInfinity;
    if (news && listener) {
      const Progress progress{deadline.elapsed(), solve.incumbent, solve.bound, solve.better ? 'M' : ' '};
      solve.better = solve.higher = false;
      lock.unlock();
      listener(progress);
      lock.lock();
    }
    if (!solve.stop && deadline.poll()) {
      solve.stop = true;
      leave_at = std::chrono::steady_clock::now() + kPatience;
    }
  }
}

}  // namespace

bool has_highs() {
  return true;
}

bool highs_was_left_behind() {
  return LeftBehind::of_process().any();
}

MipSolution solve_with_highs(const MipModel& model, std::span<const double> start, const MipOptions& options, Deadline& deadline,
                             const ProgressListener& listener) {
  const bool integers = std::any_of(model.variables.begin(), model.variables.end(), [](const auto& v) { return v.integer; });
  if (integers && !model.quadratic.empty()) {
    throw Error("model '" + model.name + "'", "has integer variables and a quadratic objective, which HiGHS does not take",
                "name a solver that does (mip_solver)");
  }
  if (model.has_quadratic_rows()) {
    throw Error("model '" + model.name + "'", "has quadratic rows, which HiGHS does not take", "name a solver that does (mip_solver)");
  }
  MipSolution solution;
  if (deadline.poll()) {
    solution.status = deadline.reason();
    return solution;
  }
  const auto solve = std::make_shared<Solve>(model, start, options, deadline.remaining());
  LeftBehind::of_process().any();
  std::thread thread(work, solve);
  std::exception_ptr thrown;  // by the listener
  try {
    follow(*solve, deadline, listener);
  } catch (...) {
    thrown = std::current_exception();
    solve->stop = true;
  }
  std::unique_lock lock(solve->mutex);
  const bool ended = solve->done;
  solution = ended ? std::move(solve->solution) : solve->solution;
  const std::exception_ptr failed = solve->failed;
  if (!ended) solution.bound = solve->bound;
  lock.unlock();
  if (ended) {
    thread.join();
  } else {
    LeftBehind::of_process().add(std::move(thread), solve);
  }
  if (thrown) std::rethrow_exception(thrown);
  if (failed) std::rethrow_exception(failed);
  if (solve->stop && solution.status != Status::optimal) solution.status = deadline.reason();
  return solution;
}

}  // namespace treewright::mip

#else

namespace treewright::mip {

bool has_highs() {
  return false;
}

bool highs_was_left_behind() {
  return false;
}

MipSolution solve_with_highs(const MipModel&, std::span<const double>, const MipOptions&, Deadline&, const ProgressListener&) {
  throw option_error("mip_solver", "this build of treewright has no HiGHS",
                     "build it with HiGHS (docs/mip.md), or name another solver's command by mip_solver");
}

}  // namespace treewright::mip

#endif
