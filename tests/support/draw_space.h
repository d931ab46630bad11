#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "support/brute_force.h"
#include "support/draw_case.h"

namespace treewright::testing {

/// The space of problems of the exact search, in cells. The generator draws a cell first and then a case in it, so that no corner is left
/// to chance. Every case is counted in the cell that it is found to be in.
struct SpaceAxis {
  std::string_view name;
  std::vector<std::string_view> ranges;
};

inline const std::array<SpaceAxis, 6>& space_axes() {
  static const std::array<SpaceAxis, 6> axes{{
      {"depth", {"0", "1", "2", "3", "4", "5", "6+"}},
      {"classes", {"2", "3-4", "5-8", "9-15", "16-30"}},
      {"columns", {"0/1", "3-5 values", "more values", "categories", "wide categories", "missing values"}},
      {"price", {"none", "tiny", "middle", "above all errors"}},
      {"leaves", {"any", "2+ rows", "weight"}},
      {"splits", {"any", "limited"}},
  }};
  return axes;
}

inline constexpr std::size_t kSpaceCells = 7 * 5 * 6 * 4 * 3 * 2;
using SpaceCell = std::array<std::size_t, 6>;  // a range of each axis

inline std::size_t index_of(const SpaceCell& cell) {
  std::size_t index = 0;
  for (std::size_t axis = 0; axis < cell.size(); ++axis) index = index * space_axes()[axis].ranges.size() + cell[axis];
  return index;
}

inline SpaceCell space_cell(std::size_t index) {
  SpaceCell cell{};
  for (std::size_t axis = cell.size(); axis-- > 0; index /= space_axes()[axis].ranges.size())
    cell[axis] = index % space_axes()[axis].ranges.size();
  return cell;
}

inline std::size_t present_values(const Column& column) {
  if (column.kind == ColumnKind::categorical) return column.levels_present();
  std::set<double> values;
  for (const double value : column.values) {
    if (!std::isnan(value)) values.insert(value);
  }
  return values.size();
}

/// The cell of a case; kSpaceCells if it has fewer than two classes or no columns.
inline std::size_t cell_of(const Case& c) {
  const Dataset& data = c.data;
  const std::size_t classes = std::set(data.labels.begin(), data.labels.end()).size();
  if (classes < 2 || data.features() == 0) return kSpaceCells;
  bool missing = false, wide = false, category = false;
  std::size_t values = 0;
  for (const Column& column : data.columns) {
    for (std::size_t row = 0; row < data.rows(); ++row) missing = missing || column.missing(row);
    wide = wide || (column.kind == ColumnKind::categorical && present_values(column) > 12);
    category = category || column.kind == ColumnKind::categorical;
    values = std::max(values, present_values(column));
  }
  const Options& options = c.options;
  const double price = options.ccp_alpha;  // a share of all errors, or of more
  return index_of({static_cast<std::size_t>(std::min<std::int64_t>(6, options.max_depth)),
                   classes <= 2    ? 0u
                   : classes <= 4  ? 1u
                   : classes <= 8  ? 2u
                   : classes <= 15 ? 3u
                                   : 4u,
                   wide          ? 4u
                   : missing     ? 5u
                   : category    ? 3u
                   : values <= 2 ? 0u
                   : values <= 5 ? 1u
                                 : 2u,
                   price == 0     ? 0u
                   : price < 1e-5 ? 1u
                   : price < 1    ? 2u
                                  : 3u,
                   options.min_weight_fraction_leaf > 0                            ? 2u
                   : options.min_samples_leaf != 1 && options.min_samples_leaf > 0 ? 1u
                                                                                   : 0u,
                   options.max_splits >= 0 ? 1u : 0u});
}

/// Draws a case in a given cell. Rows and columns are taken away until an enumeration of all trees is affordable.
class SpaceDraw {
 public:
  SpaceDraw(Random& random, const SpaceCell& cell)
      : random_(random), depth_(cell[0]), classes_(cell[1]), kind_(cell[2]), price_(cell[3]), leaves_(cell[4]), splits_(cell[5]) {}

