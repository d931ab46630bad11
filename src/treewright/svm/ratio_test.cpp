#include "treewright/svm/ratio_test.h"

#include <algorithm>
#include <array>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "treewright/svm/ratio_test.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace treewright::svm {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// The ratio test on the first constraints, as many as fill vectors; `count` becomes their number. Each lane finds its own.
RatioTest test_vectors(const double* HWY_RESTRICT surplus, const double* HWY_RESTRICT change, const double* HWY_RESTRICT closing,
                       double noise, std::size_t& count) {
  const hn::CappedTag<double, 8> d;
  const std::size_t lanes = hn::Lanes(d);
  const auto least = hn::Set(d, noise), one = hn::Set(d, 1.0), infinity = hn::Set(d, std::numeric_limits<double>::infinity());
  auto steps = infinity, first = hn::Zero(d), here = hn::Iota(d, 0.0);
  count = count / lanes * lanes;
  for (std::size_t i = 0; i < count; i += lanes) {
    const auto nearer = hn::Gt(hn::LoadU(d, closing + i), least);
    const auto ratio = hn::Div(hn::Neg(hn::LoadU(d, surplus + i)), hn::IfThenElse(nearer, hn::LoadU(d, change + i), one));
    const auto step = hn::IfThenElse(nearer, ratio, infinity);
    const auto better = hn::Lt(step, steps);
    steps = hn::IfThenElse(better, step, steps);
    first = hn::IfThenElse(better, here, first);
    here = hn::Add(here, hn::Set(d, static_cast<double>(lanes)));
  }
  std::array<double, 8> of_lane, first_of_lane;
  hn::StoreU(steps, d, of_lane.data());
  hn::StoreU(first, d, first_of_lane.data());
  RatioTest found;
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const auto constraint = static_cast<std::size_t>(first_of_lane[lane]);
    if (of_lane[lane] > found.step || (of_lane[lane] == found.step && constraint >= found.constraint)) continue;
    found = {of_lane[lane], constraint};
  }
  return found;
}

}  // namespace HWY_NAMESPACE
}  // namespace treewright::svm
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

namespace treewright::svm {

HWY_EXPORT(test_vectors);

RatioTest ratio_test(std::span<const double> surplus, std::span<const double> change, std::span<const double> closing, double noise) {
  std::size_t i = surplus.size();
  RatioTest found = HWY_DYNAMIC_DISPATCH(test_vectors)(surplus.data(), change.data(), closing.data(), noise, i);
  for (; i < surplus.size(); ++i) {
    if (closing[i] > noise && -surplus[i] / change[i] < found.step) found = {-surplus[i] / change[i], i};
  }
  return found;
}

}  // namespace treewright::svm

#endif  // HWY_ONCE
