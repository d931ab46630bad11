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
// rows of the largest bracket of any label. Of a bracket, 2^-50 of w (max C - min C) counts as 0: it comes from the last digits of doubles.
//
// Errors: w min C = 0, the whole cost of a wrong label is the whole weight, and the bracket is what the weight was rounded by.

#include "treewright/proof/row_costs.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

#include "treewright/base/compensated_sum.h"
#include "treewright/proof/file.h"

namespace treewright::proof {

namespace {

// The quotient of a number >= 0 and the unit as a whole number, exactly; a half is rounded up. Too large ones are kNumbersEnd.
std::int64_t in_units(double number, const Binary& unit) {
  if (number == 0) return 0;
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

RowCosts row_costs(const Dataset& data, const std::vector<std::int32_t>& place, std::size_t labels, const Binary& unit,
                   const std::string& origin) {
  const Lines lines(data, place, labels);
  const double u = unit.value();
  RowCosts costs;
  costs.cost.reserve(data.rows() * labels);
  std::vector<std::int64_t> whole(labels);
  CompensatedSum least;
  for (std::size_t row = 0; row < data.rows(); ++row) {
    const std::span<const double> line(&lines.cost[static_cast<std::size_t>(lines.of_row[row]) * labels], labels);
    const double weight = data.weight(row), cheapest = *std::min_element(line.begin(), line.end()),
                 dearest = *std::max_element(line.begin(), line.end()),
                 last_digits = std::ldexp(std::max(std::abs(cheapest), std::abs(dearest)), -50);
    for (std::size_t a = 0; a < labels; ++a) whole[a] = dearest - line[a] > last_digits ? in_units(weight * (dearest - line[a]), unit) : 0;
    const std::int64_t reach = *std::max_element(whole.begin(), whole.end());
    // No sum of two is beyond the type, and none grows further.
    costs.total_reach += reach;
    if (costs.total_reach >= kNumbersEnd) refuse(origin, "has a unit that makes sums inexact");
    double off = 0;
    for (std::size_t a = 0; a < labels; ++a) {
      costs.cost.push_back(reach - whole[a]);
      off = std::max(off, std::abs(std::fma(-static_cast<double>(reach - whole[a]), u, weight * (line[a] - cheapest))));
    }
    if (off > std::ldexp(weight * (dearest - cheapest), -50)) costs.rounding += off;
    least += weight * cheapest;
  }
  costs.least = least.value();
  return costs;
}

}  // namespace treewright::proof
