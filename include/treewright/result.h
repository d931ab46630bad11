#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "treewright/error.h"
#include "treewright/progress.h"
#include "treewright/tree.h"

namespace treewright {

/// One number or text of an objective, as tree files store it.
using Parameter = std::variant<double, std::vector<double>, std::vector<std::string>>;
/// Names and values.
using Parameters = std::vector<std::pair<std::string, Parameter>>;

/// Up to what sums of weights, or of costs, are known, in units of errors.
struct KnownSums {
  double last_digits = 0;  ///< of the sums of doubles; well below what a row weighs
  double rounding = 0;     ///< at least `last_digits`: weights without a common unit are rounded to one
};

/// What training minimizes: its value on rows, its formula in words, its parameters in a tree file.
class Objective {
 public:
  virtual ~Objective() = default;
  /// The name that tree files store.
  virtual std::string_view kind() const = 0;
  /// The value of a tree on the rows it was trained on, routed again.
  virtual double of(const Tree& tree, const Dataset& data) const = 0;
  /// The value, if errors (weight of the misclassified rows) and terms (Tree::terms) determine it; else empty.
  virtual std::optional<double> of_counts(double errors, std::size_t terms) const;
  /// A formula for people, as plain text.
  virtual std::string formula() const = 0;
  virtual Parameters parameters() const = 0;
  /// Price of complexity, in units of the objective: of a split, a feature or a unit of weight, as the method says.
  virtual double price() const = 0;
  /// What errors are divided by.
  virtual double error_scale() const { return 1; }
  /// What a split, or another unit of complexity, costs in units of errors.
  double split_price() const { return price() * error_scale(); }
  /// Objective and bound are equal when they are this close, as a share of the objective.
  virtual double gap_tolerance() const { return 0; }
  /// By how much the value of a tree and a bound on it may differ though they are equal.
  virtual KnownSums known_sums(const Dataset&) const { return {}; }
  /// What every tree has to pay, in units of errors: a share of the objective says little where this is most of it.
  virtual double certain(const Dataset&) const { return 0; }
  /// How much better than another each label is in a leaf with these training rows: leaves have the first of the best labels. `node`:
  /// tallied. Shape (classes).
  virtual std::vector<double> label_gains(const Node& node) const;
};

using ObjectivePtr = std::shared_ptr<const Objective>;

/// The weight of the misclassified rows, and nothing else.
ObjectivePtr plain_errors();

/// A setting that `auto` compared with others, by cross-validation on the training rows, before it chose one.
struct CandidateScore {
  std::string method;
  std::vector<std::pair<std::string, std::string>> options;  ///< name and value of those in which the candidates differ
  double accuracy = 0;        ///< mean over its own validation parts; 0 if there was no time for one, or if labels have costs
  double behind = 0;          ///< the first one's lead on the same rows, where half of each is its own and half the mean of its neighbors
  double standard_error = 0;  ///< of `behind`
  double splits = 0;          ///< mean over the parts, like features
  double features = 0;        ///< features in all splits (Tree::terms)
  std::int64_t parts = 0;     ///< validation parts that it was scored on
  double seconds = 0;         ///< of all its fits
  std::string reason;         ///< "chosen", or why not
  /// Where labels have costs: their mean over the validation rows, of which `behind` and `standard_error` are then differences.
  std::optional<double> cost = {};
  /// Where another measure than the accuracy was asked for (Options::scoring): its mean, large is good (minus the log loss). `accuracy` is
  /// 0 then, and differences are of this.
  std::optional<double> score = {};
};

/// How the file was read that a tree was trained on, where the user has said how or cells left it open: so that other files are read alike.
struct TrainingFile {
  std::vector<std::string> missing;   ///< cells that stand for missing values, besides the usual ones
  std::vector<std::string> present;   ///< usual ones that stand for themselves (NA for North America)
  std::optional<std::string> target;  ///< as it was named
  std::optional<std::string> weights, exposure, event;
  std::vector<std::string> drop, categorical, numeric, costs;  ///< columns
  char decimal = '\0', date_order = '\0';                      ///< as in ReadOptions
  char doubtful_decimal = '\0';
  bool drop_unlabeled = false;
  std::vector<double> edges;    ///< numbers between the classes into which the target was grouped
  bool target_classes = false;  ///< each number of the target was taken as a class
  std::string against_rest;     ///< all classes but this one were merged; "" = none were
  double test_share = 0;        ///< share of the rows that was held out to test on
  std::int64_t rows = 0;        ///< of the whole file, where rows were held out
};

/// A tree, and everything claimed about it.
struct Result {
  Tree tree;
  Status status = Status::heuristic;
  ObjectivePtr objective_function = plain_errors();  ///< never null
  double objective = 0;                              ///< objective_function of the tree, recounted on the raw rows
  double bound = 0;                                  ///< no tree within the limits has a smaller objective
  double errors = 0;                                 ///< weight of the misclassified training rows
  std::optional<double> cost;                        ///< of the labels of the training rows, where the data have costs
  std::optional<double> loss;                        ///< of a tree that predicts numbers, on the training rows; `errors` is 0 then
  double total_weight = 0;
  bool unequal_weights = false;  ///< some training row does not weigh 1
  std::int64_t rows = 0;
  std::string proved;                      ///< what was proved, in words
  bool verified = false;                   ///< a checker that knows nothing of the search has gone through a proof of the bound
  std::optional<Error> unwritten;          ///< why the proof, or the rest of the checkpoint, could not be written
  std::string selection;                   ///< what the method chose and why, or its rounds, in words and as a table; may be empty
  std::vector<CandidateScore> candidates;  ///< of `auto`, best first; else empty
  std::string method;
  double seconds = 0;
  std::int64_t seed = 0;
  std::int64_t threads = 1;
  std::int64_t min_leaf_rows = 1;
  double min_leaf_weight = 0;
  std::int64_t max_depth = 0;
  std::int64_t max_splits = -1;
  std::vector<std::pair<std::string, std::string>> options;  ///< name and value of every option that was not at its default
  TrainingFile file;                                         ///< of trees that the command trained
  bool edited = false;                                       ///< the file that it was read from was changed after it was written
  std::vector<Progress> history;  ///< incumbent and bound over time: every new incumbent, and bounds that rise by a hundredth of it or more

