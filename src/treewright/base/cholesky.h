#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "treewright/base/stop_point.h"

namespace treewright {

/// A symmetric positive definite matrix that is factorized in place. Only the lower triangle is read.
class Cholesky {
 public:
  explicit Cholesky(std::size_t size) : size_(size), a_(size * size) {}

  double* row(std::size_t i) { return a_.data() + i * size_; }
  void clear() { std::fill(a_.begin(), a_.end(), 0.0); }

  /// Returns the least ratio of a pivot to the entry of the diagonal that it came from; near 0 where the matrix is singular in this
  /// arithmetic. The factor is usable even then: such a pivot is replaced by a tiny one.
  double factorize() {
    double least = 1;
    for (std::size_t j = 0; j < size_; ++j) {
      stop_point();
      double* rj = row(j);
      for (std::size_t k = 0; k < j; ++k) {
        double sum = rj[k];
        const double* rk = row(k);
        for (std::size_t l = 0; l < k; ++l) sum -= rj[l] * rk[l];
        rj[k] = sum / rk[k];
      }
      double pivot = rj[j];
      for (std::size_t l = 0; l < j; ++l) pivot -= rj[l] * rj[l];
      least = std::min(least, pivot / rj[j]);
      rj[j] = std::sqrt(std::max(pivot, 1e-300));
    }
    return least;
  }

  /// Replaces v by the solution x of (matrix) x = v. Shape (size).
  void solve(std::vector<double>& v) {
    for (std::size_t i = 0; i < size_; ++i) {
      const double* ri = row(i);
      for (std::size_t k = 0; k < i; ++k) v[i] -= ri[k] * v[k];
      v[i] /= ri[i];
    }
    for (std::size_t i = size_; i-- > 0;) {
      v[i] /= row(i)[i];
      for (std::size_t k = 0; k < i; ++k) v[k] -= row(i)[k] * v[i];
    }
  }

 private:
  std::size_t size_;
  std::vector<double> a_;
};

}  // namespace treewright
