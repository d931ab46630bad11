#pragma once

#include <cstdint>
#include <stdexcept>
#include <utility>

namespace treewright {

/// A whole number of a JSON value, of whichever kind. The JSON library would cast 1e300 to an integer without a warning. Throws
/// std::out_of_range.
template <class Integer = std::int64_t, class Json>
Integer integer(const Json& json) {
  if (!json.is_number_integer()) throw std::out_of_range("a whole number is missing");
  const auto value = json.template get<std::int64_t>();
  if (!std::in_range<Integer>(value)) throw std::out_of_range("a whole number is too large");
  return static_cast<Integer>(value);
}

}  // namespace treewright
