#pragma once

#include <array>
#include <cstdint>

namespace treewright {

/// A sum of products of two doubles, without any rounding: a whole number of steps of 2^-2272, which divides every product of two doubles.
class ExactSum {
 public:
  /// Adds a * b. Expects finite numbers; fewer than 2^60 of them.
  void add(double a, double b = 1);
  /// A double that is not above the sum, by the last digit at most; the largest double where that is below it.
  double down() const;
  /// A double that is not below the sum.
  double up() const;

 private:
  static constexpr int kLowest = -2272;  // the exponent of a step
  static constexpr std::size_t kDigits = 137;

  void carry();
  bool negative() const { return digits_.back() < 0; }
  ExactSum opposite() const;
  double near() const;

  std::array<std::int64_t, kDigits> digits_{};  // of 32 bits, the lowest first; larger, or negative, until `carry`
  int uncarried_ = 0;
};

}  // namespace treewright
