#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "treewright/base/random.h"
#include "treewright/data.h"
#include "treewright/options.h"

namespace treewright::testing {

/// What to train on and how.
struct Case {
  Dataset data;
  Options options;
};

/// Bounds of what `draw_data` draws. Every feature that is allowed is drawn often and is often absent.
struct DataLimits {
  int min_rows = 0, max_rows = 40, min_features = 0, max_features = 6, min_classes = 1, max_classes = 6, max_levels = 15;
  bool missing = true;
  bool odd_numbers = true;  ///< huge, tiny and neighboring values, zeros of both signs; constant columns
  int values = 0;           ///< distinct values of every number column; 0 = drawn
};

/// So many different values that the kernel passes over blocks of them.
inline DataLimits many_values() {
  return {34, 120, 1, 4, 2, 4, 0, false, false, 1000};
}

/// Where wrong bounds showed most often, of all shapes tried: columns of two to five values, mostly three, at least three of them, and
/// as many rows as brute force can take. Splits then coincide, miss and empty each other below every other split.
inline DataLimits few_values(Random& random, int max_rows = 40) {
  const int values[] = {2, 3, 3, 3, 3, 4, 5};
  return {12, max_rows, 3, 6, 2, 3, 0, false, false, values[random.below(7)]};
}

/// Draws small data sets that are hard for a search: few rows and many ties, since every rule of a search speaks of ties, of empty
/// sides, of columns that become constant below a split. A property (few values, categories, missing values, noise) is drawn once
/// for the data set and then for each column, so that pure and mixed sets both occur.
class DataDraw {
 public:
  DataDraw(Random& random, const DataLimits& limits) : random_(random), limits_(limits) {}

  Dataset draw() {
    rows_ = draw_rows();
    Dataset data;
    const int features = between(limits_.min_features + (limits_.min_features == 0 && !one_in(50)), limits_.max_features);
    const int classes = limits_.min_classes <= 2 && one_in(2)
                            ? 2
                            : between(limits_.min_classes + (limits_.min_classes == 1 && !one_in(20)), limits_.max_classes);
    few_values_ = limits_.values > 0 ? limits_.values : one_in(3) ? 0 : between(2, 8);
    category_share_ = limits_.max_levels < 2 || !one_in(4) ? 0 : between(1, 3);
    missing_share_ = limits_.missing && one_in(4) ? between(1, 3) : 0;
    for (int f = 0; f < features; ++f) {
      Column column = one_in(15) && f > 0 ? data.columns[random_.below(f)] : draw_column();
      column.name = "x" + std::to_string(f);
      data.columns.push_back(std::move(column));
    }
    for (int k = 0; k < std::min(classes, limits_.max_classes); ++k) data.class_names.push_back("c" + std::to_string(k));
    draw_labels(data);
    if (one_in(6)) repeat_rows(data);
    return data;
  }

 private:
  bool one_in(int n) { return random_.below(n) == 0; }
  int between(int low, int high) { return low + static_cast<int>(random_.below(std::max(1, high - low + 1))); }

  int draw_rows() {
    const int low = limits_.min_rows, high = limits_.max_rows;
    if (low > 9) return between(low, high);
    switch (random_.below(10)) {
      case 0:
        return between(low, std::min(high, 8));
      case 1:
      case 2:
        return between(std::min(8, high), high);
      default:
        return between(std::min(9, high), std::min(high, 24));
    }
  }

