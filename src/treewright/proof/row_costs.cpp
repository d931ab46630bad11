// What labels cost the rows. This is the only place of a checker that knows what is counted: errors, a matrix of costs, or costs by row.
//
// A row of weight w has a line C of costs, one for each label: 1 but for its class where errors are counted, the line of its class of a
// matrix, or numbers of its own. Label a gains g(a) = w (max C - C(a)) over the dearest label, in doubles; what is as small as the last
// digits of the costs is 0. With m(a) the whole number nearest to g(a) / unit, the label's whole cost is
//
//     n(a) = max m - m(a),
//
// which is 0 for the cheapest label and never negative. A proof speaks of whole costs. A tree that gives the row the label a truly costs
//
//     w C(a) = w min C + unit n(a) + (w (C(a) - min C) - unit n(a)),
//
// so over all rows a tree costs at least `least` = the sum of w min C, plus unit times its whole costs, less `rounding` = the sum over the
// rows of the largest bracket of any label. A bracket is never too small (`most_off`): whoever chooses the unit chooses the brackets. What
// overflows is refused. `least` is a sum without rounding.
//
// Errors: w min C = 0, the whole cost of a wrong label is the whole weight, and the bracket is what the weight was rounded by.
//
// The splits of categories of many levels depend on shares of whole gains, and nothing pays for other splits. So the unit must tell shares:
// each m(a) unit is g(a) to the last digits, or the unit is as small as a 2^-49th of all gains. A search counts in such units
// (data/costs/whole_weights.h).

#include "treewright/proof/row_costs.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <numeric>
#include <span>

#include "treewright/proof/file.h"

namespace treewright::proof {

namespace {

// At least |weight (cost - cheapest) - whole unit|, and 0 only if that is. Each difference and product is a double and what it was rounded
// by, exactly: beyond that fma is off by less than the least double.
double most_off(double weight, double cost, double cheapest, std::int64_t whole, double unit) {
  const double above = cost - cheapest, virtual_cheapest = cost - above;
  const double of_above = (cost - (above + virtual_cheapest)) + (virtual_cheapest - cheapest);
  const double paid = weight * above, counted = static_cast<double>(whole) * unit;
  const double of_paid = std::fma(weight, above, -paid), of_counted = std::fma(static_cast<double>(whole), unit, -counted);
  const double off = paid - counted, virtual_counted = paid - off;
  const double of_off = (paid - (off + virtual_counted)) + (virtual_counted - counted);
  constexpr double kSmall = 0x1p-900, kLeast = std::numeric_limits<double>::denorm_min();
  const double lost = (paid != 0 && paid < kSmall) || (counted != 0 && counted < kSmall) ? 4 * kLeast : 0;
  return (std::abs(off) + std::abs(of_off) + std::abs(of_paid - of_counted) + weight * std::abs(of_above) + lost) * (1 + 0x1p-49);
}

// The lines of costs, and the one that each row looks at.
struct Lines {
  std::vector<double> cost;          // Shape (lines x labels).
  std::vector<std::int32_t> of_row;  // Shape (rows).

  Lines(const Dataset& data, const std::vector<std::int32_t>& place, std::size_t labels) {
    if (!data.row_costs.empty()) {
      cost = data.row_costs;
      of_row.resize(data.rows());
      std::iota(of_row.begin(), of_row.end(), 0);
      return;
    }
    const std::size_t classes = data.classes();
    cost.assign(labels * labels, 0.0);
    for (std::size_t y = 0; y < classes; ++y) {
      for (std::size_t a = 0; a < classes; ++a) {
        if (place[y] < 0 || place[a] < 0) continue;
        cost[static_cast<std::size_t>(place[y]) * labels + static_cast<std::size_t>(place[a])] = !data.costs.empty()
                                                                                                     ? data.costs[y * classes + a]
                                                                                                 : a == y ? 0.0
                                                                                                          : 1.0;
      }
    }
    for (const std::int32_t label : data.labels) of_row.push_back(place[static_cast<std::size_t>(label)]);
  }
};

}  // namespace

std::int64_t in_units(double number, const Binary& unit) {
  if (number == 0) return 0;
  if (!std::isfinite(number)) return kNumbersEnd;
  __extension__ using Wide = unsigned __int128;
  int exponent = 0;
  const auto mantissa = static_cast<std::uint64_t>(std::ldexp(std::frexp(number, &exponent), 53));
  const int shift = exponent - 53 - unit.exponent;
  // The mantissa has 53 bits, the unit's at most as many. So beyond these shifts the quotient is too large, or below a half.
  if (shift > 55) return kNumbersEnd;
  if (shift < -55) return 0;
  const Wide over = Wide{mantissa} << std::max(shift, 0), under = Wide(unit.mantissa) << std::max(-shift, 0);
  const Wide whole = (2 * over + under) / (2 * under);
  return static_cast<std::int64_t>(std::min<Wide>(whole, kNumbersEnd));
}

RowCosts row_costs(const Dataset& data, const std::vector<std::int32_t>& place, std::size_t labels, const Binary& unit,
                   const std::string& origin) {
  assert(unit.mantissa > 0 && (!data.row_costs.empty() || place.size() == data.classes()));
  const Lines lines(data, place, labels);
  const double u = unit.value();
  RowCosts costs;
  costs.cost.reserve(data.rows() * labels);
  std::vector<std::int64_t> whole(labels);
  double all_gains = 0;
  bool to_last_digits = true;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const std::span<const double> line(&lines.cost[static_cast<std::size_t>(lines.of_row[row]) * labels], labels);
    const double weight = data.weight(row), cheapest = *std::min_element(line.begin(), line.end()),
                 dearest = *std::max_element(line.begin(), line.end()),
                 last_digits = std::ldexp(std::max(std::abs(cheapest), std::abs(dearest)), -50);
    for (std::size_t a = 0; a < labels; ++a) {
      const double gain = dearest - line[a] > last_digits ? weight * (dearest - line[a]) : 0;
      whole[a] = in_units(gain, unit);
      all_gains += gain;
      to_last_digits &= std::abs(std::fma(static_cast<double>(whole[a]), u, -gain)) <= std::ldexp(gain, -49);
    }
    const std::int64_t reach = *std::max_element(whole.begin(), whole.end());
    // No sum of two is beyond the type, and none grows further.
    costs.total_reach += reach;
    if (costs.total_reach >= kNumbersEnd) refuse(origin, "has a unit that makes sums inexact");
    double off = 0;
    for (std::size_t a = 0; a < labels; ++a) {
      assert(0 <= whole[a] && whole[a] <= reach);
      costs.cost.push_back(reach - whole[a]);
      const double of_label = most_off(weight, line[a], cheapest, reach - whole[a], u);
      if (!std::isfinite(of_label)) refuse(origin, "has a unit so large, or speaks of costs so large, that sums overflow");
      off = std::max(off, of_label);
    }
    costs.rounding += off;
    costs.least.add(weight, cheapest);
  }
  costs.rounding *= 1 + std::ldexp(static_cast<double>(data.rows()), -52);
  costs.tell_shares = to_last_digits || u <= std::ldexp(all_gains, -49);
  return costs;
}

}  // namespace treewright::proof
