#pragma once

#include <functional>
#include <memory>
#include <string>

#include "treewright/formulate/formulation.h"
#include "treewright/task/task.h"

namespace treewright::formulate {

/// What is known before the solver has begun.
struct Known {
  double bound = 0;  ///< no tree of the model costs less, as the solver says; in units of errors
  Tree tree;         ///< within the limits
};

/// A method's model of trees, and what belongs to it.
struct TreeModel {
  std::unique_ptr<Formulation> formulation;
  /// What the solver's bound proves, in words, up to "as HiGHS says".
  std::string proved;
  /// A further start besides CART where mip_start is auto; may be empty.
  std::function<Tree(Deadline&)> greedy = {};
  /// What a tree costs besides errors and terms, in units of errors; may be empty.
  std::function<double(const Tree&)> extra_cost = {};
  /// Which trees of the method may be better than the model's, because it has not these or not at their price. Empty: none.
  std::string trees_without = {};
  /// A bound on the model from smaller ones, and the better of the start and the trees met on the way. May be empty.
  std::function<Known(const Tree& start, Deadline&)> known = {};
};

/// The limits and prices that every model takes from the task.
FormulationOptions formulation_options(const Task& task);

/// Builds the method's model, writes it where asked, solves it, and makes a tree of the solution: tree, status, bound and `proved` of the
/// result. Where no split tells any rows apart, `build` is not called. Throws Error on a start that does not fit, or where the solver
/// fails.
Result solve_model(const Task& task, const std::function<TreeModel(Deadline&)>& build);

/// What the bound of a model of thresholds and sets of levels proves: TreeModel::proved.
std::string axis_claim(const Dataset& data);

/// TreeModel::greedy of models of thresholds and sets of levels: the best tree that the exact search finds in a tenth of the time, and in
/// so many subproblems that small data are solved. The solver is quick to prove such a tree and slow to find it.
Tree searched_start(const Task& task, Deadline& deadline);

/// What a leaf of a tallied tree lacks, or "". Where values differ in their last digits only, rows may end in other leaves than in a model.
std::string missing_in_leaf(const Task& task, const Tree& tree);

/// How far a solver's objective may lie from the same tree's cost, counted on the raw rows: `counts` says that nothing but errors and terms
/// is in it.
double solver_tolerance(const Dataset& data, double objective, bool counts = true);

/// Whether a bound leaves no room below a tree of this cost, but for a solver's rounding.
bool meets(double bound, double cost);

/// The cost of a tree that the model minimizes, counted on the raw rows, in units of errors.
double model_cost(const Task& task, const TreeModel& model, const Tree& tree);

}  // namespace treewright::formulate
