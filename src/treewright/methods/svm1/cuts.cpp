// Cuts of SVM1-ODT's model: Zhu et al. 2020 (Z20), Proposition 1 and Theorem 3. Each can be switched off by name (rules.def).
//
// Proposition 1 bounds the number of errors from below, for classes of s_1 <= .. <= s_Y rows. A leaf classifies at most s_Y rows correctly
// (largest_class). Besides one leaf there are 2^D - 1 labels for Y classes, so the rows of the other classes are in this leaf or
// misclassified (smallest_class). 2^D labels leave out all but as many classes (surplus_classes).
//
// Theorem 3 (one_of_each): of a set I of rows with at most one row of each class, in a set L of leaves, all but |L| are misclassified:
//   sum_{i in I} c_i >= sum_{i in I, l in L} e_il - |L|                                                                               (5)
// I: the first, second, ... rows of the classes. L: single leaves. Their sum over the I is largest_class, so each of them is stronger.
// Pairs of leaves, and 300 random sets of rows besides, raised no bound on five sets by more than a thousandth and took up to four times
// as long.
//
// The cuts count rows, not weights.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "treewright/methods/svm1/model.h"

namespace treewright::svm1 {

mip::ModelSize Svm1Formulation::cut_size() const {
  const auto rows = static_cast<double>(rows_.size());
  const double leaves = std::ldexp(1.0, shape_.depth);
  // Proposition 1, and Theorem 3: a row is in one of the sets of k-th rows.
  return mip::ModelSize{0, 2 * leaves + 1, rows * (4 * leaves + 1)} + mip::ModelSize{0, leaves * rows, 2 * leaves * rows};
}

void Svm1Formulation::add_cuts() {
  std::vector<std::vector<std::size_t>> of_class(problem_.data.classes());
  for (std::size_t i = 0; i < rows_.size(); ++i) of_class[static_cast<std::size_t>(problem_.data.labels[rows_[i]])].push_back(i);
  std::erase_if(of_class, [](const auto& rows) { return rows.empty(); });
  std::vector<double> sizes;
  for (const auto& rows : of_class) sizes.push_back(static_cast<double>(rows.size()));
  std::sort(sizes.begin(), sizes.end());
  const int first = shape_.inner_end(), leaves = first, classes = static_cast<int>(sizes.size());
  Terms all_wrong;
  for (const int c : wrong_) all_wrong.push_back({c, 1});
  for (int l = first; l < shape_.leaf_end(); ++l) {
    Terms less = all_wrong, more = all_wrong;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      less.push_back({in_[i][l], -1});
      more.push_back({in_[i][l], 1});
    }
    if (rules_.largest_class) model_.at_least(fmt::format("largest_class_{}", l), std::move(less), -sizes.back());
    if (rules_.smallest_class && classes >= leaves) {
      model_.at_least(fmt::format("smallest_class_{}", l), std::move(more), sizes.front() * (classes - leaves + 1));
    }
  }
  if (rules_.one_of_each) add_one_of_each(of_class);
  if (rules_.surplus_classes && classes > leaves) {
    model_.at_least("surplus_classes", all_wrong, std::accumulate(sizes.begin(), sizes.begin() + (classes - leaves), 0.0));
  }
}

void Svm1Formulation::add_one_of_each(const std::vector<std::vector<std::size_t>>& of_class) {
  std::vector<std::vector<std::size_t>> row_sets;
  for (const auto& rows : of_class) {
    row_sets.resize(std::max(row_sets.size(), rows.size()));
    for (std::size_t k = 0; k < rows.size(); ++k) row_sets[k].push_back(rows[k]);
  }
  for (int l = shape_.inner_end(); l < shape_.leaf_end(); ++l) {
    for (std::size_t k = 0; k < row_sets.size(); ++k) {
      if (row_sets[k].size() < 2) continue;  // it says nothing
      Terms each;
      for (const std::size_t i : row_sets[k]) {
        each.push_back({wrong_[i], 1});
        each.push_back({in_[i][l], -1});
      }
      model_.at_least(fmt::format("one_of_each_{}_{}", k, l), std::move(each), -1);
    }
  }
}

}  // namespace treewright::svm1
