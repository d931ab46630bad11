// The trees near the best one, in the C interface.

#include "treewright/near_trees.h"

#include "treewright/api/handles.h"

using namespace treewright;
using treewright::api::answered;
using treewright::api::BadCall;
using treewright::api::guarded;
using treewright::api::need;
using treewright::api::need_index;

tw_status tw_near_trees_find(const tw_dataset* dataset, const tw_options* options, double within, int64_t count, int32_t only_sets,
                             tw_listener listener, void* context, const tw_stop* stop, tw_near_trees** near) {
  return answered(near, "near", [&] {
    if (!(within >= 0)) throw BadCall("within", "is negative or no number", "pass a number of at least 0");
    if (count < 1) throw BadCall("count", "is below 1", "ask for one tree at least");
    return new tw_near_trees{near_trees(need(dataset, "dataset").data, need(options, "options").options,
                                        {within, static_cast<std::size_t>(count), only_sets != 0}, api::hooks_of(listener, context, stop))};
  });
}

void tw_near_trees_free(tw_near_trees* near) {
  delete near;
}

tw_status tw_near_trees_info(const tw_near_trees* near, tw_near_trees_summary* summary) {
  return guarded([&] {
    const NearTrees& from = need(near, "near").near;
    api::write_struct(
        summary, "summary",
        {sizeof(tw_near_trees_summary), static_cast<int64_t>(from.trees.size()), from.best, from.complete_within, to_string(from.status)});
  });
}

tw_status tw_near_trees_result(const tw_near_trees* near, int64_t index, tw_result** result) {
  return answered(result, "result", [&] {
    const std::vector<Result>& trees = need(near, "near").near.trees;
    return new tw_result{trees[need_index(index, trees.size(), "index")]};
  });
}
