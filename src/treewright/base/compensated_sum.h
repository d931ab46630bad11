#pragma once

#include <cmath>

namespace treewright {

/// A sum of doubles that also stores the rounding error of each addition (Neumaier 1974): accurate to the last digit or two in any order.
/// An infinite one stays infinite: it has no rounding error.
class CompensatedSum {
 public:
  CompensatedSum& operator+=(double x) {
    const double next = sum_ + x;
    lost_ += std::abs(sum_) >= std::abs(x) ? (sum_ - next) + x : (x - next) + sum_;
    sum_ = next;
    return *this;
  }
  double value() const { return std::isfinite(sum_) ? sum_ + lost_ : sum_; }

 private:
  double sum_ = 0, lost_ = 0;
};

}  // namespace treewright
