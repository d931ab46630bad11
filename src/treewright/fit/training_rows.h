#pragma once

#include <optional>
#include <vector>

#include "treewright/data/costs/costs.h"
#include "treewright/methods/method.h"
#include "treewright/task/cost_objective.h"
#include "treewright/task/leaf_weight.h"

namespace treewright {

/// Throws Error where the method or an option cannot be used with the costs that the data have.
void check_takes_costs(const Dataset& data, const Options& options, const Method& method);

/// Throws Error where the method cannot predict the numbers of the data, or an option says nothing about them.
void check_takes_numbers(const Response& response, const Options& options, const Method& method);

/// The rows that a method is given. Where the labels of the data have costs, these are the table of gains (data/costs), and what the
/// method says of it is put in terms of the costs.
class TrainingRows {
 public:
  /// `data`: with class weights in its row weights. Throws Error where the method or an option cannot be used with costs.
  TrainingRows(const Dataset& data, const Options& options, const Method& method);

  const Dataset& rows() const { return table_ ? table_->rows : data_; }
  const ObjectivePtr& objective() const { return objective_; }
  /// The limit for trees that are tallied on `rows`.
  LeafWeight leaf_weight(double share) const;
  /// What certainly no objective is below.
  double least_objective() const { return table_ ? least_ : 0; }
  /// A single leaf is optimal: there is nothing to train.
  bool is_constant() const { return table_ && table_->constant; }

  Progress in_terms_of_data(Progress progress) const;
  /// `result`: recounted on `rows`.
  void put_in_terms_of_data(Result& result) const;

 private:
  /// A bound on the objective of trees on `rows` as one on that of the data: rounded down.
  double bound_on_data(double bound) const;
  /// About the objective on the data.
  double near_on_data(double objective) const;

  const Dataset& data_;
  std::optional<GainsTable> table_;
  std::shared_ptr<const CostObjective> costs_;
  ObjectivePtr objective_;
  double least_ = 0;
  std::vector<double> prices_;  // what splits and columns of a tree may cost; empty = too many sums
};

}  // namespace treewright
