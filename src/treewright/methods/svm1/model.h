#pragma once

#include <functional>

#include "treewright/formulate/formulation.h"
#include "treewright/formulate/placement.h"
#include "treewright/methods/svm1/alternating.h"

namespace treewright::svm1 {

/// SVM1-ODT, model (1) of Z20 with categories (8). See model.cpp.
class Svm1Formulation : public formulate::Formulation {
 public:
  /// `problem` must outlive the formulation; its limits on splits and rows are not in the model.
  Svm1Formulation(const Svm1Problem& problem, const formulate::Strengthening& rules);

  /// Empty if the tree is too deep, has a hyperplane farther than 1 from a row or with categories, or, beside categories, a weight above
  /// 1 without rule wide_weights.
  std::optional<std::vector<double>> encode(const Tree& tree) const override;
  /// Removes splits with an empty side.
  Tree decode(std::span<const double> values) const override;

 private:
  using Terms = std::vector<mip::MipModel::Term>;

  double u(std::size_t row, std::size_t axis) const;
  bool encode_split(const Split& split, int t, std::vector<double>& values, std::vector<double>& distance) const;
  mip::ModelSize size() const;
  mip::ModelSize cut_size() const;
  void add_variables();
  void add_labels();
  void add_planes();
  void add_categories();
  /// What ties a row to a side of a node, for each leaf on that side or for all at once: `add` gets the row's e of these leaves.
  void for_sides(std::size_t row, int node, bool left, const std::function<void(const std::string& name, const std::vector<int>& in)>& add);
  void add_cuts();
  /// Theorem 3. `of_class`: the rows of each class.
  void add_one_of_each(const std::vector<std::vector<std::size_t>>& of_class);
  bool is_left(int leaf, int node) const;  ///< `node` is an ancestor, and the path to the leaf goes left there
  bool is_right(int leaf, int node) const;
  std::vector<std::int32_t> level_of(std::size_t category) const;
  std::size_t levels(std::size_t category) const;  ///< with one for missing values, where there are any

  const Svm1Problem& problem_;
  formulate::Strengthening rules_;
  formulate::CompleteTree shape_;
  grow::RowList rows_;                   // of positive weight
  std::vector<std::size_t> categories_;  // columns
  // Numbers of variables. Shapes: wrong_, label_of_ (rows); in_, product_ (rows, leaves); beyond_ (m), above_ (p+), below_ (p-) (rows,
  // nodes); plus_, minus_ (nodes, axes); g_ (nodes); label_ (leaves); by_ (nodes, categories); set_ (nodes, categories, levels and one for
  // missing).
  std::vector<int> wrong_, label_of_, g_, label_;
  std::vector<std::vector<int>> in_, product_, slack_, above_, below_, plus_, minus_, by_;
  std::vector<std::vector<std::vector<int>>> set_;
};

}  // namespace treewright::svm1
