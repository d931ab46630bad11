#pragma once

// Highway 1.0.3 has no doubles among the vectors of WebAssembly. These are the operations that the kernels of the exact search need of them;
// Load, Store, And and the like take any 128 bits. CMake includes this ahead of these kernels; everywhere else Highway emulates vectors.

// One target: nothing is included again for others.
#define HWY_TARGET_INCLUDE "wasm_doubles.h"
#include <hwy/foreach_target.h>
#undef HWY_TARGET_INCLUDE
// The target is known now.
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace hwy {
namespace HWY_NAMESPACE {

template <size_t N, HWY_IF_LE128(double, N)>
HWY_API Vec128<double, N> Set(Simd<double, N, 0> /* tag */, const double t) {
  return Vec128<double, N>{wasm_f64x2_splat(t)};
}
template <size_t N>
HWY_API Vec128<double, N> operator+(const Vec128<double, N> a, const Vec128<double, N> b) {
  return Vec128<double, N>{wasm_f64x2_add(a.raw, b.raw)};
}
template <size_t N>
HWY_API Vec128<double, N> operator-(const Vec128<double, N> a, const Vec128<double, N> b) {
  return Vec128<double, N>{wasm_f64x2_sub(a.raw, b.raw)};
}
// Of equal ones the second, as on other processors.
template <size_t N>
HWY_API Vec128<double, N> Min(const Vec128<double, N> a, const Vec128<double, N> b) {
  return Vec128<double, N>{wasm_f64x2_pmin(b.raw, a.raw)};
}
template <size_t N>
HWY_API Vec128<double, N> Max(const Vec128<double, N> a, const Vec128<double, N> b) {
  return Vec128<double, N>{wasm_f64x2_pmax(b.raw, a.raw)};
}
template <size_t N>
HWY_API Mask128<double, N> operator==(const Vec128<double, N> a, const Vec128<double, N> b) {
  return Mask128<double, N>{wasm_f64x2_eq(a.raw, b.raw)};
}
template <size_t N>
HWY_API Mask128<double, N> operator>(const Vec128<double, N> a, const Vec128<double, N> b) {
  return Mask128<double, N>{wasm_f64x2_gt(a.raw, b.raw)};
}

}  // namespace HWY_NAMESPACE
}  // namespace hwy
HWY_AFTER_NAMESPACE();
