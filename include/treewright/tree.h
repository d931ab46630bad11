#pragma once

#include <cmath>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "treewright/data.h"

namespace treewright {

/// The index of a node, as strong as FeatureId.
enum class NodeId : std::int32_t {};

constexpr std::int32_t operator+(NodeId id) {
  return static_cast<std::int32_t>(id);
}

/// "No node": the child of a leaf.
inline constexpr NodeId kNoNode{-1};

/// Left iff x < threshold (raw units). Thresholds lie in the middle of the gap between two training values; of ordered levels, half a place
/// behind the last level on the left.
struct AxisSplit {
  FeatureId feature{};
  double threshold = 0;
  bool operator==(const AxisSplit&) const = default;
};

/// Left iff sum of weight * x over the terms < threshold (raw units, no zero weights; terms sorted by weight times standard
/// deviation).
struct HyperplaneSplit {
  struct Term {
    FeatureId feature{};
    double weight = 0;
    std::int32_t level = -1;                ///< of a category: x is 1 if the row has this level, else 0; -1 = x is the numeric value
    std::optional<double> if_missing = {};  ///< x where the value is missing; without it such a row goes by missing_left
    bool operator==(const Term&) const = default;
  };
  std::vector<Term> terms;
  double threshold = 0;
  bool operator==(const HyperplaneSplit&) const = default;
};

/// Left iff the level is in the set. Shape of `left`: (levels of the feature).
struct CategorySplit {
  FeatureId feature{};
  std::vector<bool> left;
  bool operator==(const CategorySplit&) const = default;
};

using SplitRule = std::variant<AxisSplit, HyperplaneSplit, CategorySplit>;

/// The result of the case that takes the rule's kind. Each kind needs a case: a new kind of split compiles only where all of them know it.
template <class Rule, class... Cases>
decltype(auto) match(Rule&& rule, Cases... cases) {
  struct OfAllKinds : Cases... {
    using Cases::operator()...;
  };
  return std::visit(OfAllKinds{std::move(cases)...}, std::forward<Rule>(rule));
}

/// A rule, and the side of rows whose value is missing.
struct Split {
  SplitRule rule;
  bool missing_left = false;

  /// The rule if it is of this kind, else null.
  const AxisSplit* axis() const { return std::get_if<AxisSplit>(&rule); }
  AxisSplit* axis() { return std::get_if<AxisSplit>(&rule); }
  const HyperplaneSplit* plane() const { return std::get_if<HyperplaneSplit>(&rule); }
  HyperplaneSplit* plane() { return std::get_if<HyperplaneSplit>(&rule); }
  const CategorySplit* set() const { return std::get_if<CategorySplit>(&rule); }
  /// The column of a rule that asks one only; nothing of a hyperplane.
  std::optional<FeatureId> feature() const;
  bool operator==(const Split&) const = default;
};

/// The description of one column, enough to match new data by name.
struct Feature {
  std::string name;
  ColumnKind kind = ColumnKind::numeric;
  std::vector<std::string> levels;
  bool has_missing = false;  ///< the value was missing in some training row
  Notation notation = Notation::plain;
  /// Digits behind the decimal point that keep the training rows on their sides of all thresholds on this feature (see set_decimals); a
  /// text shows no more. -1 = not known.
  int decimals = -1;
  std::string unit = {};  ///< numeric: what stood beside each number of the training rows ($, kg, %), or "hours" of times of day
  bool zoned = false;     ///< dates: they had a time zone; the values are days in UTC
  std::string shown_name = {}, shown_unit = {};  ///< for people (name_columns); no tree file has them
  bool has_levels() const { return kind == ColumnKind::categorical || notation == Notation::ordered; }
  const std::string& called() const { return shown_name.empty() ? name : shown_name; }
  /// Decimals and units are a matter of display: trees of the same columns compare as equal whatever is known of them.
  bool operator==(const Feature& other) const {
    return name == other.name && kind == other.kind && levels == other.levels && has_missing == other.has_missing &&
           notation == other.notation && zoned == other.zoned;
  }
};

/// What a tree that predicts numbers knows of the training rows of a node.
struct Estimate {
  /// What the node predicts: the mean or, of events, their number for each unit of exposure; of survival, the hazard as a multiple of that
  /// of all rows.
  double value = 0;
  double weight = 0;                        ///< of the rows
  double exposure = 0;                      ///< sum of weight * exposure; the weight where rows have no exposure
  double loss = 0;                          ///< of the value on the rows: weighted squared error, or half the deviance
  std::vector<SurvivalStep> survival = {};  ///< of the rows of a leaf, where they are observed up to an event; else empty
  bool operator==(const Estimate&) const = default;
};

struct Node {
  std::optional<Split> split;  ///< empty in a leaf
  NodeId left = kNoNode, right = kNoNode;
  std::int32_t label = 0;            ///< majority class by weight or, where the data have costs, the cheapest label; the first of equals
  std::int64_t rows = 0;             ///< training rows that reach the node
  std::vector<double> class_weight;  ///< weight of each class among them. Shape (classes).
  std::vector<double>
      label_cost;          ///< what each label costs them, where costs are by row (Dataset::row_costs); else empty. Shape (classes).
  Estimate estimate = {};  ///< instead of the four above but `rows`, in a tree that predicts numbers
  /// Of the training rows that reach the node.
  double weight() const;
  bool is_leaf() const { return !split.has_value(); }
  /// The split's rule if there is one of this kind, else null.
  const AxisSplit* axis() const { return split ? split->axis() : nullptr; }
  const HyperplaneSplit* plane() const { return split ? split->plane() : nullptr; }
  const CategorySplit* set() const { return split ? split->set() : nullptr; }
  bool operator==(const Node&) const = default;
};

/// Probabilities that change within a leaf, with the distances of the row to the hyperplanes on its path (see Tree::predict_proba).
struct ProbabilityModel {
  /// Of a leaf, for each class; of a hyperplane, what each class gains where the distance is `reach` to the right, and loses to the left.
  /// Shape (nodes x classes), node after node; 0 of other splits.
  std::vector<double> logits;
  std::vector<double> reach;  ///< in the plane's own units; larger distances count as this one. Shape (nodes); 0 = the node has none.
  bool operator==(const ProbabilityModel&) const = default;
};

/// A tree that predicts classes or numbers: a value, in raw units, independent of how it was trained. Node 0 is the root; children come
/// after their parent.
class Tree {
 public:
  std::vector<Feature> features;
  std::vector<std::string> class_names;
  std::optional<Loss> loss;  ///< of a tree that predicts numbers, which has no classes; empty = it predicts classes
  std::string target_name = "class";
  /// By which its probabilities are smoothed (probabilities.h); 0 = the shares of the classes in each leaf. `fit` sets the usual one, auto
  /// one that its folds have chosen.
  double shrinkage = 0;
  /// Instead of these, in most trees with hyperplanes. It belongs to the splits and goes where they change.
  std::optional<ProbabilityModel> probability_model;

