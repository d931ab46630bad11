// HiGHS through its C interface, which is the same for every compiler.
//
// HiGHS keeps the threads it starts in a pool that belongs to the calling thread and whose size cannot change while it lives. Each solve
// therefore has a thread of its own. Destroying an instance resets that pool in a way that is not safe beside another running
// instance (HiGHS 1.15), so one model is solved at a time; whoever waits for its turn still obeys its deadline.
//
// HiGHS prints nothing (output_flag). Its callbacks say where it stands and ask whether to stop; between them, in presolve above all, seconds
// may pass. Its time limit is wall clock. A start is only used where it is feasible and complete: setSolution
// of all columns.

#include "treewright/mip/highs.h"

#include "treewright/base/error.h"

#ifdef TREEWRIGHT_HAVE_HIGHS

#include <interfaces/highs_c_api.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

namespace treewright::mip {

namespace {

struct Watch {
  Deadline& deadline;
  const ProgressListener& listener;
  double step;
  double incumbent = MipModel::kInfinity, bound = -MipModel::kInfinity;
  std::exception_ptr thrown;  // by the listener: it must not pass through C

  void hear(double primal, double dual) {
    const bool better = primal<incumbent - 1e-9, higher = dual> bound + 1e-9;
    incumbent = std::min(incumbent, primal);
    bound = std::max(bound, std::min(dual, incumbent));
    if (!listener || thrown || !(better || higher) || incumbent == MipModel::kInfinity) return;
    try {
      listener({deadline.elapsed(), incumbent, bound, better ? 'M' : ' '});
    } catch (...) {
      thrown = std::current_exception();
    }
  }
};

extern "C" void on_highs_event(int type, const char*, const HighsCallbackDataOut* out, HighsCallbackDataIn* in, void* data) {
  Watch& watch = *static_cast<Watch*>(data);
  if (type == kHighsCallbackMipImprovingSolution || type == kHighsCallbackMipLogging || type == kHighsCallbackMipInterrupt) {
    watch.hear(out->mip_primal_bound, out->mip_dual_bound);
  }
  if (in != nullptr && type != kHighsCallbackMipImprovingSolution && type != kHighsCallbackMipLogging) {
    in->user_interrupt = watch.deadline.poll() || watch.thrown != nullptr;
  }
}

void load(void* highs, const MipModel& model) {
  const auto columns = static_cast<HighsInt>(model.variables.size());
  std::vector<double> cost, lower, upper, row_lower, row_upper, value, q_value;
  std::vector<HighsInt> integrality, start, index, q_start(columns + 1, 0), q_index;
  for (const MipModel::Variable& v : model.variables) {
    cost.push_back(v.cost);
    lower.push_back(v.lower);
    upper.push_back(v.upper);
    integrality.push_back(v.integer ? kHighsVarTypeInteger : kHighsVarTypeContinuous);
  }
  for (const MipModel::Row& row : model.rows) {
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
  for (HighsInt c = 0; c < columns; ++c) q_start[c + 1] += q_start[c];
  const bool integers = std::any_of(integrality.begin(), integrality.end(), [](HighsInt kind) { return kind != 0; });
  const HighsInt code = Highs_passModel(highs, columns, static_cast<HighsInt>(model.rows.size()), static_cast<HighsInt>(index.size()),
                                        static_cast<HighsInt>(q_index.size()), kHighsMatrixFormatRowwise, kHighsHessianFormatTriangular,
                                        kHighsObjSenseMinimize, model.offset, cost.data(), lower.data(), upper.data(), row_lower.data(),
                                        row_upper.data(), start.data(), index.data(), value.data(), q_start.data(), q_index.data(),
                                        q_value.data(), integers ? integrality.data() : nullptr);
  if (code == kHighsStatusError) throw Error("model '" + model.name + "'", "HiGHS refuses it", "write it with --write-model and look");
}

MipSolution run(const MipModel& model, std::span<const double> start, const MipOptions& options, Watch& watch) {
  const std::unique_ptr<void, decltype(&Highs_destroy)> owner(Highs_create(), Highs_destroy);
  void* highs = owner.get();
  Highs_setBoolOptionValue(highs, "output_flag", 0);
  Highs_setIntOptionValue(highs, "threads", options.threads);
  Highs_setIntOptionValue(highs, "random_seed", static_cast<HighsInt>(options.seed % 2147483647));
  const double remaining = watch.deadline.remaining();
  if (std::isfinite(remaining)) Highs_setDoubleOptionValue(highs, "time_limit", std::max(0.0, remaining));
  if (options.node_limit >= 0) {
    Highs_setIntOptionValue(highs, "mip_max_nodes", static_cast<HighsInt>(std::min<std::int64_t>(options.node_limit, 2147483647)));
  }
  // Proof to the end: what is left open is less than two different objectives can differ by.
  Highs_setDoubleOptionValue(highs, "mip_rel_gap", 0);
  Highs_setDoubleOptionValue(highs, "mip_abs_gap", std::max(1e-9, 0.999 * model.step));
  load(highs, model);
  if (!start.empty()) Highs_setSolution(highs, start.data(), nullptr, nullptr, nullptr);
  Highs_setCallback(highs, on_highs_event, &watch);
  for (const HighsInt type : {kHighsCallbackMipImprovingSolution, kHighsCallbackMipLogging, kHighsCallbackMipInterrupt,
                              kHighsCallbackSimplexInterrupt, kHighsCallbackIpmInterrupt}) {
    Highs_startCallback(highs, type);
  }
  const HighsInt code = Highs_run(highs);

  MipSolution solution;
  double objective = 0, bound = 0;
  HighsInt feasible = 0;
  Highs_getIntInfoValue(highs, "primal_solution_status", &feasible);
  Highs_getDoubleInfoValue(highs, "objective_function_value", &objective);
  Highs_getInt64InfoValue(highs, "mip_node_count", &solution.nodes);
  if (feasible == kHighsSolutionStatusFeasible) {
    solution.values.resize(model.variables.size());
    Highs_getSolution(highs, solution.values.data(), nullptr, nullptr, nullptr);
    solution.objective = objective;
  }
  const bool integers = std::any_of(model.variables.begin(), model.variables.end(), [](const auto& v) { return v.integer; });
  if (integers && Highs_getDoubleInfoValue(highs, "mip_dual_bound", &bound) == kHighsStatusOk) solution.bound = bound;
  const HighsInt status = Highs_getModelStatus(highs);
  if (status == kHighsModelStatusOptimal) {
    solution.status = Status::optimal;
    if (!integers) solution.bound = objective;
  } else if (status == kHighsModelStatusInfeasible) {
    solution.infeasible = true;
  } else if (status == kHighsModelStatusTimeLimit) {
    solution.status = Status::time_limit;
  } else if (status == kHighsModelStatusSolutionLimit) {
    solution.status = Status::node_limit;
  } else if (status == kHighsModelStatusInterrupt) {
    solution.status = watch.deadline.stopped() ? watch.deadline.reason() : Status::interrupted;
  } else if (code == kHighsStatusError) {
    throw Error("model '" + model.name + "'", "HiGHS gives up on it (model status " + std::to_string(status) + ")",
                "try another solver (--mip-solver)");
  }
  return solution;
}

}  // namespace

bool has_highs() {
  return true;
}

MipSolution solve_with_highs(const MipModel& model, std::span<const double> start, const MipOptions& options, Deadline& deadline,
                             const ProgressListener& listener) {
  const bool integers = std::any_of(model.variables.begin(), model.variables.end(), [](const auto& v) { return v.integer; });
  if (integers && !model.quadratic.empty()) {
    throw Error("model '" + model.name + "'", "has integer variables and a quadratic objective, which HiGHS does not take",
                "name a solver that does (--mip-solver)");
  }
  if (model.has_quadratic_rows()) {
    throw Error("model '" + model.name + "'", "has quadratic rows, which HiGHS does not take", "name a solver that does (--mip-solver)");
  }
  static std::timed_mutex one_at_a_time;
  std::unique_lock lock(one_at_a_time, std::defer_lock);
  MipSolution solution;
  while (!lock.try_lock_for(std::chrono::milliseconds(20))) {
    if (!deadline.poll()) continue;
    solution.status = deadline.reason();
    return solution;
  }
  if (deadline.poll()) {
    solution.status = deadline.reason();
    return solution;
  }
  Watch watch{deadline, listener, model.step, MipModel::kInfinity, -MipModel::kInfinity, nullptr};
  std::exception_ptr failed;
  std::thread([&] {
    try {
      solution = run(model, start, options, watch);
    } catch (...) {
      failed = std::current_exception();
    }
  }).join();
  if (watch.thrown) std::rethrow_exception(watch.thrown);
  if (failed) std::rethrow_exception(failed);
  return solution;
}

}  // namespace treewright::mip

#else

namespace treewright::mip {

bool has_highs() {
  return false;
}

MipSolution solve_with_highs(const MipModel&, std::span<const double>, const MipOptions&, Deadline&, const ProgressListener&) {
  throw option_error("mip_solver", "this build of treewright has no HiGHS",
                     "build it with HiGHS (docs/mip.md), or name another solver's command with --mip-solver");
}

}  // namespace treewright::mip

#endif
