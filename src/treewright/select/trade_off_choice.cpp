// Choosing a tree of a trade-off, and what to compare it with.

#include <algorithm>
#include <cmath>

#include "treewright/select/stated_options.h"
#include "treewright/trade_off.h"

namespace treewright {

ErrorPair error_pair(const Tree& tree, const Dataset& data, std::int32_t positive) {
  const std::vector<std::int32_t> predicted = tree.predict(data);
  ErrorPair errors;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    if (predicted[row] == data.labels[row]) continue;
    (data.labels[row] == positive ? errors.false_negatives : errors.false_positives) += data.weight(row);
  }
  return errors;
}

std::size_t corner_at_most(const TradeOff& trade_off, double most_false_negatives) {
  std::size_t i = 0;
  while (i + 1 < trade_off.corners.size() && trade_off.corners[i].errors.false_negatives > most_false_negatives) ++i;
  return i;
}

std::size_t corner_at_ratio(const TradeOff& trade_off, double ratio) {
  std::size_t i = 0;
  while (i + 1 < trade_off.corners.size() && ratio > trade_off.corners[i].ratio_high) ++i;
  return i;
}

double least_false_positives(const TradeOff& trade_off, double most_false_negatives) {
  const std::vector<ErrorPair>& line = trade_off.frontier;
  std::size_t i = 0;
  while (i < line.size() && line[i].false_negatives > most_false_negatives) ++i;
  double least = i < line.size() ? line[i].false_positives : line.back().false_positives;
  if (i > 0 && i < line.size()) {
    const ErrorPair &p = line[i - 1], &q = line[i];
    const double share = (p.false_negatives - most_false_negatives) / (p.false_negatives - q.false_negatives);
    least = p.false_positives + share * (q.false_positives - p.false_positives);
  }
  return trade_off.whole ? std::ceil(least - 1e-9 * std::max(1.0, least)) : least;
}

std::vector<ErrorPair> greedy_errors(const Dataset& data, const TradeOff& trade_off) {
  std::vector<ErrorPair> all;
  const auto add = [&](const Result& limits, const std::string& class_weight) {
    Options options = select::limits_of(limits);
    options.method = "cart";
    options.class_weight = class_weight;
    all.push_back(error_pair(fit(data, options).tree, data, trade_off.positive));
  };
  for (const TradeOffCorner& corner : trade_off.corners) {
    if (const std::string* weights = corner.result.option("class_weight")) add(corner.result, *weights);
  }
  std::sort(all.begin(), all.end(), [](const ErrorPair& p, const ErrorPair& q) {
    return p.false_positives != q.false_positives ? p.false_positives < q.false_positives : p.false_negatives < q.false_negatives;
  });
  std::vector<ErrorPair> kept;
  for (const ErrorPair& errors : all) {
    if (kept.empty() || errors.false_negatives < kept.back().false_negatives) kept.push_back(errors);
  }
  return kept;
}

}  // namespace treewright
