// Training: one tree, or the path of all trees on the hull; and the choice of alpha on paths.

#include "treewright/fit.h"

#include <memory>

#include "treewright/api/handles.h"
#include "treewright/base/progress_table.h"
#include "treewright/tune.h"

using namespace treewright;
using treewright::api::answered;
using treewright::api::BadCall;
using treewright::api::guarded;
using treewright::api::hooks_of;
using treewright::api::need;
using treewright::api::need_index;
using treewright::api::new_text;

FitHooks treewright::api::hooks_of(tw_listener listener, void* context, const tw_stop* stop) {
  FitHooks hooks;
  if (stop != nullptr) hooks.stop = &stop->requested;
  if (listener != nullptr) {
    // Hooks are copied from solve to solve: all of them go on with one table.
    hooks.listener = [listener, context, table = std::make_shared<ProgressTable>()](const Progress& progress) {
      const std::string text = table->line(progress);
      const tw_progress copy{sizeof(tw_progress), progress.seconds,      progress.incumbent,   progress.bound,
                             progress.source,     text.c_str(),          progress.subproblems, progress.done,
                             progress.closed,     progress.seconds_left, progress.facts,       progress.written};
      listener(&copy, context);
    };
  }
  return hooks;
}

tw_status tw_stop_create(tw_stop** stop) {
  return answered(stop, "stop", [&] { return new tw_stop; });
}

void tw_stop_free(tw_stop* stop) {
  delete stop;
}

void tw_stop_request(tw_stop* stop) {
  if (stop != nullptr) stop->requested.store(true);
}

tw_status tw_fit(const tw_dataset* dataset, const tw_options* options, tw_listener listener, void* context, const tw_stop* stop,
                 tw_result** result) {
  return answered(result, "result", [&] {
    return new tw_result{fit(need(dataset, "dataset").data, need(options, "options").options, hooks_of(listener, context, stop))};
  });
}

void tw_result_free(tw_result* result) {
  delete result;
}

tw_status tw_complexity_path(const tw_dataset* dataset, const tw_options* options, tw_listener listener, void* context, const tw_stop* stop,
                             tw_path** path) {
  return answered(path, "path", [&] {
    return new tw_path{complexity_path(need(dataset, "dataset").data, need(options, "options").options, hooks_of(listener, context, stop))};
  });
}

void tw_path_free(tw_path* path) {
  delete path;
}

tw_status tw_path_size(const tw_path* path, int64_t* points) {
  return answered(points, "points", [&] { return static_cast<int64_t>(need(path, "path").path.points.size()); });
}

tw_status tw_path_status(const tw_path* path, const char** status) {
  return answered(status, "status", [&] { return to_string(need(path, "path").path.status); });
}

tw_status tw_path_at(const tw_path* path, int64_t index, tw_path_point* point) {
  return guarded([&] {
    const std::vector<PathPoint>& points = need(path, "path").path.points;
    const PathPoint& found = points[need_index(index, points.size(), "index")];
    api::write_struct(point, "point", {sizeof(tw_path_point), found.splits, found.errors, found.alpha_low, found.alpha_high});
  });
}

tw_status tw_path_result(const tw_path* path, int64_t index, tw_result** result) {
  return answered(result, "result", [&] {
    const std::vector<PathPoint>& points = need(path, "path").path.points;
    const PathPoint& found = points[need_index(index, points.size(), "index")];
    return new tw_result{found.result};
  });
}

tw_status tw_choose(const tw_scored_tree* trees, int64_t count, const char* rule, tw_curve_step* steps, int64_t* n_steps,
                    tw_curve_step* chosen, double* alpha, char** why) {
  return guarded([&] {
    std::string_view name = &need(rule, "rule");
    Scoring scoring = Scoring::accuracy;
    for (const Scoring loss : {Scoring::cost, Scoring::rmse, Scoring::mae, Scoring::deviance}) {
      const std::string suffix = "-" + std::string(name_of(loss));
      if (!name.ends_with(suffix)) continue;
      name.remove_suffix(suffix.size());
      scoring = loss;
    }
    const ChoiceRule how = choice_rule_named(name);
    if (count < 1) throw BadCall("count", "there is no tree to choose from", "pass at least one");
    const std::size_t tree_size = api::need_struct_size(trees, "trees"), step_size = api::need_struct_size(steps, "steps"),
                      chosen_size = api::need_struct_size(chosen, "chosen");
    std::vector<ScoredTree> scored;
    for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
      const tw_scored_tree tree = api::read_struct(api::element(trees, i, tree_size), tree_size, "trees");
      scored.push_back({tree.setting, tree.fold, tree.alpha_low, tree.alpha_high, tree.score, tree.features, tree.splits});
    }
    const auto out = [](const CurveStep& step) {
      return tw_curve_step{sizeof(tw_curve_step), step.setting, step.alpha_low,     step.alpha_high, step.score,
                           step.features,         step.splits,  step.standard_error};
    };
    // Each step begins where some fold's tree does: there are no more steps than trees.
    const std::vector<CurveStep> curve = validation_curve(scored);
    const Choice choice = choose(curve, how, scoring);
    double& alpha_to = need(alpha, "alpha");
    int64_t& count_to = need(n_steps, "n_steps");
    char*& text_to = need(why, "why");
    char* const text = new_text(choice.why);
    // Nothing fails from here on.
    text_to = text;
    alpha_to = choice.alpha;
    count_to = static_cast<int64_t>(curve.size());
    api::write_struct(chosen, chosen_size, out(choice.step));
    for (std::size_t i = 0; i < curve.size(); ++i) api::write_struct(api::element(steps, i, step_size), step_size, out(curve[i]));
  });
}
