#pragma once

// What the C++ library of Debian's emscripten (libc++ 13) lacks of C++20, as far as treewright uses it. The build for browsers includes this
// file ahead of every source (web/CMakeLists.txt), so that the sources need not know of it. A later libc++ brings all of it: then both files
// go.

#include <algorithm>
#include <charconv>
#include <functional>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

namespace std {

// --- <bit> -------------------------------------------------------------------------------------------

template <class To, class From>
constexpr To bit_cast(const From& from) noexcept {
  static_assert(sizeof(To) == sizeof(From) && is_trivially_copyable_v<To> && is_trivially_copyable_v<From>);
  return __builtin_bit_cast(To, from);
}

// --- <charconv>, of doubles (libcxx13.cpp) -----------------------------------------------------------

/// Without hexadecimal digits.
from_chars_result from_chars(const char* first, const char* last, double& value);
/// The fewest digits that bring the number back, as a decimal number or with a power of ten, whichever is shorter.
to_chars_result to_chars(char* first, char* last, double value);
to_chars_result to_chars(char* first, char* last, double value, chars_format format);

// --- <algorithm>: the forms that take a whole range and a projection ---------------------------------

namespace ranges {

struct LibcxxIdentity {
  template <class T>
  constexpr T&& operator()(T&& value) const noexcept {
    return std::forward<T>(value);
  }
};

// `compare` of what the projection makes of two elements.
template <class Compare, class Projection>
auto projected(Compare& compare, Projection& projection) {
  return [&](auto&& a, auto&& b) -> bool { return std::invoke(compare, std::invoke(projection, a), std::invoke(projection, b)); };
}
template <class Predicate, class Projection>
auto projected_one(Predicate& predicate, Projection& projection) {
  return [&](auto&& a) -> bool { return std::invoke(predicate, std::invoke(projection, a)); };
}

template <class Range, class Predicate, class Projection = LibcxxIdentity>
bool any_of(Range&& range, Predicate predicate, Projection projection = {}) {
  return std::any_of(std::begin(range), std::end(range), projected_one(predicate, projection));
}
template <class Range, class Predicate, class Projection = LibcxxIdentity>
bool all_of(Range&& range, Predicate predicate, Projection projection = {}) {
  return std::all_of(std::begin(range), std::end(range), projected_one(predicate, projection));
}
template <class Range, class Predicate, class Projection = LibcxxIdentity>
bool none_of(Range&& range, Predicate predicate, Projection projection = {}) {
  return std::none_of(std::begin(range), std::end(range), projected_one(predicate, projection));
}
template <class Range, class Predicate, class Projection = LibcxxIdentity>
auto count_if(Range&& range, Predicate predicate, Projection projection = {}) {
  return std::count_if(std::begin(range), std::end(range), projected_one(predicate, projection));
}
template <class Range, class Predicate, class Projection = LibcxxIdentity>
auto find_if(Range&& range, Predicate predicate, Projection projection = {}) {
  return std::find_if(std::begin(range), std::end(range), projected_one(predicate, projection));
}
template <class Range, class Value, class Projection = LibcxxIdentity>
auto find(Range&& range, const Value& value, Projection projection = {}) {
  return std::find_if(std::begin(range), std::end(range), [&](auto&& a) -> bool { return std::invoke(projection, a) == value; });
}
template <class Range, class Value, class Projection = LibcxxIdentity>
auto count(Range&& range, const Value& value, Projection projection = {}) {
  return std::count_if(std::begin(range), std::end(range), [&](auto&& a) -> bool { return std::invoke(projection, a) == value; });
}
template <class Range, class Compare = std::less<>, class Projection = LibcxxIdentity>
void sort(Range&& range, Compare compare = {}, Projection projection = {}) {
  std::sort(std::begin(range), std::end(range), projected(compare, projection));
}
template <class Range, class Compare = std::less<>, class Projection = LibcxxIdentity>
void stable_sort(Range&& range, Compare compare = {}, Projection projection = {}) {
  std::stable_sort(std::begin(range), std::end(range), projected(compare, projection));
}
template <class Range, class Compare = std::less<>, class Projection = LibcxxIdentity>
bool is_sorted(Range&& range, Compare compare = {}, Projection projection = {}) {
  return std::is_sorted(std::begin(range), std::end(range), projected(compare, projection));
}
template <class Range, class Compare = std::less<>, class Projection = LibcxxIdentity>
auto max_element(Range&& range, Compare compare = {}, Projection projection = {}) {
  return std::max_element(std::begin(range), std::end(range), projected(compare, projection));
}
template <class Range, class Compare = std::less<>, class Projection = LibcxxIdentity>
auto min_element(Range&& range, Compare compare = {}, Projection projection = {}) {
  return std::min_element(std::begin(range), std::end(range), projected(compare, projection));
}
template <class Range>
auto max(Range&& range) {
  return *std::max_element(std::begin(range), std::end(range));
}
template <class Range, class Value, class Compare = std::less<>, class Projection = LibcxxIdentity>
auto lower_bound(Range&& range, const Value& value, Compare compare = {}, Projection projection = {}) {
  return std::lower_bound(std::begin(range), std::end(range), value, [&](auto&& element, const Value& than) -> bool {
    return std::invoke(compare, std::invoke(projection, element), than);
  });
}
template <class Out>
struct Written {
  Out out;
};
template <class Range, class Out>
Written<Out> copy(Range&& range, Out out) {
  return {std::copy(std::begin(range), std::end(range), out)};
}
template <class Range, class Out>
auto move(Range&& range, Out out) {
  return std::move(std::begin(range), std::end(range), out);
}
template <class Range, class Out, class Function>
auto transform(Range&& range, Out out, Function function) {
  return std::transform(std::begin(range), std::end(range), out, [&](auto&& element) { return std::invoke(function, element); });
}
template <class Range, class Other, class Predicate = std::equal_to<>>
bool equal(Range&& range, Other&& other, Predicate predicate = {}) {
  return std::equal(std::begin(range), std::end(range), std::begin(other), std::end(other), predicate);
}
template <class Range, class Other, class Out>
auto set_union(Range&& range, Other&& other, Out out) {
  return std::set_union(std::begin(range), std::end(range), std::begin(other), std::end(other), out);
}

}  // namespace ranges

}  // namespace std
