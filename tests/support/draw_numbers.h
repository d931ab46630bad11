#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <string_view>

#include "support/draw_case.h"
#include "support/random_top.h"

namespace treewright::testing {

/// Losses at every scale that are decimals of few digits, so that an oracle can count them in whole numbers: weights of 1e9 that differ by
/// units, costs that forbid a label, decimal costs and weights, rewards, up to twelve labels, many rows on few points.
class NumbersDraw {
 public:
  /// `subject`: the comparison that the case is for. A trade-off is of two labels without costs, and a list of near trees of few points.
  NumbersDraw(Random& random, std::string_view subject)
      : random_(random), of_pairs_(subject == "trade_off"), is_few_(subject == "near"), of_tops_(subject == "top") {}

  Case draw() {
    const bool many_labels = !of_pairs_ && one_in(4), two_labels = of_pairs_ || (!many_labels && one_in(3));
    DataLimits limits{
        3,     !is_few_ && one_in(3) ? 24 : 12,       1, 4, 2, two_labels ? 2 : many_labels ? 12 : 4, one_in(3) ? 4 : 0, one_in(3),
        false, 2 + static_cast<int>(random_.below(3))};
    if (many_labels) limits.min_classes = 7;
    if (of_pairs_) limits.min_classes = 2;
    c_.data = draw_data(random_, limits);
    if (!of_pairs_ && one_in(8) && c_.data.rows() > 0) draw_many_rows();
    for (const Column& column : c_.data.columns) names_.push_back(column.name);
    draw_losses();
    draw_limits();
    if (of_tops_)
      draw_top();
    else if (one_in(3))
      draw_asked();
    return std::move(c_);
  }

 private:
  bool one_in(int n) { return random_.below(n) == 0; }
  double below(int n) { return static_cast<double>(random_.below(n)); }

  // Each point again and again, with other labels.
  void draw_many_rows() {
    std::vector<std::int32_t> rows;
    for (std::uint64_t i = 0, end = 50 + random_.below(one_in(4) ? 950 : 150); i < end; ++i)
      rows.push_back(static_cast<std::int32_t>(random_.below(c_.data.rows())));
    c_.data = c_.data.subset(rows);
    for (std::int32_t& label : c_.data.labels) label = one_in(2) ? static_cast<std::int32_t>(random_.below(c_.data.classes())) : label;
  }

  void draw_losses() {
    const std::uint64_t kind = random_.below(of_pairs_ ? 3 : 8);
    if (kind >= 3) draw_costs(kind);
    if (kind == 0 || (kind == 1 && one_in(2)) || (kind >= 4 && !one_in(4))) return;
    const double base[] = {0, 1e9, 1e10, 4e9, 1e5};
    const double at = kind >= 3 ? 0 : base[random_.below(5)], unit = kind == 2 ? 0.1 : 1;
    for (std::size_t row = 0; row < c_.data.rows(); ++row) c_.data.weights.push_back((at + 1 + below(12)) * unit);
  }

  void draw_costs(std::uint64_t kind) {
    const std::size_t classes = c_.data.classes();
    const bool by_row = !one_in(3), forbids = !one_in(3), free = one_in(2);
    const double unit = kind == 3 ? 1 : kind == 4 ? 0.01 : kind == 5 ? 0.1 : 1, from = kind == 6 ? -4 : kind == 7 ? 50 : 0;
    const double forbid = std::pow(10.0, 5 + below(9));
    const auto draw = [&] {
      if (forbids && one_in(5)) return forbid;
      const double whole = from / unit + below(8);
      return unit < 1 ? whole / std::round(1 / unit) : whole;  // the nearest double to the decimal
    };
    const std::size_t lines = by_row ? c_.data.rows() : classes;
    std::vector<double>& costs = by_row ? c_.data.row_costs : c_.data.costs;
    for (std::size_t i = 0; i < lines * classes; ++i) costs.push_back(!by_row && free && i / classes == i % classes ? 0 : draw());
  }

  void draw_limits() {
    Options& options = c_.options;
    options.n_jobs = 1;
    options.max_depth = 1 + static_cast<std::int64_t>(random_.below(c_.data.features() <= 2 ? 4 : 3));
    if (one_in(3)) options.min_samples_leaf = 1 + below(3);
    if (one_in(8)) options.min_weight_fraction_leaf = 0.03 * (1 + below(5));
    if (one_in(4)) options.max_splits = 1 + static_cast<std::int64_t>(random_.below(4));
    if (one_in(3)) {
      const char* const scales[] = {"errors", "errors", "majority-errors", "rows"};
      options.alpha_scale = scales[random_.below(4)];
      options.ccp_alpha = options.alpha_scale == "errors" ? 0.25 * (1 + below(40)) : 0.01 * (1 + below(20));
      if (options.alpha_scale == "errors" && one_in(3)) options.ccp_alpha = 0.1 * (1 + below(20));
    }
    if (one_in(3)) options.node_limit = static_cast<std::int64_t>(random_.below(one_in(2) ? 6 : 60));
  }

  void draw_asked() {
    Options& options = c_.options;
    const auto some = [&] { return names_[random_.below(names_.size())]; };
    if (one_in(2)) options.first_column = some();
    if (one_in(3)) options.never_columns = some();
    if (one_in(3)) options.max_columns = static_cast<std::int64_t>(random_.below(1 + names_.size()));
    if (one_in(2)) {
      const double unit = one_in(3) ? 0.25 : one_in(2) ? 5 : 1;
      for (const std::string& name : names_)
        options.column_costs += (options.column_costs.empty() ? "" : ",") + name + "=" + fmt::format("{}", unit * below(4));
    }
    if (!options.first_column.empty() || options.max_columns >= 0 || !options.column_costs.empty()) {
      if (!options.first_column.empty()) options.min_weight_fraction_leaf = 0;
      options.max_depth = std::min<std::int64_t>(options.max_depth, 3);
    }
  }

  void draw_top() {
    Options& options = c_.options;
    if (!one_in(3)) options.node_limit = -1;
    const bool asks = options.max_splits < 0 && options.min_weight_fraction_leaf == 0;
    const auto least = static_cast<std::size_t>(options.min_samples_leaf);
    const Json top = TopDraw(c_.data, random_, least, asks).draw(static_cast<int>(options.max_depth));
    if (options.max_splits >= 0 && !one_in(20)) options.max_splits = splits_in(top) + static_cast<std::int64_t>(random_.below(4));
    options.top = top.dump();
  }

  Random& random_;
  const bool of_pairs_, is_few_, of_tops_;
  Case c_;
  std::vector<std::string> names_;
};

inline Case draw_numbers(Random& random, std::string_view subject) {
  return NumbersDraw(random, subject).draw();
}

}  // namespace treewright::testing
