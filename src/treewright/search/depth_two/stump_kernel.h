#pragma once

#include <cstddef>
#include <cstdint>

#include "treewright/search/depth_two/kernel_columns.h"

namespace treewright::search {

/// `cuts`: kLanes places in the order of `f`, ascending, equal ones allowed. T: int16_t, int32_t or double.
template <class T>
void best_stumps(KernelColumns<T>& columns, std::size_t f, const T* cuts, CutErrors& out);

/// Name of the vector instructions in use, as Highway calls them.
const char* vector_target();

}  // namespace treewright::search
