// What each column is worth, in the C interface.

#include "treewright/column_worth.h"

#include "treewright/api/handles.h"
#include "treewright/explain/column_worth_json.h"

using namespace treewright;
using treewright::api::answered;
using treewright::api::BadCall;
using treewright::api::guarded;
using treewright::api::need;
using treewright::api::need_index;

namespace {

const ColumnWorth& column_of(const tw_column_worth* worth, int64_t index) {
  const std::vector<ColumnWorth>& columns = need(worth, "worth").worths.columns;
  return columns[need_index(index, columns.size(), "index")];
}

void write(const LeastCost& least, tw_least_cost* to, const char* name) {
  api::write_struct(to, name, {sizeof(tw_least_cost), least.bound, least.cost, to_string(least.status)});
}

}  // namespace

tw_status tw_column_worth_find(const tw_dataset* dataset, const tw_options* options, double most_more, tw_listener listener, void* context,
                               const tw_stop* stop, tw_column_worth** worth) {
  return answered(worth, "worth", [&] {
    if (!(most_more >= 0)) throw BadCall("most_more", "is negative or no number", "pass a number of at least 0");
    return new tw_column_worth{
        column_worth(need(dataset, "dataset").data, need(options, "options").options, api::hooks_of(listener, context, stop), most_more)};
  });
}

void tw_column_worth_free(tw_column_worth* worth) {
  delete worth;
}

tw_status tw_column_worth_size(const tw_column_worth* worth, int64_t* columns) {
  return answered(columns, "columns", [&] { return static_cast<int64_t>(need(worth, "worth").worths.columns.size()); });
}

tw_status tw_column_worth_status(const tw_column_worth* worth, const char** status) {
  return answered(status, "status", [&] { return to_string(need(worth, "worth").worths.status); });
}

tw_status tw_column_worth_best(const tw_column_worth* worth, tw_least_cost* best) {
  return guarded([&] { write(need(worth, "worth").worths.best, best, "best"); });
}

tw_status tw_column_worth_at(const tw_column_worth* worth, int64_t index, const char** name, int32_t* used, tw_least_cost* first,
                             tw_least_cost* never) {
  return guarded([&] {
    const ColumnWorth& column = column_of(worth, index);
    const char*& to_name = need(name, "name");
    int32_t& to_used = need(used, "used");
    write(column.first, first, "first");
    write(column.never, never, "never");
    to_name = column.name.c_str();
    to_used = column.used ? 1 : 0;
  });
}

tw_status tw_column_worth_result(const tw_column_worth* worth, int64_t index, int32_t first, tw_result** result) {
  return answered(result, "result", [&] {
    const ColumnWorth& column = column_of(worth, index);
    const LeastCost& least = first != 0 ? column.first : column.never;
    return least.result ? new tw_result{*least.result} : nullptr;
  });
}

tw_status tw_column_splits(const tw_dataset* dataset, const tw_options* options, tw_listener listener, void* context, const tw_stop* stop,
                           char** json) {
  return guarded([&] {
    char*& to = need(json, "json");
    const ColumnSplits found =
        column_splits(need(dataset, "dataset").data, need(options, "options").options, api::hooks_of(listener, context, stop));
    to = api::new_text(explain::splits_json(found).dump());
  });
}
