#include "treewright/reduce/unit_points.h"

#include <algorithm>
#include <cmath>

#include "treewright/base/stop_point.h"

namespace treewright::reduce {

UnitPoints::UnitPoints(const Dataset& data) : rows_(data.rows()) {
  std::vector<std::vector<double>> coordinates;
  for (const Column& column : data.columns) {
    // Values as they come, halved so that the range of the largest doubles is finite; NaN = missing.
    std::vector<std::vector<double>> columns;
    if (column.kind == ColumnKind::numeric) {
      columns.push_back(column.values);
      for (double& value : columns.back()) value *= 0.5;
    } else {
      columns.assign(column.levels.size(), std::vector<double>(rows_, 0.0));
      for (std::size_t row = 0; row < rows_; ++row) {
        for (std::vector<double>& level : columns) {
          if (column.codes[row] < 0) level[row] = std::nan("");
        }
        if (column.codes[row] >= 0) columns[column.codes[row]][row] = 1;
      }
    }
    for (std::vector<double>& x : columns) {
      stop_point();
      double low = std::numeric_limits<double>::infinity(), high = -low, sum = 0, present = 0;
      for (const double value : x) {
        if (!std::isnan(value)) low = std::min(low, value), high = std::max(high, value);
      }
      if (!(low < high)) continue;
      const double scale = column.kind == ColumnKind::numeric ? 1 : std::sqrt(0.5);
      for (double& value : x) {
        value = scale * ((value - low) / (high - low));
        if (!std::isnan(value)) sum += value, present += 1;
      }
      for (double& value : x) {
        if (std::isnan(value)) value = sum / present;
      }
      coordinates.push_back(std::move(x));
    }
  }
  axes_ = coordinates.size();
  x_.resize(rows_ * axes_);
  for (std::size_t axis = 0; axis < axes_; ++axis) {
    for (std::size_t row = 0; row < rows_; ++row) x_[row * axes_ + axis] = coordinates[axis][row];
  }
}

}  // namespace treewright::reduce
