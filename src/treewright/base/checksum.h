#pragma once

#include <cstdint>
#include <string_view>

namespace treewright {

/// FNV-1a: against edits by accident and torn writes, not against malice.
constexpr std::uint64_t checksum(std::string_view bytes) {
  std::uint64_t sum = 14695981039346656037ull;
  for (const char c : bytes) sum = (sum ^ static_cast<unsigned char>(c)) * 1099511628211ull;
  return sum;
}

}  // namespace treewright