  /// A single leaf without columns and classes, to assign another tree to.
  Tree() : nodes_(1) {}
  /// A single leaf with the columns of `data`, and its classes or its loss.
  explicit Tree(const Dataset& data);

  const std::vector<Node>& nodes() const { return nodes_; }
  const Node& node(NodeId id) const { return nodes_[+id]; }
  static constexpr NodeId root() { return NodeId{0}; }

  /// Turns a leaf into a split with two new leaves; returns (left, right).
  std::pair<NodeId, NodeId> split(NodeId leaf, Split split);
  /// Turns a node into a leaf and drops its subtree. Ids of other nodes may change.
  void collapse(NodeId id);

  /// Routes all rows of `data` and stores class weights, row counts and labels, or estimates, in every node. Throws Error as `predict`
  /// does.
  void tally(const Dataset& data);

  /// Removes splits that do not pay: those whose subtree has errors (or loss) + split_price * splits no smaller than those of a leaf (a
  /// negative price keeps them). Expects a tallied tree. `keep_root`: but for the root.
  void simplify(double split_price = 0, bool keep_root = false);

  /// At splits where no row of `data` has a missing value, later rows with one go to the heavier side.
  void direct_unseen_missing(const Dataset& data);

  /// The leaf that `row` of `data` reaches. `data` must have this tree's columns in this tree's order: see `align`. Nothing is checked.
  NodeId route(const Dataset& data, std::size_t row) const;

  /// Leaf per row (as scikit-learn's `apply`), class index per row, and class probabilities per row. Shapes (rows),
  /// (rows), (rows x classes, row after row). `data` must have this tree's columns and levels at their places: rows of another file need
  /// `align` first. Throws Error naming the column that the tree asks and that has another place, kind or levels.
  /// The probabilities are those of `probability_model`, or of the leaf (probabilities.h).
  std::vector<NodeId> apply(const Dataset& data) const;
  std::vector<std::int32_t> predict(const Dataset& data) const;
  std::vector<double> predict_proba(const Dataset& data) const;
  /// The number of each row's leaf, by a tree that predicts numbers. Shape (rows). Throws Error as `predict` does.
  std::vector<double> predict_values(const Dataset& data) const;

  std::size_t leaves() const;
  std::size_t splits() const { return nodes_.size() - leaves(); }
  /// Number of features in each split, summed over the splits: the complexity of BD17 (28). A tree without hyperplanes has one
  /// per split; a level of a category inside a hyperplane counts as a feature.
  std::size_t terms() const;
  /// Splits on the longest path from the root to a leaf; 0 for a single leaf.
  int depth() const;
  /// Depth of each node. Shape (nodes).
  std::vector<int> depths() const;
  /// Features that occur in a split, ascending.
  std::vector<FeatureId> features_used() const;

