#pragma once

#include <cstddef>

namespace treewright::svm {

/// Rows of a matrix are this many numbers apart, or a multiple of it; what is too much is 0.
inline constexpr std::size_t kGramLanes = 8;

/// Adds to gram[j][k], for k <= j at least, the sum over the rows i of scaled[i][j] * z[i][k], in the order of the rows: the same bits on
/// every processor. Shapes (rows, stride), (rows, stride) and (stride, stride); the stride is a multiple of kGramLanes.
void add_gram(const double* z, const double* scaled, std::size_t rows, std::size_t stride, double* gram);

}  // namespace treewright::svm