  Column draw_column() {
    Column column;
    const int values = limits_.odd_numbers && one_in(20) ? 1 : few_values_ > 0 ? few_values_ : between(2, std::max(2, rows_));
    const bool misses = missing_share_ > 0 && one_in(2);
    const auto missing = [&] { return misses && one_in(8 / (1 + missing_share_)); };
    if (category_share_ > 0 && random_.below(4) < static_cast<std::uint64_t>(category_share_)) {
      column.kind = ColumnKind::categorical;
      // Every subset of the levels is an ordering of its own: many levels are dear.
      const int levels = one_in(12) ? between(2, limits_.max_levels) : between(2, std::min(5, limits_.max_levels));
      for (int v = 0; v < levels; ++v) column.levels.push_back({'l', static_cast<char>('a' + v)});
      for (int i = 0; i < rows_; ++i) column.codes.push_back(missing() ? -1 : static_cast<std::int32_t>(random_.below(levels)));
      return column;
    }
    const std::uint64_t scale = limits_.odd_numbers && one_in(4) ? 1 + random_.below(6) : 0;
    for (int i = 0; i < rows_; ++i)
      column.values.push_back(missing() ? std::nan("") : number(static_cast<int>(random_.below(values)), scale));
    return column;
  }

  // The v-th value of a column: growing with v, except that zeros of two signs are equal.
  double number(int v, std::uint64_t scale) {
    switch (scale) {
      case 1:
        return 0.1 * v - 0.3;
      case 2:
        return 1e6 + 1e-6 * v;
      case 3:
        return 7e305 * (v - 8);  // 120 values stay below half the largest double
      case 4:
        return std::numeric_limits<double>::denorm_min() * (v - 1);
      case 5:
        return 1 + std::numeric_limits<double>::epsilon() * v;  // neighbors: no double lies between
      case 6:
        return v == 0 ? (one_in(2) ? -0.0 : 0.0) : v;
      default:
        return v;
    }
  }

  void draw_labels(Dataset& data) {
    const auto classes = static_cast<int>(data.classes());
    const std::uint64_t kind = random_.below(6);
    std::vector<std::int32_t>& labels = data.labels;
    for (int i = 0; i < rows_; ++i) labels.push_back(static_cast<std::int32_t>(random_.below(classes)));
    if (kind == 0) {  // most rows are of one class
      for (std::int32_t& label : labels) label = one_in(4) ? label : 0;
    }
    if (kind == 1 && data.features() > 0) {  // what a small tree says, with or without noise
      const Column &first = data.columns.front(), &last = data.columns.back();
      const auto side = [&](const Column& column, int row) {
        return column.kind == ColumnKind::numeric ? column.values[row] > column.values[0] : column.codes[row] > column.codes[0];
      };
      const bool noise = one_in(2);
      for (int i = 0; i < rows_; ++i) {
        if (!noise || !one_in(6)) labels[i] = (side(first, i) + 2 * side(last, i)) % classes;
      }
    }
    if (kind == 2 && data.features() > 0) {  // a class for each interval of a column: every class wants a leaf
      const Column& column = data.columns[random_.below(data.features())];
      const bool noise = one_in(2);
      for (int i = 0; i < rows_; ++i) {
        const auto before = [&](int row) {
          return column.kind == ColumnKind::numeric ? column.values[row] < column.values[i] : column.codes[row] < column.codes[i];
        };
        std::int64_t rank = 0;
        for (int row = 0; row < rows_; ++row) rank += before(row);
        if (!noise || !one_in(8)) labels[i] = static_cast<std::int32_t>(rank * classes / rows_);
      }
    }
  }

  // Some rows become copies of others, now and then with another label: conflicts.
  void repeat_rows(Dataset& data) {
    for (int i = 0; i < rows_; ++i) {
      if (!one_in(3)) continue;
      const std::size_t from = random_.below(rows_);
      for (Column& column : data.columns) {
        if (column.kind == ColumnKind::numeric) column.values[i] = column.values[from];
        if (column.kind == ColumnKind::categorical) column.codes[i] = column.codes[from];
      }
      if (one_in(2)) data.labels[i] = data.labels[from];
    }
  }

