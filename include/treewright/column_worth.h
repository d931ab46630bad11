#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "treewright/data.h"
#include "treewright/fit.h"

namespace treewright {

/// The least cost of the trees that keep to a column, as far as it is known: between `bound` and `cost`. In errors, by weight, or
/// what the labels cost where they have costs; where splits have a price, plus that of the splits.
struct LeastCost {
  double bound = 0;
  double cost = std::numeric_limits<double>::infinity();  ///< of the best tree found; infinite = none was
  /// optimal: `cost` is the least one, and equals `bound`. infeasible: there is no such tree. Else what stopped the search; heuristic where
  /// that was `beyond`.
  Status status = Status::optimal;
  std::shared_ptr<const Result> result;  ///< the tree, with its own claims; null = no tree was trained
  bool beyond = false;                   ///< `bound` is more than was to be found out

  /// Whether the question is answered.
  bool is_known() const { return status == Status::optimal || status == Status::infeasible || beyond; }
};

/// What a column is worth.
struct ColumnWorth {
  std::string name;
  FeatureId column{};
  bool used = false;  ///< whether the best tree asks it
  LeastCost first;    ///< of the trees that ask it first
  LeastCost never;    ///< of the trees that never ask it
};

struct ColumnWorths {
  LeastCost best;                                              ///< of all trees
  std::vector<ColumnWorth> columns;                            ///< those that are worth most first
  Status status = Status::optimal;                             ///< optimal: every question is answered; else what stopped the run
  std::int64_t solves = 0;                                     ///< how many problems were solved
  bool whole = true;                                           ///< costs are whole numbers of errors
  double unit = 0;                                             ///< costs differ by whole multiples of it; 0 = of none that is known
  std::int64_t max_depth = 0;                                  ///< of all these trees
  double most_more = std::numeric_limits<double>::infinity();  ///< as it was asked for
};

/// Called after every solve with the number of solves so far, and of all.
using ColumnWorthListener = std::function<void(std::int64_t solves, std::int64_t all)>;

/// For each column the least cost of a tree that asks it first, and of one that never asks it, each proved, within the limits of `options`.
/// `most_more`: of costs that are more than so many errors above the best tree's, only this is found out. `options.time_limit` limits the
/// whole run, `node_limit` each solve. The columns are solved side by side; the result is the same for any number of threads. Throws Error
/// as `fit` does, on another method than oct, and on first_column, never_columns, min_weight_fraction_leaf and a
/// checkpoint.
ColumnWorths column_worth(const Dataset& data, const Options& options, const FitHooks& hooks = {},
                          double most_more = std::numeric_limits<double>::infinity(), const ColumnWorthListener& told = {});

/// Of the best tree that any solve has found: less than `best.cost` only where that was not proved.
double least_found(const ColumnWorths& worths);

/// How much more than the best tree that any solve has found costs what costs so much, or at least so much. Counted in whole units where
/// there is one.
double more_than_best(const ColumnWorths& worths, double cost);

/// How many more errors, by weight, the trees make at least that never ask the column; 0 where this is not known.
double least_loss(const ColumnWorths& worths, const ColumnWorth& column);

/// The best split on one column in one place of a tree.
struct ColumnSplit {
  std::string name;
  FeatureId column{};
  LeastCost least;             ///< of the trees that begin as they are to, and ask the column there
  std::optional<Split> split;  ///< that of the best tree found; empty = no tree was found
};

struct ColumnSplits {
  LeastCost best;  ///< of all trees that begin so
  LeastCost leaf;  ///< of those with a leaf in the place
  /// The cheapest first; of equal ones the column that comes first in the data. Not those in `left_out`.
  std::vector<ColumnSplit> columns;
  std::vector<std::string> left_out;  ///< categories of more levels than are split in every way: nothing is found out about them
  Status status = Status::optimal;    ///< optimal: all that is asked is proved; else what stopped the run
  std::int64_t solves = 0;            ///< how many problems were solved
  bool whole = true;                  ///< costs are whole numbers of errors
  std::int64_t max_depth = 0;         ///< of all these trees
};

/// Called with each column that is known, and the numbers of columns known so far and of all; from any thread, never from two at once.
using ColumnSplitListener = std::function<void(const ColumnSplit& split, std::int64_t known, std::int64_t all)>;

/// For each column the least cost of a tree that begins with the splits of `options.top` and asks the column in the place which "?" marks
/// there, each proved, within the limits of `options`. `options.time_limit` limits the whole run, `node_limit` each solve. The result is
/// the same for any number of threads. Throws Error as `column_worth` does, on max_splits, and unless one place is marked.
ColumnSplits column_splits(const Dataset& data, const Options& options, const FitHooks& hooks = {}, const ColumnSplitListener& told = {});

}  // namespace treewright
