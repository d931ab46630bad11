#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

namespace treewright {

/// The finalizer of SplitMix64: every bit of the argument changes about half of the bits of the result.
constexpr std::uint64_t mix_bits(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

/// A small random generator (SplitMix64, Steele, Lea & Flood 2014) whose numbers, unlike those of the standard
/// library's distributions, are the same with every compiler: equal seeds give equal trees everywhere.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() { return mix_bits(state_ += 0x9e3779b97f4a7c15ULL); }

  /// Uniform in [0, 1).
  double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
  double uniform(double low, double high) { return low + (high - low) * uniform(); }

  /// Uniform in 0..bound-1 (bound >= 1), without modulo bias.
  std::uint64_t below(std::uint64_t bound) {
    const std::uint64_t limit = ~std::uint64_t{0} - ~std::uint64_t{0} % bound;
    std::uint64_t draw = next();
    while (draw >= limit) draw = next();
    return draw % bound;
  }

  /// Standard normal (Box & Muller 1958; the second value of the pair is dropped to keep the state one number).
  double normal() {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
    return radius * std::cos(6.283185307179586 * uniform());
  }

  template <class T>
  void shuffle(std::vector<T>& items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

 private:
  std::uint64_t state_;
};

/// The generator of the run `number` of those that share a seed. Seeds and numbers that differ in one bit give unrelated streams.
inline Random random_stream(std::int64_t seed, std::uint64_t number) {
  return Random(Random(static_cast<std::uint64_t>(seed) * 0x9e3779b97f4a7c15ULL + number).next());
}

}  // namespace treewright
