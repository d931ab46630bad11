// The parts of tuning: the paths of a fold, and the table of the trees.

#include "treewright/api/handles.h"
#include "treewright/select/fold_paths.h"
#include "treewright/select/tune_table.h"

using namespace treewright;
using treewright::api::BadCall;
using treewright::api::guarded;
using treewright::api::need;
using treewright::api::need_index;

tw_status tw_fold_paths(const tw_dataset* dataset, const tw_options* const* settings, int64_t count, double time_limit,
                        tw_listener listener, void* context, const tw_stop* stop, tw_path** paths) {
  return guarded([&] {
    if (count < 1) throw BadCall("count", "there is no setting", "pass at least one");
    if (!(time_limit >= 0)) throw BadCall("time_limit", "is negative or no number", "pass seconds, or infinity");
    need(settings, "settings"), need(paths, "paths");
    select::FoldPlan plan;
    for (int64_t i = 0; i < count; ++i) plan.settings.push_back(need(settings[i], "settings").options);
    plan.time_limit = time_limit;
    std::vector<std::unique_ptr<tw_path>> made;
    for (ComplexityPath& path : select::fold_paths(need(dataset, "dataset").data, plan, api::hooks_of(listener, context, stop))) {
      made.push_back(std::make_unique<tw_path>(tw_path{std::move(path)}));
    }
    for (std::unique_ptr<tw_path>& path : made) *paths++ = path.release();
  });
}

const char* tw_tune_table_head(void) {
  static const std::string head = select::tune_table_head();
  return head.c_str();
}

tw_status tw_tune_table_line(const tw_path* path, int64_t index, const char* setting, int64_t fold, double score, char** line) {
  return guarded([&] {
    const std::vector<PathPoint>& points = need(path, "path").path.points;
    const TunedTree tree = scored_tree(points[need_index(index, points.size(), "index")], 0, fold, score);
    char*& text = need(line, "line");
    text = api::new_text(select::tune_table_line(&need(setting, "setting"), tree, score));
  });
}
