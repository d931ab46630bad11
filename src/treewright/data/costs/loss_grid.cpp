// From whole units of the search to the doubles of the objective: one conversion, which knows its error and rounds towards the safe side.
//
// Problem. A search counts in whole units, exactly. What is stated is a double: units times their size, and where labels have costs, the
// errors on the table of gains less those that the table adds. With a cost that forbids a label these are 10^11 where the costs of trees
// are 1. A bound that is moved from one to the other as a double carries the last digits of 10^11, and may come out above the optimum.
//
// Claim. Let a tree have u units, and let it lose l on the data: |l - (least + unit (u - certain))| <= off. For errors, `off` is what
// weights without a common unit were rounded by. Weights that have one, such as 0.05 and 0.29, are doubles next to its multiples: sums of
// them are claimed up to such digits, and so are bounds. For costs, row i of the table has whole gains m(a), and a tree that gives it label
// l errs on sum m - m(l) units of it: on sum m - max m whatever l is, which is the row's part of `certain`, and on max m - m(l) more. Its
// label costs w (C(l) - min C) above the cheapest one. `off` has, for each row, the largest difference between the two over all labels,
// without rounding (costs.cpp). It is 0 where costs are whole numbers.
//
// So trees of at least u units lose at least least + unit (u - certain) - off. The difference of units is exact. Each of the three
// operations after it is rounded down.
//
// Back to units. Methods state bounds on weights of errors as doubles. The weights of all rows, with their last digits, differ from their
// units by `weights_off` in all, so errors of at least e are at least (e - weights_off) / unit units. Where splits have no price, units are
// whole, and so is the least number of them: the bound rounded up. That takes the digits out that the way through doubles has cost.

#include "treewright/data/costs/loss_grid.h"

#include <algorithm>
#include <cmath>

#include "treewright/base/round_down.h"

namespace treewright {

double LossGrid::at_least(GridUnits units) const {
  const double above = product_down(std::max(0.0, (units - certain_).count()), unit_);
  return sum_down(sum_down(least_, above), -off_);
}

GridUnits LossGrid::units(double errors) const {
  return GridUnits(quotient_down(sum_down(errors, -weights_off_), unit_));
}

GridUnits LossGrid::whole_units(double errors) const {
  return GridUnits(std::ceil(units(errors).count()));
}

}  // namespace treewright
