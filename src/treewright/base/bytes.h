#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace treewright {

/// The bytes of a number, the lowest first on every machine: what files and messages hold.
template <class Number>
std::array<std::uint8_t, sizeof(Number)> bytes_of(Number number) {
  auto bytes = std::bit_cast<std::array<std::uint8_t, sizeof(Number)>>(number);
  if constexpr (std::endian::native == std::endian::big) std::reverse(bytes.begin(), bytes.end());
  return bytes;
}

/// The bytes of all these numbers, one after the other.
template <class Bytes, class Number>
Bytes bytes_of_all(const std::vector<Number>& numbers) {
  Bytes bytes;
  bytes.reserve(numbers.size() * sizeof(Number));
  for (const Number number : numbers) {
    for (const std::uint8_t byte : bytes_of(number)) bytes.push_back(static_cast<typename Bytes::value_type>(byte));
  }
  return bytes;
}

/// The number that has these bytes.
template <class Number>
Number number_of(std::array<std::uint8_t, sizeof(Number)> bytes) {
  if constexpr (std::endian::native == std::endian::big) std::reverse(bytes.begin(), bytes.end());
  return std::bit_cast<Number>(bytes);
}

}  // namespace treewright