  /// Equal features, classes or loss, splits, labels, estimates and counts, number by number.
  bool operator==(const Tree&) const = default;

  /// Rebuilds from parts, checking that they form a tree over these features and classes. Throws Error naming the node.
  static Tree from_nodes(std::vector<Feature> features, std::vector<std::string> class_names, std::string target_name,
                         std::vector<Node> nodes, std::optional<Loss> loss = {});
  /// A tree of the same columns and classes or loss. Throws Error as `from_nodes`.
  Tree with_nodes(std::vector<Node> nodes) const { return from_nodes(features, class_names, target_name, std::move(nodes), loss); }

 private:
  void drop_unreached();
  void tally_numbers(const Dataset& data);

  std::vector<Node> nodes_;
};

/// x of one term of a hyperplane; NaN if it is missing and has no replacement.
inline double term_value(const HyperplaneSplit::Term& term, const Dataset& data, std::size_t row) {
  const Column& column = data.columns[+term.feature];
  if (column.missing(row)) return term.if_missing.value_or(std::nan(""));
  return term.level < 0 ? column.values[row] : static_cast<double>(column.codes[row] == term.level);
}

/// Whether the row goes left.
bool goes_left(const Split& split, const Dataset& data, std::size_t row);

/// Whether missing_left decides the side of the row: a value that the split uses is missing and has no replacement.
bool lacks_value(const Split& split, const Dataset& data, std::size_t row);

/// The columns of the tree in `data`, by name, in the tree's order and with the tree's level codes; a level that the
/// tree does not know becomes a missing value. A column that no split asks for may be absent: all its values are missing then.
/// Labels are re-coded to the tree's classes where `data` has them.
/// Throws Error naming the column when one is absent or has another kind, when a label is not a class of the tree, and where
/// `Dataset::validate` throws.
Dataset align(const Dataset& data, const Tree& tree);

/// Cuts the tree below `max_depth`, then collapses splits whose children are both leaves, least error increase first,
/// until at most `max_splits` (if not negative) remain: BD17's "trim" of a CART solution (sec. 3, step 2(a)i).
/// Expects a tallied tree.
void trim(Tree& tree, int max_depth, std::int64_t max_splits);

/// Reads what people call columns, and the units of their numbers, from a CSV text with a line `column,name,unit` for each; name and unit
/// may be left out. Texts, pictures and pages of the tree show them, models and programs do not. Returns the columns named there that the
/// tree does not have. Throws Error on lines of another form, and where a column is named twice. `origin`: what messages call the text.
std::vector<std::string> name_columns(Tree& tree, std::string_view csv, const std::string& origin);

/// The tree, its columns called as those of `other` with the same names.
Tree called_as(Tree tree, const Tree& other);

/// Finds `decimals` of each feature: the fewest with which every threshold on it stays between the rows of `data` to its left and right, a
/// hundredth of their distance away from itself at most.
void set_decimals(Tree& tree, const Dataset& data);

/// Gives each leaf of a tree of survival the curve of its rows, which `tally` drops. Of other trees there is none.
void set_curves(Tree& tree, const Dataset& data);

/// Mean depth of the leaves. (The six measures of BD17 sec. 5 are accuracy in and out of sample, leaves(), depth(), and the two depths
/// here.)
double average_depth(const Tree& tree);
/// Mean depth of the leaves that the rows of `data`, aligned to the tree, reach, weighted by rows.
double expected_depth(const Tree& tree, const Dataset& data);

// The three measures below need rows with labels, aligned to the tree. They throw Error where labels are missing, or where columns that the
// tree asks, their levels or the classes are not those of the tree.

/// Share of the weight that is classified correctly.
double accuracy(const Tree& tree, const Dataset& data);
/// Mean, over the classes that occur, of the share classified correctly (Brodersen et al. 2010; scikit-learn's definition).
double balanced_accuracy(const Tree& tree, const Dataset& data);
/// Weight of true class (row) against predicted class (column). Shape (classes x classes).
std::vector<std::vector<double>> confusion_matrix(const Tree& tree, const Dataset& data);

/// How well numbers are predicted.
struct NumberScores {
  double explained = 0;  ///< 1 - loss / the loss of the rows' own mean: R2 of squared error; 0 where that loses nothing, too
  double rmse = 0;       ///< square root of the mean squared error; of events, of their number
  double mae = 0;        ///< mean absolute error
  double mean_loss = 0;  ///< squared error, or half the deviance, of a row that weighs 1
  std::optional<double> concordance = {};  ///< of survival (data/survival.h); nothing where no row is known to outlast another one's event
};

/// Of predictions by a tree with the loss of `data.response`, which must be there. Shape (rows).
NumberScores score_numbers(std::span<const double> predicted, const Dataset& data);
/// Of a tree on rows that are aligned to it. Throws Error where they have no numbers, or the tree predicts classes.
NumberScores score_numbers(const Tree& tree, const Dataset& data);

}  // namespace treewright
