#pragma once

#include <string>

#include "treewright/report.h"

namespace treewright::report {

/// The picture of a trade-off as an <svg> element; the corners in it have their index as data-corner.
std::string trade_off_drawing(const TradeOff& trade_off, const TradeOffExtras& extras);

/// The picture, a table of the corners, and the tree of each; "" without a trade-off. report.js shows one corner at a time.
std::string trade_off_panel(const ReportParts& parts);

}  // namespace treewright::report
