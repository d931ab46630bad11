#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "treewright/base/bytes.h"

namespace treewright {

inline constexpr std::uint64_t kHashOfNothing = 14695981039346656037ull;

/// FNV-1a: tells contents apart that differ by accident, not by malice. `so_far`: the hash of what comes before.
constexpr std::uint64_t hash(std::string_view bytes, std::uint64_t so_far = kHashOfNothing) {
  for (const char c : bytes) so_far = (so_far ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return so_far;
}

/// Of the values' bytes, as files hold them: the same on every machine.
template <class T>
std::uint64_t hash_values(const std::vector<T>& values, std::uint64_t so_far = kHashOfNothing) {
  for (const T value : values) {
    const auto bytes = bytes_of(value);
    so_far = hash({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, so_far);
  }
  return so_far;
}

inline std::string hash_text(std::uint64_t hash) {
  return fmt::format("{:016x}", hash);
}

}  // namespace treewright
