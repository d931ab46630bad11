#include "treewright/report/ticks.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>

namespace treewright::report {

std::vector<double> ticks(double low, double high, int wanted, double least) {
  assert(wanted > 0);
  constexpr double kLastDigits = 1e-9;  // of a step: an end that is a multiple but for rounding has a tick
  std::vector<double> out;
  if (!(high > low)) return out;
  const double wished = (high - low) / wanted, power = std::pow(10.0, std::floor(std::log10(wished)));
  double step = 10 * power;
  // Up to the middles between the multiples.
  for (const auto& [most, multiple] : {std::pair(1.5, 1.0), std::pair(3.5, 2.0), std::pair(7.5, 5.0)}) {
    if (wished < most * power) step = std::min(step, multiple * power);
  }
  step = std::max(step, least);
  // Whole multiples: sums of steps would drift. So far from zero that numbers lie further apart than steps there is none to show.
  const double first = std::ceil(low / step - kLastDigits);
  if (!std::isfinite(first) || first + 1 == first) return out;
  for (int i = 0; (first + i) * step <= high + kLastDigits * step; ++i) out.push_back((first + i) * step);
  return out;
}

std::vector<double> ticks_across(double low, double high, int wanted, double width, const std::function<std::string(double)>& label,
                                 double least) {
  constexpr double kCharacter = 7, kBetween = 7;
  std::vector<double> out;
  for (; wanted > 0; --wanted) {
    out = ticks(low, high, wanted, least);
    std::size_t longest = 0;
    for (const double tick : out) longest = std::max(longest, label(tick).size());
    if (out.size() < 2 || (kCharacter * static_cast<double>(longest) + kBetween) * (high - low) <= width * (out[1] - out[0])) break;
  }
  return out;
}

std::pair<double, double> central_range(const std::vector<double>& sorted) {
  assert(!sorted.empty());
  const std::size_t tail = sorted.size() / 100;
  return {sorted[tail], sorted[sorted.size() - 1 - tail]};
}

}  // namespace treewright::report
