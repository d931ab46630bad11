#include "treewright/mip/size.h"

#include <fmt/format.h>

#include "treewright/base/memory.h"
#include "treewright/error.h"

namespace treewright::mip {

namespace {

constexpr int kDeepest = 20;  // nodes are numbered by int

}  // namespace

ModelSize operator+(const ModelSize& a, const ModelSize& b) {
  return {a.variables + b.variables, a.rows + b.rows, a.terms + b.terms};
}

void check_model_size(const ModelSize& size, int max_depth, double data_rows) {
  constexpr const char* kRemedy =
      "use a smaller depth, fewer rows or fewer columns; a MIP can be solved at depths of 2 or 3, method oct goes deeper";
  const std::string what = fmt::format("the model of depth {} for {} rows, with about {:.1e} variables and {:.1e} coefficients,", max_depth,
                                       data_rows, size.variables, size.terms);
  if (max_depth > kDeepest) throw Error("option 'max_depth'", fmt::format("{} cannot be built", what), kRemedy, ErrorKind::limit);
  check_memory(size.bytes(), available_memory(), "option 'max_depth'", what, kRemedy);
}

}  // namespace treewright::mip
