// The boundary of an intersection of half-planes: the upper envelope of the lines y = (bound - a x) / b, and of y = 0, from x = 0 on. It is
// walked from corner to corner: of the lines that are flatter than the present one, the next is that which the present one meets first.
// Several lines may meet in one corner, which the last digits of doubles tell apart. Of lines that meet almost there the flattest is taken;
// a corner then lies too low by these digits, never by more. Cost: O(n^2) for n lines.

#include "treewright/select/certified_line.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace treewright::select {

namespace {

constexpr double kLastDigits = 1e-12;

}  // namespace

std::vector<ErrorPair> CertifiedLine::corners() const {
  double extent = 0;
  for (const Side& side : sides_) extent = std::max(extent, side.a > 0 ? side.bound / side.a : 0);
  const auto slope = [](const Side& side) { return side.a / side.b; };
  const Side* now = &sides_.front();
  for (const Side& side : sides_) {
    const double off = side.at(0) - now->at(0), digits = kLastDigits * std::max(side.at(0), now->at(0));
    if (off > digits || (off >= -digits && slope(side) < slope(*now))) now = &side;
  }
  std::vector<ErrorPair> corners = {{0, std::max(0.0, now->at(0))}};
  while (now->a > 0) {
    const auto meets = [&](const Side& side) { return (now->bound * side.b - side.bound * now->b) / (now->a * side.b - side.a * now->b); };
    const Side* next = nullptr;
    for (const Side& side : sides_) {
      if (!(slope(side) < slope(*now))) continue;
      const double off = next == nullptr ? -1 : (meets(side) - meets(*next)) / extent;
      if (off < -kLastDigits || (off <= kLastDigits && slope(side) < slope(*next))) next = &side;
    }
    const double x = std::max(corners.back().false_positives, meets(*next));
    now = next;
    corners.push_back({x, std::max(0.0, now->at(x))});
  }
  return corners;
}

double CertifiedLine::least_false_negatives(double false_positives) const {
  double least = 0;
  for (const Side& side : sides_) least = std::max(least, side.at(false_positives));
  return least;
}

double least_cost(const std::vector<ErrorPair>& corners, double a, double b) {
  double least = std::numeric_limits<double>::infinity();
  for (const ErrorPair& corner : corners) least = std::min(least, a * corner.false_positives + b * corner.false_negatives);
  return least;
}

}  // namespace treewright::select