  Case draw(double most_work) {
    Case c;
    c.options = draw_options();
    Dataset& data = c.data;
    const std::size_t least[] = {2, 3, 5, 9, 16}, most[] = {2, 4, 8, 15, 30};
    const std::size_t classes = between(least[classes_], most[classes_]);
    for (std::size_t k = 0; k < classes; ++k) data.class_names.push_back("c" + std::to_string(k));
    const std::size_t wanted = one_in(3) ? between(2, 12) : between(8, 60);
    const std::size_t rows = std::max(wanted, kind_ == kWide ? std::max<std::size_t>(14, classes) : classes);
    const std::size_t features = one_in(4) ? between(1, 12) : between(1, 3);
    draw_labels(data, rows);
    for (std::size_t f = 0; f < features; ++f) data.columns.push_back(draw_column("x" + std::to_string(f), rows, f == 0));
    draw_weights(random_, data);
    while (BruteForce(data).work(std::min(BruteForce::kMaxDepth, static_cast<int>(depth_))) > most_work && reduce(data)) {
    }
    return c;
  }

 private:
  static constexpr std::size_t kMostClasses = 4;
  static constexpr std::size_t kBinary = 0, kFew = 1, kMany = 2, kCategory = 3, kWide = 4, kMissing = 5;

  bool one_in(int n) { return random_.below(static_cast<std::uint64_t>(n)) == 0; }
  std::size_t between(std::size_t low, std::size_t high) { return low + random_.below(std::max<std::size_t>(low, high) - low + 1); }

  Options draw_options() {
    Options options;
    options.n_jobs = one_in(10) ? 2 : 1;
    options.max_depth = static_cast<std::int64_t>(depth_);
    const char* scales[] = {"majority-errors", "baseline-correct", "rows", "errors"};
    const double middle[] = {0.001, 0.02, 0.1, 0.25, 0.3, 0.5, 0.9}, large[] = {1, 1.5, 10, 1e6, 1e9};
    if (price_ > 0) options.alpha_scale = scales[random_.below(4)];
    if (price_ == 1) options.ccp_alpha = std::pow(10.0, -static_cast<double>(between(6, 16)));
    if (price_ == 2) options.ccp_alpha = middle[random_.below(7)];
    if (price_ == 3) options.ccp_alpha = large[random_.below(5)];
    if (leaves_ == 1) options.min_samples_leaf = one_in(3) ? random_.uniform(0.01, 0.5) : static_cast<double>(between(2, 6));
    if (leaves_ == 2) options.min_weight_fraction_leaf = random_.uniform(0.001, 0.5);
    // Each way to share the splits between two children is a search of its own: with many splits, deep trees take minutes.
    const std::uint64_t most_splits = depth_ > 4 ? 8 : std::uint64_t{1} << depth_;
    if (splits_ == 1) options.max_splits = static_cast<std::int64_t>(random_.below(most_splits + 1));
    return options;
  }

  // Balanced, most classes with a single row each, or each class half as often as the one before. Every class occurs, mostly.
  void draw_labels(Dataset& data, std::size_t rows) {
    const std::size_t classes = data.classes(), kind = random_.below(3);
    for (std::size_t row = 0; row < rows; ++row) {
      std::size_t label = random_.below(classes);
      if (kind == 1) label = row < classes ? row : random_.below(2);
      if (kind == 2) {
        for (label = 0; label + 1 < classes && one_in(2);) ++label;
      }
      data.labels.push_back(static_cast<std::int32_t>(label));
    }
    for (std::size_t k = 0; k < std::min(classes, rows); ++k) data.labels[k] = static_cast<std::int32_t>(k);
    for (std::size_t row = rows; row > 1; --row) std::swap(data.labels[row - 1], data.labels[random_.below(row)]);
  }

