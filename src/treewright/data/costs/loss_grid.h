#pragma once

#include <compare>

#include "treewright/data.h"
#include "treewright/data/costs/whole_weights.h"

namespace treewright {

/// A loss as an exact search counts it: whole units of weight (whole_weights.h) and, where splits have one, prices on a grid
/// (price_grid.h). Sums, differences and comparisons are exact.
class GridUnits {
 public:
  constexpr explicit GridUnits(double count) : count_(count) {}

  constexpr double count() const { return count_; }
  friend constexpr GridUnits operator-(GridUnits a, GridUnits b) { return GridUnits(a.count_ - b.count_); }
  friend constexpr auto operator<=>(GridUnits, GridUnits) = default;

 private:
  double count_;
};

/// What units of the grid are in errors by weight or, where labels have costs, in costs of the data: the only place where a bound changes
/// from one to the other. See loss_grid.cpp.
class LossGrid {
 public:
  /// Of errors.
  explicit LossGrid(const WholeWeights& weights)
      : unit_(weights.unit), off_(weights.rounding), weights_off_(weights.rounding + weights.last_digits) {}
  /// Of costs, as errors on the table of gains (costs.cpp). `certain`: what every tree errs there, row by row. `least`: what no labels cost
  /// less than. `off`, `weights_off`: see below.
  LossGrid(double unit, GridUnits certain, double least, double off, double weights_off)
      : unit_(unit), certain_(certain), least_(least), off_(off), weights_off_(weights_off) {}

  double unit() const { return unit_; }
  /// By so much at most a tree loses more or less than its units say, besides the last digits of weights that have a common unit.
  double off() const { return off_; }
  /// What trees of at least so many units lose at least: rounded down.
  double at_least(GridUnits units) const;
  /// About what a tree of so many units loses.
  double near(GridUnits units) const { return least_ + (units - certain_).count() * unit_; }
  /// What is at least so much in errors, on the rows that the method is given, has at least so many units.
  GridUnits units(double errors) const;
  /// The same for the errors of trees alone, which are whole units: rounded up to one.
  GridUnits whole_units(double errors) const;

 private:
  double unit_;
  GridUnits certain_{0};
  double least_ = 0, off_ = 0;
  double weights_off_ = 0;  // what the weights of the rows that the method is given differ from their units by, in all
};

}  // namespace treewright
