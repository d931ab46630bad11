#include "treewright/proof/proof.h"

#include <cassert>
#include <cmath>
#include <limits>

namespace treewright::proof {

Binary Binary::of(double value) {
  assert(std::isfinite(value));
  if (value == 0) return {0, 0};
  int exponent = 0;
  auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(value, &exponent), 53));
  exponent -= 53;
  assert(mantissa != 0);
  for (; mantissa % 2 == 0; mantissa /= 2) ++exponent;
  return {mantissa, exponent};
}

double Binary::value() const {
  return std::ldexp(static_cast<double>(mantissa), exponent);
}

namespace {

// Of a loss: sums of such numbers are doubles, to their last digits.
constexpr int kLossUnit = 880;

// Whether the number times 2^shift is from 2^-most to 2^most.
bool is_between(const Binary& number, int shift, int most) {
  const double mantissa = std::ldexp(static_cast<double>(number.mantissa), -52);  // 2^-52 to 2
  const int exponent = number.exponent + 52 + shift;
  return std::ldexp(mantissa, exponent + most) >= 1 && std::ldexp(mantissa, exponent - most) <= 1;
}

}  // namespace

bool has_room(const TargetGrid& target, const Binary& unit) {
  constexpr int kWeightUnit = 500;
  return std::abs(target.digits) <= kMostDigits && std::abs(target.center.value()) <= std::numeric_limits<double>::max() / 2 &&
         is_between(unit, 0, kWeightUnit) && is_between(unit, -2 * target.digits, kLossUnit);
}

bool has_room(const Binary& exposure, const Binary& unit) {
  return is_between(exposure, 0, kLossUnit) && is_between(unit, 0, kLossUnit);
}

std::vector<Share> shares(int depth, std::int64_t splits) {
  assert(1 <= splits && splits <= full_splits(depth));
  const std::int64_t most = full_splits(depth - 1), below = splits - 1;
  if (below >= 2 * most) return {{most, most}};
  std::vector<Share> shares;
  for (std::int64_t left = std::max<std::int64_t>(0, below - most); left <= std::min(most, below); ++left)
    shares.push_back({left, below - left});
  return shares;
}

void Writer::number(std::uint64_t value) {
  for (; value >= 128; value >>= 7) bytes_.push_back(static_cast<char>(value | 128));
  bytes_.push_back(static_cast<char>(value));
}

int grid_of(double price) {
  assert(price >= 0 && std::isfinite(price));
  int grid = 0;
  for (; price != std::floor(price); price *= 2) ++grid;
  return grid;
}

}  // namespace treewright::proof