  /// The value of an option that was not at its default; null for any other.
  const std::string* option(std::string_view name) const;
  /// Ended before it proved what it set out to prove, or compared what it set out to compare.
  bool stopped() const { return status != Status::optimal && status != Status::heuristic; }
  /// Whether rows have weights (of their own or of their classes), so that `errors` is a sum of weights and not a number of rows.
  bool weighted() const;
  double accuracy() const { return total_weight > 0 ? 1 - errors / total_weight : 0; }
  /// The share of the loss of the tree without splits that a tree of numbers avoids: R2 of squared error.
  double explained() const;
  /// What training makes large, for each row: minus the cost of its label where labels have costs, else the accuracy, or what
  /// a tree of numbers explains.
  double mean_gain() const { return cost && total_weight > 0 ? -*cost / total_weight : loss ? explained() : accuracy(); }
  /// (objective - bound) / max(|objective|, 1e-10); never negative.
  double gap() const;
};

/// Recounts the claims on the rows the result was trained on: errors or loss, objective, depth, splits, rows per leaf.
/// Returns one sentence for each claim that does not hold; empty = all hold. `data` must be aligned to the tree and have what it predicts,
/// else Error.
std::vector<std::string> check_claims(const Result& result, const Dataset& data);

/// The result with its tree as JSON (schema docs/tree-schema.md). Numbers are written with the digits that bring back the same
/// double, so the round trip is exact.
std::string to_json(const Result& result);

/// Reads what `to_json` wrote, by any method. `origin` names the source in messages. Throws Error on
/// anything else: damaged text, a later schema version, nodes that do not form a tree.
Result from_json(std::string_view text, const std::string& origin);

/// The claims of a result without its tree, as one JSON object: what `--json` prints.
std::string summary_json(const Result& result);

}  // namespace treewright
