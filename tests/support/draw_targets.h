#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "support/draw_case.h"
#include "support/random_top.h"
#include "treewright/search/bounds/rules.h"

namespace treewright::testing {

/// Cases of trees that predict numbers, small enough for an enumeration: ties, numbers far from 0 that differ little, huge and tiny ones,
/// equal ones, one row, exposures near 0, weights of all kinds.
class TargetsDraw {
 public:
  TargetsDraw(Random& random, Loss loss) : random_(random) { response_.loss = loss; }

  Case draw() {
    const bool many_values = one_in(3);
    DataLimits limits{one_in(30) ? 0 : 2, 14, 1, 3, 2, 2, one_in(4) ? 4 : 0, one_in(3), one_in(6)};
    if (!many_values) limits.values = 2 + static_cast<int>(random_.below(4));
    if (one_in(6)) {
      limits.min_rows = 13;
      limits.max_rows = 18;
      c_.data = draw_data(random_, limits);
      draw_many_levels(c_.data.columns[random_.below(c_.data.features())]);
    } else {
      c_.data = draw_data(random_, limits);
    }
    const std::size_t rows = c_.data.rows();
    c_.data.labels.clear();
    c_.data.class_names.clear();
    c_.data.target_name = "y";
    response_.loss == Loss::squared ? draw_numbers(rows) : response_.loss == Loss::poisson ? draw_events(rows) : draw_times(rows);
    c_.data.response = response_;
    draw_weights(random_, c_.data);
    if (response_.loss == Loss::survival) set_hazards(c_.data);
    draw_limits();
    return std::move(c_);
  }

 private:
  bool one_in(int n) { return random_.below(n) == 0; }
  double below(int n) { return static_cast<double>(random_.below(n)); }

  // More than twelve with few rows each, missing values as one of them.
  void draw_many_levels(Column& column) {
    const std::size_t levels = 13 + random_.below(4), missing = one_in(2) ? random_.below(levels) : levels;
    column = {column.name, ColumnKind::categorical, {}, {}, {}};
    for (std::size_t level = 0; level < levels; ++level) column.levels.push_back({'l', static_cast<char>('a' + level)});
    for (std::size_t row = 0; row < c_.data.rows(); ++row) {
      const std::size_t level = row < levels ? row : random_.below(levels);
      column.codes.push_back(level == missing ? -1 : static_cast<std::int32_t>(level));
    }
  }

  void draw_numbers(std::size_t rows) {
    const std::uint64_t kind = random_.below(11);
    const double scale = std::pow(10, random_.uniform(-95, 95));
    for (std::size_t row = 0; row < rows; ++row) response_.values.push_back(number(kind, scale));
  }
  double number(std::uint64_t kind, double scale) {
    const double whole = below(7), drawn = random_.uniform();
    switch (kind) {
      case 0:
        return whole;
      case 1:
        return drawn;
      case 2:
        return 1e9 + 1e-3 * whole;
      case 3:
        return 1e9 + whole;
      case 4:
        return (one_in(2) ? -1 : 1) * std::exp(20 * drawn);
      case 5:
        return one_in(6) ? 1e6 * drawn : whole / 10;
      case 6:
        return one_in(8) ? 1e12 : whole;
      case 7:
        return scale * (drawn - 0.5);
      case 8:
        return scale * whole;
      case 9:
        return one_in(3) ? scale : -scale;
      default:
        return one_in(50) ? 1 : 3;
    }
  }

  void draw_events(std::size_t rows) {
    const double most = std::pow(10, random_.uniform(0, 5));
    const std::uint64_t kind = random_.below(6);
    const bool rare = one_in(4), half = one_in(6);
    for (std::size_t row = 0; row < rows; ++row) {
      const double whole = std::floor(most * random_.uniform() * random_.uniform());
      const double drawn = rare && !one_in(5) ? 0 : half ? whole / 2 : whole;
      response_.values.push_back(drawn);
      if (kind > 0) response_.exposure.push_back(exposure(kind));
    }
  }
  double exposure(std::uint64_t kind) {
    switch (kind) {
      case 1:
        return (1 + below(300)) / 100;
      case 2:
        return std::exp(random_.uniform(-6, 3));
      case 3:
        return one_in(3) ? std::pow(10, -1 - below(12)) : 1;
      case 4:
        return 1e9 + below(5);
      default:
        return 1 + below(3);
    }
  }

  // Few times or many, near each other or far, most of them with an event, few or none.
  void draw_times(std::size_t rows) {
    const std::uint64_t kind = random_.below(4), share = random_.below(5);
    for (std::size_t row = 0; row < rows; ++row) {
      const double whole = below(6), drawn = random_.uniform();
      response_.times.push_back(kind == 0 ? whole : kind == 1 ? drawn : kind == 2 ? std::exp(30 * drawn - 15) : 1e6 + whole);
      response_.values.push_back(static_cast<double>(random_.below(4) < share));
    }
  }

  void draw_limits() {
    Options& options = c_.options;
    const std::uint64_t threads[] = {1, 1, 1, 1, 2, 8};
    options.n_jobs = static_cast<std::int64_t>(threads[random_.below(6)]);
    const int depths[] = {0, 1, 2, 2, 3, 3, 3, 4};
    options.max_depth = std::min({affordable_depth(c_.data), c_.data.rows() > 14 ? 3 : 4, depths[random_.below(8)]});
    if (one_in(3)) options.min_samples_leaf = one_in(4) ? random_.uniform(0, 0.4) : 1 + below(4);
    if (one_in(3)) options.max_splits = static_cast<std::int64_t>(random_.below(7));
    if (one_in(3)) options.ccp_alpha = one_in(5) ? 0.25 * (1 + below(3)) : std::pow(10, random_.uniform(-9, 0));
    if (one_in(8)) options.node_limit = static_cast<std::int64_t>(random_.below(40));
    for (const search::RuleInfo& rule : search::rule_table()) {
      if (one_in(10)) options.disable += (options.disable.empty() ? "" : ",") + std::string(rule.name);
    }
    if (options.max_depth > 0 && options.max_splits != 0 && c_.data.features() > 0 && one_in(8))
      options.first_column = c_.data.columns[random_.below(c_.data.features())].name;
    else if (c_.data.features() > 0 && one_in(6))
      draw_top();
  }

  void draw_top() {
    Options& options = c_.options;
    const double least =
        options.min_samples_leaf < 1 ? options.min_samples_leaf * static_cast<double>(c_.data.rows()) : options.min_samples_leaf;
    const Json top = TopDraw(c_.data, random_, static_cast<std::size_t>(std::ceil(least)), false).draw(static_cast<int>(options.max_depth));
    if (options.max_splits >= 0) options.max_splits += splits_in(top);
    options.top = top.dump();
  }

  Random& random_;
  Case c_;
  Response response_{Loss::squared, {}, {}};
};

/// The same limits for the greedy tree.
inline Options greedy(const Options& options) {
  Options kept;
  kept.method = "cart";
  for (const char* name : {"max_depth", "max_splits", "min_samples_leaf", "ccp_alpha"}) set_option(kept, name, get_option(options, name));
  return kept;
}

inline Case draw_targets(Random& random, Loss loss) {
  return TargetsDraw(random, loss).draw();
}

}  // namespace treewright::testing
