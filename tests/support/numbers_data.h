#pragma once

#include <cmath>
#include <utility>
#include <vector>

#include "support/random_data.h"
#include "treewright/data.h"

namespace treewright::testing {

/// The data with random numbers to predict instead of classes; of poisson whole events and exposures.
inline Dataset with_numbers(Dataset data, Random& random, Loss loss) {
  const std::size_t n = data.rows();
  Response response{loss, {}, {}};
  for (std::size_t row = 0; row < n; ++row) {
    const auto draw = static_cast<double>(random.below(7));
    response.values.push_back(loss == Loss::squared ? 0.25 * draw - 0.5 : row == 0 ? 1 + draw : draw);
    if (loss == Loss::poisson) response.exposure.push_back(0.5 + static_cast<double>(random.below(4)));
  }
  if (loss == Loss::squared && n > 1) response.values[1] = response.values[0] + 1;
  data.labels.clear();
  data.class_names.clear();
  data.target_name = "y";
  data.response = std::move(response);
  return data;
}

/// Random columns with such numbers. Weights in half of the cases.
inline Dataset random_numbers(Random& random, const DataShape& shape, Loss loss = Loss::squared) {
  Dataset data = with_numbers(random_data(random, shape), random, loss);
  if (random.below(2) == 0) {
    for (std::size_t row = 0; row < data.rows(); ++row) data.weights.push_back(0.5 + static_cast<double>(random.below(3)));
  }
  return data;
}

/// Numbers that differ much or little, with ties, far from 0 or on both sides of it: seven kinds, the last one of up to half of `largest`.
inline double draw_number(Random& random, int kind, double largest) {
  const double whole = static_cast<double>(random.below(7)), drawn = random.uniform();
  switch (kind) {
    case 0:
      return whole;
    case 1:
      return drawn;
    case 2:
      return 1e9 + 1e-3 * whole;
    case 3:
      return (whole - 3) * 1e-90;
    case 4:
      return std::exp(20 * drawn) * (random.below(2) == 0 ? -1 : 1);
    case 5:
      return random.below(6) == 0 ? 1e6 * drawn : whole / 10;
    default:
      return (drawn - 0.5) * largest;
  }
}

/// What the rows of a leaf lose, by the formula of two sums: sum w y^2 - B^2 / A, or sum w y log(y / t) - B log(B / A).
inline double two_sums_loss(const Dataset& data, const std::vector<std::size_t>& rows) {
  const Response& seen = *data.response;
  double of_rows = 0, a = 0, b = 0;
  for (const std::size_t row : rows) {
    const double w = data.weight(row), y = seen.values[row], t = seen.at_risk(row);
    a += w * t;
    b += w * y;
    of_rows += seen.loss == Loss::squared ? w * y * y : y > 0 ? w * y * std::log(y / t) : 0;
  }
  if (a == 0) return 0;
  return of_rows - (seen.loss == Loss::squared ? b * b / a : b > 0 ? b * std::log(b / a) : 0);
}

}  // namespace treewright::testing
