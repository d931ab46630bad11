// The kernel of the exact search: for kLanes cuts of one ordering f at once, the best stump over every ordering g on the left child and on
// the right child of each cut.
//
// Idea. One pass over the items in the order of g serves all cuts: lane c tests of each item only whether it lies left of cut c in the
// order of f. With two classes, class 0 counts +w and class 1 counts -w, and the whole state of a lane is the running sum s over its left
// items. A cut of g after a prefix with sum s makes N0 - s errors where the prefix is labeled 0, and N1 + s where it is labeled 1 (N0, N1:
// the child's weight of each class). So the errors of the best stump are min(N0 - max s, N1 + min s): a running minimum and maximum. The
// sum of the right child is the prefix sum of all items minus s. With more classes, a stump gets right the heaviest class of the prefix
// plus the heaviest class of the suffix. Only the class of the item that is added can become the heaviest. So a walk forward gives the
// first term and a walk backward the second, whatever the number of classes.
//
// Blocks. What a lane has found so far bounds what can still improve it. Where the weights of a block of boundaries cannot move any lane's
// sum beyond its range, the sums of the block are added up without a comparison at each boundary. The best single splits go first, so most
// blocks of the later orderings cost half the time. With more classes: prefixes only get heavier and suffixes lighter. So the heaviest
// class of the prefix at the end of a block plus that of another class of the suffix at its start bounds all boundaries between.
//
// Minimum and maximum are updated only at boundaries, where the rank of g changes: between equal values there is no cut. With
// min_samples_leaf the row count of the prefix is kept too, and a boundary counts only where both sides hold enough rows. Minimum and
// maximum without that condition are kept as well, because only they bound neighboring cuts: a subset of rows may violate min_samples_leaf
// where the whole does not.
//
// Cost: about ten vector instructions for each item, ordering and kLanes cuts (two classes, 16-bit lanes, AVX-512).

#include "treewright/search/depth_two/stump_kernel.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "treewright/search/depth_two/stump_kernel.cpp"
#include <hwy/foreach_target.h>
//
#include <hwy/highway.h>

#include "treewright/search/depth_two/many_class_stumps.h"
#include "treewright/search/depth_two/two_class_stumps.h"

HWY_BEFORE_NAMESPACE();
namespace treewright::search {
namespace HWY_NAMESPACE {

template <class T>
void run(KernelColumns<T>& in, std::size_t f, const T* cuts, CutErrors& out) {
  if (in.classes() == 2) {
    run_two_classes(in, f, cuts, out);
  } else if (in.has_table()) {
    in.counts_rows() ? ManyClasses<T, true, true>(in, f, cuts).run(out) : ManyClasses<T, false, true>(in, f, cuts).run(out);
  } else {
    in.counts_rows() ? ManyClasses<T, true, false>(in, f, cuts).run(out) : ManyClasses<T, false, false>(in, f, cuts).run(out);
  }
}

void run_int16(KernelColumns<std::int16_t>& in, std::size_t f, const std::int16_t* cuts, CutErrors& out) {
  run(in, f, cuts, out);
}
void run_int32(KernelColumns<std::int32_t>& in, std::size_t f, const std::int32_t* cuts, CutErrors& out) {
  run(in, f, cuts, out);
}
void run_double(KernelColumns<double>& in, std::size_t f, const double* cuts, CutErrors& out) {
  run(in, f, cuts, out);
}
const char* target_name() {
  return hwy::TargetName(HWY_TARGET);
}

}  // namespace HWY_NAMESPACE
}  // namespace treewright::search
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace treewright::search {

HWY_EXPORT(run_int16);
HWY_EXPORT(run_int32);
HWY_EXPORT(run_double);
HWY_EXPORT(target_name);

template <>
void best_stumps(KernelColumns<std::int16_t>& columns, std::size_t f, const std::int16_t* cuts, CutErrors& out) {
  columns.cut(f);
  HWY_DYNAMIC_DISPATCH(run_int16)(columns, f, cuts, out);
}
template <>
void best_stumps(KernelColumns<std::int32_t>& columns, std::size_t f, const std::int32_t* cuts, CutErrors& out) {
  columns.cut(f);
  HWY_DYNAMIC_DISPATCH(run_int32)(columns, f, cuts, out);
}
template <>
void best_stumps(KernelColumns<double>& columns, std::size_t f, const double* cuts, CutErrors& out) {
  columns.cut(f);
  HWY_DYNAMIC_DISPATCH(run_double)(columns, f, cuts, out);
}

const char* vector_target() {
  return HWY_DYNAMIC_DISPATCH(target_name)();
}

}  // namespace treewright::search
#endif  // HWY_ONCE
