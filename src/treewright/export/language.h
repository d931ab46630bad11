#pragma once

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "treewright/tree.h"

namespace treewright::exports {

/// Of a tree whose probabilities change with distances (ProbabilityModel): what a program has to add up for the logits of a leaf. Empty for
/// all other trees.
struct LogitTable {
  explicit LogitTable(const Tree& tree);
  bool empty() const { return of_leaves.empty(); }
  std::vector<NodeId> planes;  ///< the nodes whose distances count
  /// Of each leaf its own logits, and behind them what each class gains by each distance: 0 where the hyperplane is not on the leaf's path.
  /// Shape (leaves, 1 + planes, classes).
  std::vector<std::vector<std::vector<double>>> of_leaves;
};

/// How a programming language writes values, names, missing values and questions.
struct Language {
  const Tree& tree;
  std::vector<std::string> leaf_text;  ///< what stands for each leaf, by node
  /// Leaves are written by their numbers, from left to right in the order of the nodes.
  explicit Language(const Tree& of);
  virtual ~Language() = default;

  /// The number that a split compares; of an ordered level its place.
  virtual std::string numeric(FeatureId feature) const = 0;
  /// Whether a level is given by its text; then ordered levels are a set of texts. Else it is given by its number.
  virtual bool levels_are_texts() const { return true; }
  virtual std::string term(const HyperplaneSplit::Term& term) const = 0;
  virtual std::string number(double value) const;
  virtual std::string below(const std::string& value, double threshold, bool or_missing) const;
  /// The question of an axis split. Where SQL has a type of its own for the column it asks in other words.
  virtual std::string below(const AxisSplit& axis, bool or_missing) const;
  virtual std::string below(const HyperplaneSplit& plane, bool or_missing) const;
  /// The sum that a hyperplane compares with its threshold.
  std::string sum(const HyperplaneSplit& plane) const;
  /// What the rows of a leaf in `logits` are multiplied by: 1 and, behind it, of each hyperplane the distance in its units of `reach`,
  /// which `function` keeps within -1 and 1.
  std::string distances(const LogitTable& logits, const std::string& function) const;
  virtual std::string negated(const std::string& condition) const;
  virtual std::string one_of(FeatureId feature, const std::vector<std::size_t>& levels) const = 0;

  std::string condition(const Split& split) const;
  /// Whether programs meet levels in another form than their texts: some are numbers, or truth values of the language.
  bool has_other_forms() const;
  /// The categorical features that the tree asks about.
  std::vector<FeatureId> categories_used() const;
  /// Whether the right child stands inside the question's block and the left one behind it. Only in trees whose blocks would nest too deep
  /// for some compiler; then each question has the child inside that nests less, so the depth is at most log2 of the leaves.
  bool right_inside(const Node& node) const { return !needs_.empty() && needs_[+node.right] < needs_[+node.left]; }
  /// The condition of the child that stands inside.
  std::string condition_inside(const Node& node) const;
  /// What the number of the split means for the child inside, where it is a date or a place: "before 2021-09-22", "dose <= low"; else "".
  std::string meant_inside(const Node& node) const;

 protected:
  /// By node, how deep the blocks below nest at least; empty where a block for each left child is not too deep.
  std::vector<int> needs_;
  /// Fills `needs_` where blocks would nest deeper than this. `right_is_behind`: the right child's blocks stand behind the left one's, else
  /// inside as well.
  void nest_at_most(int depth, bool right_is_behind = true);
  /// A threshold that every number, or none, is below: such a split only asks whether there is a value.
  static bool is_end(double threshold) { return std::abs(threshold) == std::numeric_limits<double>::max(); }
};

/// The leaves of a tree as programs list them, in the order of the nodes.
struct LeafTable {
  explicit LeafTable(const Tree& tree);
  std::vector<std::int32_t> labels;         ///< class of each leaf
  std::vector<std::vector<double>> shares;  ///< probabilities of the classes in each leaf
  std::vector<double> values;               ///< number of each leaf, where the tree predicts numbers; then the others are empty
};

/// Numbers within brackets, as deep as the table: "{1.0, 0.0}, {0.5, 0.5}" for two rows, without brackets around them all.
std::string table_text(const std::vector<double>& row, const char* open, const char* close);
template <class Row>
std::string table_text(const std::vector<std::vector<Row>>& rows, const char* open, const char* close) {
  std::string out;
  for (const std::vector<Row>& row : rows) out += (out.empty() ? "" : ", ") + (open + table_text(row, open, close) + close);
  return out;
}

/// Stands in a program for its name until `named` gives it one.
inline constexpr const char* kName = "\x01";

/// The program with its name; "" = "treewright_" and a checksum of the program, so that no two programs share it. Throws Error where the
/// name has other characters than letters, digits and _.
std::string named(std::string program, const std::string& name);

/// Items with ", " between them.
std::string joined(const std::vector<std::string>& items);

/// Text between double quotes for Python and JavaScript.
std::string quoted_text(const std::string& text);

}  // namespace treewright::exports
