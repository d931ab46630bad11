#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace treewright::grow {

/// The impurities of Breiman, Friedman, Olshen & Stone 1984, ch. 4: with shares q_k of the classes,
/// gini 1 - sum q_k^2, entropy - sum q_k log2 q_k (bits, as scikit-learn), misclassification 1 - max q_k.
enum class Criterion { gini, entropy, misclassification };

/// By its name in the option table.
Criterion criterion_named(std::string_view name);

/// Impurity of a node that holds these class weights; 0 when they are all 0.
double impurity(Criterion criterion, std::span<const double> class_weight);

}  // namespace treewright::grow
