#pragma once

#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "treewright/base/dot.h"
#include "treewright/base/stop_point.h"

namespace treewright::svm {

inline void add_scaled(std::span<double> to, double factor, std::span<const double> from) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * from[i];
}

/// Conjugate gradients for H step = -gradient, until the residual is at most `residual_wanted`. `times_hessian(v)` is H v, for a positive
/// definite H that is never formed. Apart from rounding there are as many steps as axes. Shape (axes).
template <class TimesHessian>
std::vector<double> newton_step(const std::vector<double>& gradient, double residual_wanted, const TimesHessian& times_hessian) {
  const std::size_t size = gradient.size();
  std::vector<double> step(size, 0.0), residual(size), direction;
  for (std::size_t j = 0; j < size; ++j) residual[j] = -gradient[j];
  direction = residual;
  double squared = dot(residual, residual);
  for (std::size_t round = 0; round < size + 10 && std::sqrt(squared) > residual_wanted; ++round) {
    stop_point();
    const std::vector<double> image = times_hessian(direction);
    const double curvature = dot(direction, image);
    if (!(curvature > 0)) break;
    add_scaled(step, squared / curvature, direction);
    add_scaled(residual, -squared / curvature, image);
    const double now = dot(residual, residual);
    for (std::size_t j = 0; j < size; ++j) direction[j] = residual[j] + now / squared * direction[j];
    squared = now;
  }
  return step;
}

}  // namespace treewright::svm
