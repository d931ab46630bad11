// The loss of trees that predict a number, by two sums.
//
// Squared error. A row has weight a and weighted target b. A leaf with the sums A and B of its rows predicts B / A, and it loses the sum of
// b^2 / a less B^2 / A. The first term does not depend on the tree. The second one, the leaf's gain g(A, B), is convex and positively
// homogeneous, so g(A1 + A2, B1 + B2) <= g(A1, B1) + g(A2, B2). Three things follow:
//   - A split never raises the loss, and no loss falls when rows are added: what a set loses as one leaf is the sum of g over its rows less
//     g of the sums, and one more row adds to the former at least what it adds to the latter. So the optimum of some rows bounds that of
//     more rows (the rule `monotone` of bounds/intervals.h). What it says of fewer rows is not used.
//   - Rows with equal features reach the same leaf in every tree, so they are one item (a, b). What they lose among themselves is lost in
//     every tree.
//   - Where a set of sums A, B is divided at A1, B1, it gains D^2 A / (A1 A2), with A2 = A - A1 and D = B1 - A1 B / A: one division, and
//     none where only the larger one of two gains is asked.
//
// Rounding. Items lose what they lose by themselves (of_item) rounded up on a grid of 1/64 units: sums of these are exact, and no loss
// falls when items are added, since an item brings at least what it gains. Sums of a and b are exact too (data/costs/response_grid.h).
// Gains are not: let all items together have the sum S of |b|, let their b / a differ by R at most, and let them lose T <= 2^46 units. D is
// off by d <= 2^-50 S, for the mean and the product each err by half a last digit of numbers up to S. As |D| = A1 A2 / A times the
// difference of two means, its gain is off by 2 R d + 2 d^2 at most: exposures are whole, so A1 A2 / A >= 1/2. Squares up to q = 2^-95 S^2
// are taken for 0, which costs 2 q at most. All other operations err by a few last digits of T, below 1/4 together. So gains are off by
// less than off = 1/4 + 2^-48 R S + 4 q. Loss in whole units is rounded down after off is taken away: the search never takes a tree for
// dearer than it is, and all its bounds hold. It may take it for cheaper, by 1 + 2 off for each leaf. With T >= 2^44 units this is below
// 10^-12 of T for each leaf unless some rows lie very far from all others.
//
// Blocks. Where the kernel (depth_two/sum_stumps.cpp) passes over a block of boundaries, it compares gains at corners of a rectangle of A1
// and B1, which are no sums of items: two means there may differ by more than R. So D is taken for larger by 2^-49 S, more than d. Then the
// true gain at the corner, and so at each boundary of the block, exceeds the best one by 2 q and last digits at most, as in off. Where a
// side is empty, D^2 is still below q: no false alarm.

#include "treewright/search/loss/two_sums.h"

#include <limits>

namespace treewright::search {

TwoSums::TwoSums(std::span<const double> exposure, std::span<const double> amount) {
  double sum = 0, low = std::numeric_limits<double>::infinity(), high = -low;
  for (std::size_t i = 0; i < exposure.size(); ++i) {
    sum += std::abs(amount[i]);
    if (exposure[i] == 0) continue;
    low = std::min(low, amount[i] / exposure[i]);
    high = std::max(high, amount[i] / exposure[i]);
  }
  if (sum == 0) return;
  difference_off_ = 0x1p-49 * sum;
  least_square_ = 0x1p-95 * sum * sum;
  off_ = 0.25 + 0x1p-48 * (high - low) * sum + 4 * least_square_;
}

double TwoSums::of_item(double exposure, double amount) const {
  constexpr double kSteps = 64;
  return std::ceil(kSteps * (1 + 0x1p-50) * gain(exposure, amount)) / kSteps;
}

}  // namespace treewright::search