  Column draw_column(std::string name, std::size_t rows, bool first) {
    std::size_t kind = kind_;
    const bool misses = kind_ == kMissing && (first || one_in(2));
    if (kind_ == kMissing || (!first && one_in(3)))
      kind = kind_ == kMissing || kind_ >= kCategory ? random_.below(4) : random_.below(kind_ + 1);
    Column column;
    column.name = std::move(name);
    if (kind >= kCategory) {
      column.kind = ColumnKind::categorical;
      // Each set of up to twelve levels is an ordering of its own, which is dear.
      const std::size_t levels = kind == kWide ? between(13, std::max<std::size_t>(13, std::min<std::size_t>(40, rows)))
                                               : between(2, depth_ <= 2 && one_in(6) ? 12 : 5);
      for (std::size_t v = 0; v < levels; ++v) column.levels.push_back("l" + std::to_string(v));
      for (std::size_t row = 0; row < rows; ++row)
        column.codes.push_back(static_cast<std::int32_t>(row < levels ? row : random_.below(levels)));
    } else {
      const std::size_t values = kind == kBinary ? 2 : kind == kFew ? between(3, 5) : between(6, std::max<std::size_t>(6, rows));
      for (std::size_t row = 0; row < rows; ++row)
        column.values.push_back(static_cast<double>(row < values && first ? row : random_.below(values)));
    }
    for (std::size_t row = 0; misses && row < rows; ++row) {
      if (row > 0 && !one_in(6)) continue;
      column.kind == ColumnKind::numeric ? void(column.values[row] = std::nan("")) : void(column.codes[row] = -1);
    }
    return column;
  }

  // Takes away a column, or else the last rows; whether there was anything to take.
  bool reduce(Dataset& data) {
    if (data.features() > 1) {
      data.columns.pop_back();
      return true;
    }
    const std::size_t rows = data.rows() - std::max<std::size_t>(1, data.rows() / 8);
    if (rows < (kind_ != kWide ? 2u : classes_ == kMostClasses ? 16u : 14u)) return false;  // fewer are of another cell
    data.labels.resize(rows);
    if (!data.weights.empty()) data.weights.resize(rows);
    for (Column& column : data.columns) column.kind == ColumnKind::numeric ? column.values.resize(rows) : column.codes.resize(rows);
    return true;
  }

  Random& random_;
  const std::size_t depth_, classes_, kind_, price_, leaves_, splits_;
};

/// A part of the space: the ranges of depth and of classes that begin at these or above.
struct SpaceCorner {
  int depth = 0, classes = 0;

  bool holds(const SpaceCell& cell) const {
    const auto begin = [&](std::size_t axis) { return std::stoi(std::string(space_axes()[axis].ranges[cell[axis]])); };
    return begin(0) >= depth && begin(1) >= classes;
  }
};

/// A case in a cell of the corner drawn at random; most of them small enough for an enumeration of all trees.
inline Case draw_space(Random& random, const SpaceCorner& corner = {}) {
  SpaceCell cell = space_cell(random.below(kSpaceCells));
  while (!corner.holds(cell)) cell = space_cell(random.below(kSpaceCells));
  // Whoever asks for a corner wants many of its cases.
  if (corner.depth > 0 || corner.classes > 0) return SpaceDraw(random, cell).draw(random.below(2) > 0 ? 2e4 : 2e5);
  return SpaceDraw(random, cell).draw(random.below(20) > 0 ? 6e5 : 1e7);
}

/// Hundreds or thousands of rows, which only a checked proof can judge.
inline Case draw_large(Random& random) {
  Case c;
  const int values[] = {2, 3, 5, 12, 60, 1000, 5000};
  const int kind = static_cast<int>(random.below(7));
  c.data = draw_data(random, {200, 3000, 1, kind < 3 ? 9 : 5, 2, 30, 0, false, false, values[kind]});
  if (random.below(3) == 0) draw_weights(random, c.data);
  c.options.n_jobs = random.below(4) == 0 ? 2 : 1;
  c.options.max_depth = 2 + static_cast<std::int64_t>(random.below(kind < 2 ? 3 : 2));
  if (random.below(3) == 0) c.options.ccp_alpha = 0.02;
  return c;
}

}  // namespace treewright::testing
