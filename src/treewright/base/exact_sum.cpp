// A long accumulator (Kulisch 1971): as many digits as the exponents of products of doubles need. A product has 106 bits and falls into
// five digits at most. Digits are 64-bit numbers that take a million additions before their carries must go on.

#include "treewright/base/exact_sum.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "treewright/base/infinity.h"

namespace treewright {

namespace {

constexpr int kDigitBits = 32, kMostUncarried = 1 << 20;

}  // namespace

void ExactSum::add(double a, double b) {
  if (a == 0 || b == 0) return;
  int of_a = 0, of_b = 0;
  const auto x = static_cast<std::int64_t>(std::ldexp(std::frexp(a, &of_a), 53));
  const auto y = static_cast<std::int64_t>(std::ldexp(std::frexp(b, &of_b), 53));
  __extension__ using Wide = unsigned __int128;
  const std::int64_t sign = (x < 0) != (y < 0) ? -1 : 1;
  Wide rest = Wide(static_cast<std::uint64_t>(std::abs(x))) * static_cast<std::uint64_t>(std::abs(y));
  const int place = of_a + of_b - 2 * 53 - kLowest;
  for (auto at = static_cast<std::size_t>(place / kDigitBits); rest != 0; ++at, rest >>= kDigitBits) {
    const std::uint64_t digit = static_cast<std::uint64_t>(static_cast<std::uint32_t>(rest)) << (place % kDigitBits);
    digits_[at] += sign * static_cast<std::int64_t>(digit & 0xffffffffU);
    digits_[at + 1] += sign * static_cast<std::int64_t>(digit >> kDigitBits);
  }
  if (++uncarried_ == kMostUncarried) carry();
}

// All digits but the last are from 0 to 2^32 - 1 then. So the last one has the sign of the sum.
void ExactSum::carry() {
  for (std::size_t i = 0; i + 1 < kDigits; ++i) {
    const std::int64_t over = digits_[i] >> kDigitBits;
    digits_[i] -= over << kDigitBits;
    digits_[i + 1] += over;
  }
  uncarried_ = 0;
}

ExactSum ExactSum::opposite() const {
  ExactSum sum = *this;
  for (std::int64_t& digit : sum.digits_) digit = -digit;
  sum.carry();
  return sum;
}

// Expects a carried sum that is not negative. What the digits behind the third one add is below the last place.
double ExactSum::near() const {
  double sum = 0;
  std::size_t at = kDigits;
  while (at > 0 && digits_[at - 1] == 0) --at;
  for (int digits = 0; at > 0 && digits < 4; ++digits, --at)
    sum += std::ldexp(static_cast<double>(digits_[at - 1]), kDigitBits * static_cast<int>(at - 1) + kLowest);
  return std::min(sum, std::numeric_limits<double>::max());
}

double ExactSum::down() const {
  ExactSum sum = *this;
  sum.carry();
  double value = sum.negative() ? -sum.opposite().near() : sum.near();
  const auto is_above = [&] {
    ExactSum rest = sum;
    rest.add(-value);
    rest.carry();
    return rest.negative();
  };
  while (std::isfinite(value) && is_above()) value = std::nextafter(value, -kInfinity);
  return value;
}

double ExactSum::up() const {
  return -opposite().down();
}

}  // namespace treewright
