#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "treewright/methods/svm1/alternating.h"
#include "treewright/methods/svm1/node_program.h"

namespace treewright::svm1 {

/// Largest depth that the search proves: leaves are the bits of a LeafSet.
inline constexpr int kMaxProvedDepth = 5;
using LeafSet = std::uint32_t;

/// The rows of one class at one point: a tree sends them all to one leaf.
struct Svm1Item {
  std::uint32_t row = 0;  ///< one of them
  std::int32_t label = 0;
  double weight = 0;  ///< of all of them
  double slack_price = 0;
  std::size_t point = 0;  ///< equal for items that differ only in class
};

/// A problem as the search sees it: rows that no tree can tell apart are one item.
struct Svm1Items {
  explicit Svm1Items(const Svm1Problem& problem);

  const Svm1Problem& problem;
  std::vector<Svm1Item> items;
  std::vector<std::vector<std::size_t>> of_point;  ///< the items at each point
  PointMatrix u;                                   ///< of the items, columns scaled to [0, 1]
  std::vector<std::size_t> categories;             ///< columns
  std::vector<std::vector<std::int32_t>> level;    ///< shape (categories, items); the last level is for missing values
  std::vector<std::size_t> levels;                 ///< with the one for missing values. Shape (categories).

  int depth() const { return problem.max_depth; }
  std::size_t leaves() const { return std::size_t{1} << depth(); }
  std::size_t nodes() const { return leaves() - 1; }
  LeafSet all_leaves() const { return leaves() == 32 ? ~LeafSet{0} : (LeafSet{1} << leaves()) - 1; }
};

/// What is decided at an inner node.
struct Svm1NodeState {
  static constexpr int kOpen = -2, kPlane = -1;
  int kind = kOpen;                            ///< a hyperplane (or no split), or the number of a category
  std::shared_ptr<const NodeProgram> program;  ///< of a hyperplane; null where nothing is required, or where it was forgotten
  std::vector<std::int8_t> goes;               ///< of a category: -1 left, 1 right, 0 open, for each level
  bool reached[2] = {false, false};            ///< whether an item is certain to go left, right
  double lower = 0;                            ///< no split costs less
  bool satisfied = false;                      ///< of a trial: the hyperplane meets what is required, and the program does not have it yet
};

/// A state of the search for SVM1-ODT: which items are right or wrong, the leaves of some, and a bound for all trees that agree. See
/// state.cpp. Has value semantics; `items` must outlive it.
class Svm1State {
 public:
  enum class Role : std::uint8_t {
    open,
    right,   ///< classified correctly, in a leaf that is known
    wrong,   ///< misclassified, in some leaf
    placed,  ///< misclassified, in a leaf that is known
  };
  /// The nodes on the way to a leaf with an item there.
  struct Trial {
    std::vector<Svm1NodeState> path;  ///< root first. Shape (depth).
    double bound = 0;
  };

  /// Nothing is decided. `most`: costs above it are of no interest.
  Svm1State(const Svm1Items& items, double most);

  /// No tree that agrees with the decisions costs less.
  double bound() const { return bound_; }
  Role role(std::size_t item) const { return role_[item]; }
  std::int32_t label(std::size_t leaf) const { return label_[leaf]; }  ///< -1 if it is open
  const Svm1NodeState& node(std::size_t t) const { return nodes_[t]; }
  /// The leaf of an item that is right or placed.
  std::size_t leaf(std::size_t item) const { return leaf_[item]; }
  /// The leaves that an open item may be right in, or a wrong one may be in.
  LeafSet leaves(std::size_t item) const;

  /// A quick bound for the item in this leaf.
  double glance(std::size_t item, std::size_t leaf) const;
  /// A better one, up to `cutoff`.
  Trial trial(std::size_t item, std::size_t leaf, double cutoff) const;
  Svm1State after(std::size_t item, std::size_t leaf, Trial trial) const;
  Svm1State with_kind(std::size_t t, int kind) const;
  void make_wrong(std::size_t item);
  /// The bound if the open item is wrong. It may be this state's, which already counts that one of several rows is.
  double if_wrong(std::size_t item) const;
  /// No tree that agrees and is of interest has the item in this leaf.
  void exclude(std::size_t item, std::size_t leaf) { may_[item] &= ~(LeafSet{1} << leaf); }
  /// Open items that cannot be right are wrong.
  void settle();

  void forget();
  void prepare();

 private:
  void count();
  void join_cells();
  const std::vector<std::vector<std::size_t>>& groups() const { return cells_ ? *cells_ : all_->of_point; }
  std::vector<std::size_t> company(std::size_t item) const;
  void require(NodeProgram& program, std::size_t item, bool right) const;
  svm::MarginConstraint soft(std::size_t item, bool right) const;
  static svm::MarginConstraint hard(std::size_t item, bool right);

  const Svm1Items* all_;
  double most_;
  std::vector<Role> role_;  // Shape (items), like the next two.
  std::vector<std::uint8_t> leaf_;
  std::vector<LeafSet> may_;
  std::vector<std::int32_t> label_;  // Shape (leaves).
  std::vector<Svm1NodeState> nodes_;
  std::shared_ptr<const std::vector<std::vector<std::size_t>>> cells_;  // items that go to the same leaf; null: those at one point
  std::vector<std::size_t> cell_of_;                                    // Shape (items), or empty
  double lost_ = 0;                                                     // weight of the items that are wrong
  double bound_ = 0;
};

}  // namespace treewright::svm1
