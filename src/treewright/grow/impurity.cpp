#include "treewright/grow/impurity.h"

#include <algorithm>
#include <cmath>

namespace treewright::grow {

Criterion criterion_named(std::string_view name) {
  if (name == "entropy") return Criterion::entropy;
  return name == "gini" ? Criterion::gini : Criterion::misclassification;
}

double impurity(Criterion criterion, std::span<const double> class_weight) {
  double total = 0;
  for (const double weight : class_weight) total += weight;
  if (!(total > 0)) return 0;
  double squares = 0, entropy = 0, largest = 0;
  for (const double weight : class_weight) {
    const double share = weight / total;
    squares += share * share;
    if (share > 0) entropy -= share * std::log2(share);
    largest = std::max(largest, share);
  }
  switch (criterion) {
    case Criterion::gini:
      return 1 - squares;
    case Criterion::entropy:
      return entropy;
    case Criterion::misclassification:
      return 1 - largest;
  }
  return 0;
}

}  // namespace treewright::grow
