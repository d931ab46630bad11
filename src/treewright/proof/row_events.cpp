// What trees that predict rates or hazards lose, in whole numbers: half the Poisson deviance. As in row_sums.cpp, rows have a whole
// exposure A and a whole number B of events, and costs are steps of 2^-k units of events.
//
// Whole costs. A row of weight w with y events at exposure t has a = w t and b = w y. It loses d(b, u a) = b log(b / (u a)) - b + u a
// where u is predicted, never less than 0. On the grid A next to a / ua and B next to b / ub stand for it, and a tree loses ub times what
// it loses with A and B: one factor for all exposures changes no loss, as the best rates are the sums' own. A leaf gains g(A, B)
// (event_gain.cpp), and G rounds 2^k g up. As g is convex and homogeneous, the steps of row_sums.cpp follow: an item loses q = G of its
// own sums, a leaf the sum of q less G of all its sums, in truth never less when items are added. What is counted of a leaf may be less
// than the truth, by 2 steps and the digits of a logarithm. Nothing rests on how much less: every number that a checker counts is one
// that no tree costs less than, on these items or on more of them.
//
// From the grid to the data. Let a tree lose x on the data, with the rate u in a leaf, and g <= the sum of d(b', u a') on the grid, with
// a' = A ua and b' = B ub. A row loses more on the grid by
//
//     [d(b', u a') - d(b', u a)] + [d(b', u a) - d(b, u a)].
//
// The first is b' log(a / a') + u (a' - a). Where a' <= a it is at most b' (a - a') / a'. Where a' > a it is at most u (a' - a), and
// summed over the rows of a leaf at most its events times the largest (a' - a) / a. The second is an integral from b to b' of log(c / (u
// a)). Of c from 0 to a number e, |log(c / v)| is |log(e / v)| + 1 at most on average, and on a part that ends at e no more. So it is at
// most |b' - b| (L + 1), where L bounds |log(e / (u a))| for e = max(b, b'). A leaf with events, as one with b' > 0 is, has events from
// the least b to the sum of all; and a divided by the exposure of its leaf is between the least a divided by the sum of all, and 1. So L
// = log(sum of a / least a) + log((sum of b + sum of b') / least b). Rows with b = 0 have b' = 0.
//
// So all trees lose x >= g - X, with X = the sum of max(0, a - a') / a' b' + |b' - b| (L + 1), and the sum of b times the largest (a' -
// a) / a. A is a / ua rounded down, unless the next whole number is above it by 2^-48 of it at most, so the last term is digits where no
// exposure is below ua. The products a = w t and b = w y are rounded (numbers beyond 2^-1000 and 2^900 are refused, so by how much is a
// double): that is added to the differences above. Rows without exposure are left out, which lowers the loss. L is taken for larger by 1,
// the last term twice, and X for larger by 2^-20 of itself: room for the digits of sums.

#include <algorithm>
#include <cmath>
#include <limits>

#include "treewright/proof/file.h"
#include "treewright/proof/row_costs.h"
#include "treewright/proof/row_sums.h"
#include "treewright/proof/whole_sum.h"

namespace treewright::proof {

namespace {

// A number of the data and what stands for it on the grid.
struct Counted {
  double number = 0;
  std::int64_t whole = 0;
  double above = 0;     // by how much that, in its unit, is above the number
  double rounding = 0;  // by how much the number is off, as a product
};

struct Product {
  double value = 0, off = 0;
};

class Unit {
 public:
  explicit Unit(const Binary& unit) : binary_(unit), value_(unit.value()) {}

  Counted nearest(const Product& number) const {
    return of(number, number.value > 0 ? std::max<std::int64_t>(1, in_units(number.value, binary_)) : 0);
  }
  Counted below(const Product& number) const {
    const Counted near = nearest(number);
    return near.above > 0x1p-48 * number.value && near.whole > 1 ? of(number, near.whole - 1) : near;
  }
  double value() const { return value_; }

 private:
  Counted of(const Product& number, std::int64_t whole) const {
    return {number.value, whole, std::fma(static_cast<double>(whole), value_, -number.value), number.off};
  }

  Binary binary_;
  double value_;
};

// The product, unless digits of it are lost.
Product product(double weight, double number, const std::string& origin) {
  constexpr double kLeast = 0x1p-1000, kMost = 0x1p900;
  const double product = weight * number;
  if (product > kMost || (product < kLeast && weight > 0 && number > 0))
    refuse(origin, "speaks of weights, exposures or events that are too large or too small for one");
  return {product, std::abs(std::fma(weight, number, -product))};
}

// X of the essay, of rows with exposure.
double most_off(const std::vector<Counted>& exposures, const std::vector<Counted>& events, const Unit& of_exposure, const Unit& of_events) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  double all_exposure = 0, all_events = 0, all_counted = 0, least_exposure = kInfinite, least_events = kInfinite;
  for (std::size_t row = 0; row < exposures.size(); ++row) {
    all_exposure += exposures[row].number;
    least_exposure = std::min(least_exposure, exposures[row].number);
    if (events[row].whole == 0) continue;
    all_events += events[row].number;
    all_counted += static_cast<double>(events[row].whole) * of_events.value();
    least_events = std::min(least_events, events[row].number);
  }
  if (all_events == 0) return 0;
  const double logs =
      logarithm(all_exposure) - logarithm(least_exposure) + logarithm(all_events + all_counted) - logarithm(least_events) + 1;
  double off = 0, largest = 0;
  for (std::size_t row = 0; row < exposures.size(); ++row) {
    const Counted &a = exposures[row], &b = events[row];
    const double exposure = static_cast<double>(a.whole) * of_exposure.value(), counted = static_cast<double>(b.whole) * of_events.value();
    off += (std::max(0.0, -a.above) + a.rounding) / exposure * counted + (std::abs(b.above) + b.rounding) * (logs + 1);
    largest = std::max(largest, (std::max(0.0, a.above) + a.rounding) / a.number);
  }
  return (off + 2 * all_events * largest) * (1 + 0x1p-20);
}

}  // namespace

RowSums row_events(const Dataset& data, const Proof& proof, const std::string& origin) {
  const Response& seen = *data.response;
  const Unit of_exposure(*proof.exposure), of_events(proof.unit);
  RowSums sums;
  sums.unit = of_events.value();
  WholeSum all_exposure, all_events, gained;
  std::vector<Counted> exposures, events;  // of rows that have an exposure
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const double weight = data.weight(row);
    const Counted a = of_exposure.below(product(weight, seen.at_risk(row), origin));
    const Counted b = a.number > 0 ? of_events.nearest(product(weight, seen.values[row], origin)) : Counted();
    all_exposure.add(a.whole, origin);
    all_events.add(b.whole, origin);
    sums.exposure.push_back(a.whole);
    sums.amount.push_back(b.whole);
    if (a.number == 0) continue;
    exposures.push_back(a);
    events.push_back(b);
  }
  sums.gains = Gains(proof.grid, EventGain(static_cast<double>(all_exposure.get()), static_cast<double>(all_events.get())));
  for (std::size_t row = 0; row < data.rows(); ++row) {
    gained.add(sums.gains.up(sums.exposure[row], sums.amount[row]), origin);
    sums.gained_down += sums.gains.down(sums.exposure[row], sums.amount[row]);
  }
  sums.off = most_off(exposures, events, of_exposure, of_events) / of_events.value();
  return sums;
}

}  // namespace treewright::proof
