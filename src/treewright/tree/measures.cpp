#include "treewright/tree.h"

#include "treewright/tree/objective.h"

namespace treewright {

double average_depth(const Tree& tree) {
  const std::vector<int> depth = tree.depths();
  double sum = 0;
  for (std::size_t i = 0; i < depth.size(); ++i) {
    if (tree.nodes()[i].is_leaf()) sum += depth[i];
  }
  return sum / static_cast<double>(tree.leaves());
}

double expected_depth(const Tree& tree, const Dataset& data) {
  const std::vector<int> depth = tree.depths();
  double sum = 0;
  for (const NodeId leaf : tree.apply(data)) sum += depth[+leaf];
  return data.rows() == 0 ? 0 : sum / static_cast<double>(data.rows());
}

double accuracy(const Tree& tree, const Dataset& data) {
  double total = 0;
  for (std::size_t row = 0; row < data.rows(); ++row) total += data.weight(row);
  return total > 0 ? 1 - count_errors(tree, data) / total : 0;
}

std::vector<std::vector<double>> confusion_matrix(const Tree& tree, const Dataset& data) {
  const std::size_t k = tree.class_names.size();
  std::vector<std::vector<double>> matrix(k, std::vector<double>(k, 0.0));
  const std::vector<std::int32_t> predicted = tree.predict(data);
  for (std::size_t row = 0; row < predicted.size(); ++row) matrix[data.labels[row]][predicted[row]] += data.weight(row);
  return matrix;
}

double balanced_accuracy(const Tree& tree, const Dataset& data) {
  const auto matrix = confusion_matrix(tree, data);
  double sum = 0;
  int occurring = 0;
  for (std::size_t k = 0; k < matrix.size(); ++k) {
    double total = 0;
    for (const double w : matrix[k]) total += w;
    if (total <= 0) continue;
    sum += matrix[k][k] / total;
    ++occurring;
  }
  return occurring == 0 ? 0 : sum / occurring;
}

}  // namespace treewright