  Random& random_;
  const DataLimits limits_;
  int rows_ = 0, few_values_ = 0, category_share_ = 0, missing_share_ = 0;
};

inline Dataset draw_data(Random& random, const DataLimits& limits = {}) {
  return DataDraw(random, limits).draw();
}

/// Row weights: mostly none, else small whole numbers (zero among them), multiples of a unit, real numbers, or numbers so
/// unequal that one row outweighs a billion others, which differ by a thousandth among themselves.
inline void draw_weights(Random& random, Dataset& data) {
  const std::uint64_t kind = random.below(10);
  data.weights.clear();
  if (kind < 5 || data.rows() == 0) return;
  const double unit = std::pow(10.0, static_cast<double>(random.below(13)) - 6);
  for (std::size_t row = 0; row < data.rows(); ++row) {
    switch (kind) {
      case 5:
        data.weights.push_back(static_cast<double>(random.below(4)));
        break;
      case 6:
        data.weights.push_back(unit * static_cast<double>(1 + random.below(5)));
        break;
      case 7:
        data.weights.push_back(random.uniform(0.1, 3));
        break;
      case 8:
        data.weights.push_back(std::pow(10.0, static_cast<double>(random.below(10)) - 4));
        break;
      default:
        data.weights.push_back(unit * (1 + static_cast<double>(random.below(5)) / 1000));
    }
  }
  if (kind != 9) return;
  // Up to what training accepts.
  const double heavy = random.below(2) == 0 ? 2e11 : std::pow(10.0, static_cast<double>(4 + random.below(7)));
  for (std::uint64_t rows = 1 + random.below(4); rows > 0; --rows) data.weights[random.below(data.rows())] = unit * heavy;
}

/// The depth up to which an exact search of the data takes no more than milliseconds: every subset of a category's levels is a split.
inline int affordable_depth(const Dataset& data) {
  int depth = data.rows() > 40 ? 3 : 4;
  for (const Column& column : data.columns) {
    const std::size_t levels = std::set(column.codes.begin(), column.codes.end()).size();
    if (levels > 5 && levels <= 12) depth = std::min(depth, levels > 8 ? 1 : levels > 6 ? 2 : 3);
  }
  return depth;
}

/// Options of axis trees, without a method.
inline Options draw_options(Random& random, const Dataset& data, int max_depth = 4) {
  const auto one_in = [&](int n) { return random.below(n) == 0; };
  Options options;
  const int depths[] = {0, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4};
  options.max_depth = std::min({max_depth, affordable_depth(data), depths[random.below(20)]});
  if (one_in(3)) options.min_samples_leaf = one_in(4) ? random.uniform(0, 0.4) : static_cast<double>(1 + random.below(4));
  if (one_in(12)) options.min_weight_fraction_leaf = random.uniform(0, 0.4);
  if (one_in(3)) {
    const double prices[] = {0.001, 0.02, 0.1, 0.25, 0.3, 0.5, 1, 1.5};
    const char* scales[] = {"majority-errors", "baseline-correct", "rows", "errors"};
    options.ccp_alpha = prices[random.below(8)];
    options.alpha_scale = scales[random.below(4)];
  }
  if (one_in(4)) options.max_splits = static_cast<std::int64_t>(random.below(8));
  if (one_in(10) && data.classes() > 1) {
    const char* weights[] = {"balanced", "c0=2,c1=1", "c0=0.5", "c0=1e9,c1=1", "c1=0", "c0=0.1,c1=0.3"};
    options.class_weight = weights[random.below(6)];
  }
  options.n_jobs = one_in(8) ? static_cast<std::int64_t>(2 + random.below(3)) : 1;
  return options;
}

/// What labels cost each class or, in half of the cases, each row: small whole numbers, rewards among them, tenths, or large ones that
/// differ little; of rows reals as well. Labels that are right mostly cost a class nothing.
/// The options become such as costs allow.
inline void draw_costs(Random& random, Case& c) {
  const bool by_row = random.below(2) == 0;
  const std::uint64_t kind = random.below(by_row ? 5 : 4), classes = c.data.classes();
  const bool right_is_free = random.below(3) > 0;
  c.data.costs.clear();
  c.data.row_costs.clear();
  const auto draw = [&] {
    const double whole = static_cast<double>(random.below(kind == 3 ? 3 : 8));
    return kind == 0 ? whole : kind == 1 ? whole - 4 : kind == 2 ? whole / 10 : kind == 3 ? 1000 + whole : random.uniform() - 0.5;
  };
  for (std::size_t i = 0; by_row && i < c.data.rows() * classes; ++i) c.data.row_costs.push_back(draw());
  for (std::size_t k = 0; k < classes && !by_row; ++k) {
    for (std::size_t a = 0; a < classes; ++a) {
      const double cost = draw();
      c.data.costs.push_back(right_is_free && a == k ? 0 : cost);
    }
  }
  if (by_row) c.options.class_weight.clear();
  if (c.options.alpha_scale == "baseline-correct") c.options.alpha_scale = "rows";
}

/// A category of more than twelve levels, each of which occurs, and up to two more columns. The levels differ in their classes, and many
/// have equal shares of a class.
inline Dataset draw_wide_category(Random& random, int max_rows) {
  const auto levels = static_cast<std::int32_t>(12 + random.below(5));
  Dataset data = draw_data(random, {24, max_rows, 1, 3, 2, 4, 4});
  Column& column = data.columns[random.below(data.features())];
  column = {column.name, ColumnKind::categorical, {}, {}, {}};
  const bool missing = random.below(2) == 0, noise = random.below(2) == 0;
  for (std::int32_t v = 0; v < levels; ++v) column.levels.push_back({'l', static_cast<char>('a' + v)});
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const auto level =
        row < static_cast<std::size_t>(levels) ? static_cast<std::int32_t>(row) : static_cast<std::int32_t>(random.below(levels));
    column.codes.push_back(missing && row % 8 == 7 ? -1 : level);
    if (noise || random.below(4) > 0) continue;
    data.labels[row] = (7 * level + level / 5) % static_cast<std::int32_t>(data.classes());
  }
  return data;
}

