#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

namespace treewright {

enum class ColumnKind { numeric, categorical };

/// One feature of all rows, in raw units.
struct Column {
  std::string name;
  ColumnKind kind = ColumnKind::numeric;
  std::vector<double> values;       ///< numeric: one per row, NaN = missing; empty for categorical columns
  std::vector<std::int32_t> codes;  ///< categorical: index into `levels` per row, -1 = missing; empty for numeric columns
  std::vector<std::string> levels;  ///< categorical: names of the levels

  std::size_t size() const { return kind == ColumnKind::numeric ? values.size() : codes.size(); }
  bool missing(std::size_t row) const;
  bool has_missing() const;
  /// Categorical: levels that occur in some row, "missing" counted as one; numeric: 0.
  std::size_t levels_present() const;
};

/// Rows to train on or to predict: typed feature columns, class labels with names, optional row weights.
///
/// Invariants (checked by `validate`): all columns, `labels` and `weights` have the same number of rows (labels and weights may
/// be empty: unlabeled, weight 1); codes and labels index their names; numeric values are NaN or no larger than half the largest double; weights
/// are finite and >= 0.
class Dataset {
 public:
  std::vector<Column> columns;
  std::vector<std::int32_t> labels;  ///< index into `class_names` per row; empty when the data have no target
  std::vector<std::string> class_names;
  std::vector<double> weights;  ///< empty = every row weighs 1
  std::string target_name = "class";

  std::size_t rows() const;
  std::size_t features() const { return columns.size(); }
  std::size_t classes() const { return class_names.size(); }
  bool labelled() const { return !labels.empty(); }
  double weight(std::size_t row) const { return weights.empty() ? 1.0 : weights[row]; }

  /// Sum of all weights.
  double total_weight() const;
  /// Sums of weights closer than this are equal: far less than the smallest weight of data that pass validate_for_training.
  double weight_tolerance() const { return 1e-13 * total_weight(); }
  /// Sum of the weights of each class. Shape (classes).
  std::vector<double> class_totals() const;

  /// The given rows in the given order; names and levels are kept whole. Rows may repeat.
  Dataset subset(std::span<const std::int32_t> rows) const;

  /// Throws Error (naming the column and the row) unless the invariants above hold.
  void validate() const;
  /// `validate`, and what training needs besides: labels, at least 2 rows, and at least 2 classes that occur.
  void validate_for_training() const;
};

/// Multiplies row weights by class weights. `spec`: "" (nothing), "balanced" (total / (classes * total of the class), as
/// scikit-learn), or "name=weight,name=weight" (unnamed classes keep 1). Throws Error on an unknown class or a bad weight.
void apply_class_weights(Dataset& data, const std::string& spec);

}  // namespace treewright
