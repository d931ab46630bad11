#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "treewright/formulate/rules.h"
#include "treewright/mip/model.h"
#include "treewright/mip/size.h"
#include "treewright/tree.h"

namespace treewright::formulate {

/// What a model of trees minimizes and under which limits: weight of errors + price * complexity.
struct FormulationOptions {
  int max_depth = 2;
  std::int64_t max_splits = -1;  ///< -1 = no limit
  std::int64_t min_rows = 1;     ///< N_min
  double min_weight = 0;         ///< weight every leaf must hold; 0 = no limit
  double price = 0;              ///< of a split, or of a feature in a hyperplane, in units of errors
  Strengthening rules;
};

/// A model of trees, and the way to it and back. The objective is in units of errors.
class Formulation {
 public:
  virtual ~Formulation() = default;
  Formulation() = default;
  Formulation(const Formulation&) = delete;
  Formulation& operator=(const Formulation&) = delete;

  const mip::MipModel& model() const { return model_; }
  /// What was expected of the model's size before it was built; never less than what it has.
  const mip::ModelSize& expected_size() const { return expected_size_; }

  /// The point of the model that is this tree, without its splits that pay nothing, or of a tree near it where the model has not this one;
  /// empty where there is none. Feasible if the tree is within the limits.
  virtual std::optional<std::vector<double>> encode(const Tree& tree) const = 0;

  /// The cheapest of the points that encode these trees and satisfy all rows of the model; empty where there is none.
  std::vector<double> cheapest_point(std::span<const Tree* const> trees) const;

  /// The tree of a solution, in raw units and tallied.
  virtual Tree decode(std::span<const double> values) const = 0;

 protected:
  /// Before anything is built. Throws Error of kind limit where the model would not fit into memory.
  void expect_size(const mip::ModelSize& size, int max_depth, double data_rows) {
    expected_size_ = size;
    mip::check_model_size(size, max_depth, data_rows);
  }

  mip::MipModel model_;

 private:
  mip::ModelSize expected_size_;
};

/// The least difference between two objectives errors + price * splits, less a hair: 0 unless all weights are whole.
double objective_step(const Dataset& data, double price, std::int64_t max_terms);

}  // namespace treewright::formulate
