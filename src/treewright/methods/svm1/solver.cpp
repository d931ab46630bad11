// SVM1-ODT by a solver: model -> start -> solver -> tree -> local search.
//
// The start is the tree of the heuristic (alternating.h), which also competes with the solver's tree. The solver's tree is routed and
// evaluated like any other. It may cost more than the solver says, because rows on a hyperplane chose their side, or less, because the
// local search improved it. Then only the bound is claimed, less what a solver does not know. It holds for routed trees as well: they are
// points of the model.

#include "treewright/methods/svm1/solver.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "treewright/base/error.h"
#include "treewright/base/stop_point.h"
#include "treewright/methods/svm1/model.h"
#include "treewright/mip/write.h"

namespace treewright::svm1 {

// Up to what a solver knows the sum of errors, slack and weights: the usual tolerance of its constraints, which is no share of anything.
// Small prices of weights make the whole objective of a tree without errors as small.
constexpr double kKnown = 1e-6;

Svm1Solution solve_svm1(const Svm1Problem& problem, grow::EditableTree start, const Options& options, Deadline& deadline,
                        const ProgressListener& listener) {
  if (options.mip_start != "auto" && options.mip_start != "none") {
    throw option_error("mip_start", "the model of SVM1-ODT starts from the tree of method svm1 (auto) or from nothing (none)",
                       "use one of these");
  }
  const Svm1Alternation method(problem, deadline);
  Svm1Solution best;
  best.draft = std::move(start);
  best.cost = method.cost(best.draft);
  std::optional<Svm1Formulation> built;
  std::vector<double> values;
  try {
    const StopScope building([&] { return options.write_model.empty() && deadline.poll(); });
    built.emplace(problem, formulate::strengthening_without(options.disable));
    mip::write_model(built->model(), options.write_model);
    if (options.mip_start == "auto") values = built->encode(best.draft.to_tree(problem.data)).value_or(values);
  } catch (const Stopped&) {
    best.status = deadline.poll() ? deadline.reason() : Status::interrupted;
    return best;
  }
  const Svm1Formulation& formulation = *built;
  const mip::MipModel& model = formulation.model();
  const double start_cost = best.cost;
  const mip::MipSolution found = mip::solve(model, values, mip::MipOptions::from(options), deadline, [&](Progress progress) {
    if (!listener) return;
    if (progress.incumbent >= start_cost) progress.source = ' ';
    progress.incumbent = std::min(progress.incumbent, start_cost);
    progress.bound = std::clamp(progress.bound, 0.0, progress.incumbent);
    listener(progress);
  });
  best.status = found.status;
  best.bound = std::max(0.0, found.bound - kKnown);
  if (!found.values.empty()) {
    grow::EditableTree draft;
    grow::EditableTree as_found = grow::EditableTree::of(formulation.decode(found.values));
    grow::drop_small(as_found, problem.data, grow::weighty_rows(problem.data), problem.min_rows);
    try {
      draft = method.admitted(grow::EditableTree::of(formulation.decode(found.values)));
      method.descend(draft);
    } catch (const Stopped&) {
      deadline.poll();  // the draft is as it was before the change at hand
    }
    for (grow::EditableTree* candidate : {&as_found, &draft}) {
      const double cost = method.cost(*candidate);
      if (cost >= best.cost) continue;
      best.cost = cost;
      best.draft = std::move(*candidate);
    }
  }
  const double off = std::max(std::abs(best.cost - found.objective), best.cost - best.bound);
  if (best.status == Status::optimal && off > options.gap_tolerance * std::abs(best.cost)) {
    best.status = Status::heuristic;
  }
  best.bound = std::min(best.bound, best.cost);
  return best;
}

}  // namespace treewright::svm1