/// Of a row: 1 to 3, or so much that levels without such a row are rare.
inline double draw_very_unequal_weight(Random& random) {
  return random.below(3) == 0 ? 900 : static_cast<double>(1 + random.below(3));
}

/// As many classes as a tree of depth 3 has leaves, and more.
inline DataLimits many_classes() {
  return {6, 20, 1, 3, 4, 9, 0, false, false};
}

/// Half of the cases are plain, with few values, many values or many classes: equal weights, no option but the depth (with many
/// classes, the splits). A tenth has a category of more than twelve levels. Every further property makes a wrong bound less likely to show.
/// Limits below the usual 40 rows leave them out.
inline Case draw_case(Random& random, const DataLimits& limits = {}, int max_depth = 4) {
  Case c;
  c.options.n_jobs = 1;
  const std::uint64_t kind = limits.max_rows < 40 ? 9 : random.below(10);
  if (kind < 3) {
    const int depths[] = {2, 3, 3, 3, 4};
    c.data = draw_data(random, few_values(random));
    c.options.max_depth = std::min(max_depth, depths[random.below(5)]);
    return c;
  }
  if (kind == 4) {
    c.data = draw_data(random, many_classes());
    c.options.max_depth = std::min(max_depth, 3);
    if (random.below(2) == 0) c.options.max_splits = 2 + static_cast<std::int64_t>(random.below(5));
    return c;
  }
  if (kind == 3) {
    c.data = draw_data(random, many_values());
    // A block is passed over when little weight is left in it: light rows come first along the last column, heavy ones after them. And a
    // first column of two values leaves a single cut, so that all lanes agree on it.
    if (random.below(2) == 0) {
      for (const double v : c.data.columns.back().values) c.data.weights.push_back(v < 600 ? 1 : 9);
      for (double& v : c.data.columns.front().values) v = v < 500 ? 0 : 1;
    } else if (random.below(2) == 0) {
      draw_weights(random, c.data);
    }
    c.options.max_depth = std::min(max_depth, 2);
    return c;
  }
  c.data = kind == 5 ? draw_wide_category(random, 48) : draw_data(random, limits);
  draw_weights(random, c.data);
  c.options = draw_options(random, c.data, max_depth);
  return c;
}

}  // namespace treewright::testing
