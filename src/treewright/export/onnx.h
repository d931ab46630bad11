#pragma once

#include <string>

#include "treewright/tree.h"

namespace treewright::exports {

/// The tree as an ONNX model (bytes). Input "X": double, shape (rows, columns of the tree), a level by its number, NaN = missing. Outputs
/// "label": string, shape (rows), and "probabilities": float, shape (rows, classes). Throws Error if a leaf's label is not the class
/// of largest weight, which the format cannot express.
std::string to_onnx(const Tree& tree);

}  // namespace treewright::exports
