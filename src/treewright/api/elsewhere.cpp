// Training on several machines: one runs the search and asks, the others solve its tasks.

#include "treewright/api/handles.h"
#include "treewright/fit.h"
#include "treewright/search/elsewhere/task_solver.h"

using namespace treewright;
using treewright::api::answered;
using treewright::api::guarded;
using treewright::api::need;

struct tw_answer {
  std::string text;
};
struct tw_solver {
  search::TaskSolver solver;
};

tw_status tw_answer_set(tw_answer* answer, const char* text) {
  return guarded([&] { need(answer, "answer").text = &need(text, "text"); });
}

tw_status tw_fit_elsewhere(const tw_dataset* dataset, const tw_options* options, tw_elsewhere elsewhere, void* elsewhere_context,
                           tw_listener listener, void* context, const tw_stop* stop, tw_result** result) {
  return guarded([&] {
    tw_result*& to = need(result, "result");
    if (elsewhere == nullptr) throw api::BadCall("elsewhere", "is NULL", "pass a function, or call tw_fit");
    FitHooks hooks = api::hooks_of(listener, context, stop);
    hooks.elsewhere = [elsewhere, elsewhere_context](const SearchTask& task, double seconds) {
      const std::string name(task.name), text(task.task);
      const tw_search_task copy{sizeof(tw_search_task), name.c_str(), task.problem.data(), task.problem.size(), text.c_str(), seconds};
      tw_answer answer;
      elsewhere(&copy, &answer, elsewhere_context);
      return answer.text;
    };
    to = new tw_result{fit(need(dataset, "dataset").data, need(options, "options").options, hooks)};
  });
}

tw_status tw_solver_create(const void* problem, size_t size, tw_solver** solver) {
  return answered(solver, "solver", [&] {
    return new tw_solver{search::TaskSolver({&need(static_cast<const char*>(problem), "problem"), size})};
  });
}

void tw_solver_free(tw_solver* solver) {
  delete solver;
}

tw_status tw_solver_solve(const tw_solver* solver, const char* task, const tw_stop* stop, char** answer) {
  return answered(answer, "answer", [&] {
    return api::new_text(need(solver, "solver").solver.solve(&need(task, "task"), stop == nullptr ? nullptr : &stop->requested));
  });
}
