#pragma once

// What Highway 1.0.3 lacks in the vectors of WebAssembly, as far as the kernels of the exact search use it: doubles (Load, Store, And and the
// like take any 128 bits), and counts of bits by the instruction for them. CMake includes this ahead of these kernels; everywhere else Highway
// emulates vectors.

// One target: nothing is included again for others.
#define HWY_TARGET_INCLUDE "wasm_vectors.h"
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

template <size_t N>
HWY_API Vec128<uint16_t, N> PopulationCount(const Vec128<uint16_t, N> v) {
  return Vec128<uint16_t, N>{wasm_u16x8_extadd_pairwise_u8x16(wasm_i8x16_popcnt(v.raw))};
}
template <size_t N>
HWY_API Vec128<uint32_t, N> PopulationCount(const Vec128<uint32_t, N> v) {
  return Vec128<uint32_t, N>{wasm_u32x4_extadd_pairwise_u16x8(wasm_u16x8_extadd_pairwise_u8x16(wasm_i8x16_popcnt(v.raw)))};
}

}  // namespace HWY_NAMESPACE
}  // namespace hwy
HWY_AFTER_NAMESPACE();
