// How far figures of numbers may be off: intervals of 95 %.
//
// A mean has the interval of the t distribution, a rate that of the Poisson distribution, a concordance that of the normal one. R2, RMSE
// and MAE have no such formula: they are computed again on rows drawn with replacement (Efron 1979), and the middle 95 % of what comes out
// is the interval. The draws are the same on every machine. All three are functions of sums over rows, so a draw costs some additions a
// row.

#include "treewright/report/intervals.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "treewright/base/random.h"
#include "treewright/data/losses.h"
#include "treewright/data/survival.h"

namespace treewright::report {

namespace {

constexpr double kZ = 1.959963984540054;  // 97.5 % of the normal distribution lie below
constexpr std::size_t kFewestRows = 10, kFewestDraws = 100;

// What the scores of some rows need of each of them.
struct Sums {
  double weight = 0, loss = 0, squares = 0, absolute = 0;
  double a = 0, b = 0, c = 0;  // what the rows' own mean loses is a function of these

  void operator+=(const Sums& other) {
    weight += other.weight, loss += other.loss, squares += other.squares, absolute += other.absolute;
    a += other.a, b += other.b, c += other.c;
  }
};

// Values are counted from `middle`, so that squares do not cancel.
Sums sums_of(const Dataset& data, std::size_t row, double predicted, double middle) {
  const Response& seen = *data.response;
  const double w = data.weight(row), y = seen.values[row], t = seen.at_risk(row), off = y - t * predicted;
  Sums sums{w, row_loss(data, row, predicted), w * off * off, w * std::abs(off), 0, 0, 0};
  if (seen.loss == Loss::squared) {
    sums.a = w, sums.b = w * (y - middle), sums.c = w * (y - middle) * (y - middle);
  } else {
    sums.a = w * t, sums.b = w * y, sums.c = y > 0 ? w * y * std::log(y / t) : 0;
  }
  return sums;
}

double lost_by_own_mean(const Sums& sums, Loss loss) {
  if (!(sums.a > 0)) return 0;
  if (loss == Loss::squared) return sums.c - sums.b * sums.b / sums.a;
  return sums.c - (sums.b > 0 ? sums.b * std::log(sums.b / sums.a) : 0);
}

// Nothing of too few rows, or of none that counts.
std::vector<Sums> sums_of_rows(std::span<const double> predicted, const Dataset& data) {
  double total = 0, middle = 0;
  for (std::size_t row = 0; row < data.rows(); ++row) total += data.weight(row), middle += data.weight(row) * data.response->values[row];
  std::vector<Sums> each;
  if (data.rows() < kFewestRows || !(total > 0)) return each;
  for (std::size_t row = 0; row < data.rows(); ++row) each.push_back(sums_of(data, row, predicted[row], middle / total));
  return each;
}

// Calls `take` with the sums of rows drawn with replacement, as many as there are, and what their own mean loses: again and again.
template <class Take>
void resample(const std::vector<Sums>& each, Loss loss, const Take& take) {
  if (each.empty()) return;
  constexpr std::size_t kMost = 1000, kWork = 8'000'000;
  Random random(1);
  for (std::size_t draws = std::clamp(kWork / each.size(), kFewestDraws, kMost); draws > 0; --draws) {
    Sums sums;
    for (std::size_t i = 0; i < each.size(); ++i) sums += each[random.below(each.size())];
    const double of_mean = lost_by_own_mean(sums, loss);
    if (sums.weight > 0 && of_mean > 0) take(sums, of_mean);
  }
}

Interval middle_of(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values[static_cast<std::size_t>(std::lround(share * static_cast<double>(values.size() - 1)))];
  };
  return {at(0.025), at(0.975)};
}

// The share of the gamma distribution of that shape and scale 1 below x > 0, by the series of its integral, whose terms are all above 0.
double gamma_below(double shape, double x) {
  double term = std::exp(shape * std::log(x) - x - std::lgamma(shape + 1)), sum = 0;
  for (double k = 1; term > 0x1p-60 * sum || x > shape + k; ++k) {
    sum += term;
    term *= x / (shape + k);
  }
  return sum;
}

// Half of the chi-square quantile with twice as many degrees of freedom; 0 of shape 0. `share`: 0.025 or 0.975.
double gamma_quantile(double shape, double share) {
  constexpr double kMany = 10'000;
  constexpr int kHalvings = 100;
  if (!(shape > 0)) return 0;
  // Wilson and Hilferty 1931: beyond kMany it is the quantile to seven digits.
  const double z = share < 0.5 ? -kZ : kZ;
  const double near = shape * std::pow(std::max(0.0, 1 - 1 / (9 * shape) + z / (3 * std::sqrt(shape))), 3);
  if (shape > kMany) return near;
  double low = 0, high = near + 1;
  for (int i = 0; i < kHalvings && high - low > 1e-12 * high; ++i) {
    const double middle = (low + high) / 2;
    (gamma_below(shape, middle) < share ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

double t_quantile(double degrees) {
  if (degrees < 1.5) return 12.706;
  if (degrees < 2.5) return 4.303;
  // Hill 1970, an expansion by the normal quantile.
  const double n = degrees, z = kZ, z2 = z * z;
  const double first = z * (z2 + 1) / 4, second = z * (5 * z2 * z2 + 16 * z2 + 3) / 96,
               third = z * (3 * z2 * z2 * z2 + 19 * z2 * z2 + 17 * z2 - 15) / 384,
               fourth = z * (79 * std::pow(z2, 4) + 776 * std::pow(z2, 3) + 1482 * z2 * z2 - 1920 * z2 - 945) / 92160;
  return z + first / n + second / (n * n) + third / std::pow(n, 3) + fourth / std::pow(n, 4);
}

std::optional<Interval> mean_interval(double mean, double sd, double rows) {
  if (!(rows >= 2)) return std::nullopt;
  const double half = t_quantile(rows - 1) * sd / std::sqrt(rows - 1);
  return Interval{mean - half, mean + half};
}

Interval rate_interval(double events, double exposure) {
  return {gamma_quantile(events, 0.025) / exposure, gamma_quantile(events + 1, 0.975) / exposure};
}

std::optional<Interval> concordance_interval(std::span<const double> predicted, const Dataset& data) {
  const std::optional<double> share = concordance(predicted, data), error = concordance_error(predicted, data);
  if (!share || !error || data.rows() < kFewestRows) return std::nullopt;
  return Interval{std::max(0.0, *share - kZ * *error), std::min(1.0, *share + kZ * *error)};
}

std::optional<ScoreIntervals> bootstrap(std::span<const double> predicted, const Dataset& data) {
  std::array<std::vector<double>, 3> drawn;
  resample(sums_of_rows(predicted, data), data.response->loss, [&](const Sums& sums, double of_mean) {
    drawn[0].push_back(1 - sums.loss / of_mean);
    drawn[1].push_back(std::sqrt(sums.squares / sums.weight));
    drawn[2].push_back(sums.absolute / sums.weight);
  });
  if (drawn[0].size() < kFewestDraws / 2) return std::nullopt;
  return ScoreIntervals{middle_of(drawn[0]), middle_of(drawn[1]), middle_of(drawn[2])};
}

std::optional<Interval> more_explained(std::span<const double> predicted, std::span<const double> others, const Dataset& data) {
  std::vector<Sums> each = sums_of_rows(predicted, data);
  for (std::size_t row = 0; row < each.size(); ++row) each[row].loss -= row_loss(data, row, others[row]);
  std::vector<double> drawn;
  resample(each, data.response->loss, [&](const Sums& sums, double of_mean) { drawn.push_back(-sums.loss / of_mean); });
  if (drawn.size() < kFewestDraws / 2 || !std::ranges::all_of(drawn, [](double one) { return std::isfinite(one); })) return std::nullopt;
  return middle_of(drawn);
}

}  // namespace treewright::report
