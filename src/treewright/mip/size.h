#pragma once

#include "treewright/mip/model.h"

namespace treewright::mip {

/// How large a model will be, before it is built.
struct ModelSize {
  double variables = 0, rows = 0, terms = 0;

  /// Of the model, its copies in a solver and what presolve makes of them: as measured with HiGHS 1.15 on models of 1 to 20 million terms.
  double bytes() const { return 400 * (variables + rows) + 150 * terms; }
};

ModelSize operator+(const ModelSize& a, const ModelSize& b);

/// Throws Error of kind limit where a model of a tree of `max_depth` levels for so many rows of data would not fit into memory.
void check_model_size(const ModelSize& size, int max_depth, double data_rows);

}  // namespace treewright::mip
