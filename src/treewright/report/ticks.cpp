#include "treewright/report/ticks.h"

#include <cmath>

namespace treewright::report {

std::vector<double> ticks(double low, double high, int wanted) {
  std::vector<double> out;
  if (!(high > low)) return out;
  const double raw = (high - low) / wanted, power = std::pow(10.0, std::floor(std::log10(raw)));
  const double step = raw / power < 1.5 ? power : raw / power < 3.5 ? 2 * power : raw / power < 7.5 ? 5 * power : 10 * power;
  // Whole steps: sums of steps would drift. So far from zero that numbers lie further apart than steps there is none to show.
  const double first = std::ceil(low / step - 1e-9);
  if (!std::isfinite(first) || first + 1 == first) return out;
  for (int i = 0; (first + i) * step <= high + 1e-9 * step; ++i) out.push_back((first + i) * step);
  return out;
}

}  // namespace treewright::report
