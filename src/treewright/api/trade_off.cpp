// The trade-off between two kinds of errors in the C interface.

#include "treewright/trade_off.h"

#include <cmath>

#include "treewright/api/handles.h"
#include "treewright/report.h"

using namespace treewright;
using treewright::api::answered;
using treewright::api::BadCall;
using treewright::api::guarded;
using treewright::api::need;
using treewright::api::need_index;

namespace {

const TradeOffCorner& corner_of(const tw_trade_off* trade_off, int64_t index) {
  const std::vector<TradeOffCorner>& corners = need(trade_off, "trade_off").trade_off.corners;
  return corners[need_index(index, corners.size(), "index")];
}

}  // namespace

tw_status tw_trade_off_find(const tw_dataset* dataset, const tw_options* options, const char* positive, tw_listener listener, void* context,
                            const tw_stop* stop, tw_trade_off** trade_off) {
  return answered(trade_off, "trade_off", [&] {
    return new tw_trade_off{treewright::trade_off(need(dataset, "dataset").data, &need(positive, "positive"),
                                                  need(options, "options").options, api::hooks_of(listener, context, stop))};
  });
}

void tw_trade_off_free(tw_trade_off* trade_off) {
  delete trade_off;
}

tw_status tw_trade_off_size(const tw_trade_off* trade_off, int64_t* corners) {
  return answered(corners, "corners", [&] { return static_cast<int64_t>(need(trade_off, "trade_off").trade_off.corners.size()); });
}

tw_status tw_trade_off_status(const tw_trade_off* trade_off, const char** status) {
  return answered(status, "status", [&] { return to_string(need(trade_off, "trade_off").trade_off.status); });
}

tw_status tw_trade_off_at(const tw_trade_off* trade_off, int64_t index, tw_trade_off_corner* corner) {
  return guarded([&] {
    const TradeOffCorner& found = corner_of(trade_off, index);
    api::write_struct(corner, "corner",
                      {sizeof(tw_trade_off_corner), found.errors.false_positives, found.errors.false_negatives, found.ratio_low,
                       found.ratio_high, found.prices.false_positives, found.prices.false_negatives});
  });
}

tw_status tw_trade_off_result(const tw_trade_off* trade_off, int64_t index, tw_result** result) {
  return answered(result, "result", [&] {
    const TradeOffCorner& found = corner_of(trade_off, index);
    return new tw_result{found.result};
  });
}

tw_status tw_trade_off_least(const tw_trade_off* trade_off, double most_false_negatives, double* false_positives) {
  return answered(false_positives, "false_positives", [&] {
    if (!(most_false_negatives >= 0)) throw BadCall("most_false_negatives", "is negative or no number", "pass a number of at least 0");
    return least_false_positives(need(trade_off, "trade_off").trade_off, most_false_negatives);
  });
}

tw_status tw_trade_off_svg(const tw_trade_off* trade_off, const tw_dataset* rows, char** svg) {
  return guarded([&] {
    const TradeOff& found = need(trade_off, "trade_off").trade_off;
    char*& to = need(svg, "svg");
    TradeOffExtras extras;
    if (rows != nullptr) extras.greedy = greedy_errors(rows->data, found);
    to = api::new_text(to_svg(found, extras));
  });
}
